import Foundation
import StrongroomTables
import StrongroomTestSupport
import Testing

/// The compiler has to know these before it checks the first query on them.
private typealias Tables = (
    Trait.TableColumns, Taxon.TableColumns, Packet.TableColumns,
    Trial.TableColumns, Member.TableColumns
)

@Suite struct InsertTests {
    let library: SeedLibrary

    init() throws { library = try SeedLibrary() }

    @Test(.proves("TIN-002"))
    func `values go into the columns that are named`() throws {
        let rows = try library.run(
            Taxon.insert {
                ($0.name, $0.rank, $0.parentID)
            } values: {
                for n in 1...2 { ("s\(n)", .species, 2) }
                ("Rubus", .genus, nil)
            },
            """
            INSERT INTO "taxons" ("name", "rank", "parentID") VALUES ('s1', 'species', 2), \
            ('s2', 'species', 2), ('Rubus', 'genus', NULL)
            """, then: "SELECT name, parentID FROM taxons WHERE id > 2 ORDER BY id")
        #expect(rows == [["s1", "2"], ["s2", "2"], ["Rubus", "NULL"]])
        let expressions = try library.run(
            Trait.insert {
                ($0.code, $0.label)
            } values: {
                (#bind("a"), #bind("b").upper())
            }, #"INSERT INTO "traits" ("code", "label") VALUES ('a', upper('b'))"#,
            then: "SELECT label FROM traits WHERE code = 'a'")
        #expect(expressions == [["B"]])
    }

    @Test(.proves("TIN-013"))
    func `one column takes a list of values`() throws {
        let sql = #"INSERT INTO "packets" ("seeds") VALUES (7), (8)"#
        let inserted = Packet.insert(\.seeds) {
            7
            8
        }
        let rows = try library.run(
            inserted, sql, then: "SELECT seeds, shelf FROM packets WHERE id > 3 ORDER BY id")
        #expect(rows == [["7", "A"], ["8", "A"]])
        #expect(
            Member.insert {
                ($0.email, $0.joined)
            } values: {
                ("x", Date(timeIntervalSince1970: 60))
            }.debugSQL == #"INSERT INTO "members" ("email", "joined") VALUES ('x', 60)"#)
    }

    @Test
    func `what a query gives is inserted`() throws {
        let families = try library.run(
            Trait.insert {
                ($0.code, $0.label)
            } select: {
                Taxon.where { $0.rank.eq(.family) }.select { ($0.name.lower(), "F " + $0.name) }
            },
            """
            INSERT INTO "traits" ("code", "label") SELECT lower("taxons"."name"), \
            'F ' || "taxons"."name" FROM "taxons" WHERE "taxons"."rank" = 'family'
            """, then: "SELECT label FROM traits WHERE code = 'solanaceae'")
        #expect(families == [["F Solanaceae"]])
        let again = try library.run(
            Trait.insert {
                ($0.code, $0.label)
            } select: {
                Taxon.select { ($0.name.lower(), $0.name) }
            } onConflict: {
                $0.code
            },
            """
            INSERT INTO "traits" ("code", "label") SELECT lower("taxons"."name"), "taxons"."name" \
            FROM "taxons" WHERE 1 ON CONFLICT ("code") DO NOTHING
            """, then: "SELECT count(*) FROM traits")
        #expect(again == [["4"]])
        // The key of a packet is optional nowhere, and takes what is.
        let numbers = Packet.insert {
            $0.seeds
        } select: {
            Taxon.select(\.parentID)
        }
        #expect(
            numbers.debugSQL
                == #"INSERT INTO "packets" ("seeds") SELECT "taxons"."parentID" FROM "taxons""#)
        let joined = Trait.insert {
            ($0.code, $0.label)
        } select: {
            Taxon.join(Trait.all) { $0.name.eq($1.label) }.select { ($0.name, $1.label) }
        } onConflictDoUpdate: { _ in
        }
        #expect(joined.debugSQL.hasSuffix(#""traits"."label" ON CONFLICT DO NOTHING"#))
        #expect(
            Trait.insert {
                $0.code
            } select: {
                Taxon.none.select(\.name)
            }.debugSQL == "")
    }

    @Test(.proves("TIN-005", "TIN-017", "BYD-016"))
    func `generated, ephemeral and left out columns are not listed`() throws {
        let rows = try library.run(
            Packet.insert { Packet.Draft(seeds: 12, grams: 3, place: Place(shelf: "C", box: 9)) },
            """
            INSERT INTO "packets" ("seeds", "grams", "shelf", "box", "sown", "sprouted") \
            VALUES (12, 3.0, 'C', 9, NULL, NULL)
            """, then: "SELECT seedsPerGram, created_at FROM packets WHERE id = 4")
        #expect(rows == [["4.0", "2026-01-01 00:00:00.000"]])
    }

    @Test(.proves("TIN-011"))
    func `an upsert writes what each row writes`() throws {
        let sql = """
            INSERT INTO "packets" ("id", "seeds", "grams", "shelf", "box", "sown", "sprouted") \
            VALUES (1, 5, NULL, 'A', 1, NULL, NULL) ON CONFLICT ("id") DO UPDATE SET \
            "seeds" = "excluded"."seeds", "grams" = "excluded"."grams", \
            "shelf" = "excluded"."shelf", "box" = "excluded"."box", "sown" = "excluded"."sown", \
            "sprouted" = "excluded"."sprouted"
            """
        #expect(try library.run(Packet.upsert { Packet.Draft(id: 1, seeds: 5) }, sql) == [])
        let date = Date(timeIntervalSince1970: 0)
        let mixed = Packet.upsert {
            Packet.Draft(id: 1, seeds: 6)
            Packet.Draft(id: 2, seeds: 7, createdAt: date)
        }
        try library.queue.write { db in
            try mixed.execute(db)
            #expect(
                try library.rows("SELECT seeds, created_at FROM packets WHERE id < 3", db) == [
                    ["6", "2026-01-01 00:00:00.000"], ["7", "1970-01-01 00:00:00.000"],
                ])
        }
        #expect(
            Trial.upsert { Trial(id: Trial.ID(variety: 1, year: 2)) }.debugSQL.hasSuffix(
                """
                ON CONFLICT ("variety", "year") DO UPDATE SET "score" = "excluded"."score", \
                "plot" = "excluded"."plot"
                """))
    }

    @Test(.proves("TUP-008"))
    func `columns of changed rows come back through their representations`() throws {
        let members = try library.fetch(
            Member.insert { Member.Draft(email: "c", joined: Date(timeIntervalSince1970: 9)) }
                .returning { ($0.id, $0.joined) },
            """
            INSERT INTO "members" ("name", "email", "joined", "points") VALUES ('', 'c', 9, 0) \
            RETURNING "id", "joined"
            """)
        #expect(members[0] == (3, Date(timeIntervalSince1970: 9)))
        let packets = try library.fetch(
            Packet.find(1).update { $0.seeds = 10 }.returning(\.self),
            """
            UPDATE "packets" SET "seeds" = 10 WHERE "packets"."id" = 1 RETURNING "id", "seeds", \
            "grams", "shelf", "box", "sown", "sprouted", "seedsPerGram", "created_at"
            """)
        #expect(packets.map(\.seedsPerGram) == [5])
        #expect(packets.map(\.test) == [Germination(sown: 10, sprouted: 9)])
        let codes = try library.fetch(
            Trait.where { $0.code > "a" }.delete().returning(\.code),
            #"DELETE FROM "traits" WHERE "traits"."code" > 'a' RETURNING "code""#)
        #expect(Set(codes) == ["hot", "odd"])
    }
}
