import Strongroom
import StrongroomTestSupport
import Testing

@Suite struct BackupTests {
    private struct Stop: Error {}

    let fixture: FixtureDatabase
    let source: DatabaseQueue

    init() throws {
        fixture = try FixtureDatabase()
        source = try fixture.open()
        try source.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE t(a);
                    WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
                    INSERT INTO t SELECT 'row ' || i FROM n
                    """)
        }
    }

    private func isEmpty(_ queue: DatabaseQueue) throws -> Bool {
        try queue.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM sqlite_master") } == 0
    }

    @Test(.proves("BAK-002", "BAK-005", "BAK-006"))
    func `A backup copies page after page under another passphrase, or stops without a trace`()
        throws
    {
        let target = try FixtureDatabase()
        let destination = try target.open(passphrase: "other")
        #expect(throws: Stop.self) {
            try source.backup(to: destination, pagesPerStep: 2) { _ in throw Stop() }
        }
        #expect(try isEmpty(destination))
        var completed: [Int] = []
        try source.backup(to: destination, pagesPerStep: 2) { progress in
            completed.append(progress.completedPageCount)
            #expect(progress.isCompleted == (progress.remainingPageCount == 0))
        }
        #expect(completed == completed.sorted() && completed.count > 3)
        #expect(try target.shell(passphrase: "other").cell("SELECT COUNT(*) FROM t") == 5000)
    }

    @Test(.proves("ENC-014"))
    func `A backup between clear and encrypted databases is refused, and says what to use`() throws
    {
        let clear = try DatabaseQueue()
        let error = #expect(throws: DatabaseError.self) { try clear.backup(to: source) }
        #expect(error?.resultCode == .SQLITE_ERROR)
        #expect(
            error?.message?.contains("backup is not supported with encrypted databases") == true)
        #expect(throws: DatabaseError.self) { try source.backup(to: clear) }
        #expect(try isEmpty(clear))
    }

    /// `Documentation/SQLCipher.md`, "Copies": SQLCipher calls this a success, and no key opens
    /// what it leaves.
    @Test func `A backup to another page size is refused`() throws {
        let target = try FixtureDatabase()
        let destination = try target.open { configuration in
            configuration.prepareDatabase { try $0.execute(sql: "PRAGMA cipher_page_size = 8192") }
        }
        try destination.write { try $0.execute(sql: "CREATE TABLE t(a); DROP TABLE t") }
        #expect(throws: DatabaseError.self) { try source.backup(to: destination) }
        #expect(try isEmpty(destination))
    }

    @Test(.proves("BAK-004"))
    func `A backup of no pages a step is a bug that traps`() async {
        await #expect(processExitsWith: .failure) {
            try DatabaseQueue().backup(to: DatabaseQueue(), pagesPerStep: 0)
        }
    }
}
