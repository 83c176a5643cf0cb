import Strongroom

/// SQL that is run statement by statement, its rows written as they come.
struct Query {
    let sql: String
    let arguments: StatementArguments
    let isWriting: Bool
    let cancellation: Cancellation

    func run(_ db: Database, writer: inout any ResultWriter) throws {
        do {
            let before = db.totalChangesCount
            let statements = try db.allStatements(sql: sql, arguments: arguments)
            while let statement = try statements.next() {
                try run(statement, writer: &writer)
            }
            try refuseOpenTransaction(db)
            try writer.finish(changeCount: isWriting ? db.totalChangesCount - before : nil)
        } catch {
            if db.isInsideTransaction { try? db.rollback() }
            throw error
        }
    }

    private func run(_ statement: Statement, writer: inout any ResultWriter) throws {
        try cancellation.check()
        // SQLite forbids most writes on a read-only connection, but not all.
        guard isWriting || statement.isReadonly else {
            throw Failure(
                .failed, "this statement changes the database: \(statement.sql)",
                hint: "add --write if that is meant")
        }
        let columns = statement.columnNames
        guard !columns.isEmpty else { return try statement.execute() }
        try writer.begin(columns: columns)
        let rows = try Row.fetchCursor(statement)
        while let row = try rows.next() {
            try cancellation.check()
            try writer.append(Array(row.databaseValues))
        }
        try writer.end()
    }

    /// What a forgotten COMMIT would silently lose.
    private func refuseOpenTransaction(_ db: Database) throws {
        if db.isInsideTransaction, isWriting {
            throw Failure(
                .failed, "the SQL left a transaction open; its changes were rolled back",
                hint: "end the SQL with COMMIT")
        }
        try db.rollback()
    }
}
