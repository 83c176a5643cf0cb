import Foundation
import Observation
import StrongroomTables
import StrongroomTestSupport
import Testing

@Suite(.timeLimit(.minutes(30)))
struct FailureTests {
    /// Waits until a wrapper has an error that fulfils a condition. On the main actor, where errors arrive: a change between
    /// the look and the registration of the observer would be missed.
    @MainActor private func error(
        of wrapper: FetchAll<Item>, _ condition: ((any Error)?) -> Bool
    ) async {
        while true {
            let changes = AsyncStream<Void>.makeStream()
            let isDone = withObservationTracking {
                condition(wrapper.loadError)
            } onChange: {
                changes.continuation.yield()
            }
            if isDone { return }
            for await _ in changes.stream { break }
            // The change follows the call: the next value is read after what the scheduler runs.
            await Task.yield()
        }
    }

    @Test(.proves("OBV-017"), arguments: Library.Kind.allCases)
    func `a query that fails is fetched again when the database changes`(
        kind: Library.Kind
    ) async throws {
        let library = try Library(kind)
        try await library.execute("ALTER TABLE items RENAME TO hidden")
        @FetchAll(Item.order(by: \.id), database: library.database) var items
        #expect(items.isEmpty && ($items.loadError as? DatabaseError)?.resultCode == .SQLITE_ERROR)
        try await library.execute(
            "ALTER TABLE hidden RENAME TO items; UPDATE items SET title = 'a' WHERE id = 1")
        _ = try await value(of: $items.values) { $0.titles == ["a", "rice", "mail"] }
        #expect($items.loadError == nil)
        // A row that does not fit its type.
        try await library.execute("UPDATE items SET stars = 'many'")
        await error(of: $items) { $0 is QueryDecodingError }
        #expect(items.count == 3)
        try await library.execute("UPDATE items SET stars = NULL")
        _ = try await value(of: $items.values) { $0.allSatisfy { $0.stars == nil } }
        #expect($items.loadError == nil)
    }

    @Test(.proves("OBV-017"), arguments: Library.Kind.allCases)
    func `a table that is dropped and made again is observed again`(
        kind: Library.Kind
    ) async throws {
        let library = try Library(kind)
        @FetchAll(Mark.all, database: library.database) var marks
        try await library.execute("DROP TABLE marks")
        await #expect(throws: DatabaseError.self) { try await $marks.load() }
        #expect(marks.isEmpty && $marks.loadError != nil)
        try await library.execute(
            "CREATE TABLE marks (name TEXT NOT NULL); INSERT INTO marks VALUES ('new')")
        _ = try await value(of: $marks.values) { $0 == [Mark(name: "new")] }
        try await library.execute("INSERT INTO marks VALUES ('next')")
        _ = try await value(of: $marks.values) { $0.count == 2 }
    }

    @Test(.proves("OBV-017"))
    func `a wrapper that meets a locked file begins again`() async throws {
        let library = try Library()
        let other = try library.fixture.open()
        let database = library.database
        let wrapper = try other.inDatabase { db -> FetchAll<Item> in
            try db.execute(sql: "BEGIN EXCLUSIVE")
            defer { try? db.execute(sql: "COMMIT") }
            let wrapper = FetchAll(Item.all, database: database)
            let error = wrapper.loadError as? DatabaseError
            #expect(error?.resultCode == .SQLITE_BUSY && wrapper.wrappedValue.isEmpty)
            return wrapper
        }
        _ = try await value(of: wrapper.values) { $0.count == 3 }
        #expect(wrapper.loadError == nil)
    }

    @Test(.proves("OBV-017"))
    func `a closed database is an error, and the value stays`() async throws {
        let library = try Library()
        @FetchAll(Item.all, database: library.database) var items
        try library.database.close()
        await #expect(throws: DatabaseError.self) { try await $items.load() }
        #expect(items.count == 3)
        #expect(($items.loadError as? DatabaseError)?.resultCode == .SQLITE_MISUSE)
    }

    @Test
    func `a wrapper goes on when the key of its database changes`() async throws {
        let library = try Library()
        let queue = try #require(library.database as? DatabaseQueue)
        @FetchAll(Item.all, database: queue) var items
        try await queue.writeWithoutTransaction { db in try db.changePassphrase("another key") }
        try await library.execute("DELETE FROM items WHERE id > 1")
        _ = try await value(of: $items.values) { $0.count == 1 }
    }

    @Test
    func `an observer may write when it is told`() async throws {
        let library = try Library()
        let database = library.database
        let queue = DispatchQueue(label: "values")
        @FetchAll(Item.all, database: database, scheduler: .async(onQueue: queue)) var items
        withObservationTracking {
            _ = items
        } onChange: {
            #expect(throws: Never.self) {
                try database.write { try $0.execute(sql: "DELETE FROM items WHERE id = 2") }
            }
        }
        try await library.execute("DELETE FROM items WHERE id = 1")
        _ = try await value(of: $items.values) { $0.titles == ["mail"] }
    }

    @Test
    func `an interrupted fetch begins again`() async throws {
        let library = try Library()
        let request = InterruptedOnce()
        @Fetch(request, database: library.database) var count = 0
        #expect(($count.loadError as? DatabaseError)?.resultCode == .SQLITE_INTERRUPT)
        _ = try await value(of: $count.values) { $0 == 3 }
        #expect($count.loadError == nil)
    }
}

private struct InterruptedOnce: FetchKeyRequest {
    let fetches = Counter()

    func fetch(_ db: Database) throws -> Int {
        fetches.increment()
        if fetches.value == 1 { throw DatabaseError(resultCode: .SQLITE_INTERRUPT) }
        return try Item.fetchCount(db)
    }
}
