import Dispatch
import Foundation
import Strongroom

// Observations of values, as streams, with callbacks and shared.

/// The values that callbacks were given, in their order.
// Safety: the lock guards the values.
final class Heard<Value: Sendable>: @unchecked Sendable {
    private let lock = NSLock()
    private var values: [Value] = []
    private let signal = DispatchSemaphore(value: 0)

    func add(_ value: Value) {
        lock.withLock { values.append(value) }
        signal.signal()
    }

    /// Waits until as many values more are there, and gives all of them.
    func wait(_ count: Int = 1) -> [Value] {
        for _ in 0..<count { signal.wait() }
        return lock.withLock { values }
    }
}

func observingSnippets(_ pool: DatabasePool, _ snippet: SnippetLog) throws {
    try observingSnippets1(pool, snippet)
    try observingSnippets3(pool, snippet)
    try observingSnippets2(pool, snippet)
}

private func insertNote(_ writer: some DatabaseWriter, _ text: String) throws {
    try writer.write { try $0.execute(literal: "INSERT INTO note(text) VALUES (\(text))") }
}

func observingSnippets1(_ pool: DatabasePool, _ snippet: SnippetLog) throws {
    let queue = DispatchQueue(label: "observer")
    try snippet("observations with callbacks on a queue") {
        let heard = Heard<Int>()
        let observation = ValueObservation.tracking { try OldNote.fetchCount($0) }
        let cancellable: AnyDatabaseCancellable = observation.start(
            in: pool, scheduling: .async(onQueue: queue),
            onError: { _ in heard.add(-1) }, onChange: { heard.add($0) })
        try expect(heard.wait() == [0])
        try insertNote(pool, "a")
        try expect(heard.wait() == [0, 1])
        cancellable.cancel()
        try insertNote(pool, "b")
        try pool.write { try $0.execute(sql: "DELETE FROM note") }
        queue.sync {}
        try expect(heard.wait(0) == [0, 1])
    }
    try snippet("observations that fail") {
        let heard = Heard<String>()
        let observation = ValueObservation.tracking { db in
            try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM nothing")
        }
        let cancellable = observation.start(
            in: pool, scheduling: .async(onQueue: queue),
            onError: { heard.add("\(($0 as? DatabaseError)?.resultCode.rawValue ?? 0)") },
            onChange: { _ in heard.add("value") })
        try expect(heard.wait() == ["1"])
        cancellable.cancel()
    }
    try snippet("events of an observation") {
        let heard = Heard<String>()
        let observation = ValueObservation.tracking { try OldNote.fetchCount($0) }.handleEvents(
            willStart: { heard.add("start") }, willFetch: {},
            willTrackRegion: { heard.add("track \($0)") },
            databaseDidChange: { heard.add("change") },
            didReceiveValue: { heard.add("value \($0)") },
            didFail: { _ in heard.add("fail") }, didCancel: { heard.add("cancel") })
        let cancellable = observation.start(
            in: pool, scheduling: LibraryScheduler(isImmediate: true), onError: { _ in },
            onChange: { _ in })
        let events = heard.wait(3)
        try expect(
            events[0] == "start" && events[1].hasPrefix("track note(") && events[2] == "value 0")
        cancellable.cancel()
        try expect(heard.wait().last == "cancel")
    }
}

func observingSnippets3(_ pool: DatabasePool, _ snippet: SnippetLog) throws {
    try snippet("print of an observation") {
        // Safety: its only value comes at once, so that this thread alone prints.
        final class Output: TextOutputStream, @unchecked Sendable {
            var text = ""
            func write(_ string: String) { text += string }
        }
        let output = Output()
        let cancellable = ValueObservation.tracking { try Book.fetchCount($0) }
            .print("books", to: output)
            .start(
                in: pool, scheduling: LibraryScheduler(isImmediate: true), onError: { _ in },
                onChange: { _ in })
        cancellable.cancel()
        try expect(output.text.contains("books: start") && output.text.contains("books: value: 5"))
        try expect(output.text.contains("books: cancel"))
    }
}

func observingSnippets2(_ pool: DatabasePool, _ snippet: SnippetLog) throws {
    let queue = DispatchQueue(label: "observer")
    try snippet("requiresWriteAccess") {
        let heard = Heard<Int>()
        var observation = ValueObservation.trackingConstantRegion { db -> Int in
            try db.execute(sql: "UPDATE setting SET value = value + 1")
            return try Int.fetchOne(db, sql: "SELECT value FROM setting") ?? 0
        }
        observation.requiresWriteAccess = true
        let cancellable = observation.start(
            in: pool, scheduling: .async(onQueue: queue), onError: { _ in heard.add(-1) },
            onChange: { heard.add($0) })
        try expect(heard.wait() == [2])
        cancellable.cancel()
    }
    try snippet("a shared observation") {
        let fetches = Heard<Int>()
        let heard = Heard<Int>()
        let shared: SharedValueObservation<Int> = ValueObservation.tracking { db in
            let count = try OldNote.fetchCount(db)
            fetches.add(count)
            return count
        }.shared(in: pool, scheduling: .async(onQueue: queue), extent: .observationLifetime)
        let cancellables = (0..<2).map { _ in
            shared.start(onError: { _ in heard.add(-1) }, onChange: { heard.add($0) })
        }
        try expect(heard.wait(2) == [0, 0] && fetches.wait().allSatisfy { $0 == 0 })
        cancellables.forEach { $0.cancel() }
    }
    try snippet("DatabaseRegionObservation with an access") {
        let heard = Heard<Int>()
        let observation = DatabaseRegionObservation(tracking: Table("note"), Author.filter(key: 1))
        let cancellable = observation.start(in: pool, onError: { _ in }) { db in
            heard.add((try? OldNote.fetchCount(db)) ?? -1)
        }
        try pool.write { db in
            try db.execute(sql: "UPDATE author SET country = 'x' WHERE id = 2")
        }
        try pool.write { try $0.execute(sql: "UPDATE author SET country = 'GR' WHERE id = 1") }
        try insertNote(pool, "a")
        try expect(heard.wait(2) == [0, 1])
        cancellable.cancel()
        try pool.write { try $0.execute(sql: "DELETE FROM note") }
    }
    try snippet("AnyDatabaseCancellable of a closure") {
        let heard = Heard<Int>()
        do {
            let cancellable = AnyDatabaseCancellable(cancel: { heard.add(1) })
            let erased: any DatabaseCancellable = cancellable
            erased.cancel()
            cancellable.cancel()
        }
        try expect(heard.wait() == [1])
    }
}

func asyncObservingSnippets(_ pool: DatabasePool, _ log: SnippetLog) async throws {
    let observation = ValueObservation.tracking { try OldNote.fetchCount($0) }
    let values: AsyncValueObservation<Int> = observation.values(in: pool)
    var iterator = values.makeAsyncIterator()
    try expect(try await iterator.next() == 0)
    try await pool.write { try $0.execute(sql: "INSERT INTO note(text) VALUES ('a')") }
    try expect(try await iterator.next() == 1)
    try log("AsyncValueObservation and its iterator") {}
    var counts: [Int] = []
    for try await count in observation.values(in: pool, scheduling: .task(priority: .high)) {
        counts.append(count)
        if counts.count == 2 { break }
        try await pool.write { try $0.execute(sql: "DELETE FROM note") }
    }
    try expect(counts == [1, 0])
    try log("values with a priority, and a write inside the loop") {}
    let shared = observation.shared(in: pool, scheduling: .async(onQueue: .main))
    for try await count in shared.values(bufferingPolicy: .bufferingNewest(1)) {
        try expect(count == 0)
        break
    }
    try log("values of a shared observation") {}
    try await expectMainActor(pool)
    try log("observations on the main actor, immediate and later") {}
    do {
        for try await _ in ValueObservation.tracking({ db in
            try Int.fetchOne(db, sql: "SELECT * FROM nothing")
        }).values(in: pool) {}
        try expect(false)
    } catch let error as DatabaseError {
        try expect(error.message?.contains("nothing") == true)
    }
    try log("values that end with an error") {}
    try await cancelled(pool)
    try log("accesses of a task that is cancelled") {}
}

@MainActor private func expectMainActor(_ pool: DatabasePool) async throws {
    let observation = ValueObservation.tracking { try Book.fetchCount($0) }
    let found = Counter()
    let immediate = observation.start(in: pool, scheduling: .immediate) { _ in
    } onChange: { count in
        found.value = count
    }
    try expect(found.value == 5)
    immediate.cancel()
    let stream = AsyncStream.makeStream(of: Int.self)
    let later = observation.start(in: pool) { _ in
    } onChange: { count in
        MainActor.assertIsolated()
        stream.continuation.yield(count)
    }
    for await count in stream.stream {
        try expect(count == 5)
        break
    }
    later.cancel()
    try expect(DelayedMainActorValueObservationScheduler().immediateInitialValue() == false)
    try expect(ImmediateValueObservationScheduler().immediateInitialValue())
}

private func cancelled(_ pool: DatabasePool) async throws {
    let task = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        return try await pool.read { try Book.fetchCount($0) }
    }
    do {
        _ = try await task.value
        try expect(false)
    } catch is CancellationError {}
}
