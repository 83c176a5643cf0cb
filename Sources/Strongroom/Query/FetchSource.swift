/// From where a request takes its rows: a statement, or SQL for which the connection lends one.
public struct FetchSource {
    @usableFromInline let content: Content

    @usableFromInline
    enum Content {
        case prepared(PreparedRequest)
        case sql(String, StatementArguments)
    }

    init(_ request: PreparedRequest) {
        content = .prepared(request)
    }

    init(sql: String, arguments: StatementArguments) {
        content = .sql(sql, arguments)
    }
}
