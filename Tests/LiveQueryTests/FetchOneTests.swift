import Foundation
import StrongroomTables
import StrongroomTestSupport
import Testing

@Table("items") private struct Pinned {
    let id: Int
    let title: String
}

@Suite(.timeLimit(.minutes(30)))
struct FetchOneTests {
    let library: Library

    init() throws { library = try Library() }

    @Test(.proves("OBV-003"))
    func `a property shows one row, a count or a value`() {
        withDefaultDatabase(library.database) {
            @FetchOne(Item.count()) var count = 0
            @FetchOne(Item.find(1)) var item: Item?
            @FetchOne(Item.find(9)) var none: Item?
            @FetchOne(#sql("SELECT count(*) FROM items WHERE isDone")) var done = 0
            @FetchOne(#sql("SELECT title FROM items WHERE id = 3")) var title: String?
            @FetchOne(Item.find(3)) var third = Item(id: 0, folderID: 0)
            #expect(count == 3 && item?.title == "tea" && none == nil && done == 1)
            #expect(title == "mail" && third.title == "mail")
        }
    }

    @Test(.proves("OBV-004"))
    func `a row stands for the row with its key, a type for the first row`() async throws {
        let database = library.database
        @FetchOne(database: database) var item = Item(id: 2, title: "old", folderID: 0)
        @FetchOne(database: database) var mark = Mark(name: "none")
        @FetchOne(database: database) var first: Item?
        #expect(item.title == "rice" && mark.name == "none" && first?.id == 1)
        #expect($mark.loadError is NotFound)
        try await library.execute(
            "UPDATE items SET title = 'bread' WHERE id = 2; INSERT INTO marks VALUES ('a'), ('b')")
        _ = try await value(of: $item.values) { $0.title == "bread" }
        #expect(try await value(of: $mark.values) { $0.name != "none" }.name == "a")
        #expect($mark.loadError == nil)
    }

    @Test(.proves("OBV-004", "RUN-022"))
    func `a row that is shown leaves finds of others as they are`() throws {
        // The first query of this type, which decides what text is kept for it.
        @FetchOne(database: library.database) var pinned = Pinned(id: 2, title: "old")
        #expect(pinned.title == "rice")
        let titles = try library.database.read { db in
            try (1...3).map { try Pinned.find($0).fetchOne(db)?.title }
        }
        #expect(titles == ["tea", "rice", "mail"])
    }

    @Test(.proves("OBV-005"))
    func `without a row an optional is nil, and another value stays`() async throws {
        let database = library.database
        @FetchOne(Item.find(1), database: database) var optional: Item?
        @FetchOne(database: database) var item = Item(id: 1, folderID: 0)
        @FetchOne(Item.find(2).select(\.stars), database: database) var stars: Int?
        @FetchOne(Item.find(9).select(\.stars), database: database) var missing: Int?
        #expect(stars == nil && missing == nil && $stars.loadError == nil)
        #expect(optional != nil && item.title == "tea")
        try await library.execute("DELETE FROM items WHERE id = 1")
        _ = try await value(of: $optional.values) { $0 == nil }
        let error = await #expect(throws: NotFound.self) { try await $item.load() }
        #expect(error == NotFound(table: "items", key: "\"items\".\"id\" = 1"))
        #expect(item.title == "tea" && $item.loadError as? NotFound == error)
        try await library.execute("INSERT INTO items VALUES (1, 'back', 0, 1, '', 1)")
        _ = try await value(of: $item.values) { $0.title == "back" }
        #expect($item.loadError == nil)
    }

    @Test(.proves("OBV-002"))
    func `a selection has no query until one is loaded`() async throws {
        let database = library.database
        @FetchAll(database: database) var rows: [Count]
        @FetchOne(database: database) var row = Count(title: "first")
        try await $rows.load()
        #expect(rows.isEmpty && row.title == "first" && $rows.loadError == nil)
        let counts = Folder.join(Item.all) { $0.id.eq($1.folderID) }.group { $0.0.id }
            .order { $0.0.id }.select { Count.Columns(title: $0.title, items: $1.id.count()) }
        try await $rows.load(counts)
        try await $row.load(counts)
        #expect(rows.map(\.items) == [2, 1] && row == Count(title: "home", items: 2))
    }
}

struct Summary: FetchKeyRequest {
    struct Value: Equatable {
        var count = 0
        var done: [Item] = []
    }

    var onFetch = Counter()

    func fetch(_ db: Database) throws -> Value {
        onFetch.increment()
        return Value(
            count: try Item.fetchCount(db), done: try Item.where(\.isDone).fetchAll(db))
    }
}

struct ItemsByStars: FetchKeyRequest {
    func fetch(_ db: Database) throws -> ResultsSectionCollection<Item, Int?> {
        try Item.order(by: \.id).fetchAll(db, sectionBy: \.stars)
    }
}

/// Counts calls; all are equal, so that requests with one are.
final class Counter: Hashable, Sendable {
    private let count = Locked(0)
    var value: Int { count.withLock { $0 } }
    func increment() { count.withLock { $0 += 1 } }
    static func == (lhs: Counter, rhs: Counter) -> Bool { lhs === rhs }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

@Suite(.timeLimit(.minutes(30)))
struct FetchTests {
    @Test(.proves("OBV-006"), arguments: Library.Kind.allCases)
    func `a request fetches several queries in one transaction`(kind: Library.Kind) async throws {
        let library = try Library(kind)
        let request = Summary()
        @Fetch(request, database: library.database) var summary = Summary.Value()
        let none = try Item.none.fetchAll(in: library, sectionBy: \.stars)
        @Fetch(ItemsByStars(), database: library.database) var sections = none
        #expect(summary.count == 3 && summary.done.titles == ["rice"])
        #expect(request.onFetch.value == 1 && sections.sectionNames == [nil, 3, 5])
        let values = $summary.values
        try await library.database.write { db in
            try db.execute(sql: "UPDATE items SET isDone = 1; DELETE FROM items WHERE id = 3")
        }
        let next = try await value(of: values) { $0.count != 3 || $0.done.count != 1 }
        #expect(next == Summary.Value(count: 2, done: summary.done) && next.done.count == 2)
        try await library.execute("UPDATE items SET stars = 7")
        _ = try await value(of: $sections.values) { $0.sectionNames == [7] }
    }
}

extension Where<Item> {
    fileprivate func fetchAll(
        in library: Library, sectionBy path: KeyPath<Item.TableColumns, Int?.ColumnTerm>
    ) throws -> ResultsSectionCollection<Item, Int?> {
        try library.database.read { try fetchAll($0, sectionBy: path) }
    }
}
