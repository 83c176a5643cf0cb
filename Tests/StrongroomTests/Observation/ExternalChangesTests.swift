import Dispatch
import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

@Suite(.timeLimit(.minutes(30))) struct ExternalChangesTests {
    @Test(.proves("IRQ-010", "OPR-44"), arguments: WriterKind.allCases)
    func `Commits of another process are noticed`(kind: WriterKind) throws {
        let database = try ObservedDatabase(kind)
        let values = Values<Int>()
        let transactions = Collected()
        let observation = ValueObservation.tracking(ObservedDatabase.count).removeDuplicates()
        let cancellable = observation.start(in: database, values)
        let region = DatabaseRegionObservation(tracking: .fullDatabase).start(
            in: database.writer, onError: { transactions.add("\($0)") }
        ) { _ in transactions.add("commit") }
        values.wait(for: 0)
        let external = try database.writer.observeExternalChanges { transactions.add("\($0)") }
        for number in 1...5 {
            let shell = database.fixture.shell()
            _ = try shell.rows(".timeout 10000\nINSERT INTO player(name) VALUES ('x')")
            values.wait(for: number)
        }
        #expect(values.all == [0, 1, 2, 3, 4, 5])
        // A transaction that is under way for a while, and one's own in between.
        _ = try database.fixture.shell().rows(
            ".timeout 10000\nBEGIN; INSERT INTO player(name) VALUES ('x'); SELECT 1; COMMIT; SELECT 1"
        )
        values.wait(for: 6)
        try database.addPlayer()
        values.wait(for: 7)
        #expect(transactions.texts.count >= 7)
        #expect(Set(transactions.texts) == ["commit"])
        external.cancel()
        cancellable.cancel()
        region.cancel()
    }

    @Test func `A database in no file has no other processes`() throws {
        let queue = try DatabaseQueue()
        #expect(throws: DatabaseError.self) { _ = try queue.observeExternalChanges() }
    }

    @Test func `The first value comes once, unless there was a commit meanwhile`() throws {
        let database = try ObservedDatabase(.pool)
        for _ in 0..<2 {
            let values = Values<Int>()
            let cancellable = ValueObservation.tracking(ObservedDatabase.count)
                .start(in: database, values)
            values.wait { $0.count == 1 }
            try database.writer.settle()
            database.queue.sync {}
            #expect(values.all == [0])
            cancellable.cancel()
        }
        let values = Values<Int>()
        let isFirst = Locked(true)
        let writer = database.writer
        let cancellable = ValueObservation.tracking { db in
            let count = try ObservedDatabase.count(db)
            let isFirst = isFirst.withLock { isFirst in
                defer { isFirst = false }
                return isFirst
            }
            // After the read, before the tracking.
            if isFirst {
                try writer.write { try $0.execute(sql: "INSERT INTO player(name) VALUES ('a')") }
            }
            return count
        }.start(in: database, values)
        values.wait(for: 1)
        #expect(values.all == [0, 1])
        cancellable.cancel()
    }
}

/// In a process of its own: descriptors and memory are counted.
@Suite struct ManyExternalChangesTests {
    struct Kept: Error { let what: String }

    private static func inotifyCount() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count { name in
            let link = try? FileManager.default.destinationOfSymbolicLink(
                atPath: "/proc/self/fd/\(name)")
            return link?.contains("inotify") == true
        }
    }

    /// Waits until the heap has no more than so many bytes, for what ends in other threads: the
    /// system tells of each watch that it was removed.
    private static func heapByteCount(isAtMost limit: Int) throws -> Bool {
        let end = ContinuousClock.now + .seconds(30)
        let turn = DispatchSemaphore(value: 0)
        while try Heap.byteCount() > limit {
            guard ContinuousClock.now < end else { return false }
            _ = turn.wait(timeout: .now() + .milliseconds(20))
        }
        return true
    }

    @Test(.proves("LOD-06"))
    func `Many observations, at once or one after the other, take one descriptor and no memory`()
        async
    {
        await #expect(processExitsWith: .success) {
            let fixture = try FixtureDatabase()
            let queue = try fixture.open()
            try queue.write { try $0.execute(sql: "CREATE TABLE t(a)") }
            for _ in 0..<1000 { try queue.observeExternalChanges().cancel() }
            let memory = try Heap.byteCount()
            for _ in 0..<6000 { try queue.observeExternalChanges().cancel() }
            guard try Self.heapByteCount(isAtMost: memory + (256 << 10)) else {
                throw Kept(what: "\(try Heap.byteCount() - memory) bytes")
            }
            let observations = try (0..<200).map { _ in try queue.observeExternalChanges() }
            let count = try Self.inotifyCount()
            guard count == 1 else { throw Kept(what: "\(count) descriptors") }
            // Those that remain still hear of what happens.
            observations.dropLast().forEach { $0.cancel() }
            let isTold = DispatchSemaphore(value: 0)
            let region = DatabaseRegionObservation(tracking: .fullDatabase).start(
                in: queue, onError: { _ in }
            ) { _ in isTold.signal() }
            _ = try fixture.shell().run(".timeout 10000\nINSERT INTO t VALUES (1);")
            guard isTold.wait(timeout: .now() + 20) == .success else {
                throw Kept(what: "a change")
            }
            region.cancel()
            observations.last?.cancel()
        }
    }
}
