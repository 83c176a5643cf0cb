import Strongroom
import StrongroomTestSupport
import Testing

@Suite(.timeLimit(.minutes(30))) struct ObservationEventTests {
    struct Lines: TextOutputStream {
        let collected: Collected
        mutating func write(_ string: String) { collected.add(string) }
    }

    @Test(.proves("OBS-018", "CMP-82"), arguments: WriterKind.allCases)
    func `What happens is printed`(kind: WriterKind) throws {
        let database = try ObservedDatabase(kind)
        let lines = Collected()
        let values = Values<Int>()
        let cancellable = ValueObservation.tracking(ObservedDatabase.count)
            .print("count", to: Lines(collected: lines)).start(in: database, values)
        values.wait(for: 0)
        try database.writer.settle()
        try database.addPlayer()
        values.wait(for: 1)
        cancellable.cancel()
        #expect(
            lines.texts == [
                "count: start", "count: fetch", "count: tracked region: player(*)",
                "count: value: 0", "count: database did change", "count: fetch",
                "count: value: 1", "count: cancel",
            ])
    }

    @Test(.proves("OBS-018"))
    func `Functions are called when things happen, all that were given`() throws {
        let database = try ObservedDatabase(.queue)
        let lines = Collected()
        let values = Values<String>()
        let observation = ValueObservation.tracking { db in
            let count = try ObservedDatabase.count(db)
            if count == 1 { throw ObservedFailure() }
            return count
        }
        .handleEvents(
            willStart: { lines.add("will start") }, willFetch: { lines.add("will fetch") },
            willTrackRegion: { lines.add("will track \($0)") },
            databaseDidChange: { lines.add("did change") },
            didReceiveValue: { lines.add("did receive \($0)") },
            didFail: { lines.add("did fail \($0 is ObservedFailure)") },
            didCancel: { lines.add("did cancel") }
        )
        .map { "\($0)!" }
        .handleEvents(willStart: { lines.add("again") }, didReceiveValue: { lines.add($0) })
        let cancellable = observation.start(in: database, values)
        values.wait(for: "0!")
        try database.addPlayer()
        values.waitForError()
        cancellable.cancel()
        #expect(
            lines.texts == [
                "will start", "again", "will fetch", "will track player(*)", "did receive 0", "0!",
                "did change", "will fetch", "did fail true",
            ])
        _ = try database.writer.write { try $0.execute(sql: "DELETE FROM player") }
        let others = Values<String>()
        let other = observation.start(in: database, others)
        others.wait(for: "0!")
        other.cancel()
        #expect(lines.texts.last == "did cancel")
        #expect(lines.texts.count { $0 == "did cancel" } == 1)
    }

    @Test(.proves("OBS-056"))
    func `The types of reducers have names`() throws {
        let fetch: ValueObservation<ValueReducers.Fetch<Int>> = ValueObservation.tracking { _ in 1 }
        let map: ValueObservation<ValueReducers.Map<ValueReducers.Fetch<Int>, String>> =
            fetch.map { "\($0)" }
        let unique: ValueObservation<ValueReducers.RemoveDuplicates<ValueReducers.Fetch<Int>>> =
            fetch.removeDuplicates()
        let traced: ValueObservation<ValueReducers.Trace<ValueReducers.Fetch<Int>>> =
            fetch.handleEvents()
        func value<Reducer: ValueReducer>(_ observation: ValueObservation<Reducer>) throws
            -> Reducer.Value
        {
            let database = try ObservedDatabase(.queue)
            let values = Values<Reducer.Value>()
            let cancellable = observation.start(in: database, values)
            values.wait { $0.count == 1 }
            cancellable.cancel()
            return try #require(values.all.first)
        }
        #expect(try value(fetch) == 1)
        #expect(try value(map) == "1")
        #expect(try value(unique) == 1)
        #expect(try value(traced) == 1)
        let policy: AsyncValueObservation<Int>.BufferingPolicy = .unbounded
        _ = policy
    }

    @Test(.proves("OBS-030", "OBS-031"), arguments: WriterKind.allCases)
    func `Every transaction that touches a region is told before the write returns`(
        kind: WriterKind
    ) throws {
        let database = try ObservedDatabase(kind)
        let counts = Collected()
        let observation = DatabaseRegionObservation(tracking: Table("player"), Table("team"))
        let cancellable = observation.start(in: database.writer) { error in
            Issue.record(error)
        } onChange: { db in
            #expect(!db.isInsideTransaction)
            counts.add((try? "\(ObservedDatabase.count(db))") ?? "error")
        }
        try database.addPlayer()
        #expect(counts.texts == ["1"])
        try database.addPlayer()
        try database.run("CREATE TABLE other(a); INSERT INTO other VALUES (1)")
        try database.run("INSERT INTO team(name) VALUES ('a')")
        #expect(counts.texts == ["1", "2", "2"])
        try database.writer.writeWithoutTransaction { db in
            try db.execute(sql: "DELETE FROM player WHERE id = 1")
            #expect(counts.texts.last == "1")
            try db.notifyChanges(in: Table("team"))
            #expect(counts.texts.count == 5)
        }
        cancellable.cancel()
        try database.addPlayer()
        #expect(counts.texts.count == 5)

        let failing = Collected()
        let failed = DatabaseRegionObservation(tracking: [Table("nothing")]).start(
            in: database.writer
        ) {
            failing.add("\($0)")
        } onChange: { _ in
        }
        #expect(failing.texts.count == 1)
        failed.cancel()
    }

    @Test(.proves("OBS-027", "OBS-028", "OBS-029"), arguments: WriterKind.allCases)
    func `A shared observation fetches once for all, and the latest value for newcomers`(
        kind: WriterKind
    ) throws {
        let database = try ObservedDatabase(kind)
        let fetches = Collected()
        let observation = ValueObservation.tracking { db in
            fetches.add("fetch")
            return try ObservedDatabase.count(db)
        }
        let shared: SharedValueObservation<Int> = observation.shared(
            in: database.writer, scheduling: .async(onQueue: database.queue))
        #expect(fetches.texts == [])
        let (first, second, third) = (Values<Int>(), Values<Int>(), Values<Int>())
        let one = shared.start(onError: first.fail, onChange: first.add)
        first.wait(for: 0)
        let two = shared.start(onError: second.fail, onChange: second.add)
        second.wait(for: 0)
        #expect(fetches.texts.count == 1)
        try database.addPlayer()
        first.wait(for: 1)
        second.wait(for: 1)
        #expect(fetches.texts.count == 2)
        one.cancel()
        two.cancel()
        try database.addPlayer()
        #expect(fetches.texts.count == 2, "nobody is subscribed")
        let again = shared.start(onError: third.fail, onChange: third.add)
        third.wait(for: 2)
        #expect(third.all == [2])
        again.cancel()

        let lasting = observation.shared(
            in: database.writer, scheduling: .async(onQueue: database.queue),
            extent: .observationLifetime)
        let fourth = Values<Int>()
        lasting.start(onError: fourth.fail, onChange: fourth.add).cancel()
        let kept = lasting.start(onError: fourth.fail, onChange: fourth.add)
        fourth.wait(for: 2)
        kept.cancel()
        let before = fetches.texts.count
        try database.addPlayer()
        try database.writer.settle()
        #expect(fetches.texts.count > before)
    }

    @Test(.proves("OBS-029"), arguments: WriterKind.allCases)
    func `A shared observation that failed starts again, and is a sequence`(
        kind: WriterKind
    ) async throws {
        let database = try ObservedDatabase(kind)
        let shared = ValueObservation.tracking { db in
            let count = try ObservedDatabase.count(db)
            if count == 1 { throw ObservedFailure() }
            return count
        }.shared(in: database.writer, scheduling: .async(onQueue: database.queue))
        let values = Values<Int>()
        let cancellable = shared.start(onError: values.fail, onChange: values.add)
        await values.reached { $0.last == 0 }
        try database.addPlayer()
        await values.failed()
        try database.addPlayer()
        var seen: [Int] = []
        for try await value in shared.values(bufferingPolicy: .unbounded) {
            seen.append(value)
            if value == 3 { break }
            try database.addPlayer()
        }
        #expect(seen == [2, 3])
        #expect(values.all == [0])
        cancellable.cancel()
    }
}
