import Dispatch
import StrongroomCore
import StrongroomTestSupport
import Synchronization
import Testing

@Suite("A pool whose target queue is serial")
struct SerialTargetTests {
    private func open(_ fixture: FixtureDatabase, _ queue: DispatchQueue) throws -> DatabasePool {
        var configuration = FixtureDatabase.configuration()
        configuration.targetQueue = queue
        return try DatabasePool(path: fixture.path, configuration: configuration)
    }

    @Test("reads inside of a write", .proves("LOD-10"), .timeLimit(.minutes(30)))
    func readsInWrites() async throws {
        let fixture = try FixtureDatabase()
        let queue = DispatchQueue(label: "serial")
        let pool = try open(fixture, queue)
        try await pool.write { try $0.execute(sql: "CREATE TABLE t (a)") }
        let count: Int = try await withCheckedThrowingContinuation { continuation in
            pool.asyncWriteWithoutTransaction { db in
                dispatchPrecondition(condition: .onQueue(queue))
                pool.spawnConcurrentRead { result in
                    continuation.resume(
                        with: Result {
                            try Int.fetchOne(result.get(), sql: "SELECT count(*) FROM t") ?? -1
                        })
                }
                try? db.execute(sql: "INSERT INTO t VALUES (1)")
            }
        }
        #expect(count == 0)
        let nested = try await pool.writeWithoutTransaction { _ in
            try pool.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM t") }
        }
        #expect(nested == 1)
    }

    @Test("A concurrent one takes writes, and reads run, too", .proves("LOD-10"))
    func concurrent() throws {
        let fixture = try FixtureDatabase()
        let queue = DispatchQueue(label: "concurrent", attributes: .concurrent)
        let pool = try open(fixture, queue)
        // Readers run on it unless it is so busy at the opening that it seems serial.
        let one = try pool.read { try Int.fetchOne($0, sql: "SELECT 1") }
        try pool.write { _ in dispatchPrecondition(condition: .onQueue(queue)) }
        #expect(one == 1)
    }
}
