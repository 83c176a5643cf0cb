/// What a connection knows of how a type's records are written and found: SQL that was made once.
///
/// Invariants:
/// 1. A plan holds as long as the schema: `RecordPlans.of` makes new ones when the schema's
///    generation is another, as it is after attaching a database too.
/// 2. Statements are not kept here but in the connection's cache, under the SQL.
final class RecordPlans {
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

    private init(tableName: String, generation: Int) {
        self.tableName = tableName
        self.generation = generation
    }

    private func hold(_ tableName: String, _ generation: Int) -> Bool {
        self.generation == generation && self.tableName == tableName
    }

    /// The plans for a record type.
    static func of(_ type: any TableRecord.Type, _ db: Database) throws -> RecordPlans {
        try Connection.of(db).plans(of: type, generation: db.schemaGeneration)
    }

    func primaryKey(_ db: Database) throws -> PrimaryKeyInfo {
        if let knownPrimaryKey { return knownPrimaryKey }
        let primaryKey = try db.primaryKey(tableName)
        knownPrimaryKey = primaryKey
        return primaryKey
    }

    /// The plan for the columns of a record, which are not those of the latest one.
    func plan(for container: PersistenceContainer, _ db: Database) throws -> ColumnPlan {
        let names = container.names
        let plan = try plans[names] ?? ColumnPlan(names: names, plans: self, db)
        plans[names] = plan
        latest = plan
        return plan
    }

    /// What is stored for a primary key of one column.
    func databaseValue(
        ofKey key: some DatabaseValueConvertible, of type: (some TableRecord).Type, _ db: Database
    ) throws -> DatabaseValue {
        let columns = try primaryKey(db).columns
        // The request that is made of the key says what is wrong with several columns.
        guard columns.count == 1 else { return key.databaseValue }
        return try type._databaseValue(ofKey: key.sendableKey, in: columns[0])
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

    /// The plans of a connection.
    private final class Connection {
        private var plans: [ObjectIdentifier: RecordPlans] = [:]
        // Mostly, many records of one type are written one after the other.
        private var latest: (type: ObjectIdentifier, plans: RecordPlans)?

        static func of(_ db: Database) -> Connection {
            if let connection = db.recordPlans as? Connection { return connection }
            let connection = Connection()
            db.recordPlans = connection
            return connection
        }

        func plans(of type: any TableRecord.Type, generation: Int) -> RecordPlans {
            let key = ObjectIdentifier(type)
            let tableName = type.databaseTableName
            if let latest, latest.type == key, latest.plans.hold(tableName, generation) {
                return latest.plans
            }
            if let known = plans[key], known.hold(tableName, generation) {
                latest = (key, known)
                return known
            }
            let made = RecordPlans(tableName: tableName, generation: generation)
            plans[key] = made
            latest = (key, made)
            return made
        }
    }
}
