import StrongroomTablesRuntime
import StrongroomTestSupport
import Testing

@Suite struct FetchingTests {
    let library: Library

    init() throws { library = try Library() }

    @Test(.proves("RUN-002", "RUN-003"))
    func `rows come as an array, one by one, as a set, or the first`() throws {
        try library.queue.read { db in
            #expect(try Item.fetchAll(db).map(\.id) == [1, 2, 3, 4])
            #expect(try Item.fetchOne(db)?.id == 1)
            #expect(try Item.fetchCount(db) == 4)
            #expect(try Item.fetchSet(db).count == 4)
            #expect(try Item.select(\.stars).fetchSet(db) == [3, nil, 5])
            let cursor = try Item.fetchCursor(db)
            #expect(try cursor.next()?.title == "tea")
            #expect(try Item.where { $0.id > 9 }.fetchOne(db) == nil)
        }
    }

    @Test(.proves("RUN-004", "RUN-005"))
    func `rows are counted, and one row is asked for as one`() throws {
        try library.queue.read { db in
            let sql = try db.capturedSQL {
                #expect(try Item.where(\.isDone).fetchCount(db) == 2)
                #expect(try Item.group(by: \.folderID).select(\.folderID).fetchCount(db) == 2)
                #expect(try Item.distinct().select(\.stars).fetchCount(db) == 3)
                #expect(try Item.limit(3).fetchCount(db) == 3)
                _ = try Item.find(1).select(\.id).fetchOne(db)
                _ = try Item.select(\.id).fetchOne(db)
            }
            #expect(sql[0] == #"SELECT count(*) FROM "items" WHERE "items"."isDone""#)
            #expect(sql[1].hasPrefix("SELECT count(*) FROM (SELECT"))
            #expect(sql[4].hasSuffix(#""id" = 1"#))
            #expect(sql[5].hasSuffix(" LIMIT 1"))
        }
    }

    @Test(.proves("DEC-012"))
    func `a storage class that does not fit is an error`() throws {
        try library.queue.write { db in
            try db.execute(sql: "UPDATE items SET stars = 'many' WHERE id = 1")
            #expect(throws: QueryDecodingError.self) { try Item.find(1).fetchOne(db) }
            #expect(try Item.find(2).fetchOne(db)?.stars == nil)
            try db.execute(sql: "UPDATE items SET stars = 1, title = X'00' WHERE id = 1")
            #expect(throws: QueryDecodingError.self) { try Item.find(1).fetchOne(db) }
        }
    }

    @Test(.proves("DEC-008", "DEC-014"))
    func `a value that the type does not have is an error`() throws {
        try library.queue.write { db in
            try db.execute(sql: "UPDATE items SET level = 9 WHERE id = 1")
            let error = #expect(throws: QueryDecodingError.self) { try Item.find(1).fetchOne(db) }
            #expect(
                error?.description.hasPrefix("could not decode Item.level: no case for 9") == true)
            let wide = Item.find(1).select { ($0.id + 300).cast(as: Int8.self) }
            #expect(throws: QueryDecodingError.self) { try wide.fetchOne(db) }
            let huge = Item.where { _ in UInt64.max.eq(UInt64.max) }
            #expect(throws: QueryBuildingError.self) { try huge.fetchOne(db) }
        }
    }

    @Test(.proves("RUN-001", "RUN-013"))
    func `a write is executed, and refused where only reading is allowed`() throws {
        try library.queue.write { try Item.find(1).delete().execute($0) }
        #expect(try library.queue.read { try Item.fetchCount($0) } == 3)
        let error = DatabaseError.thrown {
            try library.queue.read { try Item.delete().execute($0) }
        }
        #expect(error?.resultCode == .SQLITE_READONLY)
    }
}
