/// What a database and a true copy of it have in common, as far as one can see without reading
/// every cell.
struct DatabaseContent: Equatable {
    /// The definitions of tables, indexes, views and triggers, in an order of their own.
    var schema: [String]
    var tables: [TableRowCount]
    var virtualTables: [String] = []
    var settings: Settings
    var isWAL: Bool

    /// What the header says besides the content.
    struct Settings: Equatable {
        var userVersion: Int64
        var applicationID: Int64
        var autoVacuum: Int64
        var encoding: String

        init(of database: Database) throws {
            userVersion = try database.number("PRAGMA main.user_version")
            applicationID = try database.number("PRAGMA main.application_id")
            autoVacuum = try database.number("PRAGMA main.auto_vacuum")
            encoding = try database.text("PRAGMA main.encoding") ?? ""
        }
    }

    /// Looks at a database inside one snapshot.
    ///
    /// - Parameter countsRows: Takes as long as reading the whole database.
    init(of database: Database, operation: LongOperation, countsRows: Bool = true) throws {
        settings = try Settings(of: database)
        isWAL = try database.text("PRAGMA main.journal_mode") == "wal"
        schema = try database.texts(
            """
            SELECT json_array(type, name, tbl_name, sql) AS line FROM main.sqlite_master
            ORDER BY line
            """)
        tables = []
        guard countsRows else { return }
        let names = try database.texts(
            """
            SELECT name FROM main.sqlite_master WHERE type = 'table' AND rootpage > 0
            ORDER BY name
            """)
        let parts = try Self.internalTables(of: database)
        tables = try names.map { name in
            let sql = "SELECT count(*) FROM main.\(name.quotedDatabaseIdentifier)"
            return TableRowCount(
                name: name,
                rowCount: Int(try operation.watching(database) { try database.number(sql) }),
                isInternal: name.hasPrefix("sqlite_") || parts.contains(name.asciiLowercased))
        }
        virtualTables = try database.texts(Self.virtualTables)
    }

    private static let virtualTables = """
        SELECT name FROM main.sqlite_master WHERE type = 'table' AND rootpage = 0 ORDER BY name
        """

    /// What the modules of SQLite add to the name of a virtual table, for tables of their own; no module
    /// need be there to say so.
    private static let partSuffixes = [
        "config", "content", "data", "docsize", "idx", "node", "parent", "rowid", "segdir",
        "segments", "stat",
    ]

    private static func internalTables(of database: Database) throws -> Set<String> {
        Set(
            try database.texts(virtualTables).flatMap { name in
                partSuffixes.map { "\(name)_\($0)".asciiLowercased }
            })
    }

    /// The first respect in which a copy differs from its source; `nil` if there is none.
    ///
    /// The journal mode is not compared: a file that is opened as one that does not change does not
    /// show it. Who writes the copy sees to it.
    func difference(from source: DatabaseContent) -> String? {
        if schema != source.schema { return "the definitions of its tables differ" }
        if settings != source.settings { return "its settings differ" }
        let pairs = zip(tables, source.tables)
        guard let (mine, theirs) = pairs.first(where: { $0 != $1 }) else { return nil }
        return "\(mine.name) has \(mine.rowCount) rows instead of \(theirs.rowCount)"
    }
}
