/// From where a request takes its rows: a statement, or SQL for which the connection lends one.
public struct FetchSource {
    @usableFromInline let content: Content
    @usableFromInline var adapter: (any RowAdapter)?

    @usableFromInline
    enum Content {
        case statement(Statement)
        case sql(String, StatementArguments)
    }

    init(_ request: PreparedRequest) {
        content = .statement(request.statement)
        adapter = request.adapter
    }

    init(sql: String, arguments: StatementArguments, adapter: (any RowAdapter)?) {
        content = .sql(sql, arguments)
        self.adapter = adapter
    }
}
