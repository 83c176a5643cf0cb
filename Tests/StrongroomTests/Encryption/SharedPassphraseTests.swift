import Foundation
import StrongroomTestSupport
import Testing

@testable import StrongroomCore

@Suite("One passphrase for all connections to a file")
struct SharedPassphraseTests {
    let folder: TemporaryDirectory
    let path: String

    init() throws {
        folder = try TemporaryDirectory()
        path = folder.path(of: "app.db")
    }

    /// A keychain: what it has in it may change, and it may be locked.
    private final class Keychain: Sendable {
        struct Locked: Error {}

        private let content: StrongroomTestSupport.Locked<String?>
        let askedCount = StrongroomTestSupport.Locked(0)

        init(_ passphrase: String?) { content = .init(passphrase) }

        func set(_ passphrase: String?) { content.withLock { $0 = passphrase } }

        func passphrase() throws -> String {
            askedCount.withLock { $0 += 1 }
            guard let passphrase = content.withLock({ $0 }) else { throw Locked() }
            return passphrase
        }
    }

    /// 256,000 hashes for each connection would be most of the time of a test.
    private static let quick = "PRAGMA kdf_iter = 4000"

    private func configuration(
        _ keychain: Keychain, _ pragmas: [String] = [quick]
    ) -> Configuration {
        var configuration = Configuration()
        configuration.prepareDatabase { db in
            try db.usePassphrase(keychain.passphrase())
            for pragma in pragmas { try db.execute(sql: pragma) }
        }
        return configuration
    }

    private func fill(_ writer: some DatabaseWriter) throws {
        try writer.write { try $0.execute(sql: "CREATE TABLE t (a); INSERT INTO t VALUES (1)") }
    }

    private func value(_ reader: some DatabaseReader) throws -> Int? {
        try reader.read { try Int.fetchOne($0, sql: "SELECT a FROM t") }
    }

    private func header() throws -> Data {
        try #require(try FileHandle(forReadingAtPath: path)?.read(upToCount: 16))
    }

    private static var plainHeader: Data { Data("SQLite format 3\0".utf8) }

    @Test("it comes before anything else, by prepareDatabase, each time", .proves("ENC-003"))
    func order() throws {
        // Too late: what is there is plain, and stays so.
        let plain = try DatabaseQueue(path: path)
        try fill(plain)
        try? plain.inDatabase { db in
            try db.usePassphrase("too late")
            try db.execute(sql: "INSERT INTO t VALUES (2)")
        }
        try plain.close()
        #expect(try header() == Self.plainHeader)
        #expect(try SQLCipherShell(path: path).cell("SELECT min(a) FROM t") == 1)
        try FileManager.default.removeItem(atPath: path)

        let keychain = Keychain("secret")
        func asked(_ body: () throws -> Void) rethrows -> Int {
            let before = keychain.askedCount.withLock { $0 }
            try body()
            return keychain.askedCount.withLock { $0 } - before
        }
        var pool: DatabasePool?
        let opening = try asked {
            pool = try DatabasePool(path: path, configuration: configuration(keychain))
        }
        let opened = try #require(pool)
        try fill(opened)
        var values: [Int?] = []
        let reading = try asked { values.append(try value(opened)) }
        let holding = try asked { values.append(try value(opened.makeSnapshot())) }
        let copying = try asked {
            let copy = try DatabaseQueue.temporaryCopy(
                fromPath: path, configuration: configuration(keychain))
            values.append(try value(copy))
        }
        #expect(values == [1, 1, 1])
        #expect(opening == 1 && reading == 1 && holding == 1)
        #expect(copying >= 1)
        #expect(try header() != Self.plainHeader)
    }

    @Test("a pool changes it in a barrier, and opens its readers again", .proves("ENC-005"))
    func changeInPool() throws {
        let keychain = Keychain("old")
        let pool = try DatabasePool(path: path, configuration: configuration(keychain))
        try fill(pool)
        #expect(try value(pool) == 1)
        try pool.barrierWriteWithoutTransaction { db in
            try db.changePassphrase("new")
            keychain.set("new")
            pool.invalidateReadOnlyConnections()
        }
        #expect(try value(pool) == 1)
        try pool.write { try $0.execute(sql: "UPDATE t SET a = 2") }
        #expect(try value(pool) == 2)
        try pool.close()
        #expect(throws: DatabaseError.self) {
            try DatabaseQueue(path: path, configuration: configuration(Keychain("old")))
        }
        #expect(
            try SQLCipherShell(path: path, key: .passphrase("new"), settings: [Self.quick])
                .cell("SELECT a FROM t") == 2)
    }

    @Test("a snapshot of before reads what it held, or fails: nothing else", .proves("ENC-007"))
    func snapshot() throws {
        let keychain = Keychain("old")
        let pool = try DatabasePool(path: path, configuration: configuration(keychain))
        try fill(pool)
        let snapshot = try pool.makeSnapshot()
        try pool.barrierWriteWithoutTransaction { db in
            try db.changePassphrase("new")
            keychain.set("new")
            pool.invalidateReadOnlyConnections()
        }
        try pool.write { try $0.execute(sql: "UPDATE t SET a = 2") }
        var seen: Int?
        let error = DatabaseError.thrown { seen = try value(snapshot) }
        #expect(seen == 1 || error != nil)
        #expect(try value(pool) == 2)
        let later = try pool.makeSnapshot()
        #expect(try value(later) == 2)
    }

    @Test(
        "without it, a queue goes on, and a pool fails when it opens a reader", .proves("ENC-011"))
    func unavailable() throws {
        let keychain = Keychain("secret")
        let queue = try DatabaseQueue(path: path, configuration: configuration(keychain))
        try fill(queue)
        keychain.set(nil)
        try queue.write { try $0.execute(sql: "UPDATE t SET a = 2") }
        #expect(try value(queue) == 2)
        try queue.close()

        keychain.set("secret")
        let pool = try DatabasePool(path: path, configuration: configuration(keychain))
        keychain.set(nil)
        #expect(throws: Keychain.Locked.self) { try value(pool) }
        try pool.write { try $0.execute(sql: "UPDATE t SET a = 3") }
        keychain.set("secret")
        #expect(try value(pool) == 3)
        // Open connections go on.
        keychain.set(nil)
        #expect(try value(pool) == 3)
    }

    @Test("a plain header works where the app keeps the salt", .proves("ENC-012"))
    func plainHeader() throws {
        let pragmas = [
            "PRAGMA cipher_plaintext_header_size = 32",
            "PRAGMA cipher_salt = \"x'000102030405060708090a0b0c0d0e0f'\"", Self.quick,
        ]
        let keychain = Keychain("secret")
        let pool = try DatabasePool(path: path, configuration: configuration(keychain, pragmas))
        try fill(pool)
        #expect(try value(pool) == 1)
        try pool.close()
        #expect(try header() == Self.plainHeader)
        let queue = try DatabaseQueue(path: path, configuration: configuration(keychain, pragmas))
        #expect(try value(queue) == 1)
        try queue.close()
        let witness = SQLCipherShell(path: path, key: .passphrase("secret"), settings: pragmas)
        #expect(try witness.rows("SELECT a FROM t; PRAGMA cipher_integrity_check") == [[1]])
        let other = [pragmas[0], pragmas[1].replacing("0f'", with: "ff'"), Self.quick]
        #expect(throws: DatabaseError.self) {
            try DatabaseQueue(path: path, configuration: configuration(keychain, other))
        }
    }

    @Test("all that opens or copies the file works with it", .proves("ENC-013"))
    func everywhere() throws {
        let keychain = Keychain("secret")
        // Attached databases have the usual settings.
        let configuration = configuration(keychain, [])
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        try fill(queue)
        let pool = try DatabasePool(path: path, configuration: configuration)
        #expect(try value(pool) == 1)
        #expect(try value(pool.makeSnapshot()) == 1)

        let other = try DatabaseQueue(
            path: folder.path(of: "other.db"), configuration: configuration)
        try other.writeWithoutTransaction { db in
            try db.attach(path, as: "app", passphrase: "secret")
            #expect(try Int.fetchOne(db, sql: "SELECT a FROM app.t") == 1)
            try db.detach("app")
        }
        try pool.backup(to: other)
        #expect(try value(other) == 1)
        #expect(
            try value(DatabaseQueue.inMemoryCopy(fromPath: path, configuration: configuration)) == 1
        )
        #expect(
            try value(DatabaseQueue.temporaryCopy(fromPath: path, configuration: configuration))
                == 1)
        let vacuumed = folder.path(of: "vacuumed.db")
        try pool.vacuum(into: vacuumed)
        try other.close()
        for copy in [vacuumed, folder.path(of: "other.db")] {
            let shell = SQLCipherShell(path: copy, key: .passphrase("secret"))
            #expect(try shell.rows("SELECT a FROM t; PRAGMA cipher_integrity_check") == [[1]])
            #expect(FileHandle(forReadingAtPath: copy)?.readData(ofLength: 16) != Self.plainHeader)
        }
    }
}
