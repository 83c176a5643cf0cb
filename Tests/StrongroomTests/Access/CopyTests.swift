import Strongroom
import StrongroomTestSupport
import Testing

@Suite struct CopyTests {
    enum Kind: CaseIterable {
        case inMemory
        case temporary

        var path: String { self == .inMemory ? ":memory:" : "" }

        func copy(_ path: String, _ configuration: Configuration) throws -> DatabaseQueue {
            switch self {
            case .inMemory:
                try DatabaseQueue.inMemoryCopy(fromPath: path, configuration: configuration)
            case .temporary:
                try DatabaseQueue.temporaryCopy(fromPath: path, configuration: configuration)
            }
        }
    }

    private struct Leaked: Error {
        let findings: [CanaryScanner.Finding]
    }

    let fixture: FixtureDatabase

    init() throws {
        fixture = try FixtureDatabase()
    }

    private func fill(_ change: (inout Configuration) -> Void = { _ in }) throws {
        let queue = try fixture.open(change)
        try queue.write {
            try $0.execute(sql: "CREATE TABLE t(a); INSERT INTO t VALUES (1), (2)")
        }
    }

    private func count(_ reader: any DatabaseReader) throws -> Int? {
        try reader.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM t") }
    }

    @Test(.proves("CNF-005", "CNF-006"), arguments: Kind.allCases, [false, true])
    func `A copy has the content of the file, and what is written to it stays there`(
        kind: Kind, wal: Bool
    ) throws {
        try fill { if wal { $0.journalMode = .wal } }
        let configuration = FixtureDatabase.configuration { if wal { $0.journalMode = .wal } }
        let copy = try kind.copy(fixture.path, configuration)
        #expect(copy.path == kind.path)
        #expect(try count(copy) == 2)
        try copy.write { try $0.execute(sql: "DELETE FROM t; CREATE TABLE u(a)") }
        try copy.vacuum()
        #expect(try count(copy) == 0)
        #expect(try fixture.shell().cell("SELECT COUNT(*) FROM t") == 2)
        #expect(try fixture.shell().cell("SELECT COUNT(*) FROM sqlite_master") == 1)
    }

    @Test(.proves("CNF-005"), arguments: Kind.allCases)
    func `A copy that can only be read refuses writes`(kind: Kind) throws {
        try fill()
        let configuration = FixtureDatabase.configuration { $0.readonly = true }
        let copy = try kind.copy(fixture.path, configuration)
        for _ in 0..<2 {
            let error = #expect(throws: DatabaseError.self) {
                try copy.write { try $0.execute(sql: "DELETE FROM t") }
            }
            #expect(error?.resultCode == .SQLITE_READONLY)
            #expect(try count(copy) == 2)
        }
    }

    @Test(.proves("CNF-005"), arguments: Kind.allCases)
    func `A copy needs its file, and the passphrase of it`(kind: Kind) throws {
        let missing = #expect(throws: DatabaseError.self) {
            try kind.copy(fixture.path, FixtureDatabase.configuration())
        }
        #expect(missing?.resultCode == .SQLITE_CANTOPEN)
        #expect(try fixture.directory.names() == [])
        try fill()
        for configuration in [
            Configuration(), FixtureDatabase.configuration(passphrase: "wrong"),
        ] {
            let error = #expect(throws: DatabaseError.self) {
                try kind.copy(fixture.path, configuration)
            }
            #expect(error?.resultCode == .SQLITE_NOTADB)
        }
    }

    @Test(arguments: Kind.allCases)
    func `A copy takes over the settings of the cipher that the app prepares`(kind: Kind) throws {
        let change: (inout Configuration) -> Void = { configuration in
            configuration.prepareDatabase {
                try $0.execute(
                    sql: "PRAGMA cipher_page_size = 8192; PRAGMA cipher_hmac_algorithm = HMAC_SHA1")
            }
        }
        try fill(change)
        let copy = try kind.copy(fixture.path, FixtureDatabase.configuration(change))
        #expect(try count(copy) == 2)
    }

    @Test func `A database in clear is copied too`() throws {
        let plain = try DatabaseQueue(path: fixture.path)
        try plain.write { try $0.execute(sql: "CREATE TABLE t(a); INSERT INTO t VALUES (1)") }
        for kind in Kind.allCases {
            #expect(try count(kind.copy(fixture.path, Configuration())) == 1)
        }
    }

    @Test func `No plaintext of a temporary copy reaches the disk`() async {
        // It looks at every file that the process holds open.
        await #expect(processExitsWith: .success) { try Self.copyAndScan() }
    }

    private static func copyAndScan() throws {
        let fixture = try FixtureDatabase()
        let canary = "canary-in-the-copy-51ac"
        let queue = try fixture.open()
        try queue.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE t(a);
                    INSERT INTO t
                    WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
                    SELECT ? || i FROM n
                    """, arguments: [canary])
        }
        let configuration = FixtureDatabase.configuration {
            $0.prepareDatabase {
                try $0.execute(sql: "PRAGMA cache_size = 10; PRAGMA temp_store = FILE")
            }
        }
        let copy = try DatabaseQueue.temporaryCopy(
            fromPath: fixture.path, configuration: configuration)
        let scanner = CanaryScanner(canary)
        var findings = try scanner.findingsInOpenFiles()
        try copy.write { db in
            try db.execute(sql: "UPDATE t SET a = a || 'x'")
            findings += try scanner.findingsInOpenFiles()
        }
        findings += try scanner.findingsInOpenFiles()
        findings += try scanner.findings(inDirectory: fixture.directory.path)
        guard findings.isEmpty else { throw Leaked(findings: findings) }
    }
}
