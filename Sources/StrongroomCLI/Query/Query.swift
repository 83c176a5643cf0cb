import StrongroomCore

/// SQL that is run statement by statement, its rows written as they come.
struct Query {
    let sql: String
    let parameters: [QueryParameter]
    let isWriting: Bool
    let cancellation: Cancellation

    func run(_ db: Database, writer: inout any ResultWriter) throws {
        let before = db.totalChangesCount
        do {
            // Each is prepared when its turn comes: it may need what an earlier one made.
            let statements = try db.allStatements(sql: sql)
            while let statement = try statements.next() { try run(statement, writer: &writer) }
            if isWriting, db.isInsideTransaction {
                throw Failure(
                    .failed, "the SQL left a transaction open; its changes were rolled back",
                    hint: "end the SQL with COMMIT")
            }
        } catch {
            // The access must not end inside a transaction that the SQL began.
            if isWriting, db.isInsideTransaction { try? db.rollback() }
            throw error
        }
        try writer.finish(changeCount: isWriting ? db.totalChangesCount - before : nil)
    }

    private func run(_ statement: Statement, writer: inout any ResultWriter) throws {
        try cancellation.check()
        // SQLite forbids most writes on a read-only connection, but not all.
        guard isWriting || statement.isReadonly else {
            throw Failure(
                .failed, "this statement changes the database: \(statement.sql)",
                hint: "if you mean to, add --write")
        }
        let arguments = try QueryParameter.arguments(parameters, of: statement)
        if statement.columnCount == 0 { return try statement.execute(arguments: arguments) }
        try writer.begin(statement)
        let rows = try Row.fetchCursor(statement, arguments: arguments)
        while let row = try rows.next() {
            try cancellation.check()
            try writer.append(row)
        }
        try writer.end()
    }
}
