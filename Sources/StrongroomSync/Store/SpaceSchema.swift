internal import StrongroomCore
internal import StrongroomSchema

/// The tables of a space as this database has them, and what only others have.
struct SpaceSchema: Sendable {
    /// The shared tables that are here, by their numbers in states.
    private(set) var tables: [Int: SpaceTable] = [:]
    var merge: MergeSchema
    var names: SyncNames
    /// Stands for all of it.
    let fingerprint: ContentDigest
    /// Stands for each table that is here, by its number: its rows are shown anew when it changes.
    let tableFingerprints: [Int: ContentDigest]
    let policies: [TablePolicySet]

    /// Reads the schema, and gives numbers to what is new. Call it in a transaction.
    init(_ db: Database, _ captured: [CapturedTable]) throws {
        let old = try SyncNames(db)
        var names = old
        var numbers: [String: (number: Int, table: StoredTable)] = [:]
        for table in captured {
            let number = names.table(table.table.wireName)
            numbers[table.table.stored.name.asciiLowercased] = (number, table.table.stored)
            for field in table.table.wireFields { names.note(field.name, in: number) }
        }
        try names.save(db, since: old)
        var known: [Int: MergeTable] = [:]
        for table in captured {
            let number = names.table(table.table.wireName)
            known[number] = try table.table.mergeTable(fields: names.fields[number]) {
                try Self.constant(db, table.table.stored, $0.name, $1)
            } parent: {
                numbers[$0.asciiLowercased]
            }
        }
        var schema = MergeSchema(
            names.tables.indices.map { known[$0] ?? MergeTable(unknown: names.tables[$0]) })
        for number in names.tables.indices where known[number] == nil {
            for field in names.fields[number] { _ = schema.field(noting: field, in: number) }
        }
        merge = schema
        self.names = names
        for table in captured {
            let number = names.table(table.table.wireName)
            tables[number] = SpaceTable(number, table, schema[number]) {
                numbers[$0.asciiLowercased]?.table
            }
        }
        policies = captured.map(\.table.policySet)
        let contents = try captured.sorted { $0.table.wireName < $1.table.wireName }
            .map { (table: $0, bytes: try Self.bytes(of: $0, db)) }
        fingerprint = try .of(contents.flatMap(\.bytes))
        var fingerprints: [Int: ContentDigest] = [:]
        for (table, bytes) in contents {
            let number = names.table(table.table.wireName)
            // What the projection makes of it depends on which parents are shared.
            let links = Self.links(of: schema[number], names)
            fingerprints[number] = try .of(bytes + links.utf8)
        }
        tableFingerprints = fingerprints
    }

    /// Whether this database has all tables and columns that the space has.
    var isComplete: Bool {
        merge.tables.allSatisfy { $0.isKnown && $0.fields.allSatisfy { !$0.columns.isEmpty } }
    }

    /// The table with a number of capture.
    func table(captured number: Int) -> SpaceTable? {
        tables.values.first { $0.captured.number == number }
    }

    /// The text of a table and those of its indexes: equal ones show equal rows.
    private static func bytes(of table: CapturedTable, _ db: Database) throws -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(counted: table.table.wireName.utf8)
        bytes.append(counted: try table.table.policySet.fingerprint.utf8)
        for sql in try texts(db, of: table.table.stored.name) { bytes.append(counted: sql.utf8) }
        for column in table.table.columns {
            guard let sql = column.absentSQL else { continue }
            bytes.append(counted: column.wireName.utf8)
            bytes.append(counted: sql.utf8)
        }
        return bytes
    }

    private static func links(of table: MergeTable, _ names: SyncNames) -> String {
        let references = table.references.map {
            "\(names.tables[$0.parent]) \($0.columns) \($0.action) \($0.isNeeded)"
        }
        let uniques = table.uniques.map { "\($0.columns) \($0.plainCount)" }
        return "\(references) \(uniques) \(String(describing: table.acyclic)) \(table.editWins)"
    }

    /// What creates a table and its indexes.
    static func texts(_ db: Database, of table: String) throws -> [String] {
        try String.fetchAll(
            db,
            sql: """
                SELECT sql FROM main.sqlite_master
                WHERE tbl_name = ? COLLATE NOCASE AND type IN ('table', 'index') AND sql IS NOT NULL
                ORDER BY type <> 'table', name
                """, arguments: [table])
    }

    // MARK: - Defaults

    /// The value of a default; nil if it is not always the same.
    private static func constant(
        _ db: Database, _ table: StoredTable, _ column: String, _ sql: String
    ) throws -> CellValue? {
        guard !sql.isChangingSQL, table.names(in: [sql]).isEmpty else { return nil }
        let affinity = table.affinity(of: column) ?? .none
        let type = affinity == .none ? "" : affinity.rawValue
        let name = "temp.strongroom_sync_default"
        try db.execute(sql: "CREATE TABLE \(name) (value \(type))")
        defer { try? db.execute(sql: "DROP TABLE \(name)") }
        try db.execute(sql: "INSERT INTO \(name) SELECT (\(sql))")
        var value: CellValue?
        try db.makeStatement(sql: "SELECT value FROM \(name)").forEachRow {
            value = CellValue(CapturedValue($0, 0))
        }
        return value
    }
}
