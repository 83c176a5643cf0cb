import StrongroomCore

/// What `strongroom info` prints about a database.
struct DatabaseInformation {
    struct Table {
        let name: String
        /// Nil for a virtual table: only its module could count, and none runs.
        let rowCount: Int64?
    }

    let path: String
    let pageCount: Int64
    let pageSize: Int64
    let freePageCount: Int64
    let encoding: String
    let journalMode: String
    let autoVacuum: Int64
    let schemaVersion: Int64
    let userVersion: Int64
    let applicationID: Int64
    let cipherVersion: String
    let cipherProvider: String
    /// In SQLCipher's order: `kdf_iter`, `cipher_page_size`, …
    let cipherSettings: [(name: String, value: String)]
    let sqliteVersion: String
    let tables: [Table]
    /// Nil if the database has none.
    let keyring: KeyringSummary?

    /// Reads in one transaction of the caller's, or statement by statement.
    init(_ db: Database, path: String) throws {
        func integer(_ pragma: String) throws -> Int64 {
            try Int64.fetchOne(db, sql: "PRAGMA \(pragma)") ?? 0
        }
        func text(_ pragma: String) throws -> String {
            try String.fetchOne(db, sql: "PRAGMA \(pragma)") ?? ""
        }
        self.path = path
        pageCount = try integer("page_count")
        pageSize = try integer("page_size")
        freePageCount = try integer("freelist_count")
        encoding = try text("encoding")
        journalMode = try text("journal_mode")
        autoVacuum = try integer("auto_vacuum")
        schemaVersion = try integer("schema_version")
        userVersion = try integer("user_version")
        applicationID = try integer("application_id")
        cipherVersion = try text("cipher_version")
        cipherProvider = try text("cipher_provider_version")
        cipherSettings = try String.fetchAll(db, sql: "PRAGMA cipher_settings")
            .compactMap(Self.setting)
        sqliteVersion = try String.fetchOne(db, sql: "SELECT sqlite_version()") ?? ""
        tables = try Self.tables(db)
        keyring = try KeyringSummary(ofDatabase: path)
    }

    var byteCount: Int64 { pageCount * pageSize }

    /// From `PRAGMA kdf_iter = 256000;`
    private static func setting(_ pragma: String) -> (name: String, value: String)? {
        let words = pragma.drop { $0 != " " }.filter { $0 != " " && $0 != ";" }
            .split(separator: "=")
        return words.count == 2 ? (String(words[0]), String(words[1])) : nil
    }

    /// What the modules of SQLite add to the name of a virtual table, for tables of their own.
    private static let partSuffixes: Set = [
        "config", "content", "data", "docsize", "idx", "node", "parent", "rowid", "segdir",
        "segments", "stat",
    ]

    /// Ordinary and virtual tables; not those that SQLite, a virtual table or this library keeps for
    /// itself.
    private static func tables(_ db: Database) throws -> [Table] {
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT name, type = 'virtual' FROM pragma_table_list
                WHERE schema = 'main' AND type IN ('table', 'virtual')
                    AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
                    AND name NOT LIKE 'strongroom\\_%' ESCAPE '\\'
                ORDER BY name
                """)
        let virtual = Set(rows.filter { $0[1] }.map { $0[0] as String })
        let names = rows.map { $0[0] as String }.filter { name in
            guard let line = name.lastIndex(of: "_") else { return true }
            return !partSuffixes.contains(String(name[name.index(after: line)...]))
                || !virtual.contains(String(name[..<line]))
        }
        return try names.map { name in
            Table(name: name, rowCount: try rowCount(of: name, db))
        }
    }

    private static func rowCount(of table: String, _ db: Database) throws -> Int64? {
        let quoted =
            "\""
            + table.split(separator: "\"", omittingEmptySubsequences: false)
            .joined(separator: "\"\"") + "\""
        do {
            return try Int64.fetchOne(db, sql: "SELECT COUNT(*) FROM main.\(quoted)")
        } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
            return nil
        }
    }
}
