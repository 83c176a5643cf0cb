internal import StrongroomCore
internal import StrongroomSchema

/// Compares declarations with a database, and gathers all findings.
struct SchemaFindings {
    private(set) var findings: [SyncFinding] = []
    private(set) var tables: [SharedTable] = []

    init(_ db: Database, _ declarations: [SyncedTable]) throws {
        let reader = try SchemaReader(db)
        let names = Set(declarations.map(\.name.asciiLowercased))
        var found: [(table: SharedTable?, findings: [SyncFinding])] = []
        for declaration in declarations {
            let stored = try table(declaration, db, reader)
            found.append((stored.map { SharedTable(declaration, $0) }, findings))
            findings = []
        }
        var keys: [String: [String]] = [:]
        for table in found.compactMap(\.table) {
            keys[table.stored.name.asciiLowercased] = table.stored.key
        }
        for (table, own) in found {
            findings += own
            guard let table else { continue }
            tables.append(table)
            var check = TableFindings(table)
            check.run(sharedNames: names, keys: keys)
            findings += check.findings
            try addAbsent(db, table)
        }
        addDoubles(declarations)
        try addReservedNames(db, reader)
    }

    /// The table of a declaration, if rows of it can be shared at all.
    private mutating func table(
        _ declaration: SyncedTable, _ db: Database, _ reader: SchemaReader
    ) throws -> StoredTable? {
        let name = declaration.name
        guard let table = try reader.table(name, in: "main") else {
            add(
                .missingTable, name, "the database has no such table",
                "create it in a migration, or correct SyncedTable(\"\(name)\")")
            return nil
        }
        let kind: String? =
            switch table.kind {
            case .table: table.isInternal ? "it belongs to SQLite or to a library" : nil
            case .view: "it is a view"
            case .virtual(let module): "it is a virtual table of \(module)"
            case .shadow: "it is a part of a virtual table"
            }
        guard let kind else { return try db.storedTable(name, in: "main") }
        add(
            .notATable, name, "\(kind), and has no rows that could be shared",
            "declare the table that holds the rows, and no SyncedTable(\"\(name)\")")
        return nil
    }

    /// Expressions for columns that older versions do not have: SQLite has to understand them.
    private mutating func addAbsent(_ db: Database, _ table: SharedTable) throws {
        for column in table.columns {
            guard let sql = column.absentSQL else { continue }
            var problem: String?
            if sql.isChangingSQL {
                problem = "gives another value each time, so devices would show different rows"
            } else if sql.sqlWords.contains("select") {
                problem = "asks tables, and may only ask columns of the row"
            } else if column.isCounter, !table.stored.names(in: [sql]).isEmpty {
                problem = "names columns, and a counter has to begin with the same value everywhere"
            } else {
                do {
                    let name = table.stored.name.quotedDatabaseIdentifier
                    let statement = try db.makeStatement(sql: "SELECT (\(sql)) FROM main.\(name)")
                    if statement.columnCount != 1 { problem = "has more than one value" }
                } catch let error as DatabaseError {
                    problem = "is not understood: \(error.message ?? "SQLite refuses it")"
                }
            }
            guard let problem else { continue }
            findings.append(
                SyncFinding(
                    severity: .refused, reason: .unsuitableColumn, table: table.declaration.name,
                    column: column.name, message: "the expression in absent: \(problem)",
                    remedy: "write an SQL expression over columns of the row, such as price * 100"))
        }
    }

    private mutating func addDoubles(_ declarations: [SyncedTable]) {
        var seen: Set<String> = []
        for name in declarations.map(\.name) where !seen.insert(name.asciiLowercased).inserted {
            add(.declaredTwice, name, "two declarations name it", "remove one of them")
        }
        var wires: [String: String] = [:]
        for table in tables {
            if let other = wires[table.wireName],
                other.asciiLowercased != table.declaration.name.asciiLowercased
            {
                add(
                    .declaredTwice, table.declaration.name,
                    "its first name \(table.wireName) is also that of \(other)",
                    "give another renamedFrom:")
            }
            wires[table.wireName] = table.declaration.name
        }
    }

    /// Objects of the reserved prefix that this library did not make.
    private mutating func addReservedNames(_ db: Database, _ reader: SchemaReader) throws {
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT name, type, tbl_name FROM main.sqlite_master
                WHERE name LIKE 'strongroom\\_sync\\_%' ESCAPE '\\' AND type <> 'index'
                ORDER BY name
                """)
        for row in rows {
            let (name, type, table): (String, String, String) = (row[0], row[1], row[2])
            guard !ReservedNames.isOwn(name, type: type) else { continue }
            add(
                .reservedName, table, "the \(type) \(name) has a reserved name",
                "rename it: names that begin with strongroom_sync_ belong to this library")
        }
    }

    private mutating func add(
        _ reason: SyncFinding.Reason, _ table: String, _ message: String, _ remedy: String
    ) {
        findings.append(
            SyncFinding(
                severity: .refused, reason: reason, table: table, column: nil, message: message,
                remedy: remedy))
    }
}
