import Foundation
import StrongroomTables
import StrongroomTestSupport
import Testing

/// The compiler has to know these before it checks the first query on them.
private typealias Tables = (
    Trait.TableColumns, Taxon.TableColumns, Packet.TableColumns,
    Trial.TableColumns, Member.TableColumns
)

@Suite struct UpdateTests {
    let library: SeedLibrary

    init() throws { library = try SeedLibrary() }

    @Test
    func `columns change in place`() throws {
        let rows = try library.run(
            Packet.where { $0.place.shelf.eq("B") }.update {
                $0.seeds -= 5
                $0.grams = nil
            },
            """
            UPDATE "packets" SET "seeds" = "packets"."seeds" - 5, "grams" = NULL \
            WHERE "packets"."shelf" = 'B'
            """, then: "SELECT seeds, grams FROM packets ORDER BY id")
        #expect(rows == [["120", "2.0"], ["-5", "NULL"], ["35", "NULL"]])
        let bits = Packet.find(1).update {
            $0.seeds %= 7
            $0.place.box <<= 3
            $0.place.box |= 1
            $0.place.box &= 9
            $0.grams *= 2
        }
        #expect(
            try library.run(
                bits,
                """
                UPDATE "packets" SET "seeds" = "packets"."seeds" % 7, \
                "box" = (("packets"."box" << 3) | 1) & 9, "grams" = "packets"."grams" * 2.0 \
                WHERE "packets"."id" = 1
                """, then: "SELECT seeds, box, grams FROM packets WHERE id = 1")
                == [["1", "9", "4.0"]])
        let members = try library.run(
            Member.unscoped.update {
                $0.points.negate()
                $0.name.append(" ✿")
            }.find(2),
            """
            UPDATE "members" SET "points" = -"members"."points", \
            "name" = "members"."name" || ' ✿' WHERE "members"."id" = 2
            """, then: "SELECT points, name FROM members WHERE id = 2")
        #expect(members == [["1", "Bo ✿"]])
    }

    @Test(.proves("TUP-004"))
    func `a column that was assigned gives the assigned expression`() throws {
        let rows = try library.run(
            Packet.find(1).update {
                $0.seeds += 1
                $0.seeds *= 2
                $0.place.box = $0.seeds
            },
            """
            UPDATE "packets" SET "seeds" = ("packets"."seeds" + 1) * 2, \
            "box" = ("packets"."seeds" + 1) * 2 WHERE "packets"."id" = 1
            """, then: "SELECT seeds, box FROM packets WHERE id = 1")
        #expect(rows == [["242", "242"]])
        #expect(
            Trait.update {
                $0.label += "!"
                $0.label += "?"
            }.debugSQL == #"UPDATE "traits" SET "label" = "traits"."label" || '!' || '?'"#)
        let upsert = Trait.insert {
            Trait(code: "hot", label: "b")
        } onConflict: {
            $0.code
        } doUpdate: {
            $0.label = $1.label
            $0.label += $1.label
        }
        #expect(
            upsert.debugSQL.hasSuffix(#"SET "label" = "excluded"."label" || "excluded"."label""#))
    }

    @Test(.proves("TUP-009", "TBL-032"))
    func `the default scope keeps changes inside, but for a row that is named`() throws {
        let scope = #""members"."points" >= 0"#
        #expect(
            Member.update { $0.name = "x" }.debugSQL
                == #"UPDATE "members" SET "name" = 'x' WHERE \#(scope)"#)
        #expect(
            Member.find(2).delete().debugSQL
                == #"DELETE FROM "members" WHERE \#(scope) AND "members"."id" = 2"#)
        #expect(
            Member.where { $0.id > 1 }.update { $0.name = "x" }.debugSQL.hasSuffix(
                #"WHERE \#(scope) AND "members"."id" > 1"#))
        #expect(Member.unscoped.delete().debugSQL == #"DELETE FROM "members""#)
        #expect(
            Member.unscoped.find(2).update { $0.points = 1 }.debugSQL
                == #"UPDATE "members" SET "points" = 1 WHERE "members"."id" = 2"#)
        #expect(!Member.unscoped.order(by: \.name).debugSQL.contains(scope))
        var bo = try #require(try library.queue.read { try Member.unscoped.find(2).fetchOne($0) })
        bo.name = "Bob"
        let changed = try library.run(
            Member.update(bo),
            """
            UPDATE "members" SET "name" = 'Bob', "email" = 'bo@seeds.example', "joined" = 0, \
            "points" = -1 WHERE "members"."id" = 2
            """, then: "SELECT name FROM members WHERE id = 2")
        #expect(changed == [["Bob"]])
        #expect(Member.delete(bo).debugSQL == #"DELETE FROM "members" WHERE "members"."id" = 2"#)
        #expect(!Member.upsert { bo }.debugSQL.contains(">= 0"))
    }

    @Test(.proves("TUP-010", "BYD-023"))
    func `order and limit choose the rows that change`() throws {
        let rows = try library.fetch(
            Packet.where { $0.seeds > 0 }.order { ($0.seeds, $0.id) }.limit(1).delete()
                .returning { ($0.id, $0.seeds) },
            """
            DELETE FROM "packets" WHERE "packets"."rowid" IN (SELECT "packets"."rowid" FROM \
            "packets" WHERE "packets"."seeds" > 0 ORDER BY "packets"."seeds", "packets"."id" \
            LIMIT 1) RETURNING "id", "seeds"
            """)
        #expect(rows[0] == (3, 40))
        let trials = try library.run(
            Trial.order { $0.score.desc(nulls: .last) }.limit(1).update { $0.plot = "prize" },
            """
            UPDATE "trials" SET "plot" = 'prize' WHERE ("trials"."variety", "trials"."year") IN \
            (SELECT "trials"."variety", "trials"."year" FROM "trials" ORDER BY "trials"."score" \
            DESC NULLS LAST LIMIT 1)
            """, then: "SELECT variety FROM trials WHERE plot = 'prize'")
        #expect(trials == [["1"]])
        #expect(
            Packet.delete().where { $0.seeds > 0 }.order { $0.id }.limit(2).debugSQL
                == Packet.where { $0.seeds > 0 }.order { $0.id }.limit(2).delete().debugSQL)
    }

    @Test
    func `rows change by those of another table`() throws {
        let rows = try library.run(
            Taxon.join(Trait.all) { $0.name.eq($1.label) }.where { _, t in t.code.neq("x") }
                .update { taxon, trait in taxon.name = trait.code },
            """
            UPDATE "taxons" SET "name" = "traits"."code" FROM "traits" WHERE "taxons"."name" = \
            "traits"."label" AND "traits"."code" <> 'x'
            """, then: "SELECT count(*) FROM taxons")
        #expect(rows == [["2"]])
        let limited = Taxon.join(Trait.all) { $0.name.eq($1.label) }.limit(1)
            .update { taxon, trait in taxon.name = trait.code }
        #expect(throws: QueryBuildingError.self) {
            try library.queue.write { try limited.execute($0) }
        }
    }

    @Test(.proves("TUP-012"))
    func `the connection counts the rows that a statement changed`() throws {
        let counts = try library.queue.write { db in
            try Packet.update { $0.seeds = 1 }.execute(db)
            let updated = db.changesCount
            try Packet.find([1, 2]).delete().execute(db)
            return [updated, db.changesCount]
        }
        #expect(counts == [3, 2])
    }

    @Test
    func `an update may ignore rows that break a constraint`() throws {
        let rows = try library.run(
            Member.unscoped.update(or: .ignore) { $0.email = "ada@seeds.example" },
            #"UPDATE OR IGNORE "members" SET "email" = 'ada@seeds.example'"#,
            then: "SELECT email FROM members ORDER BY id")
        #expect(rows == [["ada@seeds.example"], ["bo@seeds.example"]])
    }
}
