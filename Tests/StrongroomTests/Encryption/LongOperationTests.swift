import CSQLCipher
import Foundation
import Strongroom
import StrongroomTestSupport
import Synchronization
import Testing

/// What `progress` closures are told, and how soon they are heard.
@Suite struct LongOperationTests {
    private struct Enough: Error {}

    private let folder: TemporaryDirectory
    private let file: DatabaseFile

    init() throws {
        folder = try TemporaryDirectory()
        file = DatabaseFile(
            path: folder.path(of: "app.db"),
            key: try CipherKey(rawKey: Data(repeating: 0x1f, count: 32)))
    }

    private var shell: SQLCipherShell {
        SQLCipherShell(path: file.path, key: .rawKey(Data(repeating: 0x1f, count: 32)))
    }

    private func create(megabytes: Int) throws {
        try shell.create(
            """
            PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; CREATE TABLE t(a);
            WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n LIMIT \(megabytes))
            INSERT INTO t SELECT zeroblob(1000000) FROM n;
            """)
    }

    @Test(
        "The authentication of a large file's pages tells how far it is, and can be stopped",
        .proves("OPR-06"))
    func largeFile() throws {
        try create(megabytes: 120)
        var progress: [OperationProgress] = []
        #expect(throws: Enough.self) {
            try file.check {
                progress.append($0)
                if $0.phase == .checking, $0.completedByteCount > 0 { throw Enough() }
            }
        }
        let last = try #require(progress.last)
        #expect(last.completedByteCount < last.totalByteCount)
        // Stopping it has left nothing that would stand in the way.
        let report = try file.check()
        #expect(!report.isDamaged)
        #expect(report.checks.contains(.cipherIntegrity))
    }

    @Test(
        "Who stops while SQLCipher derives the key of a new file does not wait for it",
        .proves("OPR-06"))
    func derivation() throws {
        try create(megabytes: 1)
        let iterations = 4_000_000
        var destination = DatabaseFile(
            path: folder.path(of: "out.db"), key: try CipherKey(passphrase: "a passphrase"))
        destination.configuration.prepareDatabase {
            try $0.execute(sql: "PRAGMA kdf_iter = \(iterations)")
        }
        let clock = ContinuousClock()
        let start = clock.now
        var firstReport: ContinuousClock.Instant?
        var refusal: ContinuousClock.Instant?
        var reportCount = 0
        #expect(throws: Enough.self) {
            try file.transfer(to: destination) { progress in
                guard progress.phase == .copying, progress.completedByteCount > 0 else { return }
                firstReport = firstReport ?? clock.now
                // By now everything is copied, and SQLCipher derives the key to read it back.
                reportCount += 1
                guard reportCount > 8 else { return }
                refusal = refusal ?? clock.now
                throw Enough()
            }
        }
        let derivation = try #require(firstReport) - start
        #expect(try clock.now - #require(refusal) < derivation / 2)
        #expect(try folder.names() == ["app.db"])
    }

    @Test(
        "The rows of a large table are no longer counted once the caller stops", .proves("OPR-06"))
    func counting() throws {
        let rowCount = 25_000
        try shell.create(
            """
            PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; CREATE TABLE t(a);
            WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n LIMIT \(rowCount))
            INSERT INTO t SELECT zeroblob(3800) FROM n;
            """)
        let isCounting = Atomic(false)
        let readPages = Mutex<[CInt]>([])
        var source = file
        source.configuration.prepareDatabase { db in
            // What the connection keeps must not keep the connection.
            db.trace(options: [.statement, .profile]) { [unowned db] event in
                guard "\(event)".contains("count(*) FROM main.\"t\"") else { return }
                if !isCounting.exchange(true, ordering: .relaxed) { return }
                readPages.withLock { $0.append(Self.readPageCount(db)) }
            }
        }
        var out = DatabaseFile(path: folder.path(of: "out.db"), key: file.key)
        // With settings of its own, it is written through SQLite, and the rows of both are counted.
        out.configuration.prepareDatabase { _ in }
        #expect(throws: Enough.self) {
            try source.transfer(to: out) { _ in
                if isCounting.load(ordering: .relaxed) { throw Enough() }
            }
        }
        let counts = readPages.withLock { $0 }
        #expect(counts.count == 1)
        #expect(counts.allSatisfy { (1..<rowCount).contains(Int($0)) })
    }

    /// How many pages a connection has read.
    private static func readPageCount(_ db: Database) -> CInt {
        var count: CInt = 0
        var highest: CInt = 0
        sqlite3_db_status(
            db.sqliteConnection, SQLITE_DBSTATUS_CACHE_MISS, &count, &highest, 0)
        return count
    }

    @Test("Large files are authenticated as SQLCipher does it, zeros and cut ends included")
    func sameFindings() throws {
        try create(megabytes: 80)
        let handle = try #require(FileHandle(forUpdatingAtPath: file.path))
        try handle.seek(toOffset: 4096 * 1000 + 17)
        try handle.write(contentsOf: Data([1, 2, 3]))
        try handle.seek(toOffset: 4096 * 15_000)
        try handle.write(contentsOf: Data(count: 4096))
        try handle.close()
        let report = try file.check(quick: true)
        #expect(report.isDamaged)
        #expect(report.problems.filter { $0.kind == .cipher }.map(\.page) == [1001, 15_001])
        let lines = try shell.run("PRAGMA cipher_integrity_check;")
        #expect(lines.contains("1001") && lines.contains("15001"))
        var wrong = file
        wrong.key = try CipherKey(rawKey: Data(repeating: 0x2f, count: 32))
        let error = #expect(throws: DatabaseFileError.self) { try wrong.check() }
        #expect(error?.code == .wrongKey)
    }

    @Test(
        "A phase begins when the closure has heard of it, on the caller's thread", .proves("OPR-06")
    )
    func phases() throws {
        try create(megabytes: 1)
        let out = DatabaseFile(path: folder.path(of: "out.db"), key: file.key)
        let thread = Thread.current
        var phases: [OperationProgress.Phase] = []
        try file.transfer(to: out) { progress in
            #expect(Thread.current === thread)
            if phases.last != progress.phase { phases.append(progress.phase) }
        }
        #expect(phases == [.preparing, .copying, .verifying, .finishing])
        for refused in phases {
            var isRefused = false
            #expect(throws: Enough.self) {
                try file.transfer(to: out, overwrite: true) {
                    #expect(!isRefused, "called again after it refused")
                    guard $0.phase == refused else { return }
                    isRefused = true
                    throw Enough()
                }
            }
            #expect(try folder.names() == ["app.db", "out.db"])
        }
    }
}
