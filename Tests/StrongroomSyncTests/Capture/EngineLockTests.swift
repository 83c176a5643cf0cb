import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

@testable import StrongroomSync

@Suite struct EngineLockTests {
    private let directory: TemporaryDirectory
    private let path: String

    init() throws {
        directory = try TemporaryDirectory()
        path = try directory.write("", to: "shop.db", mode: 0o640)
    }

    private func attempt(_ path: String) throws -> (lock: EngineLock?, holder: EngineLock.Holder?) {
        switch try EngineLock.attempt(forDatabaseAt: path, program: "tests") {
        case .taken(let lock): (lock, nil)
        case .held(let holder): (nil, holder)
        }
    }

    @Test(.proves("SYN-033"))
    func `one engine has a file, and others hear which`() throws {
        var first = try attempt(path).lock
        #expect(first?.path.hasSuffix("/shop.db-sync.lock") == true)
        // Through a link, too: a file has one lock.
        let link = directory.path(of: "link.db")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
        for name in [path, link] {
            let second = try attempt(name)
            #expect(second.lock == nil)
            #expect(second.holder == EngineLock.Holder(process: getpid(), program: "tests"))
            #expect(second.holder?.description == "tests (process \(getpid()))")
        }
        first = nil
        #expect(try attempt(link).lock != nil)
        let attributes = try FileManager.default.attributesOfItem(atPath: path + "-sync.lock")
        #expect(attributes[.posixPermissions] as? Int == 0o640)
    }

    @Test(.proves("SYN-033"))
    func `a lock that was released is free, also while something refers to it`() throws {
        let first = try #require(try attempt(path).lock)
        first.release()
        first.release()
        let second = try #require(try attempt(path).lock)
        first.release()
        #expect(try attempt(path).lock == nil)
        withExtendedLifetime((first, second)) {}
    }

    @Test(.proves("SYN-033"))
    func `the lock of a process that is killed is free`() throws {
        let program = """
            import fcntl, signal, sys
            f = open(sys.argv[1], "w"); fcntl.flock(f, fcntl.LOCK_EX); f.write("1\\nother\\n"); f.flush()
            print("locked", flush=True)
            signal.pause()
            """
        let other = try Subprocess(starting: "python3", ["-c", program, path + "-sync.lock"])
        try other.wait(untilWritten: "locked")
        #expect(try attempt(path).holder == EngineLock.Holder(process: 1, program: "other"))
        other.signal(SIGKILL)
        _ = try other.wait()
        #expect(try attempt(path).lock != nil)
    }

    @Test(.proves("SYN-033"))
    func `a second engine waits for the first`() async throws {
        var first = try attempt(path).lock
        let (heard, continuation) = AsyncStream<EngineLock.Holder?>.makeStream()
        let path = path
        let waiting = Task {
            try await EngineLock.take(forDatabaseAt: path, program: "second") {
                continuation.yield($0)
            }
        }
        var iterator = heard.makeAsyncIterator()
        #expect(await iterator.next() == EngineLock.Holder(process: getpid(), program: "tests"))
        first = nil
        let lock = try await waiting.value
        #expect(try attempt(path).holder?.program == "second")
        let cancelled = Task { try await EngineLock.take(forDatabaseAt: path, program: "third") }
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { _ = try await cancelled.value }
        withExtendedLifetime(lock) {}
        _ = first
    }

    @Test(.proves("SYN-033"))
    func `an engine that is closed gives its file to another at once`() async throws {
        let queue = try DatabaseQueue(path: path)
        try await queue.write { db in
            try db.execute(sql: "CREATE TABLE item (id TEXT PRIMARY KEY NOT NULL)")
        }
        let folder = try TemporaryDirectory()
        let hub = FolderHub.folder(folder.path)
        var options = SyncOptions()
        options.waitsForLock = false
        let tables = [SyncedTable("item")]
        let first = try await SyncEngine.create(queue, hub, tables: tables, name: "laptop", options)
        await #expect { try await SyncEngine.open(queue, hub, options) } throws: {
            ($0 as? SyncError)?.code == .inUse
        }
        await first.start()
        await first.close()
        #expect(!first.isRunning)
        let second = try await SyncEngine.open(queue, hub, options)
        try await second.synchronize()
        await #expect { try await first.synchronize() } throws: {
            ($0 as? SyncError)?.code == .closed
        }
        try await second.leave()
    }

    @Test(.proves("SYN-033"))
    func `a lock that cannot be made is an error`() throws {
        #expect(throws: (any Error).self) { try attempt(directory.path(of: "missing/shop.db")) }
        try FileManager.default.createSymbolicLink(
            atPath: path + "-sync.lock", withDestinationPath: directory.path(of: "elsewhere"))
        #expect(throws: (any Error).self) { try attempt(path) }
        #expect(try directory.names() == ["shop.db", "shop.db-sync.lock"])
    }
}
