import Foundation
import StrongroomTestSupport
import Testing

@testable import StrongroomCore

@Suite("Transferring a database")
struct TransferTests {
    let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
    }

    static let rawText = "x'" + String(repeating: "2d", count: 32) + "'"

    func file(_ name: String, key: CipherKey? = nil) -> DatabaseFile {
        DatabaseFile(path: folder.path(of: name), key: key)
    }

    func shell(_ name: String, _ key: SQLCipherShell.Key = .none) -> SQLCipherShell {
        SQLCipherShell(path: folder.path(of: name), key: key)
    }

    private func key(_ content: String) throws -> CipherKey {
        try Data(content.utf8).withUnsafeBytes { try CipherKey(parsing: $0) }
    }

    @Test(
        "encrypts and decrypts everything that SQLite can tell apart",
        .proves("ENC-009"), arguments: [DelicateDatabase.passphrase, rawText])
    func roundTrip(keyText: String) throws {
        try DelicateDatabase.create(at: folder.path(of: "plain.db"))
        let plain = shell("plain.db")
        let original = try Data(contentsOf: URL(fileURLWithPath: plain.path))
        let encrypted = try file("encrypted.db", key: key(keyText))
        let report = try file("plain.db").transfer(to: encrypted)
        #expect(report.kind == .encrypted)
        #expect(report.pageSize == 4096)
        #expect(report.tables.contains(TableRowCount(name: "many", rowCount: 2000)))

        let witness = shell("encrypted.db", .content(keyText))
        try expectSame(witness, plain)
        #expect(try witness.rows("PRAGMA cipher_integrity_check") == [])
        #expect(try witness.rows("PRAGMA integrity_check") == plain.rows("PRAGMA integrity_check"))
        #expect(
            try CanaryScanner("lazy dogs", "CREATE TABLE", "SQLite format 3")
                .findings(inFile: witness.path) == [])

        let back = try encrypted.transfer(to: file("back.db"))
        #expect(back.kind == .decrypted)
        #expect(back.tables == report.tables)
        try expectSame(shell("back.db"), plain)
        #expect(try folder.names() == ["back.db", "encrypted.db", "plain.db"])
        #expect(try Data(contentsOf: URL(fileURLWithPath: plain.path)) == original)
    }

    private func expectSame(_ copy: SQLCipherShell, _ source: SQLCipherShell) throws {
        #expect(try DelicateDatabase.content(copy) == DelicateDatabase.content(source))
    }

    @Test("keeps the page size of a plain file, and its journal mode", arguments: [true, false])
    func pageSize(wal: Bool) throws {
        try DelicateDatabase.create(at: folder.path(of: "plain.db"), wal: wal)
        let report = try file("plain.db").transfer(to: file("copy.db"))
        #expect(report.kind == .copied)
        #expect(report.pageSize == 8192)
        try expectSame(shell("copy.db"), shell("plain.db"))
        #expect(try folder.names() == ["copy.db", "plain.db"])
    }

    @Test("carries what is at the edge of what SQLite allows")
    func edges() throws {
        let columns = (1...1990).map { "c\($0) INT DEFAULT \($0)" }.joined(separator: ", ")
        let plain = shell("plain.db")
        try plain.create(
            """
            PRAGMA page_size = 512;
            CREATE TABLE wide (\(columns));
            INSERT INTO wide (c1) VALUES (NULL);
            CREATE TABLE hidden (rowid INT, _rowid_ INT, oid INT);
            INSERT INTO hidden VALUES (7, 8, 9);
            CREATE TABLE gone (id INTEGER PRIMARY KEY AUTOINCREMENT);
            DROP TABLE gone;
            CREATE TABLE big (a BLOB);
            INSERT INTO big VALUES (randomblob(3000000)), (zeroblob(1000000));
            CREATE TABLE "" ("" TEXT);
            INSERT INTO "" VALUES ('nameless');
            CREATE VIEW broken AS SELECT missing_function(x) FROM missing_table;
            """)
        let encrypted = try file("encrypted.db", key: key(Self.rawText))
        try file("plain.db").transfer(to: encrypted)
        try encrypted.transfer(to: file("back.db"))
        for copy in [shell("encrypted.db", .content(Self.rawText)), shell("back.db")] {
            #expect(try DelicateDatabase.dump(copy) == DelicateDatabase.dump(plain))
            #expect(try DelicateDatabase.header(copy) == DelicateDatabase.header(plain))
        }
    }

    @Test("carries a database without a table")
    func empty() throws {
        let plain = shell("plain.db")
        try plain.create("PRAGMA user_version = 3;")
        let encrypted = try file("encrypted.db", key: key(Self.rawText))
        #expect(try file("plain.db").transfer(to: encrypted).tables == [])
        #expect(try shell("encrypted.db", .content(Self.rawText)).cell("PRAGMA user_version") == 3)
        #expect(try encrypted.check().isSound)
    }

    @Test("copies an encrypted file under the same key or another, with another salt")
    func copy() throws {
        try DelicateDatabase.create(at: folder.path(of: "plain.db"))
        // 256,000 hashes for each connection would be most of the time.
        let quick = "PRAGMA kdf_iter = 4000"
        var source = try file("source.db", key: key(DelicateDatabase.passphrase))
        source.configuration.prepareDatabase { try $0.execute(sql: quick) }
        try file("plain.db").transfer(to: source)
        for text in [DelicateDatabase.passphrase, "another", Self.rawText] {
            let name = "copy \(text.count).db"
            let report = try source.transfer(to: file(name, key: key(text)))
            #expect(report.kind == .copied)
            var copy = shell(name, .content(text))
            copy.settings = [quick]
            try expectSame(copy, shell("plain.db"))
            #expect(
                try copy.rows("PRAGMA cipher_integrity_check; PRAGMA integrity_check")
                    == shell("plain.db").rows("PRAGMA integrity_check"))
            #expect(try salt(name) != salt("source.db"))
            #expect(try FileSystem.system.status(copy.path).mode == 0o600)
        }
        var wrong = shell("copy 7.db", .content(DelicateDatabase.passphrase))
        wrong.settings = [quick]
        #expect(throws: SQLCipherShell.Failure.self) { try wrong.rows("SELECT 1 FROM gaps") }
    }

    private func salt(_ name: String) throws -> Data {
        try Data(contentsOf: URL(fileURLWithPath: folder.path(of: name))).prefix(16)
    }

    @Test("gives a new file the salt that comes with a raw key")
    func saltOfKey() throws {
        try DelicateDatabase.create(at: folder.path(of: "plain.db"))
        let salt = Data((1...16).map { UInt8($0) })
        let key = try CipherKey(rawKey: Data(repeating: 7, count: 32), salt: salt)
        try file("plain.db").transfer(to: file("a.db", key: key))
        try file("a.db", key: key).transfer(to: file("b.db", key: key))
        #expect(try self.salt("a.db") == salt)
        #expect(try self.salt("b.db") == salt)
    }

    @Test("brings a database that plain SQLite wrote there and back")
    func plainSQLite() throws {
        let source = try DatabaseFile(
            path: ForeignDatabase.createMediaShop(at: folder.path(of: "shop.sqlite")))
        let encrypted = try file("shop.db", key: key(Self.rawText))
        let report = try source.transfer(to: encrypted)
        #expect(
            report.tables.contains(
                TableRowCount(name: "Track", rowCount: ForeignDatabase.trackCount)))
        try encrypted.transfer(to: file("back.db"))
        let original = try DelicateDatabase.dump(SQLCipherShell(path: source.path))
        #expect(try DelicateDatabase.dump(shell("back.db")) == original)
        let witness = shell("shop.db", .content(Self.rawText))
        #expect(try DelicateDatabase.dump(witness) == original)
        #expect(try encrypted.check().isSound)
    }

    @Test("brings a file of SQLCipher 3 into the settings of version 4")
    func version3() throws {
        var configuration = Configuration()
        configuration.prepareDatabase { try $0.execute(sql: "PRAGMA cipher_compatibility = 3") }
        let old = try DatabaseFile(
            path: ForeignDatabase.create(compatibility: 3, at: folder.path(of: "old.db")),
            key: CipherKey(passphrase: ForeignDatabase.passphrase),
            configuration: configuration)
        // The same settings, page by page.
        try old.transfer(to: file("same.db", key: old.key))
        let same = SQLCipherShell(
            path: folder.path(of: "same.db"), key: .passphrase(ForeignDatabase.passphrase),
            settings: ["PRAGMA cipher_compatibility = 3"])
        let rows = try same.rows("SELECT count(*) FROM t1")
        #expect(rows == [[.integer(Int64(ForeignDatabase.rowCount))]])
        // The defaults of today, row by row, said by a preparation that sets nothing else.
        var defaults = Configuration()
        defaults.prepareDatabase { try $0.execute(sql: "PRAGMA cipher_compatibility = 4") }
        let new = DatabaseFile(
            path: folder.path(of: "new.db"), key: old.key, configuration: defaults)
        try old.transfer(to: new)
        #expect(
            try shell("new.db", .passphrase(ForeignDatabase.passphrase)).rows(
                "SELECT count(*) FROM t1") == rows)
    }

    @Test("replaces a file only when asked to, and keeps its mode")
    func overwrite() throws {
        try DelicateDatabase.create(at: folder.path(of: "plain.db"))
        try folder.write("something else", to: "out.db", mode: 0o640)
        let destination = try file("out.db", key: key(Self.rawText))
        expect(.exists) { try file("plain.db").transfer(to: destination) }
        #expect(try String(contentsOfFile: destination.path, encoding: .utf8) == "something else")
        try file("plain.db").transfer(to: destination, overwrite: true)
        #expect(try FileSystem.system.status(destination.path).mode == 0o640)
        #expect(try !destination.check(quick: true).isDamaged)
    }

    @Test("refuses source and destination that are one file, under whatever name")
    func sameFile() throws {
        try DelicateDatabase.create(at: folder.path(of: "plain.db"))
        try FileManager.default.createSymbolicLink(
            atPath: folder.path(of: "link.db"), withDestinationPath: "plain.db")
        try FileManager.default.linkItem(
            atPath: folder.path(of: "plain.db"), toPath: folder.path(of: "hard.db"))
        for name in ["plain.db", "link.db", "hard.db"] {
            expect(.sameFile) {
                try file("plain.db").transfer(to: file(name, key: key("new")), overwrite: true)
            }
        }
    }

    @Test("refuses to replace a file in use, or one whose log is not empty")
    func destinationInUse() throws {
        try DelicateDatabase.create(at: folder.path(of: "plain.db"))
        let destination = file("out.db")
        let queue = try DatabaseQueue(path: destination.path)
        try queue.write { try $0.execute(sql: "CREATE TABLE t (a)") }
        expect(.inUse) { try file("plain.db").transfer(to: destination, overwrite: true) }
        try queue.close()
        try folder.write("frames", to: "out.db-wal")
        expect(.inUse) { try file("plain.db").transfer(to: destination, overwrite: true) }
        try FileManager.default.removeItem(atPath: destination.path)
        // It may be the only copy of somebody's last changes.
        for overwrite in [false, true] {
            expect(.exists) {
                try file("plain.db").transfer(to: destination, overwrite: overwrite)
            }
        }
        try FileManager.default.removeItem(atPath: destination.path + "-wal")
        try file("plain.db").transfer(to: destination)
        #expect(try folder.names() == ["out.db", "plain.db"])
    }

    @Test(
        "leaves nothing behind when progress says stop, in whatever phase",
        arguments: [nil, rawText])
    func cancellation(keyText: String?) throws {
        struct Stop: Error {}
        try DelicateDatabase.create(at: folder.path(of: "plain.db"))
        let destination = try file("out.db", key: keyText.map(key))
        var phases: [OperationProgress.Phase] = []
        try file("plain.db").transfer(to: file("whole.db", key: destination.key)) {
            phases.append($0.phase)
        }
        #expect(phases.first == .preparing && phases.last == .finishing)
        #expect(phases.contains(.copying) && phases.contains(.verifying))
        for stop in Set(phases) {
            #expect(throws: Stop.self) {
                try file("plain.db").transfer(to: destination) {
                    if $0.phase == stop { throw Stop() }
                }
            }
            #expect(try folder.names() == ["plain.db", "whole.db"])
        }
    }

    func expect(
        _ code: DatabaseFileError.Code, sourceLocation: SourceLocation = #_sourceLocation,
        _ body: () throws -> Void
    ) {
        let error = #expect(throws: DatabaseFileError.self, sourceLocation: sourceLocation) {
            try body()
        }
        #expect(error?.code == code, sourceLocation: sourceLocation)
        #expect(error?.hint?.isEmpty == false, sourceLocation: sourceLocation)
    }
}
