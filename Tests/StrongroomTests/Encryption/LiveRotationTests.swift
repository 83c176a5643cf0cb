import Foundation
import StrongroomTestSupport
import Testing

@testable import StrongroomCore

@Suite("Rotating the key of an open database")
struct LiveRotationTests {
    let folder: TemporaryDirectory
    let path: String
    let newKey: CipherKey

    init() throws {
        folder = try TemporaryDirectory()
        path = folder.path(of: "app.db")
        newKey = try EncryptedSample.key(RotationFixture.newText)
    }

    private func configuration(_ keyText: String = RotationFixture.oldText) throws
        -> Configuration
    {
        let key = try EncryptedSample.key(keyText)
        var configuration = Configuration()
        configuration.prepareDatabase { db in
            try db.useKey(key)
            try db.execute(sql: "PRAGMA cache_size = 77")
        }
        return configuration
    }

    private func open(_ kind: WriterKind) throws -> any DatabaseWriter {
        let writer: any DatabaseWriter
        switch kind {
        case .queue: writer = try DatabaseQueue(path: path, configuration: configuration())
        default: writer = try DatabasePool(path: path, configuration: configuration())
        }
        try writer.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE t (a);
                    WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 500)
                      INSERT INTO t SELECT randomblob(500) FROM c;
                    """)
        }
        return writer
    }

    @discardableResult
    private func rotate(
        _ writer: any DatabaseWriter, to key: CipherKey? = nil, from current: CipherKey? = nil,
        progress: OperationProgress.Handler? = nil
    ) throws -> RotationReport {
        let key = key ?? newKey
        if let queue = writer as? DatabaseQueue {
            return try queue.rotateKey(to: key, from: current, progress: progress)
        }
        return try #require(writer as? DatabasePool)
            .rotateKey(to: key, from: current, progress: progress)
    }

    private func count(_ db: Database) throws -> Int? {
        try Int.fetchOne(db, sql: "SELECT count(*) FROM t")
    }

    private func shell(_ keyText: String) -> SQLCipherShell {
        SQLCipherShell(path: path, key: .content(keyText))
    }

    @Test(
        "goes on with the new key, on old connections and on new ones",
        arguments: WriterKind.allCases)
    func rotate(kind: WriterKind) throws {
        let writer = try open(kind)
        _ = try writer.read { try count($0) }
        try rotate(writer)
        try writer.write { try $0.execute(sql: "INSERT INTO t VALUES (1)") }
        #expect(try writer.read { try count($0) } == 501)
        #expect(try writer.read { try Int.fetchOne($0, sql: "PRAGMA cache_size") } == 77)
        #expect(try shell(RotationFixture.newText).cell("SELECT count(*) FROM t") == 501)
        #expect(throws: SQLCipherShell.Failure.self) {
            try shell(RotationFixture.oldText).rows("SELECT * FROM t")
        }
        if let pool = writer as? DatabasePool {
            pool.invalidateReadOnlyConnections()
            #expect(try pool.read { try count($0) } == 501)
            let snapshot = try pool.makeSnapshot()
            #expect(try snapshot.read { try count($0) } == 501)
            try snapshot.close()
        }
        // Again: what opens the file now is known.
        let third = try CipherKey(passphrase: "a third one")
        try rotate(writer, to: third)
        #expect(try writer.read { try count($0) } == 501)
        try writer.close()
        let again = try DatabaseFile(path: path, key: third).open()
        #expect(try again.read { try count($0) } == 501)
    }

    @Test("lets accesses wait, and none sees an error", arguments: WriterKind.allCases)
    func waiting(kind: WriterKind) async throws {
        let writer = try open(kind)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<4 {
                group.addTask {
                    for _ in 0..<30 {
                        if task == 0 {
                            try await writer.write { db in
                                try db.execute(sql: "INSERT INTO t VALUES (1)")
                            }
                        } else {
                            _ = try await writer.read { db in
                                try Int.fetchOne(db, sql: "SELECT count(*) FROM t")
                            }
                        }
                    }
                }
            }
            let texts = [RotationFixture.newText, RotationFixture.oldText, RotationFixture.newText]
            for text in texts { try rotate(writer, to: EncryptedSample.key(text)) }
            try await group.waitForAll()
        }
        #expect(
            try await writer.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM t") } == 530)
        try writer.close()
        #expect(try shell(RotationFixture.newText).cell("SELECT count(*) FROM t") == 530)
        #expect(try folder.names() == ["app.db"])
    }

    /// Each time that the rotating thread opens a connection, a read is begun: it has to wait, or to
    /// be done before, whatever the moment.
    @Test("lets a read wait until the pool is whole again")
    func waitingUntilWhole() throws {
        let pool = try #require(try open(.pool) as? DatabasePool)
        try pool.close()
        let reads = Locked<[Result<Int?, any Error>]>([])
        let reader = Locked<DatabasePool?>(nil)
        let rotatingThread = Locked<ObjectIdentifier?>(nil)
        let group = DispatchGroup()
        var configuration = try configuration()
        configuration.prepareDatabase { _ in
            guard rotatingThread.withLock({ $0 }) == ObjectIdentifier(Thread.current),
                let pool = reader.withLock({ $0 })
            else { return }
            let isDone = DispatchSemaphore(value: 0)
            group.enter()
            Thread.detachNewThread {
                let read = Result {
                    try pool.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM t") }
                }
                reads.withLock { $0.append(read) }
                isDone.signal()
                group.leave()
            }
            _ = isDone.wait(timeout: .now() + .milliseconds(200))
        }
        let rotated = try DatabasePool(path: path, configuration: configuration)
        reader.withLock { $0 = rotated }
        rotatingThread.withLock { $0 = ObjectIdentifier(Thread.current) }
        try rotate(rotated)
        rotatingThread.withLock { $0 = nil }
        group.wait()
        #expect(reads.withLock { $0.count } > 1)
        for read in reads.withLock({ $0 }) { #expect(try read.get() == 500) }
        reader.withLock { $0 = nil }
        try rotated.close()
    }

    @Test("goes on with the old key when it fails or is stopped", arguments: WriterKind.allCases)
    func failure(kind: WriterKind) throws {
        let writer = try open(kind)
        for phase in [OperationProgress.Phase.preparing, .copying, .verifying, .finishing] {
            #expect(throws: CancellationError.self) {
                try rotate(writer) { if $0.phase == phase { throw CancellationError() } }
            }
        }
        let wrong = try CipherKey.generated()
        let error = #expect(throws: DatabaseFileError.self) { try rotate(writer, from: wrong) }
        #expect(error?.code == .wrongKey)
        try writer.write { try $0.execute(sql: "INSERT INTO t VALUES (1)") }
        #expect(try writer.read { try count($0) } == 501)
        #expect(try shell(RotationFixture.oldText).cell("SELECT count(*) FROM t") == 501)
    }

    @Test("is refused while a snapshot or another queue has the file")
    func others() throws {
        let pool = try #require(try open(.pool) as? DatabasePool)
        let snapshot = try pool.makeSnapshot()
        var error = #expect(throws: DatabaseFileError.self) { try pool.rotateKey(to: newKey) }
        #expect(error?.code == .inUse)
        #expect(error?.message.contains("this process") == true)
        #expect(try snapshot.read { try count($0) } == 500)
        try snapshot.close()

        let queue = try DatabaseQueue(path: path, configuration: configuration())
        error = #expect(throws: DatabaseFileError.self) { try pool.rotateKey(to: newKey) }
        #expect(error?.code == .inUse)
        try queue.close()

        try pool.rotateKey(to: newKey)
        #expect(try pool.read { try count($0) } == 500)
    }

    @Test("is refused in memory, read-only, and without a known key")
    func refusals() throws {
        let queue = try #require(try open(.queue) as? DatabaseQueue)
        let memory = try DatabaseQueue()
        #expect(
            DatabaseError.thrown { try memory.rotateKey(to: newKey) }?.resultCode == .SQLITE_MISUSE)
        var readonly = try configuration()
        readonly.readonly = true
        let reader = try DatabaseQueue(path: path, configuration: readonly)
        #expect(
            DatabaseError.thrown { try reader.rotateKey(to: newKey) }?.resultCode
                == .SQLITE_READONLY)
        try reader.close()
        let plain = try DatabaseQueue(path: folder.path(of: "plain.db"))
        #expect(
            DatabaseError.thrown { try plain.rotateKey(to: newKey) }?.resultCode == .SQLITE_MISUSE)
        #expect(try queue.read { try count($0) } == 500)
    }

    @Test("leaves it to the app again once the passphrase was changed in place")
    func changePassphrase() throws {
        let given = Locked(RotationFixture.oldText)
        var configuration = Configuration()
        configuration.prepareDatabase { db in
            try db.useKey(EncryptedSample.key(given.withLock { $0 }))
        }
        let pool = try DatabasePool(path: path, configuration: configuration)
        try pool.write { try $0.execute(sql: "CREATE TABLE t (a)") }
        try pool.rotateKey(to: newKey)
        given.withLock { $0 = "later" }
        try pool.barrierWriteWithoutTransaction { db in
            try db.changePassphrase("later")
            pool.invalidateReadOnlyConnections()
        }
        #expect(try pool.read { try count($0) } == 0)
    }

    @Test(
        "keeps observations, which see what is written afterwards", arguments: WriterKind.allCases)
    func observations(kind: WriterKind) async throws {
        let writer = try open(kind)
        let observation = ValueObservation.tracking { db in
            try Int.fetchOne(db, sql: "SELECT count(*) FROM t")
        }
        var values = observation.values(in: writer).makeAsyncIterator()
        var value = try await values.next()
        #expect(value == 500)
        try rotate(writer)
        try await writer.write { try $0.execute(sql: "INSERT INTO t VALUES (1)") }
        value = try await values.next()
        #expect(value == 501)
    }

    @Test("keeps hooks on transactions")
    func hooks() throws {
        let queue = try #require(try open(.queue) as? DatabaseQueue)
        let calls = Locked(0)
        queue.inDatabase { db in
            db.afterNextTransaction { _ in calls.withLock { $0 += 1 } }
        }
        try queue.rotateKey(to: newKey)
        #expect(calls.withLock { $0 } == 0)
        try queue.write { try $0.execute(sql: "DELETE FROM t") }
        #expect(calls.withLock { $0 } == 1)
    }
}
