import StrongroomTablesRuntime
import StrongroomTestSupport
import Testing

extension Item.TableColumns {
    fileprivate var isShort: some QueryExpression<Bool> { title.length() < 5 }
}

@Suite struct JoinTests {
    let library: Library

    init() throws { library = try Library() }

    @Test(.proves("TQS-018", "TQS-019"))
    func `each kind of join has its rows`() throws {
        let on = #""folders" ON "items"."folderID" = "folders"."id""#
        func sql(_ kind: String) -> String {
            "SELECT \(itemColumns), \(folderColumns) FROM \"items\" \(kind) \(on)"
        }
        let inner: [(Item, Folder)] = try library.rows(
            Item.join(Folder.all) { $0.folderID.eq($1.id) }, sql: sql("JOIN"))
        #expect(inner.count == 4)
        let left: [(Item, Folder?)] = try library.rows(
            Item.leftJoin(Folder.all) { $0.folderID.eq($1.id) }, sql: sql("LEFT JOIN"))
        #expect(left.count == 4)
        let right: [(Item?, Folder)] = try library.rows(
            Item.rightJoin(Folder.all) { $0.folderID.eq($1.id) }, sql: sql("RIGHT JOIN"))
        #expect(right.count == 5 && right.filter { $0.0 == nil }.map(\.1.id) == [3])
        let full: [(Item?, Folder?)] = try library.rows(
            Item.fullJoin(Folder.all) { $0.folderID.eq($1.id) }, sql: sql("FULL JOIN"))
        #expect(full.count == 5)
    }

    @Test(.proves("TQS-020", "TQS-025"))
    func `columns of an outer side are optional once, and its conditions stand in ON`() throws {
        let query = Folder.leftJoin(Item.where { !$0.isDone }) { $0.id.eq($1.folderID) }
            .order { f, _ in f.id }
            .select { ($0.id, $1.title, $1.stars, $1.isShort) }
        let rows: [(Int, String?, Int?, Bool?)] = try library.rows(
            query,
            sql: """
                SELECT "folders"."id", "items"."title", "items"."stars", \
                length("items"."title") < 5 FROM "folders" LEFT JOIN "items" \
                ON "folders"."id" = "items"."folderID" AND NOT "items"."isDone" \
                ORDER BY "folders"."id"
                """)
        #expect(rows.map(\.1) == ["tea", "mail", nil])
        #expect(rows.map(\.3) == [true, true, nil])
        let right = Item.where { !$0.isDone }.rightJoin(Folder.all) { $0.folderID.eq($1.id) }
        #expect(right.debugSQL.hasSuffix(#""folders"."id" AND NOT "items"."isDone""#))
        let full = Item.where { !$0.isDone }.fullJoin(Folder.where { $0.rank > 1 }) {
            $0.folderID.eq($1.id)
        }
        #expect(
            full.debugSQL.contains(#"WHERE NOT "items"."isDone") AS "items" FULL JOIN (SELECT"#))
        #expect(try library.queue.read { try full.fetchAll($0) }.count == 3)
    }

    @Test(.proves("TQS-022"))
    func `a row that is there but has a NULL is an error, not a missing row`() throws {
        try library.queue.write { db in
            try db.execute(
                sql:
                    "DROP TABLE items; CREATE TABLE items AS SELECT 1 AS id, NULL AS title, 0 AS isDone, NULL AS stars, NULL AS level, 1 AS folderID"
            )
            let query = Folder.leftJoin(Item.all) { $0.id.eq($1.folderID) }
            #expect(throws: QueryDecodingError.self) { try query.fetchAll(db) }
            #expect(try query.where { f, _ in f.id > 1 }.fetchAll(db).map(\.1) == [nil, nil])
        }
    }

    @Test(.proves("TQS-028"))
    func `a table that is joined twice needs another name`() throws {
        let query = Item.join(Item.all) { $0.id.eq($1.folderID) }
        try library.queue.read { db in
            let error = #expect(throws: QueryBuildingError.self) { try query.fetchAll(db) }
            #expect(error?.message == "\"items\" is joined twice; use 'as(_:)'")
        }
    }
}
