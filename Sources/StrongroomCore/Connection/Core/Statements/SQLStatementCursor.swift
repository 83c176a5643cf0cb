/// The statements of an SQL text, each compiled on demand.
///
/// Execute a statement before you get the next one, so that `INSERT` can follow `CREATE TABLE`:
///
///     let statements = try db.allStatements(sql: "CREATE TABLE …; INSERT …; SELECT …")
///     while let statement = try statements.next() {
///         try statement.execute()
///     }
public final class SQLStatementCursor: Cursor {
    private let database: Database
    private var sql: String
    private let arguments: StatementArguments?
    private var takenArguments = 0
    private var tail = 0
    private var isAtEnd = false

    /// How many statements there were so far.
    private(set) var count = 0

    init(database: Database, sql: String, arguments: StatementArguments?) {
        self.database = database
        self.sql = sql
        self.arguments = arguments
    }

    /// Compiles the next statement, and sets its arguments; nil at the end.
    ///
    /// - Throws: `DatabaseError` if it does not compile; `SQLITE_MISUSE` if arguments are missing,
    ///   or there are too many for it and all later statements; `CancellationError`.
    public func next() throws -> Statement? {
        guard !isAtEnd else { return nil }
        let (statement, isLast) = try database.prepareNextStatement(
            &sql, tail: &tail, isPersistent: false)
        isAtEnd = isLast
        guard let statement else { return try finish() }
        count += 1
        if let arguments {
            try statement.takeArguments(arguments, from: &takenArguments, isLast: isLast)
        }
        return statement
    }

    /// Arguments for no statement at all are a mistake too.
    private func finish() throws(DatabaseError) -> Statement? {
        isAtEnd = true
        guard count == 0, let arguments, !arguments.values.isEmpty else { return nil }
        throw DatabaseError(
            code: .SQLITE_MISUSE,
            message: "wrong number of statement arguments: \(arguments.values.count)", sql: sql)
    }
}
