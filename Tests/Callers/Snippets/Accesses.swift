import Dispatch
import Foundation
import Strongroom

// Connections, accesses, asynchronous reads and writes, observations, snapshots, backups.

/// A fetch that a library hides behind a type of its own.
struct ObservedRequest<Request: DatabaseRegionConvertible & Sendable, Value: Sendable>: Sendable {
    let request: Request
    let fetch: @Sendable (Database, Request) throws -> Value

    func observation() -> ValueObservation<ValueReducers.Fetch<Value>> {
        let (request, fetch) = (request, fetch)
        return ValueObservation.tracking(region: request) { db in try fetch(db, request) }
    }
}

/// What a library can do with the observations of anyone.
func firstValue<Reducer: ValueReducer>(
    _ observation: ValueObservation<Reducer>, in reader: some DatabaseReader
) async throws -> Reducer.Value? where Reducer.Value: Sendable {
    for try await value in observation.values(in: reader, bufferingPolicy: .bufferingNewest(1)) {
        return value
    }
    return nil
}

func accessSnippets(_ pool: DatabasePool, _ snippet: SnippetLog) throws {
    try accessSnippets1(pool, snippet)
    try accessSnippets2(pool, snippet)
    try accessSnippets3(pool, snippet)
}

func asyncSnippets(_ pool: DatabasePool, _ log: SnippetLog) async throws {
    let count = try await pool.read { db in try Book.fetchCount(db) }
    try expect(count == 5)
    try log("await read") {}
    try await pool.write { db in try db.execute(sql: "DELETE FROM note") }
    let title = try await pool.writeWithoutTransaction { db in try Book.fetchOne(db)?.title }
    try await pool.barrierWriteWithoutTransaction { _ in }
    let inside = try await pool.unsafeRead { $0.isInsideTransaction }
    try expect(title == "Iliad" && !inside)
    try log("await write, writeWithoutTransaction, barriers, unsafeRead") {}
    let user = try await TaskValues.$user.withValue("grace") {
        try await pool.read { _ in TaskValues.user }
    }
    let writer = try await TaskValues.$user.withValue("ada") {
        try await pool.write { _ in TaskValues.user }
    }
    try expect(user == "grace" && writer == "ada")
    try log("task-local values in awaited accesses") {}
    let observed = ObservedRequest(request: Book.all()) { db, request in try request.fetchCount(db)
    }
    try expect(try await firstValue(observed.observation(), in: pool) == 5)
    let mapped = observed.observation().map { "\($0)" }.removeDuplicates()
    try expect(try await firstValue(mapped, in: pool) == "5")
    try log("ValueReducer in generic functions") {}
    let regions = AsyncStream.makeStream(of: Void.self)
    let cancellable = DatabaseRegionObservation(tracking: Table("note")).start(in: pool) { _ in
    } onChange: { _ in
        regions.continuation.yield()
    }
    try await pool.write { try $0.execute(sql: "INSERT INTO note(text) VALUES ('x')") }
    for await _ in regions.stream { break }
    cancellable.cancel()
    try log("a region as a stream") {}
    try await pool.vacuum()
    try await pool.erase()
    try log("await vacuum and erase") {}
}

func accessSnippets1(_ pool: DatabasePool, _ snippet: SnippetLog) throws {
    try snippet("reads and writes of a pool") {
        try expect(
            try pool.read { try Book.fetchCount($0) } == 5
                && pool.unsafeRead { try Book.fetchCount($0) } == 5)
        try pool.write { try $0.execute(sql: "DELETE FROM note") }
        try pool.writeWithoutTransaction { db in
            try db.inTransaction(.exclusive) { .commit }
            try db.beginTransaction(.deferred)
            try db.rollback()
            try db.beginTransaction()
            try db.commit()
            try db.readOnly {}
        }
        try pool.writeInTransaction(.immediate) { _ in .rollback }
        try pool.barrierWriteWithoutTransaction { try expect(!$0.isInsideTransaction) }
    }
    try snippet("asyncConcurrentRead, asyncRead, asyncWrite") {
        let done = DispatchSemaphore(value: 0)
        pool.asyncRead { result in
            if let db = try? result.get(), (try? Book.fetchCount(db)) == 5 { done.signal() }
        }
        done.wait()
        pool.asyncWrite(
            { try Book.fetchCount($0) },
            completion: { _, result in
                if case .success(5) = result { done.signal() }
            })
        done.wait()
        pool.asyncWriteWithoutTransaction { db in
            pool.asyncConcurrentRead { result in if case .success = result { done.signal() } }
            _ = db
        }
        done.wait()
        pool.asyncBarrierWriteWithoutTransaction { result in
            if case .success = result { done.signal() }
        }
        done.wait()
    }
    try snippet("snapshots") {
        let snapshot = try pool.makeSnapshot()
        let readers = try pool.makeSnapshotPool()
        try pool.write { try $0.execute(sql: "INSERT INTO note(text) VALUES ('new')") }
        try expect(
            try snapshot.read { try OldNote.fetchCount($0) } == 0
                && readers.read { try OldNote.fetchCount($0) } == 0)
        let erased: [any DatabaseSnapshotReader] = [snapshot, readers]
        try expect(
            try erased.allSatisfy { try $0.unsafeReentrantRead { try OldNote.fetchCount($0) } == 0 }
        )
        try pool.write { try $0.execute(sql: "DELETE FROM note") }
    }
}

func accessSnippets2(_ pool: DatabasePool, _ snippet: SnippetLog) throws {
    try snippet("checkpoints, vacuum, memory, interruption") {
        try pool.writeWithoutTransaction { db in
            let result = try db.checkpoint(.passive)
            try expect(result.walFrameCount >= result.checkpointedFrameCount)
        }
        try pool.vacuum()
        pool.releaseMemory()
        pool.releaseMemoryEventually()
        pool.interrupt()
        pool.invalidateReadOnlyConnections()
    }
    try snippet("backup") {
        let copy = try DatabaseQueue(path: pool.path + ".copy", configuration: pool.configuration)
        var pages = 0
        try pool.backup(to: copy, pagesPerStep: 4) { progress in
            pages = progress.completedPageCount
            _ = (progress.isCompleted, progress.totalPageCount, progress.remainingPageCount)
        }
        try expect(pages > 0)
        try expect(try copy.read { try Book.fetchCount($0) } == 5)
        try copy.erase()
        try expect(try copy.read { try !$0.tableExists("book") })
        try copy.close()
    }
    try snippet("copies in memory") {
        let memory = try DatabaseQueue.inMemoryCopy(
            fromPath: pool.path, configuration: pool.configuration)
        try expect(try memory.read { try Book.fetchCount($0) } == 5)
        let temporary = try DatabaseQueue.temporaryCopy(
            fromPath: pool.path, configuration: pool.configuration)
        try expect(try temporary.read { try Book.fetchCount($0) } == 5)
        let shared = try DatabaseQueue(named: "shared")
        try expect(try DatabaseQueue(named: "shared").read { try $0.tableExists("x") } == false)
        try shared.close()
    }
    try snippet("DatabaseRegionObservation") {
        let done = DispatchSemaphore(value: 0)
        let observations = [
            DatabaseRegionObservation(tracking: Table("note")),
            DatabaseRegionObservation(tracking: .fullDatabase),
            DatabaseRegionObservation(tracking: OldNote.all(), Book.all()),
            DatabaseRegionObservation(tracking: [Table("note") as any DatabaseRegionConvertible]),
        ]
        let cancellables = observations.map { observation in
            observation.start(in: pool, onError: { _ in }, onChange: { _ in done.signal() })
        }
        try pool.write { try $0.execute(sql: "INSERT INTO note(text) VALUES ('x')") }
        for _ in observations { done.wait() }
        cancellables.forEach { $0.cancel() }
    }
}

func accessSnippets3(_ pool: DatabasePool, _ snippet: SnippetLog) throws {
    try snippet("shared observations") {
        let shared = ValueObservation.tracking { try Book.fetchCount($0) }.shared(
            in: pool, scheduling: .async(onQueue: .main), extent: .whileObserved)
        _ = shared
        let other = ValueObservation.tracking(
            region: .fullDatabase, fetch: { try Book.fetchCount($0) }
        ).removeDuplicates().shared(in: pool)
        _ = other
    }
    try snippet("handlers and operators of observations") {
        let count = Counter()
        let observation = ValueObservation.trackingConstantRegion { try Book.fetchAll($0) }
            .map { $0.map(\.title) }
            .removeDuplicates()
            .handleEvents(
                willStart: { count.value += 1 }, willFetch: { count.value += 10 },
                didCancel: { count.value += 100 })
        let cancellable = observation.start(
            in: pool, scheduling: LibraryScheduler(isImmediate: true), onError: { _ in },
            onChange: { titles in
                count.value += titles.count * 1000
            })
        cancellable.cancel()
        try expect(count.value == 5111)
        let hidden: AnyDatabaseCancellable = AnyDatabaseCancellable(cancellable)
        hidden.cancel()
        _ = ValueObservation.tracking(regions: [Book.all(), Table("note")]) {
            try Book.fetchCount($0)
        }.removeDuplicates(by: ==).print("books")
    }
}
