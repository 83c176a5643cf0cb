import Foundation
import StrongroomTestSupport
import Testing

@testable import StrongroomCore

@Suite("Rotating a key")
struct RotationTests {
    let folder: TemporaryDirectory
    let file: DatabaseFile
    let oldKey: CipherKey
    let newKey: CipherKey

    // Raw keys: deriving one from a passphrase takes a tenth of a second for each connection.
    static let oldText = "x'" + String(repeating: "11", count: 32) + "'"
    static let newText = "x'" + String(repeating: "22", count: 32) + "'"

    init() throws {
        folder = try TemporaryDirectory()
        oldKey = try CipherKey(rawKey: Data(repeating: 0x11, count: 32))
        newKey = try CipherKey(rawKey: Data(repeating: 0x22, count: 32))
        file = DatabaseFile(path: folder.path(of: "app.db"), key: oldKey)
    }

    private func create(wal: Bool = false) throws {
        try SQLCipherShell(path: file.path, key: .content(Self.oldText)).create(
            """
            PRAGMA journal_mode = \(wal ? "WAL" : "DELETE");
            PRAGMA user_version = 42;
            CREATE TABLE t (a TEXT);
            WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 2000)
              INSERT INTO t SELECT hex(randomblob(50)) FROM c;
            """)
    }

    private func shell(_ content: String) -> SQLCipherShell {
        SQLCipherShell(path: file.path, key: .content(content))
    }

    private func content() throws -> Data {
        try Data(contentsOf: URL(fileURLWithPath: file.path))
    }

    private func expect(
        _ code: DatabaseFileError.Code, sourceLocation: SourceLocation = #_sourceLocation,
        _ body: () throws -> Void
    ) {
        let error = #expect(throws: DatabaseFileError.self, sourceLocation: sourceLocation) {
            try body()
        }
        #expect(error?.code == code, sourceLocation: sourceLocation)
    }

    @Test("leaves a file that only the new key opens, with a new salt", arguments: [false, true])
    func rotate(wal: Bool) throws {
        try create(wal: wal)
        try FileSystem.system.changeMode(file.path, 0o640)
        let rows = try shell(Self.oldText).rows("SELECT rowid, * FROM t; PRAGMA journal_mode")
        let before = try content()
        let report = try file.rotateKey(to: newKey)
        #expect(report.pageCount == before.count / 4096)
        #expect(report.removedLeftoverCount == 0)

        let witness = shell(Self.newText)
        #expect(try witness.rows("SELECT rowid, * FROM t; PRAGMA journal_mode") == rows)
        #expect(try witness.cell("PRAGMA user_version") == 42)
        #expect(try witness.rows("PRAGMA cipher_integrity_check") == [])
        #expect(throws: SQLCipherShell.Failure.self) {
            try shell(Self.oldText).rows("SELECT * FROM t")
        }
        #expect(try content().prefix(16) != before.prefix(16))
        #expect(try folder.names() == ["app.db"])
        #expect(try FileSystem.system.status(file.path).mode == 0o640)
    }

    @Test("goes from a passphrase to a raw key and back")
    func forms() throws {
        try create()
        let passphrase = try CipherKey(passphrase: "correct horse battery staple")
        try file.rotateKey(to: passphrase)
        let witness = SQLCipherShell(
            path: file.path, key: .passphrase("correct horse battery staple"))
        #expect(try witness.cell("SELECT count(*) FROM t") == 2000)
        try DatabaseFile(path: file.path, key: passphrase).rotateKey(to: newKey)
        #expect(try shell(Self.newText).cell("SELECT count(*) FROM t") == 2000)
    }

    @Test("takes what a killed process has left in the log along")
    func log() throws {
        try create(wal: true)
        let queue = try file.open()
        try queue.write { try $0.execute(sql: "INSERT INTO t VALUES ('in the log')") }
        let copy = DatabaseFile(path: folder.path(of: "copy.db"), key: oldKey)
        for suffix in ["", "-wal"] {
            try FileManager.default.copyItem(atPath: file.path + suffix, toPath: copy.path + suffix)
        }
        try queue.close()
        try copy.rotateKey(to: newKey)
        let witness = SQLCipherShell(path: copy.path, key: .content(Self.newText))
        #expect(try witness.cell("SELECT count(*) FROM t") == 2001)
        #expect(try witness.cell("SELECT count(*) FROM t WHERE a = 'in the log'") == 1)
        #expect(try folder.names() == ["app.db", "copy.db"])
    }

    @Test("undoes what a killed process has half written")
    func hotJournal() throws {
        try create()
        let copy = DatabaseFile(path: folder.path(of: "copy.db"), key: oldKey)
        let queue = try file.open()
        try queue.inDatabase { try $0.execute(sql: "PRAGMA cache_size = 5") }
        try queue.inTransaction { db in
            // More than the cache holds: half of it is in the file already, as at a crash.
            try db.execute(sql: "UPDATE t SET a = 'half written'")
            for suffix in ["", "-journal"] {
                try FileManager.default.copyItem(
                    atPath: file.path + suffix, toPath: copy.path + suffix)
            }
            return .rollback
        }
        try queue.close()
        let journal = try FileSystem.system.status(copy.path + "-journal")
        #expect(journal.byteCount > 4096)
        try copy.rotateKey(to: newKey)
        let witness = SQLCipherShell(path: copy.path, key: .content(Self.newText))
        #expect(try witness.cell("SELECT count(*) FROM t") == 2000)
        #expect(try witness.cell("SELECT count(*) FROM t WHERE a = 'half written'") == 0)
        #expect(try folder.names() == ["app.db", "copy.db"])
    }

    @Test("follows a link, and keeps it")
    func link() throws {
        try create()
        let link = folder.path(of: "link.db")
        try FileManager.default.createSymbolicLink(
            atPath: link, withDestinationPath: "app.db")
        try DatabaseFile(path: link, key: oldKey).rotateKey(to: newKey)
        #expect(try FileSystem.system.linkTarget(link) == "app.db")
        #expect(try shell(Self.newText).cell("SELECT count(*) FROM t") == 2000)
    }

    @Test("refuses a wrong key, a missing key, a plain file and the present key")
    func refusals() throws {
        try create()
        let before = try content()
        expect(.wrongKey) {
            try DatabaseFile(path: file.path, key: CipherKey.generated())
                .rotateKey(to: newKey)
        }
        expect(.keyRequired) { try DatabaseFile(path: file.path).rotateKey(to: newKey) }
        expect(.sameKey) {
            try file.rotateKey(to: CipherKey(rawKey: Data(repeating: 0x11, count: 32)))
        }
        #expect(try content() == before)
        try SQLCipherShell(path: folder.path(of: "plain.db")).create("CREATE TABLE t (a);")
        expect(.plaintext) {
            try DatabaseFile(path: folder.path(of: "plain.db"), key: oldKey).rotateKey(to: newKey)
        }
        #expect(try folder.names() == ["app.db", "plain.db"])
    }

    @Test("refuses a file that this process has open", arguments: [false, true])
    func openHere(wal: Bool) throws {
        try create(wal: wal)
        let queue = try file.open()
        let error = #expect(throws: DatabaseFileError.self) { try file.rotateKey(to: newKey) }
        #expect(error?.code == .inUse)
        #expect(error?.message.contains("this process") == true)
        try queue.write { try $0.execute(sql: "DELETE FROM t WHERE rowid > 1000") }
        try queue.close()
        try file.rotateKey(to: newKey)
        #expect(try shell(Self.newText).cell("SELECT count(*) FROM t") == 1000)
    }

    @Test("refuses a file that an idle process has open, and names the process")
    func openElsewhere() throws {
        try create()
        let gate = folder.path(of: "gate")
        #expect(mkfifo(gate, 0o600) == 0)
        let other = try Subprocess(
            starting: "sqlcipher", ["-batch", file.path],
            input: Data(
                """
                PRAGMA key = "\(Self.oldText)";
                SELECT count(*) FROM t;
                .shell echo ready; cat '\(gate)'

                """.utf8))
        try other.wait(untilWritten: "ready")
        let error = #expect(throws: DatabaseFileError.self) { try file.rotateKey(to: newKey) }
        try FileHandle(forWritingTo: URL(fileURLWithPath: gate)).close()
        _ = try other.wait()
        #expect(error?.code == .inUse)
        #expect(error?.message.contains("sqlcipher (process \(other.processIdentifier))") == true)
        try FileManager.default.removeItem(atPath: gate)
        try file.rotateKey(to: newKey)
        #expect(try folder.names() == ["app.db"])
    }

    @Test("refuses when somebody opens the file meanwhile")
    func openedMeanwhile() throws {
        try create()
        let before = try content()
        var handle: FileHandle?
        expect(.inUse) {
            try file.rotateKey(to: newKey) { progress in
                // Called again every 25 ms: a descriptor in another's place could come and go unseen.
                guard progress.phase == .finishing, handle == nil else { return }
                handle = FileHandle(forReadingAtPath: file.path)
            }
        }
        try handle?.close()
        #expect(try content() == before)
        #expect(try folder.names() == ["app.db"])
    }

    @Test("keeps everyone out while it works", arguments: [false, true])
    func exclusive(wal: Bool) throws {
        try create(wal: wal)
        var attempts = 0
        try file.rotateKey(to: newKey) { progress in
            guard progress.phase == .copying, attempts == 0 else { return }
            attempts += 1
            let other = shell(Self.oldText)
            #expect(throws: SQLCipherShell.Failure.self) { try other.rows("SELECT * FROM t") }
        }
        #expect(attempts == 1)
        #expect(try shell(Self.newText).cell("SELECT count(*) FROM t") == 2000)
    }

    @Test(
        "leaves the old file when progress says stop, in whatever phase", arguments: [false, true])
    func cancellation(wal: Bool) throws {
        struct Stop: Error {}
        try create(wal: wal)
        let before = try content()
        for phase in [OperationProgress.Phase.preparing, .copying, .verifying, .finishing] {
            #expect(throws: Stop.self) {
                try file.rotateKey(to: newKey) { if $0.phase == phase { throw Stop() } }
            }
            #expect(try content() == before)
            #expect(try folder.names() == ["app.db"])
        }
        try file.rotateKey(to: newKey) { _ in }
        #expect(try shell(Self.newText).cell("SELECT count(*) FROM t") == 2000)
    }

    @Test("says beforehand that there is not enough room")
    func room() throws {
        try create()
        var file = file
        file.fileSystem.availableByteCount = { (_) throws(SystemError) in 4096 }
        let error = #expect(throws: DatabaseFileError.self) { try file.rotateKey(to: newKey) }
        #expect(error?.code == .diskFull)
        #expect(error?.message.contains("4096 are free") == true)
        #expect(try folder.names() == ["app.db"])
    }

    @Test("removes what a killed rotation has left")
    func leftovers() throws {
        try create()
        try folder.write("half", to: ".app.db.strongroom-00000000000000ff")
        try folder.write("half", to: ".app.db.strongroom-00000000000000ff-journal")
        #expect(try file.rotateKey(to: newKey).removedLeftoverCount == 1)
        #expect(try folder.names() == ["app.db"])
    }
}
