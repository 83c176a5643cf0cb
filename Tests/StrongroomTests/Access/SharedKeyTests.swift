import Dispatch
import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

@Suite struct SharedKeyTests {
    let fixture: FixtureDatabase

    init() throws {
        fixture = try FixtureDatabase(key: FixtureDatabase.passphrase)
    }

    /// Ways to set SQLCipher up after its passphrase: settings that the key depends on, settings that
    /// pages depend on, and use of the file.
    static let preparations = [
        "", "PRAGMA kdf_iter = 1000", "PRAGMA cipher_compatibility = 3; PRAGMA kdf_iter = 1000",
        "PRAGMA cipher_compatibility = 1",
        "PRAGMA cipher_page_size = 8192; PRAGMA kdf_iter = 1000",
        "PRAGMA cipher_kdf_algorithm = PBKDF2_HMAC_SHA256; PRAGMA kdf_iter = 1000",
        "PRAGMA cipher_hmac_algorithm = HMAC_SHA1; PRAGMA kdf_iter = 1000",
        "PRAGMA cipher_use_hmac = OFF; PRAGMA kdf_iter = 1000",
        """
        PRAGMA kdf_iter = 1000;
        PRAGMA cipher_plaintext_header_size = 32;
        PRAGMA cipher_salt = "x'000102030405060708090a0b0c0d0e0f'"
        """,
        "PRAGMA kdf_iter = 1000; PRAGMA cache_size = -4000; SELECT COUNT(*) FROM sqlite_master",
    ]

    /// Where it does not matter how long a key takes: 256,000 hashes are most of the time of a test.
    private static let quick = "PRAGMA kdf_iter = 4000"

    private func openPool(
        _ preparation: String, passphrase: String = FixtureDatabase.passphrase,
        sharing: Bool = true
    ) throws -> DatabasePool {
        try fixture.openPool(passphrase: passphrase) { configuration in
            configuration.sharesDerivedKey = sharing
            configuration.prepareDatabase { try $0.execute(sql: preparation) }
        }
    }

    private func values(_ reader: some DatabaseReader) throws -> [Int] {
        try reader.read { try Int.fetchAll($0, sql: "SELECT a FROM t ORDER BY a") }
    }

    @Test(.proves("CNF-059"), arguments: preparations)
    func `Whatever the settings, the file is as if every connection derived the key`(
        preparation: String
    ) throws {
        for isSharing in [true, false] {
            let pool = try openPool(preparation, sharing: isSharing)
            try pool.write { db in
                try db.execute(
                    sql: "CREATE TABLE IF NOT EXISTS t(a); INSERT INTO t VALUES (?)",
                    arguments: [isSharing])
            }
            let isWhole = isSharing ? [1] : [0, 1]
            #expect(try values(pool) == isWhole)
            #expect(try values(pool.makeSnapshot()) == isWhole)
            try pool.close()
            let queue = try DatabaseQueue(
                path: fixture.path,
                configuration: FixtureDatabase.configuration(
                    passphrase: FixtureDatabase.passphrase
                ) { configuration in
                    configuration.prepareDatabase { try $0.execute(sql: preparation) }
                })
            #expect(try values(queue) == isWhole)
        }
    }

    @Test(.proves("CNF-059"), arguments: [false, true])
    func `A pool derives its key once, unless told otherwise`(isNew: Bool) throws {
        if !isNew { try fixture.open().write { try $0.execute(sql: "CREATE TABLE t(a)") } }
        let pool = try openPool("")
        let oneDerivation = try leastTime { try openPool("", sharing: false).close() }
        let snapshots = try leastTime { for _ in 0..<5 { _ = try pool.makeSnapshot() } }
        #expect(snapshots < oneDerivation, "five more connections")
        try pool.close()
        let opening = try leastTime {
            let pool = try openPool("")
            for _ in 0..<4 { _ = try pool.makeSnapshot() }
            try pool.close()
        }
        #expect(opening < oneDerivation * 2, "a writer and four readers")
        let unshared = try openPool("", sharing: false)
        #expect(try leastTime { _ = try unshared.makeSnapshot() } > oneDerivation / 2)
    }

    /// The processor's time for something: beside other work it varies, and the least of three is the truest.
    private func leastTime(_ body: () throws -> Void) throws -> Duration {
        try (0..<3).map { _ in try ProcessorTime.ofThread(body) }.min() ?? .zero
    }

    @Test
    func `A late reader with another passphrase is refused, and only that access`() throws {
        let passphrase = Locked(FixtureDatabase.passphrase)
        var configuration = Configuration()
        configuration.prepareDatabase { db in
            try db.usePassphrase(passphrase.withLock { $0 })
            try db.execute(sql: Self.quick)
        }
        let pool = try DatabasePool(path: fixture.path, configuration: configuration)
        try pool.write { try $0.execute(sql: "CREATE TABLE t(a); INSERT INTO t VALUES (1)") }
        passphrase.withLock { $0 = "another" }
        for _ in 0..<2 {
            let error = #expect(throws: DatabaseError.self) { try values(pool) }
            #expect(error?.resultCode == .SQLITE_NOTADB)
            #expect(error?.message?.contains("the key is wrong") == true)
        }
        passphrase.withLock { $0 = FixtureDatabase.passphrase }
        #expect(try values(pool) == [1])
    }

    @Test(.proves("CCY-036"))
    func `After a change of the passphrase, readers come with the new one`() throws {
        let passphrase = Locked(FixtureDatabase.passphrase)
        var configuration = Configuration()
        configuration.prepareDatabase { db in
            try db.usePassphrase(passphrase.withLock { $0 })
            try db.execute(sql: Self.quick)
        }
        let pool = try DatabasePool(path: fixture.path, configuration: configuration)
        try pool.write { try $0.execute(sql: "CREATE TABLE t(a); INSERT INTO t VALUES (1)") }
        #expect(try values(pool) == [1])
        try pool.barrierWriteWithoutTransaction { db in
            try db.changePassphrase("new")
            passphrase.withLock { $0 = "new" }
            pool.invalidateReadOnlyConnections()
        }
        #expect(try values(pool) == [1])
        try pool.write { try $0.execute(sql: "INSERT INTO t VALUES (2)") }
        #expect(try values(pool) == [1, 2])
        #expect(try values(pool.makeSnapshot()) == [1, 2])
        try pool.close()
        var shell = fixture.shell(passphrase: "new")
        shell.settings = [Self.quick]
        #expect(try shell.cell("SELECT COUNT(*) FROM t") == 2)
        let old = #expect(throws: DatabaseError.self) { try openPool(Self.quick) }
        #expect(old?.resultCode == .SQLITE_NOTADB)
    }

    @Test
    func `A key that another process has changed is told of, not read past`() throws {
        let pool = try openPool(Self.quick)
        try pool.write { try $0.execute(sql: "CREATE TABLE t(a); INSERT INTO t VALUES (1)") }
        var shell = fixture.shell()
        shell.settings = [Self.quick]
        _ = try shell.run("PRAGMA rekey = 'new';")
        let error = #expect(throws: DatabaseError.self) { try values(pool) }
        #expect(error?.resultCode == .SQLITE_NOTADB)
    }

    @Test
    func `Two pools that create the same file at once agree on its salt`() throws {
        let results = Locked<[Result<Int, any Error>]>([])
        for round in 0..<5 {
            let path = fixture.directory.path(of: "\(round)")
            let configuration = FixtureDatabase.configuration(
                passphrase: FixtureDatabase.passphrase
            ) {
                $0.busyMode = .timeout(30)
                $0.prepareDatabase { try $0.execute(sql: Self.quick) }
            }
            DispatchQueue.concurrentPerform(iterations: 4) { _ in
                let result = Result {
                    let pool = try DatabasePool(path: path, configuration: configuration)
                    return try pool.read { try Int.fetchOne($0, sql: "SELECT 1") ?? 0 }
                }
                results.withLock { $0.append(result) }
            }
        }
        for result in results.withLock({ $0 }) { #expect(throws: Never.self) { try result.get() } }
    }
}
