import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

@Suite struct PassphraseTests {
    let fixture: FixtureDatabase

    init() throws {
        fixture = try FixtureDatabase(key: FixtureDatabase.passphrase)
    }

    /// Where it does not matter how long a key takes: 256,000 hashes are most of the time of a test.
    private static let quick = "PRAGMA kdf_iter = 4000"

    private func open(
        passphrase: String? = nil, _ change: (inout Configuration) -> Void = { _ in }
    ) throws -> DatabaseQueue {
        try fixture.open(passphrase: passphrase) { configuration in
            configuration.prepareDatabase { try $0.execute(sql: Self.quick) }
            change(&configuration)
        }
    }

    private func shell(passphrase: String? = nil) -> SQLCipherShell {
        var shell = fixture.shell(passphrase: passphrase)
        shell.settings = [Self.quick]
        return shell
    }

    private func fill(_ queue: DatabaseQueue) throws -> DatabaseQueue {
        try queue.write { db in
            try db.execute(sql: "CREATE TABLE t(a); INSERT INTO t VALUES (1), (2)")
        }
        return queue
    }

    private func create(wal: Bool = false) throws -> DatabaseQueue {
        try fill(open { if wal { $0.journalMode = .wal } })
    }

    @Test(.proves("ENC-001"))
    func `A database with a passphrase is encrypted, and SQLCipher's own shell opens it`() throws {
        try fill(fixture.open()).close()
        let content = try Data(contentsOf: URL(fileURLWithPath: fixture.path))
        #expect(!content.starts(with: Data("SQLite format 3".utf8)))
        #expect(try fixture.shell().rows("SELECT a FROM t") == [[1], [2]])
        let asData = Data(FixtureDatabase.passphrase.utf8)
        var configuration = Configuration()
        configuration.prepareDatabase { try $0.usePassphrase(asData) }
        let queue = try DatabaseQueue(path: fixture.path, configuration: configuration)
        #expect(try queue.read { try Int.fetchAll($0, sql: "SELECT a FROM t") } == [1, 2])
    }

    @Test(.proves("ENC-008", "CNF-057"))
    func `Opening says whether the key is wrong, missing, or the file no such database`() throws {
        try fill(fixture.open()).close()
        let plain = fixture.directory.path(of: "plain.sqlite")
        try DatabaseQueue(path: plain).write { try $0.execute(sql: "CREATE TABLE t(a)") }
        let short = try fixture.directory.write("ten bytes!", to: "short")
        func failure(path: String, passphrase: String?) -> DatabaseError? {
            #expect(throws: DatabaseError.self) {
                var configuration = Configuration()
                if let passphrase {
                    configuration.prepareDatabase { try $0.usePassphrase(passphrase) }
                }
                _ = try DatabaseQueue(path: path, configuration: configuration)
            }
        }
        for (error, reason) in [
            (failure(path: fixture.path, passphrase: "wrong"), "the key is wrong"),
            (failure(path: fixture.path, passphrase: nil), "the file is encrypted, or no database"),
            (failure(path: plain, passphrase: "wrong"), "the file is not encrypted"),
            (failure(path: short, passphrase: "wrong"), "its size, 10 bytes"),
            (failure(path: short, passphrase: nil), "its size, 10 bytes"),
        ] {
            #expect(error?.resultCode == .SQLITE_NOTADB)
            #expect(error?.message?.contains(reason) == true, "\(error?.message ?? "")")
        }
        // A look at the file must not have changed it.
        #expect(try fixture.shell().cell("SELECT COUNT(*) FROM t") == 2)
    }

    @Test func `An empty passphrase is refused`() throws {
        for passphrase in [Data(), Data("".utf8)] {
            var configuration = Configuration()
            configuration.prepareDatabase { try $0.usePassphrase(passphrase) }
            let error = #expect(throws: DatabaseError.self) {
                _ = try DatabaseQueue(path: fixture.path, configuration: configuration)
            }
            #expect(error?.resultCode == .SQLITE_MISUSE)
        }
        let queue = try create()
        #expect(throws: DatabaseError.self) { try queue.inDatabase { try $0.changePassphrase("") } }
        #expect(try shell().cell("SELECT COUNT(*) FROM t") == 2)
    }

    @Test(.proves("ENC-002"), arguments: [false, true])
    func `The passphrase changes inside a write, and only the new one opens the file`(wal: Bool)
        throws
    {
        let queue = try create(wal: wal)
        try queue.write { try $0.changePassphrase("new") }
        try queue.write { try $0.execute(sql: "INSERT INTO t VALUES (3)") }
        try queue.close()
        let shell = self.shell(passphrase: "new")
        #expect(try shell.cell("SELECT COUNT(*) FROM t") == 3)
        #expect(try shell.rows("PRAGMA cipher_integrity_check").isEmpty)
        #expect(try shell.cell("PRAGMA integrity_check") == "ok")
        #expect(throws: DatabaseError.self) { try open() }
    }

    @Test(.proves("ENC-002"))
    func `A clear database has no passphrase to change`() throws {
        let queue = try DatabaseQueue(path: fixture.path)
        try queue.write { try $0.execute(sql: "CREATE TABLE t(a)") }
        let error = #expect(throws: DatabaseError.self) {
            try queue.inDatabase { try $0.changePassphrase("new") }
        }
        #expect(error?.resultCode == .SQLITE_MISUSE)
    }

    @Test func `A transaction with changes is not committed by a change of passphrase`() throws {
        let queue = try create()
        let error = #expect(throws: DatabaseError.self) {
            try queue.write { db in
                try db.execute(sql: "INSERT INTO t VALUES (3)")
                try db.changePassphrase("new")
            }
        }
        #expect(error?.resultCode == .SQLITE_MISUSE)
        #expect(try shell().cell("SELECT COUNT(*) FROM t") == 2)
    }

    /// `sqlite3_rekey` answers OK in all of these, and does nothing.
    @Test(arguments: [false, true])
    func `With another writer, nothing changes and the connection goes on`(wal: Bool) throws {
        let queue = try create(wal: wal)
        let other = try open { $0.allowsUnsafeTransactions = true }
        try other.inDatabase { try $0.beginTransaction(.immediate) }
        let error = #expect(throws: DatabaseError.self) {
            try queue.inDatabase { try $0.changePassphrase("new") }
        }
        #expect(error?.resultCode == .SQLITE_BUSY)
        try other.inDatabase { try $0.rollback() }
        try queue.write { try $0.execute(sql: "INSERT INTO t VALUES (3)") }
        #expect(try shell().cell("SELECT COUNT(*) FROM t") == 3)
    }

    @Test func `With a reader of a rollback journal, nothing changes and the connection goes on`()
        throws
    {
        let queue = try create()
        let other = try open { $0.allowsUnsafeTransactions = true }
        try other.inDatabase { db throws in
            try db.beginTransaction(.deferred)
            _ = try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM t")
        }
        let error = #expect(throws: DatabaseError.self) {
            try queue.inDatabase { try $0.changePassphrase("new") }
        }
        #expect(error?.resultCode == .SQLITE_BUSY)
        try other.inDatabase { try $0.commit() }
        try queue.write { try $0.execute(sql: "INSERT INTO t VALUES (3)") }
        #expect(try shell().cell("SELECT COUNT(*) FROM t") == 3)
    }

    @Test func `A read-only connection cannot change the passphrase`() throws {
        try create().close()
        let queue = try open { $0.readonly = true }
        let error = #expect(throws: DatabaseError.self) {
            try queue.inDatabase { try $0.changePassphrase("new") }
        }
        #expect(error?.resultCode == .SQLITE_READONLY)
        #expect(try shell().cell("SELECT COUNT(*) FROM t") == 2)
    }

    @Test(.proves("ENC-004"))
    func `Settings follow the passphrase: a database of SQLCipher 3 opens`() throws {
        let path = try ForeignDatabase.create(
            compatibility: 3, at: fixture.directory.path(of: "old.db"))
        var configuration = Configuration()
        configuration.readonly = true
        configuration.prepareDatabase { db in
            try db.usePassphrase(ForeignDatabase.passphrase)
            try db.execute(sql: "PRAGMA cipher_compatibility = 3")
        }
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        let count = try queue.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM t1") }
        #expect(count == ForeignDatabase.rowCount)
    }
}
