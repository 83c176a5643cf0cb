/// What a connection knows of how the rows of a Swift type are written to a table and found in it: SQL
/// that was made once.
///
/// Invariants:
/// 1. A plan holds as long as the schema: `TablePlans` makes new ones when the schema's
///    generation is another, as it is after attaching a database too.
/// 2. Statements are not kept here but in the connection's cache, under the SQL.
final class TablePlan {
    let tableName: String
    private let generation: Int
    private var knownPrimaryKey: PrimaryKeyInfo?
    /// The plan for the columns that the last record of the type had.
    private(set) var latest: ColumnPlan?
    private var plans: [[String]: ColumnPlan] = [:]
    private var keySelection: KeySelection?

    /// SQL that selects a row by its primary key, with the arguments before the key.
    struct KeySelection {
        let sql: String
        let arguments: StatementArguments
    }

    init(tableName: String, generation: Int) {
        self.tableName = tableName
        self.generation = generation
    }

    func holds(_ tableName: String, _ generation: Int) -> Bool {
        self.generation == generation && self.tableName == tableName
    }

    func primaryKey(_ db: Database) throws -> PrimaryKeyInfo {
        if let knownPrimaryKey { return knownPrimaryKey }
        let primaryKey = try db.primaryKey(tableName)
        knownPrimaryKey = primaryKey
        return primaryKey
    }

    /// The plan for some columns, which are not those of the latest one.
    func plan(for names: [String], _ db: Database) throws -> ColumnPlan {
        let plan = try plans[names] ?? ColumnPlan(names: names, of: self, db)
        plans[names] = plan
        latest = plan
        return plan
    }

    /// The SQL that selects the row of a key; `make` gives that of a whole request.
    func keySelection(
        orMake make: () throws -> (String, StatementArguments)
    ) rethrows -> KeySelection {
        if let keySelection { return keySelection }
        var (sql, arguments) = try make()
        // The key is the last one, as the condition follows the selection.
        arguments.values.removeLast()
        let selection = KeySelection(sql: sql, arguments: arguments)
        keySelection = selection
        return selection
    }
}
