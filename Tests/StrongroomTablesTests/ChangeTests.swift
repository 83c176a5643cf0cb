import StrongroomTablesRuntime
import StrongroomTestSupport
import Testing

@Suite struct ChangeTests {
    let library: Library

    init() throws { library = try Library() }

    private func run<S: StrongroomTablesRuntime.Statement>(
        _ statement: S, sql: String, sourceLocation: SourceLocation = #_sourceLocation
    ) throws where S.Row == Void {
        #expect(statement.debugSQL == sql, sourceLocation: sourceLocation)
        try library.queue.write { try statement.execute($0) }
    }

    @Test(.proves("TIN-001", "TIN-004"))
    func `rows and drafts are inserted`() throws {
        try run(
            Folder.insert {
                Folder(id: 7, title: "a")
                for rank in 8...9 { Folder(id: rank, rank: rank) }
            },
            sql: """
                INSERT INTO "folders" ("id", "title", "rank") VALUES (7, 'a', 0), (8, '', 8), \
                (9, '', 9)
                """)
        #expect(Folder.insert { for _ in 0..<0 { Folder(id: 1) } }.debugSQL == "")
        #expect(Folder.insert().debugSQL == #"INSERT INTO "folders" DEFAULT VALUES"#)
        let mixed = Folder.insert {
            Folder.Draft(title: "b")
            Folder(id: 20, title: "c")
            [Folder.Draft(title: "d"), Folder.Draft(title: "e")]
        }
        let ids = try library.queue.write { try mixed.returning(\.id).fetchAll($0) }
        #expect(ids == [10, 20, 21, 22])
    }

    @Test(.proves("TIN-017", "TIN-022"))
    func `what a draft leaves out the database gives`() throws {
        let insert = Item.insert(or: .replace) { Item.Draft(title: "a", folderID: 1) }
        try run(
            insert,
            sql: """
                INSERT OR REPLACE INTO "items" ("title", "isDone", "stars", "level", "folderID") \
                VALUES ('a', 0, NULL, NULL, 1)
                """)
        #expect(try library.queue.read { try Item.find(5).fetchOne($0)?.title } == "a")
    }

    @Test(.proves("TIN-011"))
    func `an upsert writes the columns of the row that has the key`() throws {
        try run(
            Folder.upsert { Folder(id: 1, title: "new", rank: 4) },
            sql: """
                INSERT INTO "folders" ("id", "title", "rank") VALUES (1, 'new', 4) \
                ON CONFLICT ("id") DO UPDATE SET "title" = "excluded"."title", \
                "rank" = "excluded"."rank"
                """)
        #expect(try library.queue.read { try Folder.find(1).fetchOne($0)?.title } == "new")
    }

    @Test(.proves("TUP-001", "TUP-005"))
    func `rows are updated`() throws {
        try run(Item.update { $0.isDone = true }, sql: #"UPDATE "items" SET "isDone" = 1"#)
        try run(
            Item.find(1).update {
                $0.level = .high; $0.stars = nil; $0.title = "x"
            },
            sql: """
                UPDATE "items" SET "level" = 3, "stars" = NULL, "title" = 'x' \
                WHERE "items"."id" = 1
                """)
        #expect(
            Item.update { $0.isDone.toggle() }.where { $0.id > 2 }.debugSQL
                == #"UPDATE "items" SET "isDone" = NOT "items"."isDone" WHERE "items"."id" > 2"#)
        #expect(
            Item.update { row in if row.title.queryFragment.isEmpty { row.stars = 1 } }.debugSQL
                == "")
        let row = try library.queue.read { try Item.find(1).fetchOne($0) }
        #expect(row == Item(id: 1, title: "x", isDone: true, level: .high, folderID: 1))
    }

    @Test(.proves("TUP-006", "TUP-007"))
    func `a row is written and deleted by its key`() throws {
        try run(
            Folder.update(Folder(id: 1, title: "t", rank: 9)),
            sql: #"UPDATE "folders" SET "title" = 't', "rank" = 9 WHERE "folders"."id" = 1"#)
        try run(
            Folder.delete(Folder(id: 1)), sql: #"DELETE FROM "folders" WHERE "folders"."id" = 1"#)
        try run(Folder.find(2).delete(), sql: #"DELETE FROM "folders" WHERE "folders"."id" = 2"#)
        try run(
            Item.where { $0.stars > 3 }.delete(),
            sql: #"DELETE FROM "items" WHERE "items"."stars" > 3"#)
        try run(Folder.delete(), sql: #"DELETE FROM "folders""#)
        #expect(try library.queue.read { try Item.fetchCount($0) } == 2)
    }

    @Test(.proves("TUP-008"))
    func `returning gives columns, and one row means all are changed`() throws {
        let update = Item.update { $0.title += "!" }.returning { ($0.id, $0.title) }
        #expect(
            update.debugSQL
                == #"UPDATE "items" SET "title" = "items"."title" || '!' RETURNING "id", "title""#)
        let first = try library.queue.write { try update.fetchOne($0) }
        #expect(first?.1 == "tea!")
        #expect(
            try library.queue.read { try Item.where { $0.title.like("%!") }.fetchCount($0) } == 4)
    }
}
