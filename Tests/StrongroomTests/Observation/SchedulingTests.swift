import Dispatch
import Strongroom
import StrongroomTestSupport
import Testing

@Suite(.timeLimit(.minutes(30))) struct SchedulingTests {
    static let count = ValueObservation.tracking(ObservedDatabase.count)

    /// Waits for values without holding up the main actor.
    @MainActor final class MainValues {
        private(set) var all: [Int] = []
        private var waiting: (Int, CheckedContinuation<Void, Never>)?

        func add(_ value: Int) {
            all.append(value)
            guard let (wanted, continuation) = waiting, wanted == value else { return }
            waiting = nil
            continuation.resume()
        }

        func wait(for value: Int) async {
            if all.last == value { return }
            await withCheckedContinuation { waiting = (value, $0) }
        }
    }

    @Test(.proves("OBS-007", "OBS-011", onMainActor: true), arguments: WriterKind.allCases)
    @MainActor func `By default values arrive on the main actor, later`(kind: WriterKind)
        async throws
    {
        let database = try ObservedDatabase(kind)
        let values = MainValues()
        let cancellable = Self.count.start(in: database.writer) { error in
            Issue.record(error)
        } onChange: { value in
            MainActor.assertIsolated()
            values.add(value)
        }
        #expect(values.all == [])
        await values.wait(for: 0)
        try database.addPlayer()
        #expect(values.all == [0])
        await values.wait(for: 1)
        cancellable.cancel()

        var started: AnyDatabaseCancellable?
        let failure = await withCheckedContinuation { continuation in
            let failing = ValueObservation.tracking { _ -> Int in throw ObservedFailure() }
            started = failing.start(in: database.writer, scheduling: .mainActor) { error in
                MainActor.assertIsolated()
                continuation.resume(returning: error)
            } onChange: { _ in
            }
        }
        #expect(failure is ObservedFailure)
        started?.cancel()
    }

    @Test(.proves("OBS-008", onMainActor: true), arguments: WriterKind.allCases)
    @MainActor func `The first value can come before the start returns`(
        kind: WriterKind
    ) async throws {
        let database = try ObservedDatabase(kind)
        let values = MainValues()
        let cancellable = Self.count.map { $0 * 1 }.start(
            in: database.writer, scheduling: .immediate
        ) { error in
            Issue.record(error)
        } onChange: { value in
            values.add(value)
        }
        #expect(values.all == [0])
        try database.addPlayer()
        #expect(values.all == [0], "later ones come later")
        await values.wait(for: 1)
        cancellable.cancel()

        let failing = ValueObservation.tracking { _ -> Int in throw ObservedFailure() }
        var failure: (any Error)?
        let failed = failing.start(in: database.writer, scheduling: .immediate) { error in
            failure = error
        } onChange: { _ in
        }
        #expect(failure is ObservedFailure)
        failed.cancel()
    }

    @Test(.proves("OBS-008"))
    func `To start immediately off the main thread is a bug`() async {
        await #expect(processExitsWith: .failure) {
            let queue = try DatabaseQueue()
            let observation = ValueObservation.tracking { _ in 1 }
            DispatchQueue.global().sync {}
            await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
                DispatchQueue.global().async {
                    let scheduler: any ValueObservationScheduler = .immediate
                    _ = scheduler.immediateInitialValue()
                    done.resume()
                }
            }
            _ = (queue, observation)
        }
    }

    @Test(.proves("OBS-009", "OBS-010", "OBS-055"), arguments: WriterKind.allCases)
    func `Values arrive on a queue, in tasks, or where a scheduler of one's own says`(
        kind: WriterKind
    ) async throws {
        struct OwnScheduler: ValueObservationScheduler {
            let scheduled: Collected
            func immediateInitialValue() -> Bool { false }
            func schedule(_ action: @escaping @Sendable () -> Void) {
                scheduled.add("scheduled")
                DispatchQueue.global().async(execute: action)
            }
        }
        let database = try ObservedDatabase(kind)
        func check(
            _ scheduler: some ValueObservationScheduler, _ check: @escaping @Sendable () -> Void
        ) async throws {
            let values = Values<Int>()
            let before = try await database.writer.read(ObservedDatabase.count)
            let cancellable = Self.count.start(
                in: database.writer, scheduling: scheduler, onError: values.fail
            ) { value in
                check()
                values.add(value)
            }
            await values.reached { $0.last == before }
            for number in 1...10 {
                try database.addPlayer()
                if number == 5 { await values.reached { $0.last ?? 0 > before } }
            }
            await values.reached { $0.last == before + 10 }
            #expect(values.all == values.all.sorted())
            cancellable.cancel()
        }
        let queue = database.queue
        try await check(.async(onQueue: queue)) { dispatchPrecondition(condition: .onQueue(queue)) }
        try await check(AsyncValueObservationScheduler(queue: queue)) {}
        try await check(.task) {}
        try await check(.task(priority: .high)) { #expect(Task.currentPriority == .high) }
        try await check(TaskValueObservationScheduler()) {}
        let scheduled = Collected()
        try await check(OwnScheduler(scheduled: scheduled)) {}
        #expect(!scheduled.texts.isEmpty)
        let main: any ValueObservationMainActorScheduler =
            DelayedMainActorValueObservationScheduler()
        #expect(!main.immediateInitialValue())
    }

    @Test(.proves("OBS-015"), arguments: WriterKind.allCases)
    func `Values are a sequence`(kind: WriterKind) async throws {
        let database = try ObservedDatabase(kind)
        var seen: [Int] = []
        for try await value in Self.count.values(in: database.writer) {
            seen.append(value)
            if value == 3 { break }
            try database.addPlayer()
        }
        #expect(seen == [0, 1, 2, 3])

        let failing = ValueObservation.tracking { db in
            let count = try ObservedDatabase.count(db)
            if count == 4 { throw ObservedFailure() }
            return count
        }
        await #expect(throws: ObservedFailure.self) {
            for try await _ in failing.values(in: database.writer, scheduling: .task) {
                try database.addPlayer()
            }
        }
    }

    @Test(.proves("OBS-015"), arguments: WriterKind.allCases)
    func `A sequence ends with its task, and keeps what its policy says`(
        kind: WriterKind
    ) async throws {
        let database = try ObservedDatabase(kind)
        let values = Values<Int>()
        let task = Task {
            for try await value in Self.count.values(in: database.writer) { values.add(value) }
            return "ended"
        }
        await values.reached { $0.last == 0 }
        task.cancel()
        #expect(try await task.value == "ended")

        let latest: AsyncValueObservation<Int> = Self.count.values(
            in: database.writer, scheduling: .async(onQueue: database.queue),
            bufferingPolicy: .bufferingNewest(1))
        var iterator: AsyncValueObservation<Int>.Iterator = latest.makeAsyncIterator()
        #expect(try await iterator.next() == 0)
        let other = Values<Int>()
        let cancellable = Self.count.start(in: database, other)
        await other.reached { $0.last == 0 }
        for _ in 1...5 { try database.addPlayer() }
        await other.reached { $0.last == 5 }
        try database.writer.settle()
        database.queue.sync {}
        var last = try await iterator.next()
        while let value = last, value < 5 { last = try await iterator.next() }
        #expect(last == 5)
        cancellable.cancel()
    }
}
