import Foundation
import StrongroomTablesRuntime
import StrongroomTestSupport
import Testing

@Suite struct RunningLinesTests {
    let library: Library

    init() throws { library = try Library() }

    @Test(.proves("RUN-007"))
    func `rows come in sections`() throws {
        try library.queue.read { (db) throws in
            let folders = try Item.order(by: \.title).fetchAll(db, sectionBy: \.folderID)
            #expect(folders.sectionNames == [1, 2])
            #expect(folders.map { $0.map(\.title) } == [["Rice", "tea"], ["50% off", "mail"]])
            #expect(folders[sectionName: 2]?.elements.count == 2)
            #expect(folders[1][0].title == "50% off" && folders[0].id == 1)
            #expect(folders.contains(sectionName: 1) && !folders.contains(sectionName: 9))
            #expect(folders.index(ofSectionNamed: 2) == 1)
            let stars: ResultsSectionCollection<Item, Int?> = try Item.fetchAll(
                db, sectionBy: \.stars)
            #expect(stars.sectionNames == [nil, 3, 5])
            let last = try Item.all.fetchAll(db, sectionBy: { $0.stars.desc(nulls: .last) })
            #expect(last.sectionNames == [5, 3, nil])
            let joined = Item.join(Folder.all) { $0.folderID.eq($1.id) }.select {
                ($0.id, $1.title)
            }
            let titles = try joined.fetchAll(db, sectionBy: { _, folder in folder.title.upper() })
            #expect(titles.sectionNames == ["HOME", "WORK"])
            #expect(titles[0].map(\.0) == [1, 2])
            let empty = try Item.none.fetchAll(db, sectionBy: \.id)
            #expect(empty.isEmpty && empty.sectionNames == [])
        }
    }

    @Test(.proves("RUN-010"))
    func `cursors have statements of their own, and see a new schema`() throws {
        try library.queue.writeWithoutTransaction { db in
            let query = Item.order(by: \.id).select(\.id)
            let first = try query.fetchCursor(db)
            #expect(try first.next() == 1)
            let second = try query.fetchCursor(db)
            #expect(try second.next() == 1)
            #expect(try query.fetchAll(db) == [1, 2, 3, 4])
            #expect(try first.next() == 2)
            #expect(try second.next() == 2)
            try db.execute(sql: "CREATE TEMP TABLE items (id INTEGER PRIMARY KEY)")
            #expect(try query.fetchAll(db) == [])
            #expect(try first.next() == 3)
        }
    }

    @Test(.proves("RUN-011"))
    func `a cursor lets go of the table when it ends, throws or is freed`() throws {
        try library.queue.writeWithoutTransaction { db in
            /// A table cannot be dropped while a statement reads it.
            func isFree() -> Bool {
                let error = DatabaseError.thrown {
                    try db.inTransaction {
                        try db.execute(sql: "DROP TABLE items")
                        return .rollback
                    }
                }
                return error == nil
            }
            let query = Item.order(by: \.id)
            let ending = try query.fetchCursor(db)
            #expect(try ending.next() != nil)
            #expect(!isFree())
            while try ending.next() != nil {}
            #expect(isFree())
            var freed: QueryCursor<Item>? = try query.fetchCursor(db)
            #expect(try freed?.next() != nil)
            #expect(!isFree())
            freed = nil
            #expect(isFree())
            let throwing = try _sql(
                "SELECT abs(id - 9223372036854775807 - 2) FROM items", as: Int.self
            )
            .fetchCursor(db)
            #expect(throws: DatabaseError.self) { try throwing.next() }
            #expect(isFree())
            #expect(try throwing.next() == nil)
        }
    }

    @Test(.proves("RUN-014"))
    func `a select knows the columns and the rows that it reads`() throws {
        try library.queue.read { (db) throws in
            let row = try Item.find(1).databaseRegion(db)
            #expect(row.description == "items(folderID,id,isDone,level,stars,title)[1]")
            let rows = try Item.find([1, 3]).where(\.isDone).select(\.title).databaseRegion(db)
            #expect(rows.description == "items(id,isDone,title)[1,3]")
            #expect(try Item.select(\.title).databaseRegion(db).description == "items(title)")
            // What reads the table elsewhere, or may read other rows, has all of them.
            let twice = Item.find(1).where { _ in Item.as(Twin.self).where(\.isDone).exists() }
            #expect(try !twice.databaseRegion(db).description.contains("["))
            let either = Item.find(1).or(Item.where(\.isDone))
            #expect(try !either.databaseRegion(db).description.contains("["))
        }
        let changes = Counter()
        let observation = DatabaseRegionObservation(tracking: Item.find(1))
        let cancellable = observation.start(in: library.queue, onError: { _ in }) { _ in
            changes.increment()
        }
        try library.queue.write { try Item.find(2).update { $0.title = "b" }.execute($0) }
        #expect(changes.value == 0)
        try library.queue.write { try Item.find(1).update { $0.title = "a" }.execute($0) }
        #expect(changes.value == 1)
        cancellable.cancel()
    }

    @Test(.proves("RUN-014"))
    func `an observation of one row is told of that row alone`() async throws {
        let fetches = Counter()
        let observation = ValueObservation.tracking { db in
            fetches.increment()
            return try Item.find(1).fetchOne(db)?.title
        }
        var seen: [String?] = []
        for try await title in observation.values(in: library.queue) {
            seen.append(title)
            if seen.count == 2 { break }
            try await library.queue.write { try Item.find(2).update { $0.title = "b" }.execute($0) }
            try await library.queue.write { try Item.find(1).update { $0.title = "a" }.execute($0) }
        }
        #expect(seen == ["tea", "a"] && fetches.value == 2)
        let region = ValueObservation.tracking(region: Item.where(\.isDone)) { db in
            try Item.where(\.isDone).fetchCount(db)
        }
        for try await count in region.values(in: library.queue) {
            #expect(count == 2)
            break
        }
    }

    @Test
    func `errors of SQLite keep their words and say what helps`() throws {
        try library.queue.write { db in
            try db.execute(sql: "ALTER TABLE items RENAME TO item")
            let expected = """
                no such table: items \u{2014} the database has "item"; see '@Table(naming:)'
                """
            for error in [
                DatabaseError.thrown { _ = try Item.all.fetchAll(db) },
                DatabaseError.thrown { _ = try Item.select(\.title).fetchAll(db) },
                DatabaseError.thrown { try Item.find(1).delete().execute(db) },
            ] {
                #expect(error?.message == expected && error?.resultCode == .SQLITE_ERROR)
            }
            try db.execute(sql: "ALTER TABLE item RENAME TO items")
            try db.execute(sql: "ALTER TABLE items RENAME COLUMN title TO titel")
            let select = DatabaseError.thrown { _ = try Item.select(\.title).fetchAll(db) }
            #expect(select?.message == "no such column: items.title")
            let update = Item.find(1).update { $0.isDone = true }.returning(\.title)
            let error = DatabaseError.thrown { _ = try update.fetchAll(db) }
            #expect(error?.message == "no such column: items.title")
            #expect(try Item.find(1).select(\.isDone).fetchOne(db) == false)
        }
    }

    @Test(.proves("RUN-020"))
    func `a cancelled task interrupts its statement`() async throws {
        let queue = library.queue
        let task = Task {
            try await queue.read { db in
                withUnsafeCurrentTask { $0?.cancel() }
                return try Item.join(Folder.all) { _, _ in true }.fetchAll(db).count
            }
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try await queue.read { try Item.fetchCount($0) } == 4)
    }

    @Test(.proves("DEC-013"))
    func `an error of decoding tells the place, and values only where they may be shown`() throws {
        func message(_ queue: DatabaseQueue, _ query: some StrongroomTablesRuntime.Statement) throws
            -> String
        {
            let error = #expect(throws: QueryDecodingError.self) {
                try queue.read { try query.fetchAll($0) }
            }
            return error?.description ?? ""
        }
        try library.queue.write {
            try $0.execute(sql: "UPDATE items SET stars = 'many', level = 9 WHERE id = 1")
        }
        let columns = itemColumns
        #expect(
            try message(library.queue, Item.find(1))
                == """
                could not decode Item.stars: column 3 "stars" is TEXT; sql: SELECT \(columns) FROM \
                "items" WHERE "items"."id" = ?
                """)
        let quotient: SQLQueryExpression<Int> = Item.columns.id / (Item.columns.id - 2)
        #expect(
            try message(library.queue, Item.find(2).select { ($0.title, quotient) })
                == """
                could not decode column 1: it is NULL, 'ifnull' gives a value; sql: SELECT \
                "items"."title", "items"."id" / ("items"."id" - ?) FROM "items" WHERE \
                "items"."id" = ?
                """)
        try library.queue.write { try $0.execute(sql: "UPDATE items SET stars = 1 WHERE id = 1") }
        #expect(
            try message(library.queue, Item.find(1)).hasPrefix(
                "could not decode Item.level: no case for 9; sql: "))
        try library.queue.close()
        let open = try library.fixture.open { $0.publicStatementArguments = true }
        #expect(try message(open, Item.find(1)).hasSuffix(#" WHERE "items"."id" = 1"#))
    }
}

private enum Twin: AliasName {}

/// Counts from any thread.
private final class Counter: Sendable {
    private let storage = Locked(0)
    var value: Int { storage.withLock { $0 } }
    func increment() { storage.withLock { $0 += 1 } }
}
