import Strongroom
import StrongroomTestSupport
import Testing

@Suite struct TypeErasureTests {
    let fixture: FixtureDatabase
    let queue: DatabaseQueue
    let pool: DatabasePool

    init() throws {
        fixture = try FixtureDatabase()
        let configuration = FixtureDatabase.configuration { $0.label = "the label" }
        pool = try DatabasePool(path: fixture.path, configuration: configuration)
        queue = try DatabaseQueue(path: fixture.path, configuration: configuration)
        try pool.write { try $0.execute(sql: "CREATE TABLE t(a); INSERT INTO t VALUES (1)") }
    }

    private func count(_ db: Database) throws -> Int {
        try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM t") ?? -1
    }

    private func checkReads(_ reader: any DatabaseReader) throws {
        #expect(reader.path == fixture.path)
        #expect(reader.configuration.label == "the label")
        #expect(try reader.read { try count($0) } == 1)
        #expect(try reader.unsafeRead { try count($0) } == 1)
        #expect(try reader.unsafeReentrantRead { try count($0) } == 1)
    }

    private func checkReadsInTask(_ reader: any DatabaseReader) async throws {
        let inTask = try await reader.read { try $0.isInsideTransaction && self.count($0) == 1 }
        #expect(inTask)
        let unsafeInTask = try await reader.unsafeRead { try self.count($0) == 1 }
        #expect(unsafeInTask)
        for start in [reader.asyncRead, reader.asyncUnsafeRead] {
            let later = try await withCheckedThrowingContinuation { continuation in
                start { db in
                    continuation.resume(with: Result { try self.count(db.get()) })
                }
            }
            #expect(later == 1)
        }
    }

    private func checkWrites(_ writer: any DatabaseWriter) throws {
        #expect(try writer.write { try count($0) } == 1)
        writer.writeWithoutTransaction { #expect(!$0.isInsideTransaction) }
        try writer.barrierWriteWithoutTransaction { db throws in
            #expect(try count(db) == 1)
        }
        writer.unsafeReentrantWrite { db in
            writer.unsafeReentrantWrite { #expect($0 === db) }
        }
    }

    private func checkWritesInTask(_ writer: any DatabaseWriter) async throws {
        let isInside = try await writer.writeWithoutTransaction { $0.isInsideTransaction }
        let isBarrierInside = try await writer.barrierWriteWithoutTransaction {
            $0.isInsideTransaction
        }
        #expect(!isInside && !isBarrierInside)
        await withCheckedContinuation { continuation in
            writer.asyncWriteWithoutTransaction { _ in continuation.resume() }
        }
        await withCheckedContinuation { continuation in
            writer.asyncBarrierWriteWithoutTransaction { _ in continuation.resume() }
        }
        let spawned = try await withCheckedThrowingContinuation { continuation in
            writer.asyncWriteWithoutTransaction { _ in
                writer.spawnConcurrentRead { db in
                    continuation.resume(with: Result { try self.count(db.get()) })
                }
            }
        }
        #expect(spawned == 1)
    }

    @Test(.proves("CCY-018", "CCY-019"))
    func `Readers and writers of any kind behave as what they stand for`() async throws {
        let writers: [any DatabaseWriter] = [
            queue, pool, AnyDatabaseWriter(queue), AnyDatabaseWriter(pool),
        ]
        for writer in writers {
            try checkWrites(writer)
            try await checkWritesInTask(writer)
        }
        let readers: [any DatabaseReader] = [queue, pool, try pool.makeSnapshot()]
        for reader in readers + writers.map({ $0 as any DatabaseReader }) {
            for reader in [reader, AnyDatabaseReader(reader)] as [any DatabaseReader] {
                try checkReads(reader)
                try await checkReadsInTask(reader)
            }
        }
    }

    @Test(.proves("CCY-011", "CCY-019", "CNF-055"))
    func `Queues, pools, snapshots and what stands for them are readers, some are writers`() {
        let readers: [any DatabaseReader.Type] = [
            DatabaseQueue.self, DatabasePool.self, DatabaseSnapshot.self,
            DatabaseSnapshotPool.self, AnyDatabaseReader.self, AnyDatabaseWriter.self,
        ]
        let writers = readers.filter { $0 is any DatabaseWriter.Type }
        #expect(writers.map { "\($0)" } == ["DatabaseQueue", "DatabasePool", "AnyDatabaseWriter"])
        let unchanging = readers.filter { $0 is any DatabaseSnapshotReader.Type }
        #expect(unchanging.map { "\($0)" } == ["DatabaseSnapshot", "DatabaseSnapshotPool"])
    }

    @Test(.proves("CCY-018"))
    func `Interrupting and closing reach what is behind`() throws {
        for reader in [AnyDatabaseReader(queue), AnyDatabaseWriter(pool)] as [any DatabaseReader] {
            reader.interrupt()
            #expect(try reader.read { try count($0) } == 1)
            try reader.close()
        }
        for closed in [queue, pool] as [any DatabaseReader] {
            let error = #expect(throws: DatabaseError.self) { try closed.read { _ in } }
            #expect(error?.resultCode == .SQLITE_MISUSE)
        }
    }
}
