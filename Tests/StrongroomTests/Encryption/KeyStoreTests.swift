import Foundation
import StrongroomTestSupport
import Testing

@testable import StrongroomCore

@Suite("A store of keys")
struct KeyStoreTests {
    let folder: TemporaryDirectory
    let path: String
    let store: KeyStore

    init() throws {
        folder = try TemporaryDirectory()
        path = folder.path(of: "app.db")
        store = KeyStore(folder: folder.path(of: "keys"))
    }

    private func open(_ store: KeyStore? = nil) throws -> DatabaseQueue {
        try Self.open(path, store ?? self.store)
    }

    private static func open(_ path: String, _ store: KeyStore) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.journalMode = .wal
        configuration.prepareDatabase { db in try db.useKey(from: store) }
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        try queue.write { db in
            try db.execute(sql: "CREATE TABLE IF NOT EXISTS t (a); INSERT INTO t VALUES (1)")
        }
        return queue
    }

    /// Apart from the notes of databases.
    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: store.path).sorted()
            .filter { !$0.hasPrefix("database-") }
    }

    private func mode(_ path: String) throws -> Int {
        try #require(
            FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
    }

    private func opens(_ key: CipherKey) -> Bool { DatabaseFile(path: path, key: key).opens() }

    @Test(
        "creates the first key with the database, and keeps every later one under its own name",
        .proves("OPR-31"))
    func rotations() throws {
        let queue = try open()
        #expect(try names() == ["0001.key"])
        #expect(try mode(store.path) == 0o700)
        #expect(try mode(store.path + "/0001.key") == 0o600)
        let first = try Data(contentsOf: URL(fileURLWithPath: store.path + "/0001.key"))
        for number in 2...4 {
            try queue.rotateKey(in: store)
            #expect(try store.keys().map(\.id).last == "000\(number)")
            #expect(opens(try store.currentKey()))
        }
        #expect(try names() == ["0001.key", "0002.key", "0003.key", "0004.key", "lock"])
        #expect(try store.keys().map(\.state) == [.retired, .retired, .retired, .current])
        #expect(try store.keys().filter { opens($0.key) }.map(\.id) == ["0004"])
        #expect(
            try Data(contentsOf: URL(fileURLWithPath: store.path + "/0001.key")) == first)
        try queue.write { try $0.execute(sql: "INSERT INTO t VALUES (2)") }
        try queue.close()
        #expect(try open().read { try Int.fetchOne($0, sql: "SELECT count(*) FROM t") } == 3)
    }

    @Test("opens a database that got its new key just before the process was killed")
    func killedBeforeTheNameWasGiven() throws {
        try open().close()
        let pending = try store.makePendingKey()
        try DatabaseFile(path: path, key: store.currentKey()).rotateKey(to: pending.key)
        #expect(try names() == ["0001.key", "0002.next"])
        let queue = try open()
        #expect(try names() == ["0001.key", "0002.key"])
        try queue.rotateKey(in: store)
        #expect(opens(try store.currentKey()))
        #expect(try store.keys().count == 3)
    }

    @Test(
        "opens a database that has not got its new key yet, and uses that key at the next rotation")
    func killedBeforeTheRotation() throws {
        try open().close()
        let pending = try store.makePendingKey()
        let queue = try open()
        #expect(opens(try store.currentKey()))
        #expect(try names() == ["0001.key", "0002.next"])
        try queue.rotateKey(in: store)
        #expect(try store.currentKey().isSame(as: pending.key))
        #expect(try names() == ["0001.key", "0002.key", "lock"])
    }

    @Test(
        "is not jammed by a rotation that another connection stops", .proves("OPR-32"),
        arguments: [1, 3])
    func inUse(attempts: Int) throws {
        let queue = try open()
        let other = try open()
        for _ in 1...attempts {
            let error = #expect(throws: DatabaseFileError.self) {
                try queue.rotateKey(in: store)
            }
            #expect(error?.code == .inUse)
            try queue.write { try $0.execute(sql: "INSERT INTO t VALUES (2)") }
        }
        try other.close()
        try queue.rotateKey(in: store)
        #expect(try names() == ["0001.key", "0002.key", "lock"])
        try queue.close()
        try open().close()
    }

    @Test("creates no key for a database that exists")
    func lost() throws {
        try open().close()
        try FileManager.default.moveItem(atPath: store.path, toPath: folder.path(of: "away"))
        let error = #expect(throws: CipherKeyError.self) { try open() }
        #expect(error?.code == .lost)
        #expect(try folder.names() == ["app.db", "away"])
        try FileManager.default.moveItem(atPath: folder.path(of: "away"), toPath: store.path)
        try open().close()
    }

    @Test("tells an old copy of its database from another database", .proves("OPR-56"))
    func oldCopy() throws {
        let copy = folder.path(of: "copy.db")
        for round in 1...2 {
            let queue = try open()
            try queue.rotateKey(in: store)
            try queue.close()
            if round == 1 { try FileManager.default.copyItem(atPath: path, toPath: copy) }
        }
        let before = try Data(contentsOf: URL(fileURLWithPath: copy))
        let openings: [() throws -> Void] = [
            { _ = try Self.open(copy, store) }, { try openPool(copy) },
        ]
        for opening in openings {
            let error = #expect(throws: DatabaseError.self) { try opening() }
            #expect(error?.resultCode == .SQLITE_NOTADB)
            let message = error?.message ?? ""
            #expect(message.contains("retired key 0002 of \(store.path)"), "\(message)")
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: copy)) == before)
        // The current key of another store opens nothing of it.
        for count in 1...2 {
            let other = KeyStore(folder: folder.path(of: "other"))
            let queue = try Self.open(folder.path(of: "other.db"), other)
            if count == 2 { try queue.rotateKey(in: other) }
            let error = #expect(throws: DatabaseError.self) { try Self.open(path, other) }
            let message = error?.message ?? ""
            let expected =
                count == 1
                ? "the key in \(other.path) does not open it"
                : "none of the 2 keys in \(other.path) opens it"
            #expect(message.contains(expected), "\(message)")
            try queue.close()
        }
        // What is no encrypted file is called what it is.
        try Data("SQLite format 3\0".utf8 + [UInt8](repeating: 1, count: 8176))
            .write(to: URL(fileURLWithPath: copy))
        let error = #expect(throws: DatabaseError.self) { try Self.open(copy, store) }
        #expect(error?.message?.contains("retired") == false, "\(error?.message ?? "")")
    }

    private func openPool(_ path: String) throws {
        var configuration = Configuration()
        configuration.prepareDatabase { [store] db in try db.useKey(from: store) }
        _ = try DatabasePool(path: path, configuration: configuration)
    }

    @Test("does not rotate a database whose key it does not know")
    func unknownKey() throws {
        let queue = try open()
        let other = KeyStore(folder: folder.path(of: "other"))
        let error = #expect(throws: CipherKeyError.self) { try queue.rotateKey(in: other) }
        #expect(error?.code == .notInStore)
        #expect(opens(try store.currentKey()))
    }

    @Test("begins with a key that it can only read, and keeps new ones in its folder")
    func readOnlyFirstKey() throws {
        let given = try CipherKey(passphrase: "of a credential, five words")
        let store = KeyStore(folder: folder.path(of: "keys"), startingWith: given)
        let queue = try open(store)
        #expect(try folder.names().contains("keys") == false)
        #expect(opens(given))
        try queue.rotateKey(in: store)
        #expect(try store.keys().map(\.id) == ["0000", "0001"])
        #expect(try store.keys().map(\.state) == [.retired, .current])
        try queue.close()
        try open(store).close()
        // Without the credential too: the database has a key of the folder.
        try open().close()
    }

    @Test("serves one rotation at a time")
    func oneAtATime() throws {
        let queue = try open()
        try store.withLock {
            let error = #expect(throws: CipherKeyError.self) { try queue.rotateKey(in: store) }
            #expect(error?.code == .inUse)
        }
        try queue.rotateKey(in: store)
    }

    @Test("refuses a folder that others can look into")
    func openFolder() throws {
        try open().close()
        #expect(chmod(store.path, 0o750) == 0)
        let error = #expect(throws: CipherKeyError.self) { try open() }
        #expect(error?.hint == "chmod 700 \(store.path)")
    }

    @Test("changes no page before the new key is on the disk", arguments: [1, 2, 3])
    func failingDisk(call: Int) throws {
        let queue = try open()
        var failing = store
        let calls = Locked(0)
        let fails: @Sendable () throws(SystemError) -> Void = { () throws(SystemError) in
            let count = calls.withLock { count in
                count += 1
                return count
            }
            if count == call {
                throw SystemError("fsync", "", number: SystemError.inputOutput)
            }
        }
        let system = store.fileSystem
        failing.fileSystem.synchronize = { descriptor throws(SystemError) in
            try fails()
            try system.synchronize(descriptor)
        }
        failing.fileSystem.inFolder.synchronize = { descriptor throws(SystemError) in
            try fails()
            try system.inFolder.synchronize(descriptor)
        }
        let error = Result { try queue.rotateKey(in: failing) }
        // The third one confirms the name of a key that the database has by then.
        if call < 3 {
            #expect(throws: CipherKeyError.self) { try error.get() }
        } else {
            #expect(throws: Never.self) { try error.get() }
        }
        try queue.close()
        let again = try open()
        try again.rotateKey(in: store)
        #expect(opens(try store.currentKey()))
    }

    @Test("opens its database after every kill", .tags(.slow))
    func killed() async throws {
        try open().close()
        var random = SystemRandomNumberGenerator()
        var horizon = 60_000_000.0
        var rotations = 1
        for round in 1...12 {
            let nanoseconds = Int(Double.random(in: 0...1, using: &random) * horizon)
            try await Self.rotateAndDie(path, store.path, after: nanoseconds)
            let queue = try open()
            let count = try await queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM t") }
            #expect(try #require(count) > round)
            let now = try store.keys().count
            horizon *= now > rotations ? 0.9 : 1.3
            rotations = now
            try queue.close()
        }
        #expect(try store.keys().filter { opens($0.key) }.map(\.state) == [.current])
    }

    private static func rotateAndDie(
        _ path: String, _ keys: String, after nanoseconds: Int
    ) async throws {
        await #expect(processExitsWith: .signal(SIGKILL)) { [path, keys, nanoseconds] in
            let store = KeyStore(folder: keys)
            let queue = try KeyStoreTests.open(path, store)
            DispatchQueue.global(qos: .userInteractive)
                .asyncAfter(deadline: .now() + .nanoseconds(nanoseconds)) {
                    kill(getpid(), SIGKILL)
                }
            while true { try queue.rotateKey(in: store) }
        }
    }
}
