import StrongroomTablesRuntime
import StrongroomTestSupport
import Synchronization
import Testing

@Suite struct RunningTests {
    let library: Library

    init() throws { library = try Library() }

    @Test(.proves("RUN-006"))
    func `a row is found by its key, or the error names the table and the key`() throws {
        try library.queue.read { (db) throws in
            #expect(try Item.find(db, key: 1).title == "tea")
            #expect(try Item.where(\.isDone).find(db, key: 2).title == "Rice")
            let error = #expect(throws: NotFound.self) {
                try Item.where(\.isDone).find(db, key: 1)
            }
            #expect(error == NotFound(table: "items", key: "1"))
            #expect(error?.description.contains("\"items\"") == true)
            #expect(try Item.select(\.title).find(db, key: 3) == "mail")
            #expect(try Item.where(\.isDone).exists(db))
            #expect(try Item.where { $0.id > 9 }.isEmpty(db))
        }
    }

    @Test(.proves("RUN-009"))
    func `fetching and executing functions are given to an access by reference`() async throws {
        let done = try await library.queue.read(Item.where(\.isDone).fetchAll)
        #expect(done.map(\.id) == [2, 4])
        try await library.queue.write(Item.find(1).delete().execute)
        #expect(try await library.queue.read(Item.all.fetchCount) == 3)
    }

    @Test(.proves("RUN-012"))
    func `an empty statement touches no database`() throws {
        try library.queue.write { db in
            let sql = try db.capturedSQL {
                #expect(try Item.none.fetchAll(db).isEmpty)
                #expect(try Item.none.fetchOne(db) == nil)
                #expect(try Item.none.fetchCount(db) == 0)
                #expect(try Item.none.fetchCursor(db).next() == nil)
                #expect(try !Item.none.exists(db))
                try Item.none.delete().execute(db)
                #expect(try Item.select(\.id).intersect(Item.none.select(\.id)).fetchAll(db) == [])
            }
            #expect(sql.isEmpty)
            #expect(try Item.none.databaseRegion(db).isEmpty)
        }
    }

    @Test
    func `a select knows the columns that it reads`() throws {
        try library.queue.read { db in
            let row = try Item.find(1).databaseRegion(db)
            #expect(row.description == "items(folderID,id,isDone,level,stars,title)[1]")
            let column = try Item.select(\.title).databaseRegion(db)
            #expect(column.description == "items(title)")
        }
        let observation = DatabaseRegionObservation(tracking: Item.where(\.isDone))
        let changes = Counter()
        let cancellable = observation.start(in: library.queue, onError: { _ in }) { _ in
            changes.increment()
        }
        try library.queue.write { try Item.find(1).delete().execute($0) }
        try library.queue.write { try $0.execute(sql: "UPDATE folders SET rank = 9") }
        cancellable.cancel()
        #expect(changes.value == 1)
    }

    @Test(.proves("RUN-015"))
    func `a typed query is observed`() async throws {
        let counts = ValueObservation.tracking { try Item.where(\.isDone).fetchCount($0) }
        var seen: [Int] = []
        for try await count in counts.values(in: library.queue) {
            seen.append(count)
            if seen.count == 2 { break }
            try await library.queue.write { try Item.find(2).delete().execute($0) }
        }
        #expect(seen == [2, 1])
        for try await titles in Item.select(\.title).observation().values(in: library.queue) {
            #expect(titles.count == 3)
            break
        }
    }

    @Test(.proves("RUN-017"))
    func `typed queries are requests, and requests are typed expressions`() throws {
        try library.queue.read { (db) throws in
            let request: SQLRequest<Row> = Item.where(\.isDone).select(\.title).request
            #expect(try request.fetchAll(db).map { $0[0] as String } == ["Rice", "50% off"])
            let literal = SQL(Item.find(1).select(\.title))
            #expect(try SQLRequest<String>(literal: literal).fetchOne(db) == "tea")
            let folders: SQLRequest<Int> = "SELECT id FROM folders WHERE rank > \(1)"
            let items = Item.where { item in
                SQLQueryExpression<Bool>("\(item.folderID) IN \(folders)")
            }
            #expect(try items.fetchAll(db).map(\.id) == [3, 4])
        }
    }

    @Test(.proves("BYD-030"))
    func `rows are fetched in groups, and by their keys`() throws {
        try library.queue.read { db in
            let groups = try Item.fetchDictionary(db, by: \.folderID)
            #expect(groups.mapValues { $0.map(\.id) } == [1: [1, 2], 2: [3, 4]])
            #expect(try Item.where(\.isDone).fetchKeyed(db).mapValues(\.title)[4] == "50% off")
            #expect(try Folder.fetchKeyed(db).keys.sorted() == [1, 2, 3])
        }
    }

    @Test(.proves("BYD-022"))
    func `the plan of a statement tells scans and indexes`() throws {
        try library.queue.write { db in
            let query = Item.where { $0.folderID.eq(1) }.select(\.id)
            #expect(try query.explainQueryPlan(db).scansTable("items"))
            try db.execute(sql: "CREATE INDEX by_folder ON items (folderID)")
            let plan = try query.explainQueryPlan(db)
            #expect(plan.uses(index: "by_folder") && !plan.scansTable("items"))
            let union = query.union(Folder.select(\.id))
            #expect(try union.explainQueryPlan(db).nodes.contains { !$0.children.isEmpty })
        }
    }
}

/// Counts from any thread.
private final class Counter: Sendable {
    private let storage = Mutex(0)
    var value: Int { storage.withLock { $0 } }
    func increment() { storage.withLock { $0 += 1 } }
}
