import Dispatch
import Observation
import Strongroom
import StrongroomTestSupport
import Testing

/// Values of the database as properties of observable objects.
@Suite(.timeLimit(.minutes(30))) struct ObservedValueTests {
    static let count = ValueObservation.tracking(ObservedDatabase.count)

    /// What an app would write.
    @MainActor @Observable final class Board {
        let names: ObservedValue<[String]>
        var suffix = "!"

        var title: String { "\(names.value.joined(separator: ", "))\(suffix)" }

        init(_ database: any DatabaseReader) {
            names = ObservedValue(
                initially: [],
                of: .tracking { db in try String.fetchAll(db, sql: "SELECT name FROM player") },
                in: database)
        }
    }

    /// Waits until what is read on the main actor is right, looking again after each change told.
    @MainActor private func wait(until isRight: @MainActor () -> Bool) async {
        while !isRight() {
            await withCheckedContinuation { (changed: CheckedContinuation<Void, Never>) in
                withObservationTracking {
                    _ = isRight()
                } onChange: {
                    changed.resume()
                }
            }
        }
    }

    /// Waits until a value has arrived on a queue, where it is tracked.
    private func wait(for value: Int, _ observed: ObservedValue<Int>, on queue: DispatchQueue) {
        while true {
            let changed = DispatchSemaphore(value: 0)
            let current = queue.sync {
                withObservationTracking {
                    observed.value
                } onChange: {
                    dispatchPrecondition(condition: .onQueue(queue))
                    changed.signal()
                }
            }
            if current == value { return }
            guard changed.wait(timeout: .now() + 60) == .success else {
                Issue.record("\(value) did not come, but \(current)")
                return
            }
        }
    }

    @Test(.proves("OBS-059", onMainActor: true), arguments: WriterKind.allCases)
    @MainActor func `A model reads an observed value, whose changes are told on the main actor`(
        kind: WriterKind
    ) async throws {
        let database = try ObservedDatabase(kind)
        let board = Board(database.writer)
        #expect(board.title == "!")
        #expect(board.names.error == nil)
        for count in 1...3 {
            try database.addPlayer()
            await wait { board.names.value.count == count }
        }
        #expect(board.title == "a, a, a!")

        let changes = Collected()
        withObservationTracking {
            _ = board.title
        } onChange: {
            MainActor.assertIsolated()
            changes.add("changed")
        }
        try database.addPlayer()
        #expect(changes.texts == [], "nothing changes while the main actor is busy")
        await wait { board.names.value.count == 4 }
        #expect(changes.texts == ["changed"])
        board.suffix = "?"
        #expect(board.title == "a, a, a, a?")
    }

    @Test(.proves("OBS-059", onMainActor: true), arguments: WriterKind.allCases)
    @MainActor func `The first value can be there at once`(kind: WriterKind) async throws {
        let database = try ObservedDatabase(kind)
        try database.addPlayer()
        let observed = ObservedValue(
            initially: -1, of: Self.count, in: database.writer, scheduling: .immediate)
        #expect(observed.value == 1)
        try database.addPlayer()
        #expect(observed.value == 1, "later ones come later")
        await wait { observed.value == 2 }
    }

    @Test(.proves("OBS-059"), arguments: WriterKind.allCases)
    func `Values change where a scheduler says, without the main actor`(kind: WriterKind) throws {
        let database = try ObservedDatabase(kind)
        let queue = database.queue
        let observed = ObservedValue(
            initially: -1, of: Self.count, in: database.writer, scheduling: .async(onQueue: queue))
        for count in 0...3 {
            wait(for: count, observed, on: queue)
            #expect(observed.value == count, "it can be read anywhere")
            try database.addPlayer()
        }
    }

    @Test(.proves("OBS-059", onMainActor: true), arguments: WriterKind.allCases)
    @MainActor func `After an error the last value stays`(kind: WriterKind) async throws {
        let database = try ObservedDatabase(kind)
        let failing = ValueObservation.tracking { db in
            let count = try ObservedDatabase.count(db)
            if count == 1 { throw ObservedFailure() }
            return count
        }
        let observed = ObservedValue(initially: -1, of: failing, in: database.writer)
        await wait { observed.value == 0 }
        let changes = Collected()
        withObservationTracking {
            _ = observed.value
        } onChange: {
            changes.add("value")
        }
        try database.addPlayer()
        await wait { observed.error != nil }
        #expect(observed.error is ObservedFailure)
        #expect(observed.value == 0)
        #expect(changes.texts == [])

        let failed = ObservedValue(
            initially: -1, of: failing, in: database.writer, scheduling: .immediate)
        #expect(failed.error is ObservedFailure)
        #expect(failed.value == -1)
    }

    @Test(.proves("OBS-059"), arguments: WriterKind.allCases)
    func `Nothing changes after the end, not even by what has been fetched already`(
        kind: WriterKind
    ) throws {
        let database = try ObservedDatabase(kind)
        let values = Values<Int>()
        let observation = Self.count.handleEvents(didReceiveValue: values.add)
        let observed = ObservedValue(
            initially: -1, of: observation, in: database.writer,
            scheduling: .async(onQueue: database.queue))
        wait(for: 0, observed, on: database.queue)
        // What comes from now on waits for its turn.
        database.queue.suspend()
        try database.addPlayer()
        values.wait(for: 1)
        #expect(observed.value == 0)
        let changes = Collected()
        withObservationTracking {
            _ = (observed.value, observed.error == nil)
        } onChange: {
            changes.add("changed")
        }
        observed.cancel()
        observed.cancel()
        database.queue.resume()
        try database.addPlayer()
        try database.writer.settle()
        database.queue.sync {}
        #expect(observed.value == 0)
        #expect(changes.texts == [])
        #expect(values.all == [0, 1], "nothing is fetched any more")
    }

    @Test(.proves("OBS-059", onMainActor: true), arguments: WriterKind.allCases)
    @MainActor func `An observation ends with its model, which it does not hold`(
        kind: WriterKind
    ) async throws {
        let database = try ObservedDatabase(kind)
        let events = Collected()
        let observation = Self.count.handleEvents(
            willFetch: { events.add("fetch") }, didCancel: { events.add("cancel") })
        weak var gone: ObservedValue<Int>?
        do {
            let observed = ObservedValue(initially: -1, of: observation, in: database.writer)
            gone = observed
            await wait { observed.value == 0 }
        }
        #expect(gone == nil)
        #expect(events.texts.last == "cancel")
        let before = events.texts
        try database.addPlayer()
        try database.writer.settle()
        #expect(events.texts == before)
    }
}
