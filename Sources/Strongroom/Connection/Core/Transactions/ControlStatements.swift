/// The statements that begin and commit transactions, kept apart from the cache: a small read is
/// little more than these two. And the one that asks for the version of the schema, which the cache
/// would not take.
final class ControlStatements {
    private var deferred: Statement?
    private var immediate: Statement?
    private var exclusive: Statement?
    private var commit: Statement?
    private var rollback: Statement?
    private var schemaVersion: Statement?

    enum Control {
        case begin(Database.TransactionKind)
        case commit
        case rollback
    }

    func execute(_ control: Control, on db: Database) throws {
        let statement: Statement
        if case .begin = control {
            // Interruptions, which meet it when it is prepared, must not keep it from running.
            _ = try prepared(&rollback, "ROLLBACK TRANSACTION", on: db)
        }
        switch control {
        case .begin(.deferred):
            statement = try prepared(&deferred, "BEGIN DEFERRED TRANSACTION", on: db)
        case .begin(.immediate):
            statement = try prepared(&immediate, "BEGIN IMMEDIATE TRANSACTION", on: db)
        case .begin(.exclusive):
            statement = try prepared(&exclusive, "BEGIN EXCLUSIVE TRANSACTION", on: db)
        case .commit:
            statement = try prepared(&commit, "COMMIT TRANSACTION", on: db)
        case .rollback:
            statement = try prepared(&rollback, "ROLLBACK TRANSACTION", on: db)
        }
        defer { statement.reset() }
        _ = try statement.step()
    }

    func schemaVersion(on db: Database) throws -> Int32 {
        let statement = try prepared(&schemaVersion, "PRAGMA schema_version", on: db)
        return try Int32.fetchOne(statement) ?? 0
    }

    func removeAll() {
        deferred = nil
        immediate = nil
        exclusive = nil
        commit = nil
        rollback = nil
        schemaVersion = nil
    }

    private func prepared(
        _ place: inout Statement?, _ sql: String, on db: Database
    ) throws(DatabaseError) -> Statement {
        if let statement = place { return statement }
        let statement = try db.prepareSingleStatement(sql, isPersistent: true)
        place = statement
        return statement
    }
}
