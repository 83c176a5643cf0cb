import Dispatch
import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

@Suite(.timeLimit(.minutes(30))) struct AsyncAccessTests {
    @TaskLocal static var token = 0

    let fixture: FixtureDatabase

    init() throws {
        fixture = try FixtureDatabase()
    }

    func filledWriter(_ kind: WriterKind) throws -> any DatabaseWriter {
        let writer = try fixture.open(kind)
        try writer.write { try $0.execute(sql: "CREATE TABLE t(a); INSERT INTO t VALUES (1)") }
        return writer
    }

    @Test(
        .proves("CCY-013", "CCY-021", "CCY-023", "CCY-044", "CCY-046"),
        arguments: WriterKind.allCases)
    func `Tasks read and write, with their task-local values`(kind: WriterKind) async throws {
        let writer = try filledWriter(kind)
        try await Self.$token.withValue(7) {
            let inserted = try await writer.write { db in
                try db.execute(sql: "INSERT INTO t VALUES (?)", arguments: [Self.token])
                return db.changesCount
            }
            #expect(inserted == 1)
            let seen = try await writer.read { try Int.fetchOne($0, sql: "SELECT MAX(a) FROM t") }
            #expect(seen == 7)
            #expect(try await writer.unsafeRead { _ in Self.token } == 7)
            #expect(try await writer.barrierWriteWithoutTransaction { _ in Self.token } == 7)
        }
        try await writer.writeWithoutTransaction { try $0.execute(sql: "INSERT INTO t VALUES (8)") }
        #expect(try await writer.read(countRows) == 3)
        let refused = await #expect(throws: DatabaseError.self) {
            try await writer.read { try $0.execute(sql: "DELETE FROM t") }
        }
        #expect(refused?.resultCode == .SQLITE_READONLY)
        struct Failure: Error {}
        await #expect(throws: Failure.self) {
            try await writer.write { db in
                try db.execute(sql: "DELETE FROM t")
                throw Failure()
            }
        }
        #expect(try await writer.read(countRows) == 3)
    }

    @Test(
        .proves("CCY-014", "CCY-015", "CCY-022", "MEM-003"), arguments: WriterKind.allCases)
    func `Accesses that return at once run later, in their order`(kind: WriterKind) async throws {
        let writer = try filledWriter(kind)
        struct Failure: Error {}
        let log = Collected()
        await withCheckedContinuation { done in
            writer.asyncWriteWithoutTransaction { db in
                try? db.execute(sql: "INSERT INTO t VALUES (2)")
                log.add("\(db.isInsideTransaction)")
                db.releaseMemory()
            }
            writer.asyncWrite({ db in
                try db.execute(sql: "INSERT INTO t VALUES (3)")
                return try countRows(db) ?? 0
            }) { db, result in
                log.add("\(db.isInsideTransaction) \((try? result.get()) ?? 0)")
            }
            writer.asyncWrite({ db in
                try db.execute(sql: "DELETE FROM t")
                throw Failure()
            }) { db, result in
                if case .failure(is Failure) = result { log.add("failure \(try! countRows(db)!)") }
            }
            writer.asyncBarrierWriteWithoutTransaction { db in
                log.add("barrier \((try? countRows(db.get())) ?? 0)")
                done.resume()
            }
        }
        #expect(log.texts == ["false", "false 3", "failure 3", "barrier 3"])
        let refusal: ResultCode? = await withCheckedContinuation { done in
            writer.asyncRead { db in
                do {
                    try db.get().execute(sql: "DELETE FROM t")
                    done.resume(returning: nil)
                } catch {
                    done.resume(returning: (error as? DatabaseError)?.resultCode)
                }
            }
        }
        #expect(refusal == .SQLITE_READONLY)
        let isIsolated: Bool = await withCheckedContinuation { done in
            writer.asyncUnsafeRead { db in
                done.resume(returning: (try? db.get().isInsideTransaction) ?? true)
            }
        }
        #expect(!isIsolated)
    }

    @Test(arguments: WriterKind.allCases)
    func `Accesses that return at once are told when there is no connection`(
        kind: WriterKind
    ) async throws {
        let writer = try filledWriter(kind)
        try writer.close()
        let errors: [(any Error)?] = [
            await withCheckedContinuation { done in
                writer.asyncRead { done.resume(returning: $0.failure) }
            },
            await withCheckedContinuation { done in
                writer.asyncUnsafeRead { done.resume(returning: $0.failure) }
            },
            await withCheckedContinuation { done in
                writer.asyncBarrierWriteWithoutTransaction { done.resume(returning: $0.failure) }
            },
            await withCheckedContinuation { done in
                writer.asyncWrite({ try $0.execute(sql: "SELECT 1") }) { _, result in
                    done.resume(returning: result.failure)
                }
            },
        ]
        for error in errors {
            #expect((error as? DatabaseError)?.message == "Connection is closed")
        }
        let error = await #expect(throws: DatabaseError.self) { try await writer.read(countRows) }
        #expect(error?.resultCode == .SQLITE_MISUSE)
    }

    @Test(.proves("CCY-001", "CCY-045"), arguments: WriterKind.allCases)
    func `Many tasks write one after the other, and no thread waits for them`(
        kind: WriterKind
    ) async throws {
        let writer = try filledWriter(kind)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<100 {
                group.addTask {
                    try await writer.write { db in
                        let a = try Int.fetchOne(db, sql: "SELECT a FROM t") ?? -1
                        try db.execute(sql: "UPDATE t SET a = ?", arguments: [a + 1])
                    }
                }
                group.addTask { _ = try await writer.read(countRows) }
            }
            try await group.waitForAll()
        }
        #expect(try await writer.read { try Int.fetchOne($0, sql: "SELECT a FROM t") } == 101)
    }

    @Test
    func `64 tasks and 64 threads read on five connections`() async throws {
        let pool = try fixture.openPool()
        try await pool.write { try $0.execute(sql: "CREATE TABLE t(a); INSERT INTO t VALUES (1)") }
        try await withThrowingTaskGroup(of: Int?.self) { group in
            for _ in 0..<64 {
                group.addTask { try await pool.read(countRows) }
                group.addTask {
                    await withCheckedContinuation { done in
                        Thread.detachNewThread { done.resume(returning: try? pool.read(countRows)) }
                    }
                }
            }
            for try await count in group { #expect(count == 1) }
        }
    }

    @Test(arguments: WriterKind.allCases)
    func `A cancelled barrier gives back what it held`(kind: WriterKind) async throws {
        let writer = try filledWriter(kind)
        let mayEnd = DispatchSemaphore(value: 0)
        let isReading = AsyncStream.makeStream(of: Void.self)
        writer.asyncRead { _ in
            isReading.continuation.yield()
            mayEnd.wait()
        }
        for await _ in isReading.stream { break }
        let barrier = Task { try await writer.barrierWriteWithoutTransaction { _ in } }
        barrier.cancel()
        await #expect(throws: CancellationError.self) { try await barrier.value }
        mayEnd.signal()
        #expect(try await writer.write(countRows) == 1)
        #expect(try await writer.read(countRows) == 1)
        // At whatever moment it is cancelled.
        for round in 0..<200 {
            let barrier = Task { try await writer.barrierWriteWithoutTransaction { _ in } }
            for _ in 0..<(round % 20) { await Task.yield() }
            barrier.cancel()
            _ = await barrier.result
        }
        #expect(try await writer.read(countRows) == 1)
    }
}

extension Result {
    var failure: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }
}

@Sendable func countRows(_ db: Database) throws -> Int? {
    try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM t")
}

@Sendable func runForever(_ db: Database) throws {
    try db.execute(
        sql: "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT SUM(i) FROM n")
}
