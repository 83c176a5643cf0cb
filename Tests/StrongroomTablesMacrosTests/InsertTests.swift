import Foundation
import StrongroomTables
import StrongroomTestSupport
import Testing

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

    @Test(.proves("TIN-005", "TIN-017"))
    func `generated, ephemeral and left out columns are not listed`() throws {
        let rows = try library.run(
            Packet.insert { Packet.Draft(seeds: 12, grams: 3, place: Place(shelf: "C", box: 9)) },
            """
            INSERT INTO "packets" ("seeds", "grams", "shelf", "box", "sown", "sprouted") \
            VALUES (12, 3.0, 'C', 9, NULL, NULL)
            """, then: "SELECT seedsPerGram, created_at FROM packets WHERE id = 4")
        #expect(rows == [["4.0", "2026-01-01 00:00:00.000"]])
    }

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
