import Foundation
import StrongroomTestSupport
import Testing

@testable import StrongroomCore

@Suite("Opening a database file")
struct OpeningTests {
    let folder: TemporaryDirectory
    let key: CipherKey

    init() throws {
        folder = try TemporaryDirectory()
        key = try CipherKey(passphrase: "Tr0ub4dor")
    }

    private func path(_ name: String) -> String { folder.path(of: name) }

    /// A database of some pages, encrypted by the shell.
    private func encrypted(_ name: String = "app.db", passphrase: String = "Tr0ub4dor") throws
        -> String
    {
        try SQLCipherShell(path: path(name), key: .passphrase(passphrase)).create(
            """
            CREATE TABLE t (a TEXT);
            WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 500)
              INSERT INTO t SELECT hex(randomblob(50)) FROM c;
            """)
        return path(name)
    }

    private func expect(
        _ code: DatabaseFileError.Code, _ path: String, key: CipherKey?,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let error = #expect(throws: DatabaseFileError.self, sourceLocation: sourceLocation) {
            _ = try DatabaseFile(path: path, key: key).open()
        }
        #expect(error?.code == code, sourceLocation: sourceLocation)
        #expect(error?.message.contains(path) == true, sourceLocation: sourceLocation)
        #expect(error?.hint?.isEmpty == false, sourceLocation: sourceLocation)
        #expect(
            error.map { "\($0)".contains("Tr0ub4dor") } == false, sourceLocation: sourceLocation)
    }

    @Test("reads and writes with the key, and lets the preparation of the caller come after it")
    func open() throws {
        var configuration = Configuration()
        configuration.prepareDatabase { db in
            let version = try String.fetchOne(db, sql: "PRAGMA cipher_provider")
            #expect(version != nil, "the key is there already")
        }
        let queue = try DatabaseFile(path: encrypted(), key: key).open(configuration)
        #expect(try queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM t") } == 500)
        try queue.write { try $0.execute(sql: "DELETE FROM t WHERE rowid > 100") }
        try queue.close()
        let witness = SQLCipherShell(path: path("app.db"), key: .passphrase("Tr0ub4dor"))
        #expect(try witness.cell("SELECT count(*) FROM t") == 100)
    }

    @Test("opens files of SQLCipher 4 as they are")
    func version4() throws {
        let file = try DatabaseFile(
            path: ForeignDatabase.create(compatibility: 4, at: path("old.db")),
            key: CipherKey(passphrase: ForeignDatabase.passphrase))
        var configuration = Configuration()
        configuration.readonly = true
        let queue = try file.open(configuration)
        let count = try queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM t1") }
        #expect(count == ForeignDatabase.rowCount)
    }

    @Test("opens files of SQLCipher 3 with cipher_compatibility")
    func version3() throws {
        let old = try ForeignDatabase.create(compatibility: 3, at: path("old.db"))
        let key = try CipherKey(passphrase: ForeignDatabase.passphrase)
        expect(.wrongKey, old, key: key)
        var configuration = Configuration()
        configuration.readonly = true
        configuration.prepareDatabase { try $0.execute(sql: "PRAGMA cipher_compatibility = 3") }
        let file = DatabaseFile(path: old, key: key, configuration: configuration)
        let count = try file.open().read { try Int.fetchOne($0, sql: "SELECT count(*) FROM t1") }
        #expect(count == ForeignDatabase.rowCount)
        #expect(try file.check().isSound)
    }

    @Test("never creates a missing file")
    func missing() throws {
        expect(.notFound, path("missing.db"), key: key)
        expect(.notFound, path("no/such/folder.db"), key: nil)
        #expect(try folder.names() == [])
    }

    @Test("tells a directory and a device from a file")
    func notAFile() throws {
        expect(.notAFile, folder.path, key: key)
        expect(.notAFile, "/dev/null", key: key)
    }

    @Test("tells an empty and a short file from a database", arguments: [0, 10, 511])
    func short(count: Int) throws {
        let path = try folder.write(Data(repeating: 0x53, count: count), to: "short.db")
        expect(.notADatabase, path, key: key)
        expect(.notADatabase, path, key: nil)
        #expect(try FileSystem.system.status(path).byteCount == Int64(count))
    }

    @Test("tells a plain database when a key is given", .proves("ENC-008"))
    func plaintext() throws {
        try SQLCipherShell(path: path("plain.db")).create("CREATE TABLE t (a);")
        expect(.plaintext, path("plain.db"), key: key)
        _ = try DatabaseFile(path: path("plain.db")).open()
    }

    @Test("tells an encrypted database when no key is given, or a wrong one", .proves("ENC-008"))
    func wrongKey() throws {
        let path = try encrypted()
        expect(.keyRequired, path, key: nil)
        expect(.wrongKey, path, key: try CipherKey(passphrase: "wrong"))
        expect(.wrongKey, path, key: try CipherKey.generated())
    }

    @Test("tells a file that is no database, be its size even that of one")
    func notADatabase() throws {
        let text = String(repeating: "All work and no play makes Jack a dull boy.\n", count: 1000)
        let whole = try folder.write(Data(text.utf8.prefix(4096 * 8)), to: "text.db")
        expect(.notADatabase, whole, key: key)
        expect(.notADatabase, whole, key: nil)
        let random = Data((0..<5000).map { _ in UInt8.random(in: .min ... .max) })
        expect(.notADatabase, try folder.write(random, to: "random.db"), key: key)
    }

    @Test("tells a damaged first page from a wrong key")
    func damagedFirstPage() throws {
        let path = try encrypted()
        try flip(byte: 100, of: path)
        expect(.damaged, path, key: key)
        expect(.wrongKey, path, key: try CipherKey.generated())
    }

    @Test("tells a file that is cut short")
    func truncated() throws {
        let path = try encrypted()
        let content = try Data(contentsOf: URL(fileURLWithPath: path))
        try content.prefix(4096 * 3).write(to: URL(fileURLWithPath: path))
        expect(.damaged, path, key: key)
    }

    @Test("tells that a file may not be read", .enabled(if: geteuid() != 0, "root may read all"))
    func permission() throws {
        let path = try encrypted()
        try FileSystem.system.changeMode(path, 0)
        expect(.permission, path, key: key)
    }

    @Test("tells who has locked a file")
    func locked() throws {
        let path = try encrypted()
        let gate = self.path("gate")
        #expect(mkfifo(gate, 0o600) == 0)
        let other = try Subprocess(
            starting: "sqlcipher", ["-batch", path],
            input: Data(
                """
                PRAGMA key = 'Tr0ub4dor';
                BEGIN EXCLUSIVE;
                .shell echo locked; cat '\(gate)'

                """.utf8))
        try other.wait(untilWritten: "locked")
        let error = #expect(throws: DatabaseFileError.self) {
            _ = try DatabaseFile(path: path, key: key).open()
        }
        // Lets the shell go on, and end.
        try FileHandle(forWritingTo: URL(fileURLWithPath: gate)).close()
        _ = try other.wait()
        #expect(error?.code == .inUse)
        #expect(error?.message.contains("sqlcipher (process \(other.processIdentifier))") == true)
    }

    private func flip(byte offset: Int, of path: String) throws {
        var content = try Data(contentsOf: URL(fileURLWithPath: path))
        content[offset] ^= 0xff
        try content.write(to: URL(fileURLWithPath: path))
    }
}
