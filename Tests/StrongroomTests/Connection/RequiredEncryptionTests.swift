import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

/// `Configuration.requiresEncryption`. Tests of the default of the process have a process of their own.
@Suite struct RequiredEncryptionTests {
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private static func configuration(key: String? = nil) -> Configuration {
        var configuration = Configuration()
        configuration.requiresEncryption = true
        if let key { configuration.prepareDatabase { try $0.usePassphrase(key) } }
        return configuration
    }

    private static func isRefused(_ body: () throws -> Void) -> Bool {
        do {
            try body()
            return false
        } catch let error as DatabaseError {
            return error.resultCode == .SQLITE_MISUSE
                && error.message?.hasPrefix("files without a key are refused here") == true
        } catch {
            return false
        }
    }

    @Test(.proves("ENC-034"))
    func `No file is created without a key, nor opened`() throws {
        let path = directory.path(of: "new.sqlite")
        #expect(
            Self.isRefused {
                _ = try DatabaseQueue(path: path, configuration: Self.configuration())
            })
        #expect(
            Self.isRefused { _ = try DatabasePool(path: path, configuration: Self.configuration()) }
        )
        #expect(!FileManager.default.fileExists(atPath: path))
        _ = try DatabaseQueue(path: path).write { try $0.execute(sql: "CREATE TABLE t(a)") }
        #expect(
            Self.isRefused {
                _ = try DatabaseQueue(path: path, configuration: Self.configuration())
            })
        var readonly = Self.configuration()
        readonly.readonly = true
        #expect(Self.isRefused { _ = try DatabaseQueue(path: path, configuration: readonly) })
        #expect(FileManager.default.fileExists(atPath: path))
        let keyed = directory.path(of: "keyed.sqlite")
        let pool = try DatabasePool(
            path: keyed, configuration: Self.configuration(key: FixtureDatabase.rawKey))
        try pool.write { try $0.execute(sql: "CREATE TABLE t(a)") }
        #expect(try pool.read { try $0.tableExists("t") })
        #expect(
            Self.isRefused { _ = try DatabaseQueue(path: "", configuration: Self.configuration()) })
    }

    @Test(.proves("ENC-034"))
    func `A preparation writes nothing before it gives the key`() throws {
        for sql in [
            "CREATE TABLE early(a)", "PRAGMA journal_mode = WAL", "PRAGMA user_version = 2",
        ] {
            let path = directory.path(of: "early.sqlite")
            var configuration = Self.configuration()
            configuration.prepareDatabase { db throws in
                try db.execute(sql: sql)
                try db.usePassphrase(FixtureDatabase.rawKey)
            }
            #expect(
                Self.isRefused { _ = try DatabaseQueue(path: path, configuration: configuration) })
            #expect(!FileManager.default.fileExists(atPath: path), "\(sql)")
        }
    }

    @Test(.proves("ENC-034"))
    func `Databases in memory need no key, and write no plaintext file`() throws {
        let queue = try DatabaseQueue(configuration: Self.configuration())
        let named = try DatabaseQueue(named: "guarded", configuration: Self.configuration())
        try named.write { try $0.execute(sql: "CREATE TABLE t(a)") }
        let copy = directory.path(of: "copy.sqlite")
        try queue.inDatabase { db throws in
            try db.execute(sql: "CREATE TABLE t(a)")
            #expect(Self.isRefused { try db.execute(sql: "VACUUM INTO '\(copy)'") })
            #expect(Self.isRefused { try db.execute(sql: "VACUUM main INTO ?", arguments: [copy]) })
            try db.execute(sql: "VACUUM")
        }
        #expect(Self.isRefused { try queue.vacuum(into: copy) })
        #expect(!FileManager.default.fileExists(atPath: copy))
        var open = Configuration()
        open.requiresEncryption = false
        let plain = try DatabaseQueue(path: copy, configuration: open)
        try queue.backup(to: plain)
        #expect(try plain.read { try $0.tableExists("t") })
    }

    @Test(.proves("ENC-034"))
    func `No file is attached without a key`() throws {
        let plain = directory.path(of: "plain.sqlite")
        try DatabaseQueue(path: plain).write { try $0.execute(sql: "CREATE TABLE p(a)") }
        let path = directory.path(of: "main.sqlite")
        let queue = try DatabaseQueue(
            path: path, configuration: Self.configuration(key: FixtureDatabase.rawKey))
        try queue.inDatabase { db throws in
            #expect(Self.isRefused { try db.attach(plain, as: "p", passphrase: nil) })
            #expect(
                Self.isRefused { try db.execute(sql: "ATTACH ? AS p KEY ''", arguments: [plain]) })
            let names = try String.fetchAll(db, sql: "SELECT name FROM pragma_database_list")
            #expect(!names.contains("p"))
            try db.execute(sql: "ATTACH ':memory:' AS m")
            let other = directory.path(of: "other.sqlite")
            try db.attach(other, as: "o", passphrase: FixtureDatabase.rawKey)
            try db.execute(sql: "CREATE TABLE o.t(a); CREATE TABLE m.t(a)")
        }
        let memory = try DatabaseQueue(configuration: Self.configuration())
        try memory.inDatabase { db throws in
            #expect(Self.isRefused { try db.execute(sql: "ATTACH ? AS p", arguments: [plain]) })
        }
        // In a transaction it cannot be detached: nothing is written to it all the same.
        try? memory.write { db throws in
            #expect(Self.isRefused { try db.execute(sql: "ATTACH ? AS p", arguments: [plain]) })
            #expect(throws: DatabaseError.self) { try db.execute(sql: "DROP TABLE p.p") }
        }
        #expect(try DatabaseQueue(path: plain).read { try $0.tableExists("p") })
    }

    @Test(.proves("ENC-034"))
    func `Plaintext files that are named as such are read and written`() async {
        await #expect(processExitsWith: .success) {
            let directory = try TemporaryDirectory()
            let plain = directory.path(of: "plain.sqlite")
            try DatabaseQueue(path: plain).write { try $0.execute(sql: "CREATE TABLE t(a)") }
            Configuration.requiresEncryption = true
            let source = DatabaseFile(path: plain)
            let target = DatabaseFile(
                path: directory.path(of: "encrypted.sqlite"), key: try CipherKey.generated())
            try source.transfer(to: target)
            try target.transfer(to: DatabaseFile(path: directory.path(of: "again.sqlite")))
        }
    }

    @Test(.proves("ENC-034"))
    func `The default of the process holds for what opens later`() async {
        await #expect(processExitsWith: .success) {
            let directory = try TemporaryDirectory()
            let path = directory.path(of: "pool.sqlite")
            #expect(!Configuration.requiresEncryption && !Configuration().requiresEncryption)
            let early = Configuration()
            let pool = try DatabasePool(path: path, configuration: early)
            try pool.write { try $0.execute(sql: "CREATE TABLE t(a)") }
            Configuration.requiresEncryption = true
            // Its readers open after the change: it keeps what was in force.
            #expect(try pool.read { try $0.tableExists("t") })
            let snapshot = try pool.makeSnapshot()
            #expect(try snapshot.read { try $0.tableExists("t") })
            // A configuration that was made before says nothing itself.
            #expect(throws: DatabaseError.self) {
                try DatabaseQueue(path: path, configuration: early)
            }
            #expect(throws: DatabaseError.self) {
                try DatabaseQueue(path: directory.path(of: "new.sqlite"))
            }
            var open = Configuration()
            open.requiresEncryption = false
            let queue = try DatabaseQueue(path: path, configuration: open)
            #expect(try queue.read { try $0.tableExists("t") })
            let keyed = try DatabaseQueue(
                path: directory.path(of: "keyed.sqlite"),
                configuration: FixtureDatabase.configuration())
            Configuration.requiresEncryption = false
            let attached = try keyed.inDatabase { db throws in
                #expect(throws: DatabaseError.self) {
                    try db.attach(path, as: "p", passphrase: nil)
                }
            }
            #expect(attached?.resultCode == .SQLITE_MISUSE)
            _ = try DatabaseQueue(path: directory.path(of: "new.sqlite"))
        }
    }
}
