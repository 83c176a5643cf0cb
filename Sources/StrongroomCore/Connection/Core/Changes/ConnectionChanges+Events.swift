// From a row that changes to those who want to know.

extension ConnectionChanges {
    /// One table and operation of the statement that runs, and who observes it.
    struct Interest {
        let kind: DatabaseEventKind
        let mayChangeRowID: Bool
        let observers: [ObserverEntry]
        /// Watches of all rows, for which the columns are right.
        let watches: [RegionWatch]
        /// Watches of some rows, for which they may be.
        let rows: WatchIndex.Table?
        /// Whether SQLite reports no row of the table: what may change is then taken for changed.
        let isOfSilentTable: Bool
    }

    /// Who is to be told of the changes of one table by the statement that runs.
    final class EventTarget {
        let tableName: String
        let schemaName: String
        var insertion: Interest?
        var update: Interest?
        var deletion: Interest?
        /// Whether the watches of all rows have been told, which is done once a statement.
        var isTold = (insertion: false, update: false, deletion: false)

        init(tableName: String, schemaName: String) {
            self.tableName = tableName
            self.schemaName = schemaName
        }
    }

    /// What is told to observers when a savepoint is released.
    struct HeldChange {
        let observers: [ObserverEntry]
        let change: Change

        enum Change {
            case coming(DatabasePreUpdateEvent)
            case done(DatabaseEvent)
            /// Nobody knows which rows have changed.
            case unknown
        }
    }

    /// Called before a statement runs that may write.
    func willRun(_ statement: Statement) {
        let found = interests(in: statement)
        for interest in found where interest.isOfSilentTable { touchAll(interest) }
        // Mostly there is nothing to note, and no earlier statement to forget. The hook stays for
        // the next transaction, unless rows change of which nobody wants to know.
        if found.isEmpty, interests.isEmpty, !hasUpdateHook || statement.kind != .query { return }
        if writer?.isInProgress == true {
            interests += found
        } else {
            interests = found
            writer = statement
        }
        resolved = []
        installHooks()
    }

    private func interests(in statement: Statement) -> [Interest] {
        if observers.isEmpty, let known = statement.knownInterests,
            known.generation == watches.generation
        {
            return known.interests
        }
        let effects = statement.effects
        let found = effects.kinds.compactMap { interest(in: $0, of: effects) }
        deleteRowwise(found)
        statement.knownInterests = observers.isEmpty ? (watches.generation, found) : nil
        return found
    }

    private func interest(in kind: DatabaseEventKind, of effects: StatementEffects) -> Interest? {
        let observers = observers.filter { entry in
            !entry.isMuted && entry.observer?.observes(eventsOfKind: kind) == true
        }
        let table = watches.table(kind.tableName)
        let ofAllRows =
            table?.ofAllRows.filter { $0.region.isModified(byEventsOfKind: kind) } ?? []
        let isReserved = Database.isStrongroomInternalTable(kind.tableName)
        let watches = isReserved ? ofAllRows : watches.everything + ofAllRows
        let rows = table.flatMap { $0.ofRows.isEmpty ? nil : $0 }
        if observers.isEmpty, watches.isEmpty, rows == nil { return nil }
        return Interest(
            kind: kind,
            mayChangeRowID: effects.rowIDChanges.contains(kind.tableName.lowercased()),
            observers: observers, watches: watches, rows: rows,
            isOfSilentTable: (try? database.tellsChanges(ofTable: kind.tableName)) == false)
    }

    /// Deletions that are observed must not be done by emptying the whole table.
    private func deleteRowwise(_ interests: [Interest]) {
        var tables = database.hooks.rowwiseDeletions
        for case .delete(let tableName) in interests.lazy.map(\.kind) {
            tables.insert(tableName.lowercased())
        }
        guard tables.count > database.hooks.rowwiseDeletions.count,
            let connection = database.openConnection
        else { return }
        database.hooks.setRowwiseDeletions(connection, from: tables)
    }

    /// Called for each row that changes.
    func note(_ change: ConnectionHooks.RowChange) {
        let target = target(named: change.table, in: change.schema)
        let interest: Interest?
        let isTold: Bool
        switch change.operation {
        case .insert:
            (interest, isTold) = (target.insertion, target.isTold.insertion)
            target.isTold.insertion = true
        case .update:
            (interest, isTold) = (target.update, target.isTold.update)
            target.isTold.update = true
        case .delete:
            (interest, isTold) = (target.deletion, target.isTold.deletion)
            target.isTold.deletion = true
        }
        guard let interest else { return }
        if !isTold { interest.watches.forEach(touch) }
        if let rows = interest.rows { touchRows(rows, change.rowID, interest) }
        guard !interest.observers.isEmpty else { return }
        let event = DatabaseEvent(
            kind: change.kind, tableName: target.tableName, databaseName: target.schemaName,
            rowID: change.rowID, origin: database.origin, mayChangeRowID: interest.mayChangeRowID)
        tell(HeldChange(observers: interest.observers, change: .done(event)))
    }

    /// Called for each row before it changes, where SQLCipher has the hook.
    func note(_ row: PreUpdateHook.Row) {
        let target = target(named: row.table, in: row.schema)
        let interest =
            switch row.operation {
            case .insert: target.insertion
            case .update: target.update
            case .delete: target.deletion
            }
        guard let interest, !interest.observers.isEmpty else { return }
        var values = DatabasePreUpdateEvent.Values(row)
        tell(
            HeldChange(
                observers: interest.observers,
                change: .coming(
                    DatabasePreUpdateEvent(row, values, of: target, origin: database.origin))))
        // Somebody may have kept it, a savepoint above all.
        if !isKnownUniquelyReferenced(&values) { values.keep() }
    }

    private func target(named table: BorrowedName, in schema: BorrowedName) -> EventTarget {
        let address = table.address
        if let known = resolved.first(where: { $0.address == address }) { return known.target }
        let target = EventTarget(tableName: table.string, schemaName: schema.string)
        let name = target.tableName.lowercased()
        for interest in interests where interest.kind.tableName.lowercased() == name {
            switch interest.kind {
            case .insert: target.insertion = interest
            case .delete: target.deletion = interest
            case .update: target.update = interest
            }
        }
        resolved.append((address, target))
        return target
    }

    private func touchAll(_ interest: Interest) {
        interest.watches.forEach(touch)
        interest.rows?.ofRows.values.forEach { $0.forEach(touch) }
    }

    private func touchRows(_ rows: WatchIndex.Table, _ rowID: Int64, _ interest: Interest) {
        func touch(_ watch: RegionWatch) {
            guard !watch.isTouched, watch.region.isModified(byEventsOfKind: interest.kind) else {
                return
            }
            self.touch(watch)
        }
        if interest.mayChangeRowID {
            rows.ofRows.values.forEach { $0.forEach(touch) }
        } else {
            rows.ofRows[rowID]?.forEach(touch)
        }
    }

    func touch(_ watch: RegionWatch) {
        guard !watch.isTouched, !watch.isMuted else { return }
        watch.isTouched = true
        if savepoints.isEmpty {
            touched.append(watch)
        } else {
            savepoints[savepoints.count - 1].touched.append(watch)
        }
    }

    /// Tells a change now, or when the savepoint ends.
    func tell(_ change: HeldChange) {
        if savepoints.isEmpty {
            deliver(change)
        } else {
            savepoints[savepoints.count - 1].held.append(change)
        }
    }

    func deliver(_ change: HeldChange) {
        hasTold = true
        let outer = Self.telling.pointer
        defer { Self.telling.set(outer) }
        withUnsafePointer(to: Unmanaged.passUnretained(self)) { pointer in
            Self.telling.set(pointer)
            for entry in change.observers where !entry.isMuted {
                switch change.change {
                case .coming(let event): entry.observer?.databaseWillChange(with: event)
                case .done(let event): entry.observer?.databaseDidChange(with: event)
                case .unknown: entry.observer?.databaseDidChange()
                }
            }
        }
    }
}

extension ConnectionHooks.RowChange {
    fileprivate var kind: DatabaseEvent.Kind {
        switch operation {
        case .insert: .insert
        case .delete: .delete
        case .update: .update
        }
    }
}
