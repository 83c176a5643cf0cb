import Foundation
import StrongroomTables
import StrongroomTestSupport
import Testing

/// The compiler has to know these before it checks the first query on them.
private typealias Tables = (
    Taxon.TableColumns, Packet.TableColumns, Trial.TableColumns, Nested.TableColumns,
    Bin.TableColumns, Stock.TableColumns, OuterGroup.OuterColumns, LooseGroup.OuterColumns
)

@Selection struct InnerGroup: Equatable { var depth: Int; var note: String? }
@Selection struct OuterGroup: Equatable { var width: Int; var inner: InnerGroup? }
@Selection struct LooseGroup: Equatable { var a: Int?; var b: Int? }
@Table struct Nested: Equatable {
    let id: Int
    var outer: OuterGroup?
    var loose: LooseGroup?
}
@Selection struct Stock: Equatable {
    var count = 0
    @Column(generated: .stored) let twice: Int?
    @Column(lazyInitializable: true) var made: Int
}
@Table struct Bin: Equatable { let id: Int; var stock: Stock }

@Suite struct GroupTests {
    let library: SeedLibrary

    init() throws { library = try SeedLibrary() }

    private func sql(_ condition: (Packet.TableColumns) -> some QueryExpression) -> String {
        condition(Packet.columns).queryFragment.description
    }

    @Test(.proves("SEL-008", "SEL-009"))
    func `the columns of a group stand flat in the table, and each can be reached`() throws {
        #expect(
            Packet.all.debugSQL == """
                SELECT "packets"."id", "packets"."seeds", "packets"."grams", "packets"."shelf", \
                "packets"."box", "packets"."sown", "packets"."sprouted", \
                "packets"."seedsPerGram", "packets"."created_at" FROM "packets"
                """)
        #expect(sql { $0.place.shelf } == #""packets"."shelf""#)
        #expect(Packet.place.box.queryFragment.description == #""packets"."box""#)
        let shelves = try library.fetch(
            Packet.order(by: \.place.box).select(\.place.shelf),
            #"SELECT "packets"."shelf" FROM "packets" ORDER BY "packets"."box""#)
        #expect(shelves == ["A", "B", "B"])
        #expect(
            try library.queue.read { try Packet.find(3).fetchOne($0)?.place }
                == Place(shelf: "B", box: 3))
        let sprouted = try library.queue.read { db in
            try Packet.where { $0.test.sprouted.is(9) }.select(\.test.sown).fetchAll(db)
        }
        #expect(sprouted == [10])
    }

    @Test
    func `a group is compared as a row value`() throws {
        let row = #"("packets"."shelf", "packets"."box")"#
        #expect(sql { $0.place.eq(Place(shelf: "B", box: 2)) } == row + " = ('B', 2)")
        #expect(sql { $0.place.neq(Place()) } == row + " <> ('A', 1)")
        #expect(sql { $0.place.is(Place()) } == row + " IS ('A', 1)")
        #expect(sql { $0.place < Place() } == row + " < ('A', 1)")
        #expect(
            sql { $0.test.is(nil) } == #"("packets"."sown", "packets"."sprouted") IS (NULL, NULL)"#)
        #expect(
            Packet.order { $0.place.desc() }.debugSQL
                .hasSuffix(#"ORDER BY "packets"."shelf" DESC, "packets"."box" DESC"#))
        #expect(
            try library.queue.read {
                try Packet.where { $0.place >= Place(shelf: "B", box: 3) }.select(\.id).fetchAll($0)
            } == [3])
    }

    @Test
    func `an optional group is nil when all its columns are NULL`() throws {
        let packets = try library.queue.read { try Packet.order(by: \.id).fetchAll($0) }
        #expect(
            packets.map(\.test) == [
                Germination(sown: 10, sprouted: 9), nil, Germination(sown: 5),
            ])
        let rows = try library.run(
            Packet.find(1).update { $0.test = nil },
            #"UPDATE "packets" SET "sown" = NULL, "sprouted" = NULL WHERE "packets"."id" = 1"#,
            then: "SELECT sown, sprouted FROM packets WHERE id = 1")
        #expect(rows == [["NULL", "NULL"]])
        #expect(
            try library.queue.read {
                try Packet.where { $0.test.is(nil) }.fetchCount($0)
            } == 2)
    }

    @Test(.proves("SEL-011"))
    func `groups in groups are nil one by one, and a group of nothing is nil`() throws {
        let inner = InnerGroup(depth: 2, note: nil)
        let rows = [
            Nested(id: 1, outer: nil, loose: nil),
            Nested(id: 2, outer: OuterGroup(width: 1, inner: nil), loose: LooseGroup(a: 1)),
            Nested(id: 3, outer: OuterGroup(width: 1, inner: inner), loose: LooseGroup()),
        ]
        #expect(
            Nested.where { $0.loose.is(nil) }.debugSQL
                .hasSuffix(#"WHERE ("nesteds"."a", "nesteds"."b") IS (NULL, NULL)"#))
        try library.queue.write { (db) throws in
            try db.execute(
                sql: "CREATE TABLE nesteds (id INTEGER PRIMARY KEY, width, depth, note, a, b)")
            try Nested.insert { for row in rows { row } }.execute(db)
            var expected = rows
            // A group whose values are all nil reads back as nil.
            expected[2].loose = nil
            #expect(try Nested.order(by: \.id).fetchAll(db) == expected)
            #expect(try Nested.where { $0.loose.is(nil) }.fetchCount(db) == 2)
            #expect(
                try Nested.where { $0.outer.inner.is(nil) }.select(\.id).fetchAll(db) == [1, 2])
            try Nested.find(3).update { $0.outer.inner = nil }.execute(db)
            #expect(try Nested.find(3).fetchOne(db)?.outer == OuterGroup(width: 1, inner: nil))
            try Nested.find(2).update { $0.outer = nil }.execute(db)
            let nulls = try Int.fetchOne(
                db,
                sql:
                    "SELECT count(*) FROM nesteds WHERE coalesce(width, depth, note) IS NULL AND id = 2"
            )
            #expect(nulls == 1)
        }
    }

    @Test(.proves("SEL-020"))
    func `a group has columns that are generated or have defaults`() throws {
        let bin = Bin(id: 1, stock: Stock(count: 2, twice: nil, made: 7))
        let draft = Bin.Draft(stock: bin.stock)
        #expect(
            Bin.insert {
                bin
                draft
            }.debugSQL == """
                INSERT INTO "bins" ("id", "count", "made") VALUES (1, 2, 7); \
                INSERT INTO "bins" ("count", "made") VALUES (2, 7)
                """)
        #expect(
            Bin.update(bin).debugSQL
                == #"UPDATE "bins" SET "count" = 2, "made" = 7 WHERE "bins"."id" = 1"#)
        try library.queue.write { (db) throws in
            try db.execute(
                sql: """
                    CREATE TABLE bins (id INTEGER PRIMARY KEY, count,
                        twice INTEGER AS (count * 2) STORED, made INTEGER NOT NULL DEFAULT 5)
                    """)
            try Bin.insert { draft }.execute(db)
            try Bin.insert {
                $0.stock.count
            } values: {
                3
            }.execute(db)
            let stocks = try Bin.order(by: \.id).fetchAll(db).map(\.stock)
            #expect(
                stocks == [
                    Stock(count: 2, twice: 4, made: 7), Stock(count: 3, twice: 6, made: 5),
                ])
            try Bin.update { $0.stock.count += 1 }.execute(db)
            #expect(try Bin.select { $0.stock.twice }.fetchAll(db) == [6, 8])
        }
    }

    @Test(.proves("SEL-012"))
    func `a group is assigned as a whole or by its members`() throws {
        let rows = try library.run(
            Packet.find(1).update {
                $0.place = Place(shelf: "Z", box: 7)
                $0.place.box = 8
                $0.test.sprouted = 2
            },
            """
            UPDATE "packets" SET "shelf" = 'Z', "box" = 8, "sprouted" = 2 \
            WHERE "packets"."id" = 1
            """, then: "SELECT shelf, box, sown, sprouted FROM packets WHERE id = 1")
        #expect(rows == [["Z", "8", "10", "2"]])
    }

    @Test(.proves("SEL-013"))
    func `a group is inserted and selected by itself`() throws {
        let rows = try library.run(
            Packet.insert {
                ($0.seeds, $0.place)
            } values: {
                (9, Place(shelf: "Q", box: 4))
            },
            #"INSERT INTO "packets" ("seeds", "shelf", "box") VALUES (9, 'Q', 4)"#,
            then: "SELECT shelf, box FROM packets WHERE id = 4")
        #expect(rows == [["Q", "4"]])
        #expect(
            Packet.insert {
                $0.place
            } values: {
                Place()
            }.debugSQL
                == #"INSERT INTO "packets" ("shelf", "box") VALUES ('A', 1)"#)
        let places = try library.fetch(
            Packet.where { $0.id.eq(4) }.select { $0.place },
            #"SELECT "packets"."shelf", "packets"."box" FROM "packets" WHERE "packets"."id" = 4"#)
        #expect(places == [Place(shelf: "Q", box: 4)])
    }

    @Test(.proves("SEL-015", "SEL-016"))
    func `a key of several columns finds, changes and deletes its row`() throws {
        let id = Trial.ID(variety: 1, year: 2024)
        let columns = #"("trials"."variety", "trials"."year")"#
        let condition = "WHERE \(columns) = (1, 2024)"
        let list = #""trials"."variety", "trials"."year", "trials"."score", "trials"."plot""#
        let found = try library.fetch(
            Trial.find(id), #"SELECT \#(list) FROM "trials" \#(condition)"#)
        #expect(found == [Trial(id: id, score: 9, plot: "east")])
        let both = try library.fetch(
            Trial.find([id, Trial.ID(variety: 2, year: 2024)]),
            """
            SELECT \(list) FROM "trials" WHERE \(columns) IN (VALUES (1, 2024), (2, 2024))
            """)
        #expect(both.count == 2)
        var trial = found[0]
        trial.score = 3
        let rows = try library.run(
            Trial.update(trial),
            #"UPDATE "trials" SET "score" = 3, "plot" = 'east' \#(condition)"#,
            then: "SELECT score FROM trials WHERE variety = 1")
        #expect(rows == [["3"]])
        trial.score = 4
        let draft = Trial.Draft(trial)
        try library.queue.write { try Trial.upsert { draft }.execute($0) }
        #expect(try library.queue.read { try Trial.find(id).fetchOne($0)?.score } == 4)
        let deleted = try library.run(
            Trial.delete(trial), #"DELETE FROM "trials" \#(condition)"#,
            then: "SELECT count(*) FROM trials")
        #expect(deleted == [["1"]])
    }

    @Test(.proves("SEL-021"))
    func `a row of expressions is inserted`() throws {
        let rows = try library.run(
            Taxon.insert {
                Taxon.Columns(id: 9, name: #sql("upper('x')"), rank: Rank.genus)
                Taxon(id: 10, name: "y")
            },
            """
            INSERT INTO "taxons" ("id", "name", "rank", "parentID") VALUES \
            (9, upper('x'), 'genus', NULL), (10, 'y', 'species', NULL)
            """, then: "SELECT name FROM taxons WHERE id > 8 ORDER BY id")
        #expect(rows == [["X"], ["y"]])
    }
}
