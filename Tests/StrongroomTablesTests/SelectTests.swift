import StrongroomTablesRuntime
import StrongroomTestSupport
import Testing

@Suite struct SelectTests {
    let library: Library

    init() throws { library = try Library() }

    @Test(.proves("TQS-002", "TQS-004", "TQS-006"))
    func `columns, tables and values are selected`() throws {
        let titles = try library.rows(
            Item.order(by: \.id).select(\.title),
            sql: #"SELECT "items"."title" FROM "items" ORDER BY "items"."id""#)
        #expect(titles == ["tea", "Rice", "mail", "50% off"])
        let pairs: [(Int, String)] = try library.rows(
            Item.find(1).select { ($0.id, $0.title) },
            sql: #"SELECT "items"."id", "items"."title" FROM "items" WHERE "items"."id" = 1"#)
        #expect(pairs.count == 1 && pairs[0] == (1, "tea"))
        let values = try library.rows(
            Item.find(1).select { ("item", $0.title) },
            sql: #"SELECT 'item', "items"."title" FROM "items" WHERE "items"."id" = 1"#)
        #expect(values.count == 1 && values[0] == ("item", "tea"))
        let joined = try library.rows(
            Item.join(Folder.all) { $0.folderID.eq($1.id) }.find(3).select { ($0, $1.title) },
            sql: """
                SELECT \(itemColumns), "folders"."title" FROM "items" JOIN "folders" \
                ON "items"."folderID" = "folders"."id" WHERE "items"."id" = 3
                """)
        let mail = Item(id: 3, title: "mail", stars: 5, level: .high, folderID: 2)
        #expect(joined.count == 1 && joined[0].0 == mail && joined[0].1 == "work")
    }

    @Test(.proves("TQS-014", "TQS-053"))
    func `conditions are built on lines, with branches and loops`() throws {
        func query(_ level: Level?, words: [String], all: Bool) -> Where<Item> {
            Item.where {
                if let level { $0.level.eq(level) } else { nil }
                if !all {
                    !$0.isDone
                    $0.stars > 2
                }
                for word in words { $0.title.contains(word) }
            }
        }
        #expect(
            query(nil, words: [], all: true).debugSQL == #"SELECT \#(itemColumns) FROM "items""#)
        let rows = try library.rows(
            query(.high, words: ["a", "m"], all: false),
            sql: """
                SELECT \(itemColumns) FROM "items" WHERE "items"."level" = 3 \
                AND NOT "items"."isDone" AND "items"."stars" > 2 \
                AND "items"."title" LIKE '%a%' ESCAPE '\\' AND "items"."title" LIKE '%m%' ESCAPE '\\'
                """)
        #expect(rows.map(\.id) == [3])
        let any = Item.where(\.isDone).any { for word in ["ri", "%"] { $0.title.contains(word) } }
        #expect(try library.queue.read { try any.fetchAll($0) }.map(\.id) == [2, 4])
        #expect(Item.any { _ in nil }.debugSQL == #"SELECT \#(itemColumns) FROM "items""#)
    }

    @Test(.proves("TQS-016", "TQS-017"))
    func `queries on one table are combined`() throws {
        func text(_ query: some StrongroomTablesRuntime.Statement) -> String {
            String(query.debugSQL.split(separator: " WHERE ").last ?? "")
        }
        let done = Item.where(\.isDone)
        let many = Item.where {
            $0.stars > 3; $0.id > 1
        }
        #expect(text(done.and(.where(\.isDone))) == #""items"."isDone""#)
        #expect(
            text(done || many)
                == #""items"."isDone" OR ("items"."stars" > 3 AND "items"."id" > 1)"#)
        #expect(text(!done) == #"NOT "items"."isDone""#)
        #expect(text(Item.all.or(done)) == #""items"."isDone""#)
        #expect(text(Item.all.not()) == "0")
        let sum = done + Item.order { $0.id.desc() }.limit(1) + Item.select(\.id)
        #expect(try library.queue.read { try sum.fetchAll($0) } == [4])
    }

    @Test(.proves("TQS-009", "TQS-029", "TQS-030", "TQS-033"))
    func `rows are grouped, made distinct and limited`() throws {
        let groups = try library.rows(
            Item.group(by: \.folderID).having { $0.stars.count() > 1 }
                .select { ($0.folderID, $0.stars.sum() ?? 0) },
            sql: """
                SELECT "items"."folderID", coalesce(sum("items"."stars"), 0) FROM "items" \
                GROUP BY "items"."folderID" HAVING count("items"."stars") > 1
                """)
        #expect(groups.count == 1 && groups[0] == (2, 10))
        #expect(
            Item.group { ($0.isDone, $0.stars) }.group(by: \.level).select(\.isDone).debugSQL
                == """
                SELECT "items"."isDone" FROM "items" \
                GROUP BY "items"."isDone", "items"."stars", "items"."level"
                """)
        let stars = Item.distinct().order { $0.stars.desc(nulls: .last) }.select(\.stars)
        #expect(try library.queue.read { try stars.fetchAll($0) } == [5, 3, nil])
        #expect(stars.distinct(false).debugSQL.hasPrefix("SELECT \"items\""))
        let paged = true
        let page = Item.order(by: \.id).limit(9).limit { _ in if paged { 2 } }.offset(nil).offset(1)
        #expect(page.debugSQL.hasSuffix(" LIMIT 2 OFFSET 1"))
        #expect(try library.queue.read { try page.fetchAll($0) }.map(\.id) == [2, 3])
        #expect(Item.all.offset(4).debugSQL.hasSuffix(" LIMIT -1 OFFSET 4"))
    }

    @Test(.proves("TQS-032", "TQS-034"))
    func `orders have directions, are turned round and taken back`() {
        let query = Item.order { ($0.isDone, $0.stars.desc(nulls: .last), $0.id.asc()) }
        let order =
            #" ORDER BY "items"."isDone", "items"."stars" DESC NULLS LAST, "items"."id" ASC"#
        #expect(query.debugSQL.hasSuffix(order))
        let reversed =
            #" ORDER BY "items"."isDone" DESC, "items"."stars" ASC NULLS FIRST, "items"."id" DESC"#
        #expect(query.reversed().debugSQL.hasSuffix(reversed))
        #expect(query.unordered().debugSQL.hasSuffix(#"FROM "items""#))
        #expect(Item.all.reversed().debugSQL.hasSuffix(#"FROM "items""#))
        #expect(Item.order(.random).debugSQL.hasSuffix(" ORDER BY random()"))
        #expect(Item.order { _ in .random }.debugSQL.hasSuffix(" ORDER BY random()"))
    }

    @Test(.proves("TQS-011", "TQS-039"))
    func `subqueries are conditions, and see the columns around them`() throws {
        let used = Folder.where { folder in
            Item.where { $0.folderID.eq(folder.id) }.exists()
        }
        let rows = try library.rows(
            used.order(by: \.id),
            sql: """
                SELECT \(folderColumns) FROM "folders" WHERE EXISTS (SELECT 1 FROM "items" \
                WHERE "items"."folderID" = "folders"."id") ORDER BY "folders"."id"
                """)
        #expect(rows.map(\.id) == [1, 2])
        let unused = Folder.where { $0.id.notIn(Item.select(\.folderID)) }
        #expect(try library.queue.read { try unused.fetchAll($0) }.map(\.id) == [3])
        let nested = Folder.where { $0.id.in(Item.where(\.isDone).select(\.folderID)) }
        #expect(try library.queue.read { try nested.fetchCount($0) } == 2)
    }
}
