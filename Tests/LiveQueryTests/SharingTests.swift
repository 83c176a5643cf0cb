import Foundation
import Observation
import StrongroomTables
import StrongroomTestSupport
import Testing

@Suite(.timeLimit(.minutes(30)))
struct SharingTests {
    let library: Library

    init() throws { library = try Library() }

    @Test(.proves("OBV-010"))
    func `equal values are not published, unless they are wanted`() async throws {
        let database = library.database
        @FetchAll(Item.select(\.title), database: database, scheduler: .task) var titles
        @FetchAll(
            Item.select(\.title), database: database, scheduler: .task, removesDuplicates: false)
        var all
        var changes = $titles.values.makeAsyncIterator()
        var every = $all.values.makeAsyncIterator()
        #expect(try await changes.next()?.count == 3)
        #expect(try await every.next()?.count == 3)
        // The first touches what is tracked, and changes nothing.
        try await library.execute("UPDATE items SET title = title")
        #expect(try await every.next() == ["tea", "rice", "mail"])
        try await library.execute("UPDATE items SET stars = 1")
        try await library.execute("UPDATE items SET title = 'x' WHERE id = 2")
        #expect(try await every.next() == ["tea", "x", "mail"])
        #expect(try await changes.next() == ["tea", "x", "mail"])
    }

    @Test(.proves("OBV-011"), arguments: Library.Kind.allCases)
    func `what is not committed is never seen`(kind: Library.Kind) async throws {
        let library = try Library(kind)
        @FetchOne(Item.count(), database: library.database, scheduler: .task) var count = 0
        var values = $count.values.makeAsyncIterator()
        #expect(try await values.next() == 3)
        try await library.database.writeWithoutTransaction { db in
            try db.inTransaction {
                try db.execute(sql: "DELETE FROM items")
                return .rollback
            }
            try db.inTransaction {
                try db.execute(sql: "DELETE FROM items WHERE id > 1")
                try db.execute(sql: "INSERT INTO items VALUES (7, '', 0, 1, '', 1)")
                return .commit
            }
        }
        #expect(try await values.next() == 2)
    }

    @Test(.proves("OBV-016"))
    func `a hundred wrappers share one observation, one fetch and one value`() async throws {
        let request = Summary()
        let held = HeldScheduler()
        var wrappers = (0..<100).map { _ in
            Fetch(wrappedValue: .init(), request, database: library.database, scheduler: held)
        }
        #expect(request.onFetch.value == 1)
        #expect(wrappers.allSatisfy { $0.wrappedValue.count == 3 })
        try await library.execute("DELETE FROM items WHERE id = 1")
        await held.deliver()
        #expect(request.onFetch.value == 2)
        #expect(wrappers.allSatisfy { $0.wrappedValue.count == 2 })
        try await library.execute("INSERT INTO marks VALUES ('elsewhere')")
        #expect(request.onFetch.value == 2)
        // One ends, the others go on.
        let load = Task { [wrapper = wrappers[0]] in try await wrapper.load() }
        await held.deliver()
        try await load.value.cancel()
        try await library.database.write { try $0.execute(sql: "DELETE FROM items WHERE id = 2") }
        await held.deliver()
        #expect(wrappers[0].wrappedValue.count == 2 && wrappers[99].wrappedValue.count == 1)
        let fetches = request.onFetch.value
        wrappers = []
        try await library.execute("DELETE FROM items WHERE id = 3")
        #expect(request.onFetch.value == fetches)
    }

    @Test(.proves("OBV-016"))
    func `other queries, databases and schedulers share nothing`() async throws {
        let other = try Library()
        try await other.execute("DELETE FROM items WHERE id = 1")
        let request = Summary()
        let one = Fetch(wrappedValue: .init(), request, database: library.database)
        let two = Fetch(wrappedValue: .init(), request, database: other.database)
        let three = Fetch(
            wrappedValue: .init(), request, database: library.database, scheduler: .task)
        #expect(request.onFetch.value == 3)
        #expect([one, two, three].map(\.wrappedValue.count) == [3, 2, 3])
        let first = FetchAll(Item.where { $0.id.eq(1) }, database: library.database)
        let second = FetchAll(Item.where { $0.id.eq(2) }, database: library.database)
        #expect(first.wrappedValue.titles == ["tea"] && second.wrappedValue.titles == ["rice"])
        // SQL of Strongroom has its text on a connection only.
        let literals = ["1", "2"].map { number in
            FetchAll<Int>(
                #sql("SELECT \(SQL(sql: number))", as: Int.self), database: library.database)
        }
        #expect(literals.map(\.wrappedValue) == [[1], [2]])
    }

    @Test(.proves("OBV-030"))
    func `after a thousand writes all wrappers have the last state`() async throws {
        let library = try Library(.pool)
        let database = library.database
        let wrappers = (0..<10).map { number in
            FetchOne(
                wrappedValue: 0, Item.where { $0.id.gt(number) }.count(), database: database,
                scheduler: .task)
        }
        var freed: FetchOne<Int>? = FetchOne(
            wrappedValue: 0, Item.count(), database: database, scheduler: .task)
        let published = Counter()
        withObservationTracking {
            _ = freed?.wrappedValue
        } onChange: {
            published.increment()
        }
        freed = nil
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<1000 {
                group.addTask {
                    try await database.write { db in
                        try db.execute(
                            sql: "INSERT INTO items VALUES (?, '', 0, 1, '', 1)",
                            arguments: [number + 100])
                    }
                }
            }
            try await group.waitForAll()
        }
        for (number, wrapper) in wrappers.enumerated() {
            let last = 1003 - min(number, 3)
            #expect(try await value(of: wrapper.values) { $0 == last } == last)
        }
        #expect(published.value == 0)
    }

    @Test(.proves("OBV-030"))
    func `nothing is published after a wrapper is freed while its query runs`() async throws {
        let held = HeldScheduler()
        let published = Counter()
        var wrapper: FetchOne<Int>? = FetchOne(
            wrappedValue: 0, Item.count(), database: library.database, scheduler: held,
            firstFetch: .background)
        withObservationTracking {
            _ = wrapper?.wrappedValue
        } onChange: {
            published.increment()
        }
        await held.arrived()
        wrapper = nil
        held.deliverAll()
        #expect(published.value == 0)
    }

    @Test(.proves("OBV-022"))
    func `several consumers get the current value and each that follows`() async throws {
        @FetchOne(Item.count(), database: library.database, scheduler: .task) var count = 0
        let consumers = (0..<3).map { _ in
            Task { [values = $count.values] in
                var seen: [Int] = []
                for await value in values {
                    seen.append(value)
                    if value == 0 { break }
                }
                return seen
            }
        }
        try await library.execute("DELETE FROM items WHERE id = 1")
        _ = try await value(of: $count.values) { $0 == 2 }
        try await library.execute("DELETE FROM items")
        for consumer in consumers { #expect(await consumer.value == [3, 2, 0]) }
        let cancelled = Task { [values = $count.values] in
            for await _ in values {}
        }
        cancelled.cancel()
        await cancelled.value
    }

    @Test(.proves("OBV-023", "OBV-032"))
    func `a wrapper is a value that shows what it wraps`() async throws {
        func isSendable(_ value: some Sendable) -> Bool { true }
        let database = library.database
        let items = FetchAll(Item.all, database: database)
        var copy = items
        #expect(isSendable(items) && items == copy)
        #expect(Mirror(reflecting: items).children.count == 3)
        #expect("\(Mirror(reflecting: items).subjectType)" == "Array<Item>")
        try await database.write { try Item.find(1).delete().execute($0) }
        _ = try await value(of: items.values) { $0.count == 2 }
        #expect(copy.wrappedValue.titles == ["rice", "mail"])
        copy = FetchAll(Item.open, database: database)
        #expect(items != copy)
    }
}
