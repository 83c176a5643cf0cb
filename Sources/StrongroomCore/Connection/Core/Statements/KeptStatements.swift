/// The statements of a connection that are kept for reuse.
struct KeptStatements {
    /// Those of the app.
    let cache: StatementCache

    /// Those that begin and end transactions.
    let control = ControlStatements()

    init(capacity: Int) {
        cache = StatementCache(capacity: capacity)
    }
}
