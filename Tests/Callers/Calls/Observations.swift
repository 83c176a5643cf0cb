import Foundation
import Strongroom
import Synchronization

// Observations, as view controllers, models and services start them.

extension Caller {
    /// On the main actor, by default.
    @MainActor
    static func observeOnMainActor(_ pool: DatabasePool) throws {
        var values: [Int] = []
        let observation = ValueObservation.tracking { try Team.fetchCount($0) }
        let cancellable = observation.start(
            in: pool, scheduling: .immediate,
            onError: { error in print(error) },
            onChange: { values.append($0) })
        cancellable.cancel()
        try expect(values.count == 1, "\(values)")
        let later = observation.start(in: pool, onError: { _ in }, onChange: { values.append($0) })
        later.cancel()
        let own = observation.start(
            in: pool, scheduling: MainActorScheduler(), onError: { _ in }, onChange: { _ in })
        own.cancel()
        let queued = observation.start(
            in: pool, scheduling: QueueScheduler(), onError: { _ in }, onChange: { _ in })
        queued.cancel()
    }

    /// On queues: what is called back is without the caller, or sends to it.
    func observeOnQueue() throws {
        let semaphore = DispatchSemaphore(value: 0)
        let cancellable =
            ValueObservation
            .tracking { try Team.order(Column("id")).fetchAll($0) }
            .removeDuplicates()
            .removeDuplicates { $0.count == $1.count }
            .map { teams in teams.count }
            .handleEvents(willStart: {}, didReceiveValue: { _ in })
            .print("teams", to: nil)
            .start(
                in: pool, scheduling: .async(onQueue: .global()),
                onError: { error in print(error) },
                onChange: { _ in semaphore.signal() })
        semaphore.wait()
        cancellable.cancel()
    }

    func observeShared() throws {
        let shared = ValueObservation.trackingConstantRegion { try Team.fetchCount($0) }
            .shared(in: pool, scheduling: .async(onQueue: .global()))
        let semaphore = DispatchSemaphore(value: 0)
        let cancellable = shared.start(
            onError: { _ in }, onChange: { _ in semaphore.signal() })
        semaphore.wait()
        cancellable.cancel()
    }

    func observeRegions() throws {
        let count = Count()
        let cancellable = DatabaseRegionObservation(tracking: Team.all()).start(
            in: pool, onError: { _ in }, onChange: { _ in count.increment() })
        try pool.write { try Team(id: 3, name: "observed").insert($0) }
        cancellable.cancel()
        try expect(count.value == 1, "\(count.value)")
        let value = ValueObservation.tracking(region: Team.all(), Player.all()) {
            try Team.fetchCount($0)
        }
        let others = ValueObservation.tracking(regions: [Team.all()]) { try Team.fetchCount($0) }
        _ = (value, others)
    }

    func observeInTask() async throws {
        let observation = ValueObservation.tracking { try Team.fetchCount($0) }
        for try await count in observation.values(in: pool) {
            seen += count
            break
        }
        var iterator = observation.values(in: queue).makeAsyncIterator()
        if let count = try await iterator.next() { seen += count }
    }

    func observeTransactions() throws {
        let count = Count()
        try pool.write { db in
            db.afterNextTransaction { _ in
                count.increment()
            } onRollback: { _ in
            }
            db.trace(options: .statement) { _ in count.increment() }
            try db.execute(sql: "DELETE FROM player")
            db.trace()
        }
        try expect(count.value >= 2, "\(count.value)")
    }
}

/// A number that threads count.
nonisolated final class Count: Sendable {
    private let count = Mutex(0)

    var value: Int { count.withLock { $0 } }

    func increment() {
        count.withLock { $0 += 1 }
    }
}

/// A scheduler of an app's own.
nonisolated struct QueueScheduler: ValueObservationScheduler {
    func schedule(_ action: @escaping @Sendable () -> Void) {
        DispatchQueue.global().async(execute: action)
    }

    func immediateInitialValue() -> Bool { false }
}

/// One that asks the library's to do its work.
nonisolated struct MainActorScheduler: ValueObservationMainActorScheduler {
    func scheduleOnMainActor(_ action: @escaping @MainActor @Sendable () -> Void) {
        DelayedMainActorValueObservationScheduler().scheduleOnMainActor(action)
    }

    func immediateInitialValue() -> Bool { false }
}
