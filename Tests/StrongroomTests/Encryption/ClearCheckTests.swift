import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

/// Files above 64 MB are checked on pages that our own page codec decrypts.
@Suite("Checking a large database file", .serialized)
struct ClearCheckTests {
    private static let rawKey = "x'" + String(repeating: "0c", count: 32) + "'"

    private struct Sample {
        let folder: TemporaryDirectory
        let file: DatabaseFile
        let shell: SQLCipherShell

        init(settings: [String] = [], journal: String = "delete", _ sql: String = "") throws {
            folder = try TemporaryDirectory()
            let path = folder.path(of: "app.db")
            var file = DatabaseFile(
                path: path, key: try CipherKey(rawKey: Data(repeating: 0x0c, count: 32)))
            for pragma in settings {
                file.configuration.prepareDatabase { try $0.execute(sql: pragma) }
            }
            self.file = file
            shell = SQLCipherShell(path: path, key: .content(rawKey), settings: settings)
            try shell.create(
                """
                PRAGMA journal_mode = \(journal);
                CREATE TABLE t (id INTEGER PRIMARY KEY, n INTEGER, m INTEGER, b BLOB);
                WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 18000)
                  INSERT INTO t (n, m, b) SELECT random(), i, zeroblob(3700) FROM c;
                CREATE INDEX by_n ON t (n);
                \(sql)
                """)
        }
    }

    @Test(
        "finds nothing in a sound one, whatever its settings", .proves("ENC-033"),
        arguments: [
            [], ["PRAGMA cipher_page_size = 8192"],
            [
                "PRAGMA cipher_plaintext_header_size = 32",
                "PRAGMA cipher_salt = \"x'000102030405060708090a0b0c0d0e0f'\"",
            ],
        ])
    func sound(settings: [String]) throws {
        let sample = try Sample(settings: settings)
        for journal in ["delete", "wal"] {
            _ = try sample.shell.run("PRAGMA journal_mode = \(journal)")
            let report = try sample.file.check()
            #expect(report.problems == [])
            #expect(report.checks.contains(.structure) && report.checks.contains(.foreignKeys))
            #expect(report.unexamined == [])
            #expect(try sample.file.check(quick: true).problems == [])
        }
    }

    @Test(
        "asks the kernel for many pages at once", .proves("ENC-033"), arguments: ["delete", "wal"])
    func reads(journal: String) throws {
        let sample = try Sample(journal: journal)
        let queue = try sample.file.open()
        try queue.writeWithoutTransaction { db in
            // The last page is in the log alone.
            try db.execute(sql: "PRAGMA wal_autocheckpoint = 0; CREATE TABLE u (a)")
        }
        let pageCount = try sample.file.check(quick: true).pageCount
        let before = try Self.readCount()
        #expect(try sample.file.check().isSound)
        // SQLCipher reads every page by itself.
        let count = try Self.readCount() - before
        #expect(count < pageCount / 4, "\(count) reads of \(pageCount) pages")
    }

    @Test("finds what SQLite finds", .proves("ENC-033"))
    func damage() throws {
        let sample = try Sample(
            """
            CREATE INDEX by_m ON t (m);
            CREATE TABLE u (id INTEGER PRIMARY KEY, t INTEGER REFERENCES t (id));
            INSERT INTO u VALUES (1, 1), (2, 99999999);
            CREATE VIRTUAL TABLE f USING fts5(a);
            """)
        #expect(try sample.file.check().problems.map(\.kind) == [.foreignKey])
        // The index has the entries of another column.
        _ = try sample.shell.run(
            """
            .dbconfig defensive off
            PRAGMA writable_schema = ON;
            UPDATE sqlite_schema SET sql = 'CREATE INDEX by_m ON t (n)' WHERE name = 'by_m';
            """)
        let report = try sample.file.check()
        let lines = try sample.shell.rows("PRAGMA integrity_check").map { "\($0[0])" }
        #expect(lines.count == 100)
        #expect(report.problems.map(\.message).filter { $0.contains("by_m") }.count == 100)
        #expect(report.problems.allSatisfy { $0.kind == .structure })
        #expect(report.unexamined.map { $0.prefix(2) } == ["f:"])
        #expect(try sample.file.check(quick: true).isSound)
    }

    @Test("sees what the log alone has, while others write", .proves("ENC-033"))
    func log() throws {
        let sample = try Sample(journal: "wal")
        let queue = try sample.file.open()
        try queue.write { db in
            try db.execute(sql: "PRAGMA wal_autocheckpoint = 0")
            try db.execute(sql: "CREATE TABLE u (t INTEGER REFERENCES t (id))")
            try db.execute(sql: "PRAGMA foreign_keys = OFF")
        }
        try queue.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA foreign_keys = OFF; INSERT INTO u VALUES (99999999)")
        }
        #expect(try sample.file.check().problems.map(\.kind) == [.foreignKey])
    }

    @Test("runs the app's functions and collations", .proves("ENC-033"))
    func functions() throws {
        let sample = try Sample()
        var file = sample.file
        file.configuration.prepareDatabase { db in
            db.add(collation: DatabaseCollation("backwards") { $1.compare($0) })
        }
        try file.open().write { db in
            try db.execute(
                sql: """
                    CREATE TABLE w (a TEXT COLLATE backwards);
                    CREATE INDEX by_a ON w (a);
                    INSERT INTO w VALUES ('a'), ('b'), ('c');
                    """)
        }
        #expect(try file.check().problems == [])
        // Without it SQLite cannot tell, as on a connection of SQLCipher's.
        #expect(throws: (any Error).self) { try sample.file.check() }
    }

    /// What this thread has asked the kernel to read, by its own count.
    private static func readCount() throws -> Int {
        let text = try String(contentsOfFile: "/proc/thread-self/io", encoding: .utf8)
        let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("syscr: ") })
        return try #require(Int(line.dropFirst("syscr: ".count)))
    }
}
