/// What a connection knows of the tables that it was asked about.
///
/// Invariants:
/// 1. Everything here is true of the schema that the connection sees: it is forgotten when a
///    statement of this connection changes the schema, when that is rolled back, and, on read-only
///    connections, when an access sees another version of the schema.
/// 2. `generation` changes whenever something is forgotten, so that others can tell by a number
///    whether what they derived still holds.
final class SchemaCache {
    private(set) var generation = 0
    private var tables: [Name: TableSchema?] = [:]
    /// Whether the schema was changed in the transaction, which may yet be rolled back.
    private var hasUncommittedChange = false
    /// The access in which the version of the schema was last looked at, and the version.
    private var checkedAccess: Int?
    private var checkedVersion: Int32?

    /// What is asked for primary keys and columns before the database is.
    var source: (any DatabaseSchemaSource)?

    /// How often SQL that was generated depended on what the database says of itself.
    var questionCount = 0

    /// How rows are written and found, for the types that are stored.
    // Safety of what is unchecked: making a plan calls nothing that would ask for one.
    @exclusivity(unchecked) var plans = TablePlans()

    init(source: (any DatabaseSchemaSource)?) {
        self.source = source
    }

    /// A name as it was asked for, with the schema that was asked for.
    struct Name: Hashable {
        let schema: String?
        let table: String
    }

    /// What is known of a table: nil when there is none; `unknown` when it was never looked for.
    func table(
        _ name: Name, orFind find: () throws -> TableSchema?
    ) rethrows -> TableSchema? {
        if let table = tables[name] { return table }
        let table = try find()
        tables[name] = .some(table)
        return table
    }

    func clear() {
        tables.removeAll()
        generation += 1
    }

    /// Takes note of a statement that has run, or failed.
    func note(_ kind: StatementKind) {
        switch kind {
        case .schemaChange:
            hasUncommittedChange = true
            clear()
        case .commit: hasUncommittedChange = false
        // What was changed may be gone, also when SQLite itself has rolled back before a new begin.
        case .begin, .savepoint, .rollback, .rollbackToSavepoint:
            if hasUncommittedChange { clear() }
        case .query, .release, .other: break
        }
    }

    /// Forgets what no longer holds, before something is asked.
    ///
    /// - Parameter version: Gives the version of the schema that the connection sees; nil where
    ///   nobody else is expected to change it.
    func validate(_ db: Database, version: (() throws -> Int32)?) throws {
        if hasUncommittedChange, !db.isInsideTransaction {
            hasUncommittedChange = false
            clear()
        }
        guard let version, checkedAccess != db.access.number else { return }
        let current = try db.untraced(version)
        if checkedVersion != current {
            if checkedVersion != nil { clear() }
            checkedVersion = current
        }
        checkedAccess = db.access.number
    }
}
