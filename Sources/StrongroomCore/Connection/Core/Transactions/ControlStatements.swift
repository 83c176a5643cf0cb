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
        if case .begin = control, rollback == nil {
            // Interruptions, which meet it when it is prepared, must not keep it from running.
            _ = try statement(for: .rollback, on: db)
        }
        let statement = try statement(for: control, on: db)
        defer { statement.reset() }
        _ = try statement.step()
    }

    private func statement(for control: Control, on db: Database) throws -> Statement {
        switch control {
        case .begin(.deferred):
            try deferred ?? prepare("BEGIN DEFERRED TRANSACTION", \.deferred, on: db)
        case .begin(.immediate):
            try immediate ?? prepare("BEGIN IMMEDIATE TRANSACTION", \.immediate, on: db)
        case .begin(.exclusive):
            try exclusive ?? prepare("BEGIN EXCLUSIVE TRANSACTION", \.exclusive, on: db)
        case .commit:
            try commit ?? prepare("COMMIT TRANSACTION", \.commit, on: db)
        case .rollback:
            try rollback ?? prepare("ROLLBACK TRANSACTION", \.rollback, on: db)
        }
    }

    func schemaVersion(on db: Database) throws -> Int32 {
        let statement =
            try schemaVersion ?? prepare("PRAGMA schema_version", \.schemaVersion, on: db)
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

    private func prepare(
        _ sql: String, _ place: ReferenceWritableKeyPath<ControlStatements, Statement?>,
        on db: Database
    ) throws -> Statement {
        let statement = try db.prepareSingleStatement(sql, isPersistent: true)
        self[keyPath: place] = statement
        return statement
    }
}
