internal import StrongroomCore
internal import StrongroomSchema

// From merged states to the app's tables.

extension StoreSession {
    /// Shows what became visible, and saves the states that changed. Foreign keys are off.
    ///
    /// - Returns: How many of the app's rows were written.
    @discardableResult
    func project() throws -> Int {
        guard !touched.isEmpty else { return 0 }
        for row in touched.keys {
            guard let table = space.tables[row.table], RowShadow.isNeeded(table) else { continue }
            let merged = mergedRow(row, try currentState(of: row))
            try shadow.set(row, merged?.values, in: table, db)
        }
        while true {
            var projection = IncrementalProjection(of: self, after: touched)
            let result = projection.run()
            if let failure { throw failure }
            if let count = try shown(result, &projection) { return count }
        }
    }

    /// Writes the app's rows; nil if SQLite refused one, which is then held.
    private func shown(
        _ result: [RowID: ProjectedRow], _ projection: inout IncrementalProjection<StoreSession>
    ) throws -> Int? {
        // All states, before the rows that have their values change.
        for row in result.keys { _ = try currentState(of: row) }
        let triggers = try AppTriggers(db, space)
        var writing = RowWriting(db, triggers)
        // In one order everywhere: what SQLite refuses depends on it.
        for (row, projected) in result.sorted(by: { $0.key.isBefore($1.key) }) {
            guard let table = space.tables[row.table] else { continue }
            try writing.add(row, table, projected.values)
        }
        if let writable {
            for row in writing.rows {
                guard writable.contains(row), let values = result[row]?.values,
                    projection.merged(row)?.values == values
                else { throw NotesNeeded() }
            }
        }
        if let refused = try refusedRow(&writing, result, triggers) {
            guard rejected.insert(refused).inserted else {
                throw SyncError.damagedStore("a row that cannot be shown")
            }
            return nil
        }
        for (row, projected) in result {
            let hasMerged = projected.status.level > .incomplete
            try save(row, projected, merged: hasMerged ? projection.merged(row)?.values : nil)
        }
        touched = [:]
        isPending = false
        return writing.count
    }

    /// Writes rows, and nothing if SQLite refuses one.
    private func refusedRow(
        _ writing: inout RowWriting, _ result: [RowID: ProjectedRow], _ triggers: AppTriggers
    ) throws -> RowID? {
        guard writing.count > 0 else { return nil }
        guard triggers.isEmpty else {
            var watched = WatchedWriting(db, space, triggers, result.mapValues(\.values))
            let refused = try watched.run()
            try AppTriggers.note(watched.overruled, db)
            return refused
        }
        var refused: RowID?
        try db.inSavepoint {
            refused = try writing.run()
            return refused == nil ? .commit : .rollback
        }
        return refused
    }

    /// - Parameter merged: The merged values, if they are complete.
    private func save(_ row: RowID, _ projected: ProjectedRow, merged: [CellValue]?) throws {
        let state = try currentState(of: row)
        let table = space.tables[row.table]
        let merge = schema[row.table]
        let values = projected.values
        var isSubstituted = false
        if let table {
            isSubstituted = values != nil && merged != values
            if values != nil, !isSubstituted || merged == nil {
                try shadow.clear(row, in: table, db)
            } else if let merged {
                try shadow.set(row, merged, in: table, db)
            } else {
                try shadow.clear(row, in: table, db)
            }
        }
        try followDigest(row, state)
        guard let state else {
            try db.run(
                "DELETE FROM main.strongroom_sync_row WHERE tbl = ? AND \"key\" = ?",
                [.integer(Int64(row.table)), .blob(row.key.bytes)])
            return settle(row, RowStatus(), nil)
        }
        guard table != nil else { return try saveKept(row, state) }
        let bytes = runs.withNumbers { numbers in
            StoredState.encode(state, runs: &numbers) { field in
                guard let values, let table else { return nil }
                return merge.shownContent(of: field, in: values, of: table)
            }
        }
        let hash = values.flatMap { table?.hash($0) }.map { Int64(bitPattern: $0) }
        try db.run(
            """
            INSERT INTO main.strongroom_sync_row (tbl, "key", status, hash, state)
            VALUES (?1, ?2, ?3, ?4, ?5)
            ON CONFLICT (tbl, "key") DO UPDATE SET status = ?3, hash = ?4, state = ?5
            """,
            [
                .integer(Int64(row.table)), .blob(row.key.bytes),
                .integer(projected.status.stored(isSubstituted: isSubstituted)),
                hash.map { .integer($0) } ?? .null, .blob(bytes),
            ])
        settle(row, projected.status, state)
    }

    /// Saves a row of a table that is not shared here. What it showed when it was, if ever, is still what the scan
    /// compares the app's row with when the table is shared again.
    private func saveKept(_ row: RowID, _ state: RowState) throws {
        let status = try stored(row).status
        let bytes = runs.withNumbers { StoredState.encode(state, runs: &$0) { _ in nil } }
        try db.run(
            """
            INSERT INTO main.strongroom_sync_row (tbl, "key", status, state) VALUES (?1, ?2, ?3, ?4)
            ON CONFLICT (tbl, "key") DO UPDATE SET state = ?4
            """,
            [
                .integer(Int64(row.table)), .blob(row.key.bytes),
                .integer(status.stored(isSubstituted: false)), .blob(bytes),
            ])
        settle(row, status, state)
    }

    /// Has the states of a table keep what they leave to the app's rows. Of a table that the app has dropped, nothing is
    /// shown any more: it would look as if its rows had been deleted.
    func keepContents(of table: Int) throws {
        let decoder = StateDecoder(db, space, runs.numbers)
        var last: RowKey?
        while true {
            let rows = try decoder.rows(in: table, after: last, limit: 1000)
            guard let end = rows.last else { break }
            for (row, state) in rows.map({ ($0.row, $0.state) }) {
                let bytes = runs.withNumbers { StoredState.encode(state, runs: &$0) { _ in nil } }
                try db.run(
                    "UPDATE main.strongroom_sync_row SET state = ? WHERE tbl = ? AND \"key\" = ?",
                    [.blob(bytes), .integer(Int64(row.table)), .blob(row.key.bytes)])
            }
            last = end.row.key
        }
        guard space.tables[table] == nil else { return }
        try db.run(
            "UPDATE main.strongroom_sync_row SET status = 0, hash = NULL WHERE tbl = ?",
            [.integer(Int64(table))])
    }
}

/// The rows of the app that are to be written, in an order that unique indexes allow.
///
/// Foreign keys are off, so their order does not matter.
struct RowWriting {
    private let db: Database
    private let triggers: AppTriggers
    private var deletions: [(row: RowID, table: SpaceTable)] = []
    private var updates: [Update] = []
    private var insertions: [(row: RowID, table: SpaceTable, values: [CellValue])] = []
    private var aside: [(row: RowID, table: SpaceTable, values: [CellValue], number: Int64?)] = []
    private(set) var count = 0
    /// The app's triggers that were turned off for a row, because they were against it.
    private(set) var overruled: Set<String> = []

    private struct Update {
        let row: RowID
        let table: SpaceTable
        let columns: [Int]
        let values: [CellValue]
    }

    init(_ db: Database, _ triggers: AppTriggers) {
        self.db = db
        self.triggers = triggers
    }

    var rows: [RowID] { deletions.map(\.row) + updates.map(\.row) + insertions.map(\.row) }

    /// The tables of the rows.
    var tables: [SpaceTable] {
        let all = deletions.map(\.table) + updates.map(\.table) + insertions.map(\.table)
        return Array(Dictionary(all.map { ($0.number, $0) }) { $1 }.values)
    }

    /// - Parameter values: What the row is to show; nil for nothing.
    mutating func add(_ row: RowID, _ table: SpaceTable, _ values: [CellValue]?) throws {
        let old = try table.values(of: row.key, db)
        switch (old, values) {
        case (nil, nil): return
        case (.some, nil): deletions.append((row, table))
        case (nil, let values?): insertions.append((row, table, values))
        case (let old?, let values?):
            let columns = values.indices.filter { old[$0] != values[$0] }
            guard !columns.isEmpty else { return }
            updates.append(Update(row: row, table: table, columns: columns, values: values))
        }
        count += 1
    }

    /// - Returns: A row that SQLite refuses; nil if all is written.
    mutating func run() throws -> RowID? {
        for (row, table) in deletions {
            guard try isTaken(table, { try table.delete(row.key, $0) }) else { return row }
        }
        var left = updates
        while !left.isEmpty {
            let before = left.count
            left = try left.filter { update in
                try !isTaken(update.table) {
                    try update.table.update(update.row.key, update.columns, update.values, $0)
                }
            }
            guard left.count == before else { continue }
            // Rows that exchange unique values: one steps aside.
            let update = left.removeFirst()
            let number = try update.table.rowNumber(of: update.row.key, db)
            guard
                try isTaken(update.table, { try update.table.delete(update.row.key, $0) })
            else { return update.row }
            aside.append((update.row, update.table, update.values, number))
        }
        return try inserted()
    }

    private mutating func inserted() throws -> RowID? {
        for (row, table, values, number) in aside {
            guard try isTaken(table, { try table.insert(values, $0, rowNumber: number) }) else {
                return row
            }
        }
        for (row, table, values) in insertions {
            // A trigger has been quicker: what it wrote is put right afterwards.
            if !triggers.isEmpty, try table.values(of: row.key, db) != nil { continue }
            guard try isTaken(table, { try table.insert(values, $0) }) else { return row }
        }
        return nil
    }

    /// Whether SQLite takes what a closure writes, if need be without the app's triggers.
    private mutating func isTaken(
        _ table: SpaceTable, _ body: (Database) throws -> Void
    ) throws -> Bool {
        if try db.takes(body) { return true }
        // A trigger may have raised the error.
        guard triggers.exist(on: table), try db.withoutTriggers({ try db.takes(body) }) else {
            return false
        }
        overruled.formUnion(triggers.names(on: [table]))
        return true
    }
}

extension Database {
    fileprivate func takes(_ body: (Database) throws -> Void) throws -> Bool {
        do {
            try body(self)
            return true
        } catch let error as DatabaseError where error.isRefusedValue {
            return false
        }
    }
}
