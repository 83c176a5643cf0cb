// From the end of a transaction, or of a savepoint, to those who want to know.

extension ConnectionChanges {
    /// Called by SQLite before a commit.
    func agreesToCommit() -> Bool {
        hasAskedForCommit = true
        refusal = database.commitWithOriginError
        if refusal != nil { return false }
        releaseSavepoints()
        do {
            for entry in observers { try entry.observer?.databaseWillCommit() }
            return true
        } catch {
            refusal = error
            return false
        }
    }

    /// Called after a statement that begins or ends a savepoint.
    func note(savepointStatement statement: Statement) {
        let name = SavepointName(statement.sql).name
        switch statement.kind {
        case .savepoint:
            savepoints.append(Savepoint(name: name))
        case .release:
            guard let index = savepoints.lastIndex(where: { $0.name == name }) else { return }
            release(from: index)
        case .rollbackToSavepoint:
            guard let index = savepoints.lastIndex(where: { $0.name == name }) else { return }
            for savepoint in savepoints[index...] { savepoint.touched.forEach(untouch) }
            savepoints.removeSubrange((index + 1)...)
            savepoints[index] = Savepoint(name: name)
        default:
            break
        }
    }

    private func untouch(_ watch: RegionWatch) {
        watch.isTouched = false
    }

    /// Ends savepoints whose changes stay: they are told now, or held by the savepoint around.
    private func release(from index: Int) {
        let released = savepoints[index...]
        savepoints.removeSubrange(index...)
        for savepoint in released {
            if savepoints.isEmpty {
                touched += savepoint.touched
                savepoint.held.forEach(deliver)
            } else {
                savepoints[savepoints.count - 1].touched += savepoint.touched
                savepoints[savepoints.count - 1].held += savepoint.held
            }
        }
    }

    private func releaseSavepoints() {
        if !savepoints.isEmpty { release(from: 0) }
    }

    /// Called when a transaction has ended that nobody is to hear of.
    func forgetTransaction() {
        for savepoint in savepoints { savepoint.touched.forEach(untouch) }
        savepoints = []
        takeTransaction().touched.forEach(untouch)
    }

    /// Called when a transaction that was not to write has ended.
    func forgetSavepoints() {
        if !savepoints.isEmpty { savepoints = [] }
    }

    /// Called when a transaction has been committed.
    ///
    /// - Throws: What an observer throws to refuse the commit of a transaction that changed nothing.
    func didCommit() throws {
        releaseSavepoints()
        if !hasAskedForCommit, !observers.isEmpty, !agreesToCommit() {
            let error = refusal
            didRollback()
            if let error { throw error }
            return
        }
        let (observers, touched) = takeTransaction()
        if observers.isEmpty, touched.isEmpty { return }
        touched.forEach(untouch)
        for entry in observers { entry.observer?.databaseDidCommit(database) }
        tell(touched)
    }

    /// Has watches read the state after the commit before anybody is called who may make another.
    private func tell(_ watches: [RegionWatch]) {
        let readers = watches.filter { $0.read != nil }
        for watch in readers { watch.didCommit(database) }
        let endings = read(readers)
        for watch in watches where watch.read == nil { watch.didCommit(database) }
        for end in endings { end() }
    }

    /// Reads in one transaction: to begin and end one costs more than many a query.
    private func read(_ watches: [RegionWatch]) -> [() -> Void] {
        var rest = watches[...]
        var endings: [() -> Void] = []
        func readNext() {
            if let end = rest.removeFirst().read?(database) { endings.append(end) }
        }
        if watches.count > 1, !database.isInsideTransaction {
            // Where none can be begun, or an error has ended it, the others read on their own.
            try? database.isolatedRead { db in
                while !rest.isEmpty, db.isInsideTransaction { readNext() }
            }
        }
        while !rest.isEmpty { readNext() }
        return endings
    }

    /// Called when a transaction has been rolled back.
    func didRollback() {
        for savepoint in savepoints { savepoint.touched.forEach(untouch) }
        savepoints = []
        let (observers, touched) = takeTransaction()
        touched.forEach(untouch)
        for entry in observers { entry.observer?.databaseDidRollback(database) }
    }

    /// Clears the way for the next transaction, which those who are called may begin.
    private func takeTransaction() -> (observers: [ObserverEntry], touched: [RegionWatch]) {
        // In the order in which they were added, not in that of the changes or of a hash table.
        let inOrder = touched.count > 1 ? touched.sorted { $0.place < $1.place } : touched
        let taken = (observers, inOrder)
        if !touched.isEmpty { touched = [] }
        if !interests.isEmpty { interests = [] }
        if !resolved.isEmpty { resolved = [] }
        refusal = nil
        hasAskedForCommit = false
        hasTold = false
        for entry in observers { entry.isMuted = false }
        removeEndedObservers()
        return taken
    }
}

// MARK: - Changes that SQLite does not tell

extension Database {
    /// Notifies all observers of changes that SQLite does not report, such as those of other
    /// processes.
    ///
    /// Transaction observers are notified immediately. Observations are notified with the commit of
    /// the transaction, even if a savepoint inside is rolled back; without a transaction,
    /// immediately. In a read access, this does nothing.
    ///
    ///     try dbQueue.writeWithoutTransaction { db in try db.notifyChanges(in: .fullDatabase) }
    ///
    /// - Throws: What finding the region in the schema throws; what an observer throws in
    ///   `databaseWillCommit()`, if no transaction is open.
    public func notifyChanges(in region: some DatabaseRegionConvertible) throws {
        guard !configuration.readonly, access.readOnlyDepth == 0 else { return }
        // Those who begin to observe must not miss it.
        observation.commits.increment(written: nil)
        guard changes.isObserved else { return }
        let region = try region.databaseRegion(self)
        changes.noteUnknownChange(in: region, kinds: try kinds(ofUnknownChangesIn: region))
        if !isInsideTransaction { try changes.didCommit() }
    }
}

extension Database {
    private func kindsOfAllTables() throws -> [DatabaseEventKind] {
        let names = try String.fetchAll(
            self,
            sql: "SELECT name FROM pragma_table_list WHERE type IN ('table', 'virtual')")
        return try names.filter { !Self.isSQLiteInternalTable($0) }
            .flatMap { try kinds(ofUnknownChangesIn: $0, columns: nil) }
    }

    /// What may have happened to a table: rows were inserted or deleted, or some columns updated.
    ///
    /// An observer of one column may ask for updates of it alone, or for all that update it.
    private func kinds(
        ofUnknownChangesIn name: String, columns: Set<String>?
    ) throws -> [DatabaseEventKind] {
        let known = try tableExists(name) ? self.columns(in: name).map(\.name) : []
        let columns = columns ?? Set(known)
        let updates = columns.count > 1 ? [columns] + columns.map { [$0] } : [columns]
        return [.insert(tableName: name), .delete(tableName: name)]
            + updates.map { .update(tableName: name, columnNames: $0) }
    }

    private func kinds(ofUnknownChangesIn region: DatabaseRegion) throws -> [DatabaseEventKind] {
        guard let tables = region.namedTables else { return try kindsOfAllTables() }
        return try tables.flatMap { try kinds(ofUnknownChangesIn: $0.name, columns: $0.columns) }
    }
}

extension ConnectionChanges {
    fileprivate func noteUnknownChange(in region: DatabaseRegion, kinds: [DatabaseEventKind]) {
        for watch in watches.all.values
        where watch.region.overlaps(region) && !watch.isTouched && !watch.isMuted {
            watch.isTouched = true
            touched.append(watch)
        }
        let interested = observers.filter { entry in
            guard !entry.isMuted, let observer = entry.observer else { return false }
            return kinds.contains { observer.observes(eventsOfKind: $0) }
        }
        if !interested.isEmpty { deliver(HeldChange(observers: interested, change: .unknown)) }
    }
}
