import Foundation
import StrongroomTestSupport
import Testing

@testable import StrongroomCore

/// What a daemon meets whose files are moved while it rotates.
@Suite("A rotation that fails while files are moved")
struct LostFileRotationTests {
    let folder: TemporaryDirectory
    let path: String
    let store: KeyStore

    init() throws {
        folder = try TemporaryDirectory()
        path = folder.path(of: "app.db")
        store = KeyStore(folder: folder.path(of: "keys"))
    }

    private struct Unreadable: Error {}

    /// - Parameter isBroken: Makes the app's own preparation fail.
    private func open(
        _ kind: WriterKind, isBroken: Locked<Bool> = Locked(false)
    ) throws -> any KeyRotating & DatabaseWriter {
        var configuration = Configuration()
        configuration.journalMode = .wal
        configuration.prepareDatabase { [store] db in
            if isBroken.withLock({ $0 }) { throw Unreadable() }
            try db.useKey(from: store)
        }
        let writer: any KeyRotating & DatabaseWriter =
            switch kind {
            case .queue: try DatabaseQueue(path: path, configuration: configuration)
            case .pool: try DatabasePool(path: path, configuration: configuration)
            }
        try writer.write { db in
            try db.execute(sql: "CREATE TABLE IF NOT EXISTS t (a); INSERT INTO t VALUES (1)")
        }
        return writer
    }

    private func count(_ writer: some DatabaseReader) throws -> Int? {
        try writer.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM t") }
    }

    private func move(_ name: String, _ newName: String) throws {
        try FileManager.default.moveItem(
            atPath: folder.path(of: name), toPath: folder.path(of: newName))
    }

    private func content(_ name: String) throws -> Data {
        try Data(contentsOf: URL(fileURLWithPath: folder.path(of: name)))
    }

    @Test(
        "creates no file, touches no log, and goes on when the file is back", .proves("OPR-121"),
        arguments: WriterKind.allCases, [false, true])
    func moved(kind: WriterKind, isReplaced: Bool) throws {
        let writer = try open(kind)
        // It keeps the log: the writer's connection is not the last one that closes.
        let other = try open(.queue)
        if isReplaced {
            try FileManager.default.copyItem(atPath: path, toPath: folder.path(of: "copy.db"))
        }
        let log = try content("app.db-wal")
        #expect(log.count > 4000)
        let error = #expect(throws: DatabaseError.self) {
            try writer.rotateKey(in: store) { progress in
                guard progress.phase == .preparing,
                    !FileManager.default.fileExists(atPath: folder.path(of: "moved.db"))
                else { return }
                try move("app.db", "moved.db")
                if isReplaced { try move("copy.db", "app.db") }
            }
        }
        #expect(error?.extendedResultCode == .SQLITE_READONLY_DBMOVED, "\(error as Any)")
        #expect(error?.message?.contains("was moved, replaced or deleted") == true)
        #expect(throws: DatabaseError.self) {
            try writer.write { try $0.execute(sql: "INSERT INTO t VALUES (2)") }
        }
        #expect(FileManager.default.fileExists(atPath: path) == isReplaced)
        #expect(try content("app.db-wal") == log)
        if isReplaced { try FileManager.default.removeItem(atPath: path) }
        try move("moved.db", "app.db")
        try writer.write { try $0.execute(sql: "INSERT INTO t VALUES (2)") }
        #expect(try count(writer) == 3)
        #expect(try count(other) == 3)
        try other.close()
        try writer.rotateKey(in: store, progress: nil)
        #expect(try count(writer) == 3)
        try writer.close()
    }

    @Test(
        "keeps the old key in force without the key store", .proves("OPR-123"),
        arguments: WriterKind.allCases)
    func storeAway(kind: WriterKind) throws {
        let writer = try open(kind)
        let other = try open(.queue)
        #expect(throws: (any Error).self) {
            try writer.rotateKey(in: store) { progress in
                if progress.phase == .preparing { try? move("keys", "away") }
            }
        }
        try writer.write { try $0.execute(sql: "INSERT INTO t VALUES (2)") }
        #expect(try count(writer) == 3)
        #expect(!FileManager.default.fileExists(atPath: store.path))
        try move("away", "keys")
        try writer.write { try $0.execute(sql: "INSERT INTO t VALUES (2)") }
        try other.close()
        try writer.rotateKey(in: store, progress: nil)
        #expect(try count(writer) == 4)
        #expect(try DatabaseFile(path: path, key: store.currentKey()).opens())
        try writer.close()
        try open(kind).close()
    }

    @Test(
        "opens the connection as soon as that is possible again", .proves("OPR-123"),
        arguments: WriterKind.allCases, [false, true])
    func broken(kind: WriterKind, isRefused: Bool) throws {
        let isBroken = Locked(false)
        let writer = try open(kind, isBroken: isBroken)
        let other = try isRefused ? open(.queue) : nil
        let key = try store.makePendingKey().key
        let current = try store.currentKey()
        #expect(throws: (any Error).self) {
            try writer.rotateKey(to: key, from: current) { progress in
                if progress.phase == (isRefused ? .preparing : .finishing) {
                    isBroken.withLock { $0 = true }
                }
            }
        }
        let error = #expect(throws: DatabaseError.self) {
            try writer.write { try $0.execute(sql: "INSERT INTO t VALUES (2)") }
        }
        #expect(error?.message?.contains("could not be opened again") == true, "\(error as Any)")
        isBroken.withLock { $0 = false }
        try writer.write { try $0.execute(sql: "INSERT INTO t VALUES (2)") }
        #expect(try count(writer) == (isRefused ? 3 : 2))
        try other?.close()
        try writer.close()
        let closed = #expect(throws: DatabaseError.self) { try count(writer) }
        #expect(closed?.message == "Connection is closed")
    }
}
