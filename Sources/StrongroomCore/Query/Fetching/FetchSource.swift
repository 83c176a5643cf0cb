/// From where a request takes its rows.
///
/// It is a statement, SQL for which the connection lends one, or a function that fetches rows to
/// which others are added once all are there.
public struct FetchSource {
    @usableFromInline let content: Content
    @usableFromInline var adapter: (any RowAdapter)?

    @usableFromInline
    enum Content {
        case statement(Statement)
        case sql(String, StatementArguments)
        case rows(fetch: () throws -> [Row])
    }

    /// The statements of rows that come all at once, as they are shown, and the names that lead to
    /// the rows of each.
    private(set) var shownStatements: (() throws -> [(path: [String], statement: Statement)])?

    init(_ request: PreparedRequest) {
        content = .statement(request.statement)
        adapter = request.adapter
    }

    init(sql: String, arguments: StatementArguments, adapter: (any RowAdapter)?) {
        content = .sql(sql, arguments)
        self.adapter = adapter
    }

    init(
        rows fetch: @escaping () throws -> [Row],
        shownStatements: @escaping () throws -> [(path: [String], statement: Statement)]
    ) {
        content = .rows(fetch: fetch)
        self.shownStatements = shownStatements
    }

    /// Fetches the rows that come all at once; nil where they come one after the other.
    @usableFromInline
    func fetchRows() throws -> [Row]? {
        guard case .rows(let fetch) = content else { return nil }
        guard adapter == nil else {
            throw DatabaseError(
                resultCode: .SQLITE_MISUSE,
                message: "A request that includes all rows of an association can't be adapted.")
        }
        return try fetch()
    }

    @usableFromInline static var cursorError: DatabaseError {
        DatabaseError(
            resultCode: .SQLITE_MISUSE,
            message: "A request that includes all rows of an association can't be fetched by a "
                + "cursor: use fetchAll, fetchSet or fetchOne.")
    }
}
