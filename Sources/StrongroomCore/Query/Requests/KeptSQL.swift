internal import Synchronization

/// The SQL of a request, kept for when the same request is fetched again.
///
/// It is kept only where nothing was asked of the connection for it: then it is the same for all
/// connections, and stays so when their schemas change.
final class KeptSQL: Sendable {
    private let first = AtomicLazyReference<Generated>()

    private final class Generated: Sendable {
        let sql: String
        let arguments: StatementArguments

        init(sql: String, arguments: StatementArguments) {
            self.sql = sql
            self.arguments = arguments
        }
    }

    /// The SQL that is kept; it is generated if there is none.
    func sql(
        _ db: Database, generate: (inout SQLGenerationContext) throws -> Void
    ) throws -> (sql: String, arguments: StatementArguments) {
        if let kept = first.load() { return (kept.sql, kept.arguments) }
        var context = SQLGenerationContext(connection: db)
        let questionCount = db.schemaCache.questionCount
        try generate(&context)
        if db.schemaCache.questionCount == questionCount {
            _ = first.storeIfNil(Generated(sql: context.sql, arguments: context.arguments))
        }
        return (context.sql, context.arguments)
    }
}
