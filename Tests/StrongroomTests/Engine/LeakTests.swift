import Strongroom
import StrongroomTestSupport
import Testing

/// `Documentation/SQLCipher.md`, "Temporary files": what a build of SQLCipher that sorts in files
/// writes in clear.
///
/// The scans look at every file that the process holds open, so each has a process of its own.
@Suite struct LeakTests {
    private static let canary = "canary-8f3a-in-the-row"

    private struct Leaked: Error {
        let findings: [CanaryScanner.Finding]
    }

    @Test(arguments: [false, true], [false, true])
    func `No plaintext leaves the process while SQLite sorts, spills and journals`(
        wal: Bool, asksForFiles: Bool
    ) async {
        await #expect(processExitsWith: .success) {
            [wal = wal as Bool, asksForFiles = asksForFiles as Bool] in
            try Self.sortSpillAndJournal(wal: wal, asksForFiles: asksForFiles)
        }
    }

    private static func sortSpillAndJournal(wal: Bool, asksForFiles: Bool) throws {
        let fixture = try FixtureDatabase()
        let scanner = CanaryScanner(canary, "canary_table", "canary_temp")
        let queue = try fixture.open { configuration in
            if wal { configuration.journalMode = .wal }
            // What an app asks for in its preparation does not open the leak again.
            if asksForFiles {
                configuration.prepareDatabase { try $0.execute(sql: "PRAGMA temp_store = FILE") }
            }
        }
        var findings: [CanaryScanner.Finding] = []
        func scan() throws {
            findings += try scanner.findings(inDirectory: fixture.directory.path)
            // SQLite unlinks its temporary files at once: only descriptors lead to them.
            findings += try scanner.findingsInOpenFiles()
        }
        try queue.inDatabase { db throws in
            try db.execute(sql: "PRAGMA cache_size = 20; CREATE TABLE canary_table(a, b)")
            try db.inTransaction {
                try db.execute(
                    sql: """
                        INSERT INTO canary_table
                        WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
                        SELECT i, ? || (i * 7919 % 20000) FROM n
                        """, arguments: [canary])
                try scan()
                return .commit
            }
            for sql in [
                "SELECT b FROM canary_table ORDER BY b",
                "SELECT DISTINCT b FROM canary_table",
                "SELECT b FROM canary_table UNION SELECT b || 'x' FROM canary_table",
                "WITH c AS MATERIALIZED (SELECT b FROM canary_table) SELECT c.b FROM c, c AS d LIMIT 5",
                "SELECT b, row_number() OVER (ORDER BY b) FROM canary_table",
            ] {
                let cursor = try Row.fetchCursor(db, sql: sql)
                _ = try cursor.next()
                try scan()
            }
            try db.execute(sql: "CREATE TEMP TABLE canary_temp AS SELECT * FROM canary_table")
            try scan()
            try db.inTransaction {
                try db.inSavepoint {
                    try db.execute(sql: "UPDATE canary_table SET b = b || 'y'")
                    try scan()
                    return .rollback
                }
                return .commit
            }
            try db.execute(sql: "CREATE INDEX i ON canary_table(b); VACUUM")
            try scan()
        }
        try scan()
        let count = try fixture.shell().cell("SELECT COUNT(*) FROM canary_table")
        guard findings.isEmpty, count == 20_000 else { throw Leaked(findings: findings) }
    }

    @Test func `The scan finds a canary where there is one`() async {
        await #expect(processExitsWith: .success) { try Self.findCanary() }
    }

    private static func findCanary() throws {
        let fixture = try FixtureDatabase()
        let plain = try DatabaseQueue(path: fixture.path)
        try plain.write {
            try $0.execute(sql: "CREATE TABLE t(a); INSERT INTO t VALUES (?)", arguments: [canary])
        }
        let scanner = CanaryScanner(canary)
        guard try !scanner.findings(inDirectory: fixture.directory.path).isEmpty,
            try !scanner.findingsInOpenFiles().isEmpty
        else { throw Leaked(findings: []) }
        _ = plain.path
    }
}
