import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

/// Observations that tell fewer values than there are.
@Suite(.timeLimit(.minutes(30))) struct PaceTests {
    let database: ObservedDatabase
    let clock = HeldClock()
    let values = Values<Int>()

    init() throws {
        database = try ObservedDatabase(.queue)
    }

    /// Adds players one by one: each gives a value, which is there when the write has ended.
    private func addPlayers(_ count: Int) throws {
        for _ in 0..<count { try database.addPlayer() }
    }

    private let counting = ValueObservation.tracking(ObservedDatabase.count)

    @Test(.proves("OBS-060"))
    func `A throttled observation tells the first value, and the latest of each interval`()
        async throws
    {
        let observation = counting.throttle(for: .seconds(1), clock: clock)
        let cancellable = observation.start(in: database, values)
        defer { cancellable.cancel() }
        await values.reached { $0 == [0] }
        await clock.hasSleepers(1)
        try addPlayers(3)
        #expect(values.all == [0])
        clock.advance(by: .seconds(1))
        await values.reached { $0 == [0, 3] }
        await clock.hasSleepers(1)
        try addPlayers(1)
        clock.advance(by: .seconds(1))
        await values.reached { $0 == [0, 3, 4] }
        await clock.hasSleepers(1)
        try addPlayers(2)
        clock.advance(by: .seconds(1))
        await values.reached { $0 == [0, 3, 4, 6] }
    }

    @Test(.proves("OBS-060"))
    func `A debounced observation tells a value that no other follows`() async throws {
        let observation = counting.debounce(for: .seconds(2), clock: clock)
        let cancellable = observation.start(in: database, values)
        defer { cancellable.cancel() }
        await values.reached { $0 == [0] }
        try addPlayers(1)
        await clock.hasSleepers(1)
        clock.advance(by: .seconds(1))
        try addPlayers(1)
        // The time of the first is over; that of the second is not.
        clock.advance(by: .seconds(1))
        await clock.hasSleepers(1)
        #expect(values.all == [0])
        clock.advance(by: .seconds(1))
        await values.reached { $0 == [0, 2] }
        await clock.hasSleepers(0)
    }

    @Test(.proves("OBS-060"), arguments: [true, false])
    func `What waits is not told after the end, nor is an error delayed`(fails: Bool) async throws {
        let observation = counting.throttle(for: .seconds(1), clock: clock)
        let cancellable = observation.start(in: database, values)
        await values.reached { $0 == [0] }
        await clock.hasSleepers(1)
        try addPlayers(1)
        if fails {
            try database.run("DELETE FROM player; ALTER TABLE player RENAME TO other")
            try await database.writer.writeWithoutTransaction { db in
                try db.notifyChanges(in: .fullDatabase)
            }
            await values.failed()
        } else {
            cancellable.cancel()
        }
        // The wait is over, and with it what it held.
        await clock.hasSleepers(0)
        clock.advance(by: .seconds(5))
        database.queue.sync {}
        #expect(values.all == [0])
    }
}

/// A clock that stands still until it is told to go on.
final class HeldClock: Clock, Sendable {
    struct Instant: InstantProtocol {
        var offset: Duration

        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private struct Sleeper {
        let deadline: Instant
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var now = Instant(offset: .zero)
        var lastID = 0
        var sleepers: [Int: Sleeper] = [:]
        var cancelled: Set<Int> = []
        var waiting: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Locked(State())

    var now: Instant { state.withLock { $0.now } }
    var minimumResolution: Duration { .zero }

    func `sleep`(until deadline: Instant, tolerance: Duration?) async throws {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isOver = state.withLock { state in
                    if state.cancelled.contains(id) || state.now >= deadline { return true }
                    state.sleepers[id] = Sleeper(deadline: deadline, continuation: continuation)
                    return false
                }
                if isOver {
                    Task.isCancelled
                        ? continuation.resume(throwing: CancellationError())
                        : continuation.resume()
                }
                tellSleepers()
            }
        } onCancel: {
            let sleeper = state.withLock { state in
                state.cancelled.insert(id)
                return state.sleepers.removeValue(forKey: id)
            }
            sleeper?.continuation.resume(throwing: CancellationError())
            tellSleepers()
        }
    }

    func advance(by duration: Duration) {
        let awake = state.withLock { state in
            state.now = state.now.advanced(by: duration)
            let now = state.now
            let awake = state.sleepers.filter { $0.value.deadline <= now }
            for id in awake.keys { state.sleepers[id] = nil }
            return awake.values.map(\.continuation)
        }
        awake.forEach { $0.resume() }
        tellSleepers()
    }

    /// Waits until so many sleep.
    func hasSleepers(_ count: Int) async {
        await withCheckedContinuation { continuation in
            state.withLock { $0.waiting.append((count, continuation)) }
            tellSleepers()
        }
    }

    private func tellSleepers() {
        let told = state.withLock { state in
            let count = state.sleepers.count
            let told = state.waiting.filter { $0.count == count }
            state.waiting.removeAll { $0.count == count }
            return told.map(\.continuation)
        }
        told.forEach { $0.resume() }
    }
}
