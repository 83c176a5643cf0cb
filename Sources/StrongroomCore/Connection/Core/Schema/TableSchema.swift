/// What is known of a table or view; each part is asked of SQLite when it is first wanted.
final class TableSchema {
    let id: DatabaseObjectID
    let isView: Bool
    /// Whether SQLite tells the changes of each row: not those of virtual tables, nor `WITHOUT ROWID`.
    let tellsChanges: Bool
    private let isWithoutRowID: Bool
    private var knownColumns: [ColumnInfo]?
    private var knownPrimaryKey: PrimaryKeyInfo?
    private var knownIndexes: [IndexInfo]?
    private var knownForeignKeys: [ForeignKeyInfo]?

    init(id: DatabaseObjectID, type: String, isWithoutRowID: Bool) {
        self.id = id
        isView = type == "view"
        tellsChanges = type != "virtual" && !isWithoutRowID
        self.isWithoutRowID = isWithoutRowID
    }

    private var pragmaArguments: StatementArguments { [id.name, id.schemaID.name] }

    func columns(_ db: Database) throws -> [ColumnInfo] {
        if let knownColumns { return knownColumns }
        // Columns of number 1 belong to virtual tables, and are no part of `*`.
        let rows = try Row.fetchAll(
            db, sql: "SELECT * FROM pragma_table_xinfo(?, ?) WHERE hidden <> 1",
            arguments: pragmaArguments)
        let columns = rows.map { ColumnInfo(row: $0) }
        knownColumns = columns
        return columns
    }

    func primaryKey(_ db: Database) throws -> PrimaryKeyInfo {
        if let knownPrimaryKey { return knownPrimaryKey }
        let key = try isView ? primaryKeyOfView(db) : primaryKeyOfTable(db)
        knownPrimaryKey = key
        return key
    }

    private func primaryKeyOfView(_ db: Database) throws -> PrimaryKeyInfo {
        guard let columns = try db.schemaSource?.columnsForPrimaryKey(db, inView: id),
            !columns.isEmpty
        else {
            throw DatabaseError(message: "database view \(id.name) has no primary key")
        }
        return PrimaryKeyInfo(
            columns: columns, rowIDColumn: nil, isRowID: false, tableHasRowID: false)
    }

    private func primaryKeyOfTable(_ db: Database) throws -> PrimaryKeyInfo {
        let columns = try columns(db).filter { $0.primaryKeyIndex > 0 }
            .sorted { $0.primaryKeyIndex < $1.primaryKeyIndex }
        let names = columns.map(\.name)
        if names.isEmpty {
            return PrimaryKeyInfo(
                columns: ["rowid"], rowIDColumn: nil, isRowID: true, tableHasRowID: true)
        }
        // INTEGER PRIMARY KEY DESC is no row number: SQLite then keeps an index for the key.
        let isRowID =
            try !isWithoutRowID && columns.count == 1 && columns[0].type.lowercased() == "integer"
            && !indexes(db).contains { $0.origin == .primaryKeyConstraint }
        return PrimaryKeyInfo(
            columns: names, rowIDColumn: isRowID ? names[0] : nil, isRowID: isRowID,
            tableHasRowID: !isWithoutRowID)
    }

    func indexes(_ db: Database) throws -> [IndexInfo] {
        if let knownIndexes { return knownIndexes }
        let rows = try Row.fetchAll(
            db, sql: "SELECT * FROM pragma_index_list(?, ?)", arguments: pragmaArguments)
        let indexes = try rows.compactMap { try index($0, db) }
        knownIndexes = indexes
        return indexes
    }

    private func index(_ row: Row, _ db: Database) throws -> IndexInfo? {
        let name: String = try row.decode(forColumn: "name")
        let columns = try String?.fetchAll(
            db, sql: "SELECT name FROM pragma_index_info(?, ?) ORDER BY seqno",
            arguments: [name, id.schemaID.name])
        // An expression has no name.
        let names = columns.compactMap { $0 }
        guard names.count == columns.count else { return nil }
        return IndexInfo(
            name: name, columns: names, isUnique: try row.decode(forColumn: "unique"),
            origin: try row.decode(forColumn: "origin"),
            isPartial: try row.decode(forColumn: "partial"))
    }

    func foreignKeys(_ db: Database) throws -> [ForeignKeyInfo] {
        if let knownForeignKeys { return knownForeignKeys }
        let rows = try Row.fetchAll(
            db, sql: #"SELECT * FROM pragma_foreign_key_list(?, ?) ORDER BY id, seq"#,
            arguments: pragmaArguments)
        var keys: [(id: Int, rows: [Row])] = []
        for row in rows {
            let id: Int = try row.decode(forColumn: "id")
            if keys.last?.id == id {
                keys[keys.count - 1].rows.append(row)
            } else {
                keys.append((id, [row]))
            }
        }
        let infos = try keys.map { try foreignKey($0.id, $0.rows, db) }
        knownForeignKeys = infos
        return infos
    }

    private func foreignKey(_ id: Int, _ rows: [Row], _ db: Database) throws -> ForeignKeyInfo {
        let table: String = try rows[0].decode(forColumn: "table")
        let named: [String?] = try rows.map { try $0.decode(forColumn: "to") }
        var destinations = named.compactMap { $0 }
        // Without names it is the primary key of the other table, in the same schema; SQLite does not
        // look for it elsewhere, but a temporary table can be meant to belong to one of main.
        if destinations.count < named.count {
            let schema = self.id.schemaID.name
            let isBeside = try db.tableExists(table, in: schema)
            destinations = try db.primaryKey(table, in: isBeside ? schema : nil).columns
        }
        let origins: [String] = try rows.map { try $0.decode(forColumn: "from") }
        let mapping = zip(origins, destinations).map { (origin: $0, destination: $1) }
        return ForeignKeyInfo(id: id, destinationTable: table, mapping: mapping)
    }

    /// Whether columns tell rows apart, in any order and case.
    func hasUniqueKey(_ columns: some Collection<String>, _ db: Database) throws -> Bool {
        let columns = Set(columns.map { $0.lowercased() })
        if let key = try? primaryKey(db) {
            if columns.isSuperset(of: key.columns.map { $0.lowercased() }) { return true }
            if key.tableHasRowID, !columns.isDisjoint(with: ["rowid", "oid", "_rowid_"]) {
                return true
            }
        }
        guard !isView else { return false }
        return try indexes(db).contains { index in
            index.isUnique && !index.isPartial
                && columns.isSuperset(of: index.columns.map { $0.lowercased() })
        }
    }
}
