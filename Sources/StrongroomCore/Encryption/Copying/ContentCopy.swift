/// Writes the content of one database into a new one, row by row: the way between plain and
/// encrypted files, and between page sizes, where pages cannot be copied.
///
/// 1. The source is inside one snapshot all the time; it is only read.
/// 2. Tables and indexes are created by their definitions, each of which is first known to be that
///    and nothing else (`Database+Distrust`). Views, triggers and virtual tables are entered as
///    they are: nothing fires, and no module is needed. The tables behind a virtual table are
///    tables like others.
/// 3. Rows keep their numbers, also where no column shows them.
/// 4. All of it is one transaction; the new file is thrown away if anything fails.
struct ContentCopy {
    let source: Database
    let destination: Database
    let operation: LongOperation
    /// The size of the source, which is about that of all rows.
    let estimatedByteCount: Int64
    /// Whether the new file shall have a write-ahead log.
    let isWAL: Bool
    let behind: WriteBehind

    func run() throws {
        try operation.begin(.copying, totalByteCount: estimatedByteCount)
        let settings = try DatabaseContent.Settings(of: source)
        try prepareHeader(settings)
        try destination.setDefensive(true)
        try destination.run("BEGIN IMMEDIATE")
        let tables = try createTables()
        var byteCount: Int64 = 0
        for table in tables {
            try copyRows(of: table, &byteCount)
        }
        try createIndexes()
        let version = try source.number("PRAGMA main.schema_version")
        try destination.withWritableSchema {
            try enterOthers()
            try destination.run(
                """
                PRAGMA main.user_version = \(settings.userVersion);
                PRAGMA main.application_id = \(settings.applicationID);
                PRAGMA main.schema_version = \(version)
                """)
        }
        try destination.run("COMMIT")
        if isWAL { try destination.run("PRAGMA main.journal_mode = WAL") }
    }

    /// Reads both, side by side.
    ///
    /// - Returns: The first table in which a cell is not the same; `nil` if there is none.
    func firstDifference() throws -> String? {
        try operation.begin(.verifying, totalByteCount: estimatedByteCount)
        var byteCount: Int64 = 0
        return try tableNames().first { name in
            try !areRowsEqual(in: TableShape(of: name, in: source), &byteCount)
        }
    }

    // MARK: - Settings

    /// What can only be chosen while the file is empty.
    private func prepareHeader(_ settings: DatabaseContent.Settings) throws {
        if try destination.text("PRAGMA cipher_provider") == nil {
            // An encrypted file has the page size of its cipher settings.
            let pageSize = try source.number("PRAGMA main.page_size")
            try destination.run("PRAGMA main.page_size = \(pageSize)")
        }
        let cacheSize = try source.number("PRAGMA main.default_cache_size")
        try destination.run(
            """
            PRAGMA main.encoding = '\(settings.encoding)';
            PRAGMA main.auto_vacuum = \(settings.autoVacuum);
            PRAGMA main.journal_mode = OFF;
            PRAGMA ignore_check_constraints = ON
            """)
        // A negative one is SQLite's own, and says that the header has none.
        if cacheSize > 0 { try destination.run("PRAGMA main.default_cache_size = \(cacheSize)") }
    }

    // MARK: - Tables and rows

    private func tableNames() throws -> [String] {
        // The numbers of AUTOINCREMENT last: every insert changes them.
        try source.texts(
            """
            SELECT name FROM main.sqlite_master WHERE type = 'table' AND rootpage > 0
            ORDER BY name = 'sqlite_sequence', rowid
            """)
    }

    private func createTables() throws -> [TableShape] {
        let names = try tableNames()
        let condition = "type = 'table' AND rootpage > 0 AND name <> 'sqlite_sequence'"
        for (definition, sql) in try definitions(.table, where: condition) {
            try destination.define(definition, by: sql)
        }
        if names.contains("sqlite_sequence") { try destination.createSequenceTable() }
        return try names.map { try TableShape(of: $0, in: source) }
    }

    private func definitions(
        _ kind: DefinedName.Kind, where condition: String
    ) throws -> [(DefinedName, sql: String)] {
        let rows = try source.makeStatement(
            sql: """
                SELECT name, tbl_name, sql FROM main.sqlite_master WHERE \(condition)
                ORDER BY rowid
                """)
        var definitions: [(DefinedName, sql: String)] = []
        while try rows.borrowed.step() {
            let texts = (0..<3).map { rows.borrowed.string($0) ?? "" }
            definitions.append((DefinedName(kind, texts[0], table: texts[1]), texts[2]))
        }
        return definitions
    }

    private func copyRows(of table: TableShape, _ byteCount: inout Int64) throws {
        // What creating and filling the other tables has left there.
        if table.name.hasPrefix("sqlite_") {
            try destination.run("DELETE FROM main.\(table.name.quotedDatabaseIdentifier)")
        }
        let rows = try source.makeStatement(sql: table.selection)
        let insertion = try destination.makeStatement(sql: table.insertion)
        var unreported = 0
        while try rows.borrowed.step() {
            try insertion.borrowed.insert(rowOf: rows.borrowed)
            try count(rows, &byteCount, &unreported)
        }
    }

    private func areRowsEqual(in table: TableShape, _ byteCount: inout Int64) throws -> Bool {
        let mine = try destination.makeStatement(sql: table.selection)
        let theirs = try source.makeStatement(sql: table.selection)
        var unreported = 0
        while try theirs.borrowed.step() {
            guard try mine.borrowed.step(),
                mine.borrowed.isRowEqual(toRowOf: theirs.borrowed)
            else { return false }
            try count(theirs, &byteCount, &unreported)
        }
        return try !mine.borrowed.step()
    }

    private func count(
        _ row: Statement, _ byteCount: inout Int64, _ unreported: inout Int
    ) throws {
        let rowByteCount = row.borrowed.rowByteCount
        byteCount += Int64(rowByteCount)
        unreported += rowByteCount
        guard unreported > 1 << 18 else { return }
        unreported = 0
        behind.advance()
        try operation.advance(to: byteCount)
    }

    // MARK: - Everything else

    private func createIndexes() throws {
        let condition = "type = 'index' AND sql IS NOT NULL"
        for (definition, sql) in try definitions(.index, where: condition) {
            try operation.watching(destination, meanwhile: behind.advance) {
                try destination.define(definition, by: sql)
            }
        }
    }

    private func enterOthers() throws {
        let columns = "type, name, tbl_name, rootpage, sql"
        let rows = try source.makeStatement(
            sql: """
                SELECT \(columns) FROM main.sqlite_master
                WHERE type IN ('view', 'trigger') OR (type = 'table' AND rootpage = 0)
                ORDER BY rowid
                """)
        let insertion = try destination.hooks.beyondLimits {
            try destination.makeStatement(
                sql: "INSERT INTO main.sqlite_master (\(columns)) VALUES (?, ?, ?, ?, ?)")
        }
        while try rows.borrowed.step() {
            try insertion.borrowed.insert(rowOf: rows.borrowed)
        }
    }
}

extension Database {
    /// SQLite creates it with the first table that needs it, and keeps it when that table goes.
    func createSequenceTable() throws {
        let exists = "SELECT 1 FROM main.sqlite_master WHERE name = 'sqlite_sequence'"
        guard try text(exists) == nil else { return }
        let name = "strongroom_\(UInt64.random(in: .min ... .max))"
        try hooks.beyondLimits { () throws(DatabaseError) in
            try run(
                """
                CREATE TABLE main.\(name) (id INTEGER PRIMARY KEY AUTOINCREMENT);
                DROP TABLE main.\(name)
                """)
        }
    }
}
