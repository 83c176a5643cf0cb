import Foundation
import Observation
import StrongroomTables
import StrongroomTestSupport
import Testing

/// Has values arrive when the test says so.
final class HeldScheduler: ValueObservationScheduler, Hashable {
    private let actions = Locked<[@Sendable () -> Void]>([])
    private let arrivals: (stream: AsyncStream<Void>, continuation: AsyncStream<Void>.Continuation)

    init() { arrivals = AsyncStream<Void>.makeStream() }

    func immediateInitialValue() -> Bool { false }

    func schedule(_ action: @escaping @Sendable () -> Void) {
        actions.withLock { $0.append(action) }
        arrivals.continuation.yield()
    }

    /// Waits for a value.
    func arrived() async {
        for await _ in arrivals.stream { break }
    }

    /// Waits for a value, and lets all arrive that are there.
    func deliver() async {
        await arrived()
        deliverAll()
    }

    func deliverAll() {
        let waiting = actions.withLock { actions in
            defer { actions = [] }
            return actions
        }
        for action in waiting { action() }
    }

    static func == (lhs: HeldScheduler, rhs: HeldScheduler) -> Bool { lhs === rhs }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

@Suite(.timeLimit(.minutes(30)))
struct LoadTests {
    let library: Library

    init() throws { library = try Library() }

    @Test(.proves("OBV-008"))
    func `the first fetch is at once, in the background, or by load`() async throws {
        let database = library.database
        let late = [Item(id: 9, title: "given", folderID: 1)]
        @FetchAll(Item.all, database: database) var atOnce
        #expect(atOnce.count == 3)
        let held = HeldScheduler()
        @FetchAll(Item.all, database: database, scheduler: held, firstFetch: .background)
        var background = late
        #expect(background == late && $background.isLoading)
        await held.deliver()
        #expect(background.count == 3 && !$background.isLoading)
        @FetchAll(Item.open, database: database, firstFetch: .onLoad) var onLoad = late
        try await library.execute("UPDATE items SET title = 'x' WHERE id = 1")
        _ = try await value(of: $atOnce.values) { $0[0].title == "x" }
        #expect(onLoad == late && !$onLoad.isLoading)
        try await $onLoad.load()
        #expect(onLoad.titles == ["x", "mail"])
    }

    @Test(.proves("OBV-012"), arguments: Library.Kind.allCases)
    func `load shows every write before it`(kind: Library.Kind) async throws {
        let library = try Library(kind)
        @FetchOne(Item.count(), database: library.database, scheduler: .task) var count = 0
        for number in 4...30 {
            try await library.execute("INSERT INTO items VALUES (\(number), '', 0, 1, '', 1)")
            try await $count.load()
            #expect(count == number)
        }
    }

    @Test(.proves("OBV-013", "OBV-009"))
    func `another query replaces the first, and its failure keeps the value`() async throws {
        let held = HeldScheduler()
        let database = library.database
        @FetchAll(Item.order(by: \.id), database: database) var items
        let load = Task { [wrapper = $items] in
            try await wrapper.load(Item.where(\.isDone), scheduler: held)
        }
        await held.arrived()
        #expect($items.isLoading && items.count == 3)
        held.deliverAll()
        _ = try await load.value
        #expect(items.titles == ["rice"] && !$items.isLoading)
        let failing = Task { [wrapper = $items] in
            try await wrapper.load(#sql("SELECT * FROM nowhere"), scheduler: held)
        }
        await held.deliver()
        let error = await #expect(throws: DatabaseError.self) { try await failing.value }
        #expect(error?.message?.contains("nowhere") == true)
        #expect(items.titles == ["rice"] && $items.loadError != nil && !$items.isLoading)
        let other = try Library()
        try await other.execute("DELETE FROM items WHERE id > 1")
        try await $items.load(Item.all, database: other.database, scheduler: .mainActor)
        #expect(items.titles == ["tea"] && $items.loadError == nil)
        $items = FetchAll(Item.order { $0.id.desc() }.limit(1), database: database)
        #expect(items.titles == ["mail"])
        try await library.execute("UPDATE items SET title = 'post' WHERE id = 3")
        _ = try await value(of: $items.values) { $0.titles == ["post"] }
    }

    @Test(.proves("OBV-014"))
    func `of overlapping loads the last one wins`() async throws {
        let slow = HeldScheduler()
        @FetchAll(Item.order(by: \.id), database: library.database) var items
        let first = Task { [wrapper = $items] in
            try await wrapper.load(Item.where(\.isDone), scheduler: slow)
        }
        await slow.arrived()
        try await $items.load(Item.open, scheduler: .task)
        slow.deliverAll()
        _ = try await first.value
        #expect(items.titles == ["tea", "mail"] && $items.loadError == nil && !$items.isLoading)
        try await library.execute("UPDATE items SET isDone = 1 WHERE id = 3")
        _ = try await value(of: $items.values) { $0.titles == ["tea"] }
    }

    @Test(.proves("OBV-015"))
    func `a cancelled task of a load ends the observation of that wrapper`() async throws {
        let database = library.database
        @FetchAll(Item.order(by: \.id), database: database) var items
        @FetchAll(Item.open, database: database) var others
        let started = AsyncStream<Void>.makeStream()
        let task = Task { [wrapper = $items] in
            let subscription = try await wrapper.load(Item.open)
            started.continuation.yield()
            try await subscription.task
        }
        for await _ in started.stream { break }
        #expect(items.titles == ["tea", "mail"])
        task.cancel()
        _ = await task.result
        try await library.execute("DELETE FROM items WHERE id = 1")
        _ = try await value(of: $others.values) { $0.titles == ["mail"] }
        #expect(items.titles == ["tea", "mail"])
        try await $items.load()
        #expect(items.titles == ["mail"])
        let subscription = try await $items.load(Item.open)
        subscription.cancel()
        try await subscription.task
        try await library.execute("DELETE FROM items WHERE id = 3")
        _ = try await value(of: $others.values) { $0.isEmpty }
        #expect(items.titles == ["mail"])
    }

    @Test(.proves("OBV-015"))
    func `a load that is cancelled before its value throws, and leaves the wrapper as it was`()
        async throws
    {
        let held = HeldScheduler()
        @FetchAll(Item.order(by: \.id), database: library.database) var items
        let load = Task { [wrapper = $items] in
            try await wrapper.load(Item.open, scheduler: held)
        }
        await held.arrived()
        load.cancel()
        await #expect(throws: CancellationError.self) { try await load.value }
        held.deliverAll()
        #expect(items.count == 3 && $items.loadError == nil && !$items.isLoading)
        try await $items.load(Item.open, scheduler: .task)
        #expect(items.count == 2)
    }
}
