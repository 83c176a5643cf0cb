import StrongroomTablesRuntime
import StrongroomTestSupport
import Testing

@Suite struct CompoundTests {
    let library: Library

    init() throws { library = try Library() }

    @Test(.proves("TQS-035"))
    func `selects of one row type are united, intersected and subtracted`() throws {
        let titles = try library.rows(
            Item.find(1).select(\.title).union(Folder.find(1).select(\.title)),
            sql: """
                SELECT "items"."title" FROM "items" WHERE "items"."id" = 1 UNION \
                SELECT "folders"."title" FROM "folders" WHERE "folders"."id" = 1
                """)
        #expect(titles == ["home", "tea"])
        let mixed: Compound<Int?> = Item.select(\.id).union(all: true, Item.select(\.stars))
        let ids = Item.select(\.id).except(Item.find(1).select(\.id)).intersect(Folder.select(\.id))
        try library.queue.read { (db) throws in
            #expect(try mixed.fetchAll(db).count == 8)
            #expect(try mixed.fetchCount(db) == 8)
            #expect(try ids.fetchAll(db) == [2, 3])
            #expect(try Item.all.union(Item.all).fetchCount(db) == 4)
        }
    }

    @Test(.proves("TQS-036"))
    func `empty sides disappear, or empty the whole`() {
        let none = Item.none.select(\.id)
        let sql = #"SELECT "folders"."id" FROM "folders""#
        #expect(Folder.select(\.id).union(none).debugSQL == sql)
        #expect(none.union(all: true, Folder.select(\.id)).debugSQL == sql)
        #expect(Folder.select(\.id).except(none).debugSQL == sql)
        #expect(Folder.select(\.id).intersect(none).debugSQL.isEmpty)
        #expect(none.intersect(Folder.select(\.id)).debugSQL.isEmpty)
        #expect(none.except(Folder.select(\.id)).debugSQL.isEmpty)
    }

    @Test
    func `results of compounds are ordered, limited, and read by other queries`() throws {
        let pairs = Item.select { ($0.id, $0.title) }
            .union(Folder.select { ($0.id, $0.title) })
            .order { ($0.1.collate(.nocase).desc(), $0.0) }.limit(2).offset(1)
        #expect(pairs.debugSQL.hasSuffix(#" ORDER BY 2 COLLATE "NOCASE" DESC, 1 LIMIT 2 OFFSET 1"#))
        let ids = Item.select(\.id).union(Folder.select(\.id)).order { $0.desc() }
        let folders = Folder.select { Folder.Columns(id: $0.id, title: $0.title, rank: $0.rank) }
        let both = folders.union(folders).order { $0.rank.desc() }
        try library.queue.read { (db) throws in
            #expect(try pairs.fetchAll(db).map(\.1) == ["tea", "Rice"])
            #expect(try ids.fetchAll(db) == [4, 3, 2, 1])
            #expect(try both.fetchAll(db).map(\.rank) == [3, 2, 1])
            #expect(try Folder.from(both).where { $0.rank > 1 }.fetchCount(db) == 2)
            #expect(try Folder.where { $0.id.in(ids) }.fetchCount(db) == 3)
            #expect(try Folder.where { _ in both.exists() }.fetchCount(db) == 3)
        }
    }

    @Test(.proves("TQS-048"))
    func `members of With may be empty`() throws {
        let empty = With {
            Folder.none
        } query: {
            Folder.all
        }
        #expect(
            empty.debugSQL.hasPrefix(
                """
                WITH "folders" AS (SELECT NULL AS "id", NULL AS "title", NULL AS "rank" WHERE 0) \
                SELECT
                """))
        try library.queue.read { (db) throws in
            #expect(try empty.fetchAll(db).isEmpty)
            let nothing = With {
                Folder.all
            } query: {
                Folder.none
            }
            #expect(nothing.debugSQL.isEmpty)
            let recursive = With {
                Folder.none.union(all: true, Folder.all)
            } query: {
                Folder.all
            }
            #expect(try recursive.fetchAll(db).isEmpty)
        }
    }

    @Test(.proves("TQS-050"))
    func `values are rows without a table`() throws {
        let rows = try library.rows(
            Values(1, "a", true).union(all: true, Values(2, "b", false)),
            sql: "SELECT 1, 'a', 1 UNION ALL SELECT 2, 'b', 0")
        #expect(rows.count == 2 && rows[1] == (2, "b", false))
        let folders = try library.rows(
            Values(Folder(id: 1, title: "x", rank: 2)),
            sql: #"SELECT 1 AS "id", 'x' AS "title", 2 AS "rank""#)
        #expect(folders == [Folder(id: 1, title: "x", rank: 2)])
    }

    @Test(.proves("TQS-005"))
    func `map projects what was selected`() throws {
        let swapped = Item.find(1).select { ($0.id, $0.title, $0.stars) }
            .map { id, title, _ in (title, id) }
        let rows = try library.rows(
            swapped,
            sql: #"SELECT "items"."title", "items"."id" FROM "items" WHERE "items"."id" = 1"#)
        #expect(rows.count == 1 && rows[0] == ("tea", 1))
    }
}
