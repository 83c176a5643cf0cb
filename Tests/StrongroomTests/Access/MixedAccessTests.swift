import Dispatch
import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

/// Awaited and synchronous accesses side by side in tasks. Each test runs in a process of its own:
/// what fails here would take the threads of all tasks with it.
@Suite struct MixedAccessTests {
    /// Enough to have all threads of the cooperative pool wait at once.
    private static let taskCount = ProcessInfo.processInfo.activeProcessorCount * 20

    /// Ends the process as a failure unless it ends by itself.
    private static func watch() {
        Thread.detachNewThread {
            Thread.sleep(forTimeInterval: 30)
            FileHandle.standardError.write(Data("the accesses wait for each other\n".utf8))
            _exit(1)
        }
    }

    /// Runs one of several accesses in each of many tasks.
    private static func run(
        _ accesses: [@Sendable () async throws -> Void]
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<taskCount {
                let access = accesses[index % accesses.count]
                group.addTask { try await access() }
            }
            try await group.waitForAll()
        }
    }

    private static func writer(
        _ fixture: FixtureDatabase, isPool: Bool, readerCount: Int = 5
    ) throws -> any DatabaseWriter {
        let writer = try fixture.open(isPool ? .pool : .queue) {
            $0.maximumReaderCount = readerCount
        }
        try writer.write { try $0.execute(sql: "CREATE TABLE t(a); INSERT INTO t VALUES (0)") }
        return writer
    }

    @Test(
        "Awaited and synchronous writes in tasks all come to their turn", .proves("LOD-02"),
        arguments: [false, true])
    func writes(isPool: Bool) async {
        await #expect(processExitsWith: .success) { [isPool] in
            Self.watch()
            let fixture = try FixtureDatabase()
            let writer = try Self.writer(fixture, isPool: isPool)
            try await Self.run([
                { try await writer.write(increment) },
                { try synchronousWrite(writer) },
                { try await writer.barrierWriteWithoutTransaction(increment) },
                { try synchronousBarrierWrite(writer) },
                { _ = try await writer.read(count) },
                { try synchronousRead(writer) },
            ])
            let sum = try await writer.read { try Int.fetchOne($0, sql: "SELECT a FROM t") }
            // Of the last accesses, not every sort comes equally often.
            let expected = (0..<Self.taskCount).count { $0 % 6 < 4 }
            guard sum == expected else { throw Lost() }
        }
    }

    @Test(
        "Awaited and synchronous reads in tasks share few connections, and open them",
        .proves("LOD-02"), arguments: [1, 2])
    func reads(readerCount: Int) async {
        await #expect(processExitsWith: .success) { [readerCount] in
            Self.watch()
            let fixture = try FixtureDatabase()
            let writer = try Self.writer(fixture, isPool: true, readerCount: readerCount)
            for _ in 0..<3 {
                try await Self.run([
                    { _ = try await writer.read(count) },
                    { try synchronousRead(writer) },
                    { _ = try await writer.unsafeRead(count) },
                ])
                // The next round opens connections anew.
                (writer as? DatabasePool)?.invalidateReadOnlyConnections()
            }
        }
    }

    @Test(
        "Snapshots, observations and cancelled tasks leave a way for synchronous accesses",
        .proves("LOD-02"), arguments: [false, true])
    func others(isPool: Bool) async {
        await #expect(processExitsWith: .success) { [isPool] in
            Self.watch()
            let fixture = try FixtureDatabase()
            let writer = try Self.writer(fixture, isPool: isPool)
            try await Self.run([
                { try await writer.write(increment) },
                { try synchronousSnapshot(writer) },
                { try synchronousWrite(writer) },
                {
                    let task = Task { try await writer.write(increment) }
                    task.cancel()
                    _ = await task.result
                },
                {
                    for try await _ in ValueObservation.tracking(count).values(in: writer) { break }
                },
            ])
        }
    }

    @Test(
        "Closing in a task ends, whatever waits beside it", .proves("LOD-02"),
        arguments: [false, true])
    func closing(isPool: Bool) async {
        await #expect(processExitsWith: .success) { [isPool] in
            Self.watch()
            for _ in 0..<20 {
                let fixture = try FixtureDatabase()
                let writer = try Self.writer(fixture, isPool: isPool)
                // Those that come after the close are told so.
                try await Self.run([
                    { try? await writer.write(increment) },
                    { _ = try? await writer.read(count) },
                    { try writer.close() },
                    { try? synchronousWrite(writer) },
                    { try? synchronousRead(writer) },
                ])
            }
        }
    }

    struct Lost: Error {}
}

@Sendable private func increment(_ db: Database) throws {
    try db.execute(sql: "UPDATE t SET a = a + 1")
}

@Sendable private func count(_ db: Database) throws -> Int? {
    try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM t")
}

private func synchronousWrite(_ writer: any DatabaseWriter) throws {
    try writer.write(increment)
}

private func synchronousBarrierWrite(_ writer: any DatabaseWriter) throws {
    try writer.barrierWriteWithoutTransaction(increment)
}

private func synchronousRead(_ reader: any DatabaseReader) throws {
    _ = try reader.read(count)
}

private func synchronousSnapshot(_ writer: any DatabaseWriter) throws {
    guard let pool = writer as? DatabasePool else { return try synchronousRead(writer) }
    _ = try synchronousRead(pool.makeSnapshot())
}
