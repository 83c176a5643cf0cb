import Foundation
import Observation
import StrongroomTables
import StrongroomTestSupport
import Testing

@MainActor @Observable
private final class Board {
    @ObservationIgnored @FetchAll var items: [Item]
    @ObservationIgnored @FetchOne var count: Int
    var title: String { "\(items.count) of \(count)" }

    init(_ database: any DatabaseWriter) {
        _items = FetchAll(database: database)
        _count = FetchOne(wrappedValue: 0, Item.count(), database: database)
    }
}

private let mainKey: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
}()

/// Whether the main queue runs this, on whichever thread.
private func isOnMainQueue() -> Bool { DispatchQueue.getSpecific(key: mainKey) == true }

/// A class that is not Sendable.
private final class Box {
    @FetchAll(Item.order(by: \.id), scheduler: .task) var items
}

private struct Copied {
    @FetchAll(Item.order(by: \.id), scheduler: .task) var items
    var name = ""
}

private actor Keeper {
    @FetchAll(Item.order(by: \.id), scheduler: .task) var items

    func titles() -> [String] { items.titles }
    func load() async throws { try await $items.load() }
}

@Suite(.timeLimit(.minutes(30)))
struct ObservableTests {
    let library: Library

    init() throws { library = try Library() }

    @Test(.proves("OBV-020", onMainActor: true))
    @MainActor func `a model tells who has read a wrapped property`() async throws {
        let board = Board(library.database)
        #expect(board.title == "3 of 3")
        let changes = AsyncStream<Bool>.makeStream()
        withObservationTracking {
            _ = board.title
        } onChange: {
            changes.continuation.yield(isOnMainQueue())
        }
        try await library.execute("DELETE FROM items WHERE id = 1")
        for await isMain in changes.stream {
            #expect(isMain)
            break
        }
        _ = try await value(of: board.$items.values) { $0.count == 2 }
        _ = try await value(of: board.$count.values) { $0 == 2 }
        #expect(board.title == "2 of 2")
        #if os(Linux)
        var seen: [String] = []
        for await title in Observations({ board.title }) {
            seen.append(title)
            if title == "0 of 0" { break }
            if seen.count == 1 { try await library.execute("DELETE FROM items") }
        }
        #expect(seen.first == "2 of 2" && seen.last == "0 of 0")
        #endif
    }

    @Test(.proves("OBV-031"))
    func `wrappers live in classes, copied structs and actors`() async throws {
        try await withDefaultDatabase(library.database) {
            let box = Box()
            let first = Copied()
            var second = first
            second.name = "copy"
            let keeper = Keeper()
            try await library.execute("DELETE FROM items WHERE id = 1")
            try await keeper.load()
            #expect(await keeper.titles() == ["rice", "mail"])
            #expect(box.items.count == 2 && first.items == second.items)
            try await second.$items.load(Item.where(\.isDone))
            #expect(first.items.titles == ["rice"])
        }
    }

    @Test(.proves("OBV-018", onMainActor: true))
    @MainActor func `values arrive on the main actor, or where a scheduler says`() async throws {
        let database = library.database
        let queue = DispatchQueue(label: "values")
        let key = DispatchSpecificKey<String>()
        queue.setSpecific(key: key, value: "queue")
        let places = Locked<[String: String]>([:])
        func watch(_ name: String, _ wrapper: FetchAll<Item>) {
            withObservationTracking {
                _ = wrapper.wrappedValue
            } onChange: {
                let place = DispatchQueue.getSpecific(key: key) ?? "elsewhere"
                places.withLock { $0[name] = isOnMainQueue() ? "main" : place }
            }
        }
        let wrappers = [
            "default": FetchAll(Item.all, database: database),
            "main": FetchAll(Item.all, database: database, scheduler: .mainActor),
            "immediate": FetchAll(Item.all, database: database, scheduler: .immediate),
            "queue": FetchAll(Item.all, database: database, scheduler: .async(onQueue: queue)),
            "task": FetchAll(Item.all, database: database, scheduler: .task),
        ]
        for (name, wrapper) in wrappers { watch(name, wrapper) }
        try await library.execute("DELETE FROM items WHERE id = 1")
        for wrapper in wrappers.values {
            _ = try await value(of: wrapper.values) { $0.count == 2 }
        }
        #expect(
            places.withLock { $0 } == [
                "default": "main", "main": "main", "immediate": "main", "queue": "queue",
                "task": "elsewhere",
            ])
    }

    @Test(.proves("OBV-018"))
    func `schedulers are equal when they have values arrive at the same place`() {
        let queue = DispatchQueue(label: "a")
        func same<S: ValueObservationScheduler & Hashable>(_ a: S, _ b: S) -> Bool {
            a == b && a.hashValue == b.hashValue
        }
        let other = DispatchQueue(label: "a")
        #expect(
            same(AsyncValueObservationScheduler(queue: queue), .async(onQueue: queue))
                && !same(AsyncValueObservationScheduler(queue: queue), .async(onQueue: other)))
        #expect(
            same(TaskValueObservationScheduler(priority: .high), .task(priority: .high))
                && !same(TaskValueObservationScheduler(), .task(priority: .high)))
        #expect(same(DelayedMainActorValueObservationScheduler(), .mainActor))
        #expect(same(ImmediateValueObservationScheduler(), .immediate))
    }

    @Test(.proves("OBV-018"))
    func `the default scheduler of the process can be changed`() async {
        await #expect(processExitsWith: .success) {
            DefaultDatabase.scheduler = .task
            let library = try Library()
            let thread = Locked<Bool?>(nil)
            @FetchAll(Item.all, database: library.database) var items
            withObservationTracking {
                _ = items
            } onChange: {
                thread.withLock { $0 = isOnMainQueue() }
            }
            try await library.execute("DELETE FROM items WHERE id = 1")
            _ = try await value(of: $items.values) { $0.count == 2 }
            #expect(thread.withLock { $0 } == false)
        }
    }
}
