public import StrongroomCore
internal import Synchronization

extension Database {
    /// Runs a closure, and gives what takes back its changes of some tables.
    ///
    ///     let undo = try db.recordingUndo(of: [Item.schema]) {
    ///         try db.execute(sql: "DELETE FROM items")
    ///     }
    ///
    /// Recorded are also the tables whose rows foreign keys change along with these. What triggers
    /// write into other tables is not: they fire again when the changes are taken back. Changes are
    /// seen by temporary triggers, whatever makes them: SQL, records, REPLACE. Rows are kept in
    /// memory. The closure runs in a savepoint, or in a transaction when none is open.
    ///
    /// - Throws: What the closure throws, and `DatabaseError`: what was written is then undone.
    ///   `SQLITE_MISUSE` for a view or a virtual table, `SQLITE_ERROR` for a missing one.
    public func recordingUndo(
        of schemas: [TableSchema], _ body: () throws -> Void
    ) throws -> UndoStatement {
        let tables = try schemas.map { schema in
            guard let table = try storedTable(schema) else {
                throw DatabaseError(message: "no such table: \(schema.name)")
            }
            return table
        }
        return try recordingUndo(of: tables, body)
    }

    package func recordingUndo(
        of tables: [StoredTable], _ body: () throws -> Void
    ) throws -> UndoStatement {
        var undo = UndoStatement(steps: [])
        try inSavepoint {
            guard !tables.isEmpty else {
                try body()
                return .commit
            }
            let recorder = try UndoRecorder(self, tables)
            try recorder.start()
            try body()
            undo = try recorder.finish()
            return .commit
        }
        return undo
    }
}

/// Keeps rows as they were before the first change of them, by temporary triggers.
///
/// Invariants:
/// 1. A row is in the log once: as it was when the recording began, or as one that was not there.
/// 2. A row may be in the log that has not changed. It is left out at the end.
/// 3. A row whose key changes is in the log under both, the second with the first next to it: it is
///    taken back by an update, since a deletion would delete what refers to it.
/// 4. Log and triggers are made and removed in one savepoint.
private struct UndoRecorder {
    private let db: Database
    private let tables: [StoredTable]
    private let log: String
    private let purpose: String

    private static let count = Atomic<Int>(0)

    init(_ db: Database, _ tables: [StoredTable]) throws {
        self.db = db
        self.tables = try Self.reached(from: tables, db)
        // Recordings may be inside of each other.
        let number = Self.count.add(1, ordering: .relaxed).newValue
        purpose = "undo\(number)"
        log = "strongroom_undo\(number)"
    }

    /// The tables, and those that foreign keys change with them.
    private static func reached(from tables: [StoredTable], _ db: Database) throws -> [StoredTable]
    {
        var found: [StoredTable] = []
        var names: Set<String> = []
        func add(_ table: StoredTable) {
            if names.insert(table.quotedName.asciiLowercased).inserted { found.append(table) }
        }
        tables.forEach(add)
        let reader = try SchemaReader(db)
        let others = try reader.tables.filter { $0.kind == .table }.map { table in
            (table, try reader.references(of: table))
        }
        var index = 0
        while index < found.count {
            let parent = found[index]
            for (table, references) in others where table.schema == parent.schemaName {
                let isReached = references.contains { reference in
                    reference.table.asciiLowercased == parent.name.asciiLowercased
                        && (acts(reference.deleteAction) || acts(reference.updateAction))
                }
                if isReached { add(try StoredTable(db, reader, reader.completed(table))) }
            }
            index += 1
        }
        return found
    }

    private static func acts(_ action: String) -> Bool {
        ["CASCADE", "SET NULL", "SET DEFAULT"].contains(action)
    }

    // MARK: - Recording

    private static func list(_ letter: String, _ count: Int) -> [String] {
        (0..<count).map { "\(letter)\($0)" }
    }

    func start() throws {
        let keys = Self.list("k", tables.map(\.identity.count).max() ?? 0)
        let values = Self.list("c", tables.map(\.undoColumns.count).max() ?? 0)
        let earlier = Self.list("p", keys.count)
        let columns = (["t", "existed"] + keys + earlier + values).joined(separator: ", ")
        try db.execute(
            sql: "CREATE TEMPORARY TABLE \(log) (seq INTEGER PRIMARY KEY, \(columns))")
        try db.execute(
            sql: """
                CREATE INDEX temp.\(log)_keys ON \(log) (t, \(keys.joined(separator: ", ")))
                """)
        for (number, table) in tables.enumerated() {
            try triggers(of: table, number: number).create(db)
        }
    }

    private func triggers(of table: StoredTable, number: Int) throws -> RowTriggers {
        try RowTriggers(purpose, on: table, timing: .before) { change in
            let isThere = change.kind != .insert && change.kind != .keyChange
            let row = change.row.quotedDatabaseIdentifier + "."
            let keys = table.identity.map { row + $0.name.quotedDatabaseIdentifier }
            let values = isThere ? table.undoColumns.map { row + $0.quotedDatabaseIdentifier } : []
            let earlier =
                change.kind == .keyChange
                ? table.identity.map { "\"old\"." + $0.name.quotedDatabaseIdentifier } : []
            let names =
                Self.list("k", keys.count) + Self.list("p", earlier.count)
                + Self.list("c", values.count)
            let same = zip(table.identity, keys).enumerated().map { index, key in
                "k\(index) IS \(key.1) COLLATE \(key.0.collation.quotedDatabaseIdentifier)"
            }
            // Not OR IGNORE: the clause of the statement that fires the trigger would hold.
            return """
                INSERT INTO \(log) (t, existed, \(names.joined(separator: ", ")))
                SELECT \(number), \(isThere ? 1 : 0), \((keys + earlier + values).joined(separator: ", "))
                \(change.source) WHERE NOT EXISTS (
                    SELECT 1 FROM \(log) WHERE t = \(number) AND \(same.joined(separator: " AND ")))
                """
        }
    }

    // MARK: - What has changed

    func finish() throws -> UndoStatement {
        for (number, table) in tables.enumerated() {
            try triggers(of: table, number: number).drop(db)
        }
        var changes = try Row.fetchAll(db, sql: "SELECT * FROM temp.\(log) ORDER BY seq").map {
            try loggedRow($0)
        }
        followKeys(&changes)
        let steps = changes.compactMap { change -> UndoStatement.Step? in
            if change.old?.map(\.storage) == change.new?.map(\.storage) { return nil }
            return UndoStatement.Step(
                table: tables[change.table].undoTable, old: change.old, new: change.new)
        }
        try db.execute(sql: "DROP TABLE temp.\(log)")
        return UndoStatement(steps: steps)
    }

    private struct LoggedRow {
        struct Place: Hashable {
            let table: Int
            let key: [DatabaseValue.Storage]
        }

        let table: Int
        let key: [DatabaseValue]
        /// The key that it had before.
        let earlier: [DatabaseValue]
        let old: [DatabaseValue]?
        var new: [DatabaseValue]?

        var place: Place { Place(table: table, key: key.map(\.storage)) }
        var earlierPlace: Place { Place(table: table, key: earlier.map(\.storage)) }
    }

    private func loggedRow(_ row: Row) throws -> LoggedRow {
        let number: Int = row[1]
        let table = tables[number]
        let existed: Bool = row[2]
        let width = tables.map(\.identity.count).max() ?? 0
        func values(_ start: Int, _ count: Int) -> [DatabaseValue] {
            (start..<(start + count)).map { row[$0] as DatabaseValue }
        }
        let key = values(3, table.identity.count)
        return LoggedRow(
            table: number, key: key, earlier: values(3 + width, table.identity.count),
            old: existed ? values(3 + 2 * width, table.undoColumns.count) : nil,
            new: try current(table, key))
    }

    /// Makes one change of a row that is gone under its key, and there under another one.
    private func followKeys(_ changes: inout [LoggedRow]) {
        var next: [LoggedRow.Place: Int] = [:]
        for (index, change) in changes.enumerated() where change.old == nil {
            next[change.earlierPlace] = index
        }
        for index in changes.indices where changes[index].old != nil && changes[index].new == nil {
            var place = changes[index].place
            while let other = next.removeValue(forKey: place) {
                place = changes[other].place
                guard let row = changes[other].new else { continue }
                changes[index].new = row
                changes[other].new = nil
                break
            }
        }
    }

    private func current(
        _ table: StoredTable, _ keys: [DatabaseValue]
    ) throws -> [DatabaseValue]? {
        let columns = table.undoColumns.map(\.quotedDatabaseIdentifier)
        let condition = table.identity.map { $0.name.quotedDatabaseIdentifier + " IS ?" }
        let row = try Row.fetchOne(
            db,
            sql: """
                SELECT \(columns.joined(separator: ", ")) FROM \(table.quotedName)
                WHERE \(condition.joined(separator: " AND "))
                """,
            arguments: StatementArguments(keys))
        return row.map { row in columns.indices.map { row[$0] as DatabaseValue } }
    }
}

extension StoredTable {
    /// The columns that are kept of a row: without a declared key, its number, too.
    fileprivate var undoColumns: [String] {
        let written = columns.filter { !$0.isGenerated }.map(\.name)
        return key.isEmpty ? (rowIDName.map { [$0] } ?? []) + written : written
    }

    fileprivate var undoTable: UndoStatement.Table {
        let names = undoColumns
        let keys = key.isEmpty ? names.prefix(1).map(\.self) : key
        return UndoStatement.Table(
            schema: schemaName, name: name, columns: names,
            key: keys.compactMap { key in
                names.firstIndex { $0.asciiLowercased == key.asciiLowercased }
            })
    }
}
