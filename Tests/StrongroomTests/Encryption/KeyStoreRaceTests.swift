import Foundation
import StrongroomTestSupport
import Synchronization
import Testing

@testable import StrongroomCore

@Suite("A store of keys, and rotations that others make")
struct KeyStoreRaceTests {
    let folder: TemporaryDirectory
    let path: String
    let store: KeyStore

    init() throws {
        folder = try TemporaryDirectory()
        path = folder.path(of: "app.db")
        store = KeyStore(folder: folder.path(of: "keys"))
    }

    private func configuration(
        afterKey: @escaping @Sendable () throws -> Void = {}
    ) -> Configuration {
        var configuration = Configuration()
        configuration.prepareDatabase { [store] db in
            try db.useKey(from: store)
            try afterKey()
        }
        return configuration
    }

    private func open(_ kind: WriterKind) throws -> any DatabaseWriter {
        switch kind {
        case .queue: try DatabaseQueue(path: path, configuration: configuration())
        case .pool: try DatabasePool(path: path, configuration: configuration())
        }
    }

    /// What another process leaves that has just rotated the key: a new file under the name, the old
    /// one spoiled, and another current key.
    private func prepareRotation() throws -> @Sendable () throws -> Void {
        let files = FileManager.default
        let old = folder.path(of: "old")
        try files.createDirectory(atPath: old, withIntermediateDirectories: false)
        var queue: DatabaseQueue? = try DatabaseQueue(path: path, configuration: configuration())
        try queue?.write { try $0.execute(sql: "CREATE TABLE t AS SELECT 42 AS a") }
        try queue?.close()
        try files.copyItem(atPath: path, toPath: old + "/app.db")
        try files.copyItem(atPath: store.path, toPath: old + "/keys")
        queue = try DatabaseQueue(path: path, configuration: configuration())
        try queue?.rotateKey(in: store)
        try queue?.close()
        let new = folder.path(of: "new")
        try files.createDirectory(atPath: new, withIntermediateDirectories: false)
        for (name, path) in [("/app.db", path), ("/keys", store.path)] {
            try files.moveItem(atPath: path, toPath: new + name)
            try files.moveItem(atPath: old + name, toPath: path)
        }
        return { [path, store] in
            guard files.fileExists(atPath: new + "/app.db") else { return }
            let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
            try handle.write(contentsOf: Data(repeating: 7, count: 512))
            try handle.close()
            try files.removeItem(atPath: store.path)
            try files.moveItem(atPath: new + "/keys", toPath: store.path)
            guard rename(new + "/app.db", path) == 0 else { throw CocoaError(.fileWriteUnknown) }
        }
    }

    @Test("opens with the new key where a rotation ends between key and file", .proves("OPR-82"))
    func rotationWhileOpening() throws {
        let rotate = try prepareRotation()
        let queue = try DatabaseQueue(path: path, configuration: configuration(afterKey: rotate))
        #expect(try queue.read { try Int.fetchOne($0, sql: "SELECT a FROM t") } == 42)
        #expect(try store.keys().map(\.state) == [.retired, .current])
    }

    @Test(
        "a lock ends with the rotation that took it", .proves("OPR-97"),
        arguments: WriterKind.allCases)
    func forkedChild(kind: WriterKind) throws {
        // A child that another thread has just forked has descriptors of the same open files.
        let copies = CopiedDescriptors()
        var store = store
        store.fileSystem.lock = { (descriptor) throws(SystemError) in
            copies.add(descriptor)
            return try FileSystem.system.lock(descriptor)
        }
        let writer = try open(kind)
        try writer.write { try $0.execute(sql: "CREATE TABLE t (a)") }
        for _ in 1...2 {
            if let queue = writer as? DatabaseQueue { try queue.rotateKey(in: store) }
            if let pool = writer as? DatabasePool { try pool.rotateKey(in: store) }
        }
        #expect(try store.keys().map(\.state) == [.retired, .retired, .current])
        #expect(copies.count >= 2)
        try writer.close()
    }

    @Test("a file that no other key opens is asked about once", .proves("OPR-82"))
    func wrongFile() throws {
        let queue = try DatabaseQueue(path: path, configuration: configuration())
        try queue.write { try $0.execute(sql: "CREATE TABLE t (a)") }
        try queue.close()
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        try handle.write(contentsOf: Data(repeating: 7, count: 512))
        try handle.close()
        let calls = Collected()
        let error = #expect(throws: DatabaseError.self) {
            _ = try DatabaseQueue(
                path: path, configuration: configuration(afterKey: { calls.add("key") }))
        }
        #expect(error?.resultCode == .SQLITE_NOTADB)
        #expect(calls.texts.count <= 2)
    }

    @Test(
        "does not let a database get a key that it has not", .proves("OPR-83"),
        arguments: WriterKind.allCases)
    func strangeKey(kind: WriterKind) throws {
        let writer = try open(kind)
        try writer.write { try $0.execute(sql: "CREATE TABLE t AS SELECT 42 AS a") }
        let strange = try CipherKey.generated()
        let rotate: () throws -> Void = {
            if let queue = writer as? DatabaseQueue { try queue.rotateKey(to: strange) }
            if let pool = writer as? DatabasePool { try pool.rotateKey(to: strange) }
        }
        let error = #expect(throws: CipherKeyError.self, performing: rotate)
        #expect(error?.code == .notInStore)
        #expect(error?.description.contains("rotateKey(in:)") == true)
        #expect(throws: CipherKeyError.self) {
            try writer.writeWithoutTransaction { try $0.changePassphrase("another passphrase") }
        }
        // Nothing has changed, and what the store has is taken, before and after a rotation.
        for _ in 1...2 {
            #expect(try writer.read { try Int.fetchOne($0, sql: "SELECT a FROM t") } == 42)
            if let queue = writer as? DatabaseQueue { try queue.rotateKey(in: store) }
            if let pool = writer as? DatabasePool { try pool.rotateKey(in: store) }
            #expect(throws: CipherKeyError.self, performing: rotate)
        }
        try writer.close()
        let again = try open(kind)
        #expect(try again.read { try Int.fetchOne($0, sql: "SELECT a FROM t") } == 42)
    }

    @Test(
        "gets its first key also if another process, which writes it too, removes the temporary",
        .proves("OPR-191"), arguments: [true, false])
    func firstKey(otherIsFaster: Bool) throws {
        var fileSystem = FileSystem.system
        let isFirst = Locked(true)
        fileSystem.inFolder.renameToFreeName = {
            [store] (from, name, newName) throws(SystemError) in
            let removes = isFirst.withLock { isFirst in
                defer { isFirst = false }
                return isFirst
            }
            if removes {
                try FolderCalls.system.remove(from, name)
                if otherIsFaster { _ = try? store.makeFirstKey() }
            }
            try FolderCalls.system.renameToFreeName(from, name, newName)
        }
        var interfered = store
        interfered.fileSystem = fileSystem
        let key = try interfered.makeFirstKey()
        #expect(try store.currentKey().isSame(as: key))
        #expect(try FileManager.default.contentsOfDirectory(atPath: store.path) == ["0001.key"])
    }

    @Test("gets one first key from many processes at once", .proves("OPR-191"))
    func firstKeys() async throws {
        for round in 1...20 {
            let store = KeyStore(folder: folder.path(of: "keys\(round)"))
            let keys = try await withThrowingTaskGroup(of: CipherKey.self) { group in
                for _ in 1...4 { group.addTask { try store.makeFirstKey() } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(keys.allSatisfy { $0.isSame(as: keys[0]) })
        }
    }
}

/// Descriptors that outlive those which they were copied from.
private final class CopiedDescriptors: Sendable {
    private let numbers = Mutex<[Int32]>([])

    var count: Int { numbers.withLock(\.count) }

    func add(_ number: Int32) {
        numbers.withLock { $0.append(fcntl(number, F_DUPFD_CLOEXEC, 0)) }
    }

    deinit {
        numbers.withLock { for number in $0 { close(number) } }
    }
}
