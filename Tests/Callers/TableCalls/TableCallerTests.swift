import Foundation
import Observation
import StrongroomTables
import StrongroomTestSupport
import Testing

@Suite struct TableCallerTests {
    private func database() throws -> (FixtureDatabase, DatabaseQueue) {
        let fixture = try FixtureDatabase()
        let queue = try fixture.open()
        try makeTables(queue)
        return (fixture, queue)
    }

    @Test(.proves("MOD-009"))
    func `a program of the command line queries, writes and watches`() async throws {
        let (fixture, queue) = try database()
        let lines = try await ChoreProgram(database: queue).run()
        #expect(
            lines == [
                "Ada: dust upstairs (study)", "Ada: sweep (kitchen)", "1 open", "sweep the floor",
                "SWEEP!", "MOP!", "Ada 1", "Bo 1", "mop",
            ])
        withExtendedLifetime(fixture) {}
    }

    @Test(.proves("MOD-009"))
    @MainActor func `an observable model shows what is written`() async throws {
        let (fixture, queue) = try database()
        try await withDefaultDatabase(queue) {
            let model = ChoreModel()
            let changed = AsyncStream<Void>.makeStream()
            withObservationTracking {
                _ = model.chores
            } onChange: {
                changed.continuation.yield()
            }
            try model.add("sweep")
            for await _ in changed.stream { break }
            try await model.$chores.load()
            let chore = try #require(model.chores.first)
            try await model.finish(chore)
            #expect(model.chores.isEmpty)
            try await model.$count.load()
            try await model.$totals.load()
            try await model.$loads.load()
            #expect(model.count == 1 && model.totals.titles == ["sweep"] && model.loads.isEmpty)
            model.search = "WEE"
            try await model.searchChanged()
            #expect(model.chores.map(\.title) == ["sweep"])
        }
        withExtendedLifetime(fixture) {}
    }

    @Test(.proves("MOD-009"))
    func `a plain class holds wrappers`() async throws {
        let (fixture, queue) = try database()
        let list = ChoreList(queue)
        try await queue.write { db in
            try Chore.insert { Chore.Draft(title: "sweep", place: Place()) }.execute(db)
        }
        try await list.load()
        #expect(list.chores.map(\.title) == ["sweep"] && list.first?.title == "sweep")
        #expect(list.totals == Totals.Value(open: 1, titles: ["sweep"]))
        withExtendedLifetime(fixture) {}
    }
}
