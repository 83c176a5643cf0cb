import Foundation
import StrongroomTestSupport
import Testing

@testable import StrongroomCore

@Suite("A key store that is lost during a rotation")
struct LostKeyStoreTests {
    enum Loss: CaseIterable, Sendable {
        case deleted, moved, emptied, withoutNewKey
    }

    let folder: TemporaryDirectory
    let path: String
    let store: KeyStore

    init() throws {
        folder = try TemporaryDirectory()
        path = folder.path(of: "app.db")
        store = KeyStore(folder: folder.path(of: "keys"))
    }

    private func open(_ kind: WriterKind) throws -> any KeyRotating & DatabaseWriter {
        var configuration = Configuration()
        configuration.prepareDatabase { [store] db in try db.useKey(from: store) }
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

    private func lose(_ loss: Loss) throws {
        let files = FileManager.default
        switch loss {
        case .deleted: try files.removeItem(atPath: store.path)
        case .moved: try files.moveItem(atPath: store.path, toPath: folder.path(of: "away"))
        case .emptied:
            try files.moveItem(atPath: store.path, toPath: folder.path(of: "away"))
            try files.createDirectory(
                atPath: store.path, withIntermediateDirectories: false,
                attributes: [.posixPermissions: 0o700])
        case .withoutNewKey: try files.removeItem(atPath: store.path + "/0002.next")
        }
    }

    @Test(
        "leaves the old file with the old key, and is not created again", .proves("OPR-122"),
        arguments: WriterKind.allCases, Loss.allCases)
    func before(kind: WriterKind, loss: Loss) throws {
        let writer = try open(kind)
        let old = try store.currentKey()
        let error = #expect(throws: CipherKeyError.self) {
            try writer.rotateKey(in: store) { progress in
                if progress.phase == .finishing { try? lose(loss) }
            }
        }
        #expect(error?.code == .cannotWrite, "\(error as Any)")
        try writer.write { try $0.execute(sql: "INSERT INTO t VALUES (2)") }
        #expect(
            try writer.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM t") } == 2)
        #expect(DatabaseFile(path: path, key: old).opens())
        let names = (try? FileManager.default.contentsOfDirectory(atPath: store.path)) ?? []
        #expect(!names.contains("0002.key"))
        #expect(
            FileManager.default.fileExists(atPath: store.path)
                == [.emptied, .withoutNewKey].contains(loss))
        // The next rotation neither creates the folder nor asks for what the app did.
        guard loss != .withoutNewKey else { return }
        let next = #expect(throws: CipherKeyError.self) {
            try writer.rotateKey(in: store, progress: nil)
        }
        #expect(next?.code == .lost, "\(next as Any)")
        #expect("\(next as Any)".contains("useKey(from:)") == false)
        #expect(
            FileManager.default.fileExists(atPath: store.path) == (loss == .emptied))
        try writer.close()
    }

    /// The last moment: the file has the new key, and the pending one is to become the current one.
    private func losing(_ loss: Loss) -> KeyStore {
        var failing = store
        let rename = store.fileSystem.inFolder.renameToFreeName
        failing.fileSystem.inFolder.renameToFreeName = {
            folder, name, newName throws(SystemError) in
            if name.hasSuffix(".next") { try? lose(loss) }
            try rename(folder, name, newName)
        }
        return failing
    }

    @Test(
        "is no success once the file has the new key, and the error says so", .proves("OPR-122"),
        arguments: WriterKind.allCases, [Loss.deleted, .moved, .emptied])
    func after(kind: WriterKind, loss: Loss) throws {
        let writer = try open(kind)
        let old = try store.currentKey()
        let error = #expect(throws: CipherKeyError.self) {
            try writer.rotateKey(in: losing(loss), progress: nil)
        }
        #expect(error?.code == .notInStore, "\(error as Any)")
        #expect(error?.message.contains("has its new key, 0002") == true, "\(error as Any)")
        #expect(!DatabaseFile(path: path, key: old).opens())
        #expect(
            FileManager.default.fileExists(atPath: store.path) == (loss == .emptied))
        try writer.write { try $0.execute(sql: "INSERT INTO t VALUES (2)") }
        #expect(
            try writer.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM t") } == 2)
        if loss == .emptied {
            // Written again, where there is a folder.
            let key = try CipherKey(contentsOfFile: store.path + "/0002.key")
            #expect(DatabaseFile(path: path, key: key).opens())
        } else {
            let next = #expect(throws: CipherKeyError.self) {
                try writer.rotateKey(in: store, progress: nil)
            }
            #expect(next?.code == .lost, "\(next as Any)")
            #expect(!FileManager.default.fileExists(atPath: store.path))
        }
        guard loss == .moved else { return }
        try FileManager.default.moveItem(atPath: folder.path(of: "away"), toPath: store.path)
        try writer.rotateKey(in: store, progress: nil)
        #expect(try DatabaseFile(path: path, key: store.currentKey()).opens())
        try writer.close()
        try open(kind).close()
    }

    @Test("gets the new key again if only its file is gone", .proves("OPR-122"))
    func writtenAgain() throws {
        let writer = try open(.queue)
        try writer.rotateKey(in: losing(.withoutNewKey), progress: nil)
        #expect(try DatabaseFile(path: path, key: store.currentKey()).opens())
        #expect(try store.keys().map(\.id) == ["0001", "0002"])
    }
}
