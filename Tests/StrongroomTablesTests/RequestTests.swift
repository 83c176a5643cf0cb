import StrongroomTablesRuntime
import StrongroomTestSupport
import Testing

@Suite struct RequestTests {
    let library: Library

    init() throws { library = try Library() }

    @Test(.proves("RUN-021"))
    func `a typed query is a request of the core`() throws {
        let done = Item.where(\.isDone)
        let titles = done.select(\.title).order(by: \.id)
        try library.queue.read { (db) throws in
            #expect(try Row.fetchAll(db, done).map { $0["id"] as Int } == [2, 4])
            #expect(try String.fetchAll(db, titles) == ["Rice", "50% off"])
            let sql = try db.capturedSQL { _ = try String.fetchOne(db, titles) }
            #expect(sql.last?.hasSuffix(" LIMIT 1") == true)
            let request: some FetchRequest = Item.select(\.id).union(Folder.select(\.id))
            #expect(try request.fetchCount(db) == 4)
            #expect(try AnyFetchRequest(titles).asRequest(of: String.self).fetchSet(db).count == 2)
            let named = done.adapted { _ in RangeRowAdapter(0..<1) }
            #expect(try Row.fetchOne(db, named) == ["id": 2])
            let dump = OutputText()
            try db.dumpRequest(titles, to: dump)
            #expect(dump.text == "Rice\n50% off\n")
            #expect(try Row.fetchAll(db, Item.none).isEmpty)
            #expect(try Item.none.makePreparedRequest(db).statement.databaseRegion.isEmpty)
        }
    }

    @Test(.proves("RUN-021"))
    func `a mistake in a typed query is thrown where the core uses it`() throws {
        let twice = Item.join(Item.all) { $0.id.eq($1.id) }
        try library.queue.read { (db) throws in
            #expect(throws: QueryBuildingError.self) { try Row.fetchAll(db, twice) }
            #expect(throws: QueryBuildingError.self) { try twice.request.fetchAll(db) }
            #expect(throws: QueryBuildingError.self) { try twice.databaseRegion(db) }
            let items = Strongroom.Table("items").filter(twice.exists() as SQLExpression)
            #expect(throws: QueryBuildingError.self) { try items.fetchCount(db) }
        }
    }

    @Test(.proves("RUN-021"))
    func `typed queries stand in requests, and requests in typed queries`() throws {
        try library.queue.read { (db) throws in
            let work = Folder.where { $0.title.eq("work") }.select(\.id)
            let items = Strongroom.Table("items")
            #expect(try items.filter(work.contains(Column("folderID"))).fetchCount(db) == 2)
            let found: SQLExpression = work.exists()
            #expect(try items.filter(found).fetchCount(db) == 4)
            let literal: SQLRequest<Int> = "SELECT id FROM items WHERE folderID IN (\(work))"
            #expect(try literal.fetchAll(db) == [3, 4])

            // The rows of a request become a table of the query.
            let counts = items.select(
                Column("folderID").forKey("id"), Column("stars").forKey("title"),
                count(Column("id")).forKey("rank")
            ).group(Column("folderID"))
            let folders = Folder.from(request: counts)
            #expect(try folders.select { ($0.id, $0.rank) }.fetchAll(db).map(\.1) == [2, 2])
            let joined = Item.join(folders) { $0.folderID.eq($1.id) }
                .where { item, _ in item.id.eq(3) }.select { ($0.title, $1.rank) }
            let rows = try joined.fetchAll(db)
            #expect(rows.count == 1 && rows[0] == ("mail", 2))
        }
    }

    @Test(.proves("RUN-008", "RUN-019"))
    func `a typed statement runs wherever there is a connection`() async throws {
        let fixture = try FixtureDatabase()
        let pool = try fixture.openPool()
        var migrator = DatabaseMigrator()
        migrator.registerMigration("items") { db in
            try db.execute(
                sql: """
                    CREATE TABLE folders (id INTEGER PRIMARY KEY, title TEXT NOT NULL,
                        rank INTEGER NOT NULL DEFAULT 0);
                    """)
            try Folder.insert { Folder(id: 1, title: "made") }.execute(db)
            _ = try Folder.find(db, key: 1)
        }
        try migrator.migrate(pool)
        let all = Folder.order(by: \.id)
        #expect(try await pool.read { try all.fetchAll($0) }.map(\.id) == [1])
        #expect(try await pool.unsafeRead { try all.fetchCount($0) } == 1)
        try await pool.write { try Folder.insert { Folder(id: 2, title: "b") }.execute($0) }
        #expect(try await pool.read { try Folder.fetchAll($0) }.map(\.id) == [1, 2])
        let snapshot = try pool.makeSnapshot()
        try await pool.writeWithoutTransaction { try Folder.find(1).delete().execute($0) }
        #expect(try await snapshot.read { try Folder.select(\.id).fetchAll($0) } == [1, 2])
        let observation = ValueObservation.tracking { try all.select(\.id).fetchAll($0) }
        for try await ids in observation.values(in: pool) {
            #expect(ids == [2])
            break
        }
    }
}

/// Collects what is written.
private final class OutputText: TextOutputStream {
    var text = ""
    func write(_ string: String) { text += string }
}
