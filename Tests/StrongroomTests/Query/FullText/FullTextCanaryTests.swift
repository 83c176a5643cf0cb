import Strongroom
import StrongroomTestSupport
import Testing

/// What is indexed, sorted and grouped is as secret as what it was made of.
@Suite struct FullTextCanaryTests {
    // Words that stand in no file by chance, and that tokenizers leave as they are.
    static let word = "kanarienvogelxq"
    static let json = "zeisigjsonwv"

    // In a process of its own: it reads all that the process has open.
    @Test(.needsFTS5)
    func `No index, JSON, sorted or ranked row is readable on disk`() async {
        await #expect(processExitsWith: .success) { try Self.indexSortAndRank() }
    }

    private static func indexSortAndRank() throws {
        let fixture = try FixtureDatabase()
        let pool = try DatabasePool(
            path: fixture.path,
            configuration: FixtureDatabase.configuration { configuration in
                configuration.prepareDatabase { db throws in
                    // What does not fit into memory must not go elsewhere in clear.
                    try db.execute(sql: "PRAGMA cache_size = 10; PRAGMA cache_spill = 1")
                }
            })
        let scanner = CanaryScanner(word, json)
        func scan() throws {
            #expect(try scanner.findings(inDirectory: fixture.directory.path) == [])
            #expect(try scanner.findingsInOpenFiles() == [])
        }
        try pool.write { db throws in
            try db.create(table: "book") { t in
                t.autoIncrementedPrimaryKey("id")
                t.column("title", .text)
                t.column("info", .jsonText)
                t.column("binary", .jsonb)
            }
            try db.create(
                index: "country", on: "book", expressions: [JSONColumn("info")["country"]])
            try createIndexes(db)
            try fill(db)
            try scan()
        }
        try scan()
        try pool.read { db throws in
            try sort(db, scan)
        }
        try pool.writeWithoutTransaction { db throws in
            try db.execute(sql: "INSERT INTO ft5(ft5) VALUES ('optimize')")
            try db.execute(sql: "INSERT INTO ft4(ft4) VALUES ('optimize')")
            try db.checkpoint(.truncate)
            try scan()
            try db.execute(sql: "VACUUM")
        }
        try scan()
        // The scan would see them: they are there, and the witness finds them with the key.
        let answer = try fixture.shell().run(
            "SELECT count(*) FROM ft5 WHERE ft5 MATCH '\(word)'")
        #expect(answer.contains("500"))
    }

    private static func createIndexes(_ db: Database) throws {
        try db.create(virtualTable: "ft5", using: FTS5()) { t in
            t.synchronize(withTable: "book")
            t.prefixes = [3]
            t.column("title")
        }
        try db.create(virtualTable: "ft4", using: FTS4()) { t in
            t.synchronize(withTable: "book")
            t.column("title")
        }
        try db.create(virtualTable: "own", using: FTS5()) { $0.column("title") }
        try db.create(virtualTable: "fleeting", options: .temporary, using: FTS5()) { t in
            t.column("title")
        }
    }

    private static func fill(_ db: Database) throws {
        for number in 0..<500 {
            let title = "\(word) number \(number)"
            let info = #"{"country": "\#(json)\#(number)"}"#
            try db.execute(
                literal: "INSERT INTO book VALUES (NULL, \(title), \(info), jsonb(\(info)))")
            try db.execute(literal: "INSERT INTO own VALUES (\(title))")
            try db.execute(literal: "INSERT INTO fleeting VALUES (\(title))")
        }
    }

    /// The rows that a window looks back on are kept in a table of their own.
    private static func lookBack(_ db: Database, _ scan: () throws -> Void) throws {
        let text = [Column("title"), Column("info")].joined(operator: .concat)
        let window = SQLWindow.partition(by: Column("id") > 250).order(text.desc)
        let ranked = Table("book").select(
            rank().over(window), lag(text).over(window),
            lastValue(text).over(window.rows(from: .start, to: .end)))
        let rows = try Row.fetchCursor(db, ranked)
        let values = try rows.next()?.databaseValues
        let last = values?.last.flatMap(String.fromDatabaseValue) ?? ""
        #expect(last.contains(word) && last.contains(json))
        try scan()
    }

    private static func sort(_ db: Database, _ scan: () throws -> Void) throws {
        let sorted = try Row.fetchCursor(
            db,
            sql: """
                SELECT DISTINCT a.title, json_extract(b.info, '$.country') AS country,
                    group_concat(b.title) FROM book a JOIN book b ON a.id % 50 = b.id % 50
                GROUP BY 1, 2 ORDER BY 2 DESC, 1
                """)
        _ = try sorted.next()
        try scan()
        let grouped = Table("book")
            .select(Database.jsonGroupArray(JSONColumn("info")), as: String.self)
        let array = try grouped.fetchOne(db) ?? ""
        #expect(array.contains(json))
        try scan()
        try lookBack(db, scan)
    }
}
