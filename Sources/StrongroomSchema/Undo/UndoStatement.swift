public import StrongroomCore

/// What takes recorded changes back.
///
///     let undo = try Item.find(1).delete().recordingUndo(db)
///     try undo.execute(db)
///
/// It holds the rows themselves, and can be run at any time, in any later access, once.
public struct UndoStatement: Sendable, Hashable {
    /// One row that has changed.
    struct Step: Sendable, Hashable {
        let table: Table
        /// The values of the columns before and after; nil where the row was not there.
        let old: [DatabaseValue]?
        let new: [DatabaseValue]?
    }

    struct Table: Sendable, Hashable {
        let schema: String
        let name: String
        /// The columns of the values.
        let columns: [String]
        /// The positions of those that tell rows apart.
        let key: [Int]

        var quotedName: String {
            schema.quotedDatabaseIdentifier + "." + name.quotedDatabaseIdentifier
        }
    }

    /// In the order in which the changes were made.
    private(set) var steps: [Step]

    /// Whether there is nothing to take back.
    public var isEmpty: Bool { steps.isEmpty }

    /// The tables whose rows it changes, sorted; with their schemas where these are not `main`.
    public var tables: [String] {
        Set(
            steps.map {
                $0.table.schema == "main" ? $0.table.name : "\($0.table.schema).\($0.table.name)"
            }
        )
        .sorted()
    }

    /// What takes back both: first the changes of the other statement, which came later.
    public func followed(by later: UndoStatement) -> UndoStatement {
        UndoStatement(steps: steps + later.steps)
    }

    /// Takes the changes back, all or none.
    ///
    /// Rows that were inserted are deleted, those that were deleted are inserted, and of those that
    /// were changed the columns that had changed are written. Triggers fire and foreign keys act as
    /// for any write. Foreign keys are checked at the commit of the transaction.
    ///
    /// - Throws: `SQLITE_CONSTRAINT` when other rows are in the way by now, or when values of unique
    ///   columns have changed places. `SQLITE_NOTFOUND` when a row that was changed is
    ///   no longer there. `DatabaseError` otherwise. Nothing has changed then.
    public func execute(_ db: Database) throws {
        guard !steps.isEmpty else { return }
        try db.inSavepoint {
            // SQLite ends it with the transaction. It must not end before: what is then
            // unresolved would be forgotten.
            try db.execute(sql: "PRAGMA defer_foreign_keys = ON")
            try run(db)
            return .commit
        }
    }

    /// Takes the changes back, and gives what makes them again.
    ///
    ///     let redo = try undo.recordingUndo(db)
    ///
    /// - Throws: As ``execute(_:)``.
    public func recordingUndo(_ db: Database) throws -> UndoStatement {
        let names = Dictionary(grouping: steps.map(\.table), by: \.quotedName).values
            .compactMap(\.first)
        let tables = try names.compactMap { try db.storedTable($0.name, in: $0.schema) }
        return try db.recordingUndo(of: tables) { try execute(db) }
    }

    /// The last change first. What another row is in the way of waits until that row has its turn.
    private func run(_ db: Database) throws {
        var waiting = Array(steps.reversed())
        while !waiting.isEmpty {
            var blocked: [Step] = []
            var reason: (any Error)?
            for step in waiting {
                do {
                    try step.undo(db)
                } catch let error as DatabaseError
                    where error.resultCode == .SQLITE_CONSTRAINT && db.isInsideTransaction
                {
                    blocked.append(step)
                    reason = reason ?? error
                }
            }
            if blocked.count == waiting.count, let reason { throw reason }
            waiting = blocked
        }
    }
}

extension UndoStatement.Step {
    fileprivate func undo(_ db: Database) throws {
        switch (old, new) {
        case (nil, let new?):
            try change(db, "DELETE FROM \(table.quotedName)", [], ofRow: new)
        case (let old?, let new?):
            let changed = old.indices.filter { old[$0].storage != new[$0].storage }
            let list = changed.map { table.columns[$0].quotedDatabaseIdentifier + " = ?" }
            try change(
                db, "UPDATE \(table.quotedName) SET \(list.joined(separator: ", "))",
                changed.map { old[$0] }, ofRow: new)
        case (let old?, nil):
            let names = table.columns.map(\.quotedDatabaseIdentifier).joined(separator: ", ")
            let marks = old.map { _ in "?" }.joined(separator: ", ")
            try db.execute(
                sql: "INSERT INTO \(table.quotedName) (\(names)) VALUES (\(marks))",
                arguments: StatementArguments(old))
        case (nil, nil): break
        }
    }

    private func change(
        _ db: Database, _ sql: String, _ values: [DatabaseValue], ofRow row: [DatabaseValue]
    ) throws {
        let condition = table.key.map { table.columns[$0].quotedDatabaseIdentifier + " IS ?" }
        let sql = "\(sql) WHERE \(condition.joined(separator: " AND "))"
        let exists = try Bool.fetchOne(
            db,
            sql: "SELECT 1 FROM \(table.quotedName) WHERE \(condition.joined(separator: " AND "))",
            arguments: StatementArguments(table.key.map { row[$0] }))
        // A foreign key may have deleted it already.
        if values.isEmpty, exists != true { return }
        guard exists == true else {
            throw DatabaseError(
                resultCode: .SQLITE_NOTFOUND,
                message: "a row of \(table.name) that is to be taken back is not there")
        }
        try db.execute(sql: sql, arguments: StatementArguments(values + table.key.map { row[$0] }))
    }
}
