import Foundation
import StrongroomTestSupport
import Testing

@testable import StrongroomCore

@Suite("On a file system that refuses", .mayMount)
struct HostileFileSystemTests {
    let folder: TemporaryDirectory
    let key: CipherKey

    init() throws {
        folder = try TemporaryDirectory()
        key = try CipherKey(rawKey: Data(repeating: 1, count: 32))
    }

    private static let keyText = "x'" + String(repeating: "01", count: 32) + "'"

    private func create(_ path: String, encrypted: Bool, wal: Bool = false) throws {
        try SQLCipherShell(path: path, key: encrypted ? .content(Self.keyText) : .none).create(
            """
            CREATE TABLE t (a BLOB);
            WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 1200)
              INSERT INTO t SELECT randomblob(1000) FROM c;
            PRAGMA journal_mode = \(wal ? "WAL" : "DELETE");
            """)
    }

    private func expect(
        _ code: DatabaseFileError.Code, _ body: () throws -> Void,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let error = #expect(throws: DatabaseFileError.self, sourceLocation: sourceLocation) {
            try body()
        }
        #expect(error?.code == code, sourceLocation: sourceLocation)
        #expect(error?.hint?.isEmpty == false, sourceLocation: sourceLocation)
    }

    @Test("a full disk stops a transfer, and nothing stays", arguments: [false, true])
    func transferToFullDisk(fromEncrypted: Bool) throws {
        let mounted = try MountedFolder(megabytes: 1)
        let source = DatabaseFile(
            path: folder.path(of: "source.db"), key: fromEncrypted ? key : nil)
        try create(source.path, encrypted: fromEncrypted)
        for destinationKey in [nil, key] {
            var destination = DatabaseFile(path: mounted.path(of: "out.db"), key: destinationKey)
            // Without the estimate beforehand, it is SQLite that runs into the end of the disk.
            destination.fileSystem.availableByteCount = { (_) throws(SystemError) in .max }
            expect(.diskFull) { try source.transfer(to: destination) }
            #expect(mounted.names == [])
        }
    }

    @Test("a full disk stops a rotation, and the old key opens the file", arguments: [false, true])
    func rotateOnFullDisk(wal: Bool) throws {
        let mounted = try MountedFolder(megabytes: 2)
        var file = DatabaseFile(path: mounted.path(of: "app.db"), key: key)
        try create(file.path, encrypted: true, wal: wal)
        expect(.diskFull) { try file.rotateKey(to: .generated()) }
        file.fileSystem.availableByteCount = { (_) throws(SystemError) in .max }
        expect(.diskFull) { try file.rotateKey(to: .generated()) }
        #expect(mounted.names == ["app.db"])
        let witness = SQLCipherShell(path: file.path, key: .content(Self.keyText))
        #expect(
            try witness.rows("PRAGMA cipher_integrity_check; SELECT count(*) FROM t") == [[1200]])
    }

    @Test("a full disk has no room for the index of a log either, and that is said")
    func logOnFullDisk() throws {
        let mounted = try MountedFolder(megabytes: 2)
        let file = DatabaseFile(path: mounted.path(of: "app.db"), key: key)
        try create(file.path, encrypted: true, wal: true)
        let rest = Data(count: Int(try file.fileSystem.availableByteCount(file.path)))
        try rest.write(to: URL(fileURLWithPath: mounted.path(of: "rest")))
        expect(.diskFull) { _ = try file.check() }
    }

    @Test("a read-only disk can be read, also a WAL database on it", arguments: [false, true])
    func readOnly(wal: Bool) throws {
        let mounted = try MountedFolder(megabytes: 4)
        let file = DatabaseFile(path: mounted.path(of: "app #1?%.db"), key: key)
        try create(file.path, encrypted: true, wal: wal)
        try mounted.makeReadOnly()
        #expect(try file.check().isSound)
        let copy = DatabaseFile(path: folder.path(of: "copy.db"), key: key)
        #expect(try file.transfer(to: copy).rowCount == 1200)
        #expect(try copy.check().isSound)
        expect(.readOnly) { try file.rotateKey(to: .generated()) }
        expect(.readOnly) {
            try copy.transfer(to: DatabaseFile(path: mounted.path(of: "new.db"), key: key))
        }
        expect(.readOnly) { try copy.transfer(to: file, overwrite: true) }
    }
}
