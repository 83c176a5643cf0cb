import StrongroomTablesRuntime
import StrongroomTestSupport
import Testing

@Suite struct StatementTests {
    let library: Library

    init() throws { library = try Library() }

    private func open() -> some StrongroomTablesRuntime.Statement<Item> {
        Item.where { !$0.isDone }
    }

    private func named(_ isOrdered: Bool) -> SelectOf<Item> {
        if isOrdered { Item.order { $0.title.desc() } } else { Item.all }
    }

    @Test(.proves("TQS-051"))
    func `helpers return queries, and properties hold them`() throws {
        let stored: any StrongroomTablesRuntime.Statement<Item> = Item.find(2)
        try library.queue.read { (db) throws in
            #expect(try open().fetchAll(db).map(\.id) == [1, 3])
            #expect(try named(true).fetchAll(db).map(\.id) == [1, 3, 2, 4])
            #expect(try named(false).fetchCount(db) == 4)
            #expect(try stored.fetchOne(db)?.title == "Rice")
        }
    }

    @Test(.proves("TQS-052"))
    func `a statement is described by its SQL`() {
        let query = Item.find(1).select(\.title)
        let sql = #"SELECT "items"."title" FROM "items" WHERE "items"."id" = 1"#
        #expect("\(query)" == sql)
        #expect(String(describingForTest: query) == sql)
        #expect("\(Item.find(1).delete())" == #"DELETE FROM "items" WHERE "items"."id" = 1"#)
    }

    @Test(.proves("CAN-012"))
    func `SQL for people has a line for each clause`() {
        let query = Folder.where { folder in
            Item.where { $0.folderID.eq(folder.id) }.exists()
        }.order(by: \.title).select(\.title)
        #expect(
            query.prettySQL == """
                SELECT "folders"."title"
                FROM "folders"
                WHERE EXISTS (
                  SELECT 1
                  FROM "items"
                  WHERE "items"."folderID" = "folders"."id"
                )
                ORDER BY "folders"."title"
                """)
    }

    @Test(.proves("LIT-013"))
    func `literals of the core and fragments stand in one another`() throws {
        try library.queue.read { (db) throws in
            let literal = SQL("title = \("tea")")
            #expect(
                try Item.where { _ in SQLQueryExpression<Bool>("\(literal)") }.fetchCount(db) == 1)
            let fragment: QueryFragment = "\(Item.title) = \(bind: "mail")"
            let request: SQLRequest<Int> = SQLRequest(
                literal: SQL("SELECT id FROM items WHERE \(fragment)"))
            #expect(try request.fetchAll(db) == [3])
        }
    }

    @Test(.proves("TQS-027"))
    func `the condition of a join may be constant`() throws {
        let rows = try library.rows(
            Folder.join(Item.all) { _, _ in true }.count(),
            sql: #"SELECT count(*) FROM "folders" JOIN "items" ON 1"#)
        #expect(rows == [12])
    }

    @Test(.proves("TQS-028"))
    func `a mistake in a query shows in its SQL and is thrown when it is run`() throws {
        let twice = Item.join(Item.all) { $0.id.eq($1.id) }
        #expect(twice.debugSQL.contains("/* \"items\" is joined twice; use 'as(_:)' */"))
        try library.queue.read { db in
            let error = #expect(throws: QueryBuildingError.self) { try twice.fetchAll(db) }
            #expect(error?.message == "\"items\" is joined twice; use 'as(_:)'")
            #expect(throws: QueryBuildingError.self) {
                try Item.where { _ in UInt64.max.eq(1) }.fetchAll(db)
            }
        }
    }
}
