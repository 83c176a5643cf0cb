import Foundation
import StrongroomTables
import StrongroomTestSupport
import Testing

/// The compiler has to know these before it checks the first query on them.
private typealias Tables = (
    Trait.TableColumns, Taxon.TableColumns, Packet.TableColumns,
    Trial.TableColumns, Member.TableColumns
)

extension InsertTests {
    @Test(.proves("TIN-006"))
    func `a row that is there already is changed, or left`() throws {
        let rows = try library.run(
            Trait.insert {
                Trait(code: "hot", label: "New")
            } onConflictDoUpdate: {
                $0.label += "!"
            },
            """
            INSERT INTO "traits" ("code", "label") VALUES ('hot', 'New') \
            ON CONFLICT DO UPDATE SET "label" = "traits"."label" || '!'
            """, then: "SELECT label FROM traits WHERE code = 'hot'")
        #expect(rows == [["Hot!"]])
        let left = try library.run(
            Trait.insert {
                Trait(code: "hot", label: "New")
            } onConflictDoUpdate: { _ in
            },
            """
            INSERT INTO "traits" ("code", "label") VALUES ('hot', 'New') ON CONFLICT DO NOTHING
            """, then: "SELECT label FROM traits WHERE code = 'hot'")
        #expect(left == [["Hot!"]])
    }

    @Test(.proves("TIN-007"))
    func `a conflict in some columns is named`() throws {
        let rows = try library.run(
            Member.insert {
                Member.Draft(name: "Bo II", email: "bo@seeds.example")
            } onConflict: {
                $0.email
            } doUpdate: {
                $0.name = $1.name
                $0.points += 1
            },
            """
            INSERT INTO "members" ("name", "email", "joined", "points") \
            VALUES ('Bo II', 'bo@seeds.example', 0, 0) ON CONFLICT ("email") DO UPDATE SET \
            "name" = "excluded"."name", "points" = "members"."points" + 1
            """, then: "SELECT id, name, points FROM members WHERE id = 2")
        #expect(rows == [["2", "Bo II", "0"]])
        let trials = try library.run(
            Trial.insert {
                Trial(id: Trial.ID(variety: 1, year: 2024))
            } onConflict: {
                $0.id
            },
            """
            INSERT INTO "trials" ("variety", "year", "score", "plot") VALUES (1, 2024, NULL, '') \
            ON CONFLICT ("variety", "year") DO NOTHING
            """, then: "SELECT score FROM trials WHERE variety = 1")
        #expect(trials == [["9"]])
        #expect(
            Taxon.insert {
                Taxon(id: 1)
            } onConflict: {
                ($0.name, $0.rank)
            }.debugSQL
                .hasSuffix(#"ON CONFLICT ("name", "rank") DO NOTHING"#))
    }

    @Test(.proves("TIN-008"))
    func `conditions stand behind the target and behind the update`() throws {
        let ada = Member.Draft(name: "Ada II", email: "ada@seeds.example", points: 90)
        let rows = try library.run(
            Member.insert {
                ada
            } onConflict: {
                $0.email
            } doUpdate: {
                $0.points = $1.points
            } where: { row, excluded in
                row.points < excluded.points
            },
            """
            INSERT INTO "members" ("name", "email", "joined", "points") VALUES ('Ada II', \
            'ada@seeds.example', 0, 90) ON CONFLICT ("email") DO UPDATE SET "points" = \
            "excluded"."points" WHERE "members"."points" < "excluded"."points"
            """, then: "SELECT name, points FROM members WHERE id = 1")
        #expect(rows == [["Ada", "90"]])
        try library.queue.write { db in
            try db.execute(
                sql: "CREATE UNIQUE INDEX i ON packets (shelf, box) WHERE seeds > 0")
        }
        let packets = try library.run(
            Packet.insert {
                Packet.Draft(seeds: 9, place: Place(shelf: "A", box: 1))
            } onConflict: {
                ($0.place.shelf, $0.place.box)
            } where: {
                $0.seeds > 0
            } doUpdate: {
                $0.seeds += $1.seeds
            } where: {
                $0.seeds < 1000
            },
            """
            INSERT INTO "packets" ("seeds", "grams", "shelf", "box", "sown", "sprouted") VALUES \
            (9, NULL, 'A', 1, NULL, NULL) ON CONFLICT ("shelf", "box") WHERE "seeds" > 0 \
            DO UPDATE SET "seeds" = "packets"."seeds" + "excluded"."seeds" \
            WHERE "packets"."seeds" < 1000
            """, then: "SELECT count(*), max(seeds) FROM packets")
        #expect(packets == [["3", "129"]])
    }

    @Test(.proves("TIN-009"))
    func `a condition without an update is an error when it runs`() throws {
        let insert = Trait.insert {
            Trait(code: "hot")
        } onConflict: {
            $0.code
        } doUpdate: { _ in
        } where: {
            $0.label.length() > 1
        }
        #expect(insert.debugSQL.contains("'where' without an update"))
        let error = try #require(throws: QueryBuildingError.self) {
            try library.queue.write { try insert.execute($0) }
        }
        #expect(error.message == "'where' without an update")
        let nothing = Trait.insert {
            Trait(code: "hot")
        } onConflict: {
            $0.code
        } doUpdate: { _ in
        } where: { _ in
            if Bool(false) { true }
        }
        try library.queue.write { try nothing.execute($0) }
    }

    @Test(.proves("BYD-019"))
    func `several conflicts are looked at in order`() throws {
        let rows = try library.run(
            Member.insert { Member(id: 1, name: "X", email: "bo@seeds.example") }
                .onConflict {
                    $0.id
                } doUpdate: {
                    $0.points += 1
                }
                .onConflict { $0.email },
            """
            INSERT INTO "members" ("id", "name", "email", "joined", "points") VALUES (1, 'X', \
            'bo@seeds.example', 0, 0) ON CONFLICT ("id") DO UPDATE SET "points" = \
            "members"."points" + 1 ON CONFLICT ("email") DO NOTHING
            """, then: "SELECT points FROM members ORDER BY id")
        #expect(rows == [["41"], ["-1"]])
    }
}
