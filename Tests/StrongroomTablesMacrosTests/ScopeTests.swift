import Foundation
import StrongroomTables
import StrongroomTestSupport
import Testing

/// The compiler has to know these before it checks the first query on them.
private typealias Tables = (
    Trait.TableColumns, Taxon.TableColumns, Packet.TableColumns, Member.TableColumns,
    Richest.TableColumns, Crowded.TableColumns, Deepest.TableColumns
)

/// The two packets with most seeds.
@Table("packets") struct Richest: Equatable {
    let id: Int
    var seeds = 0
    static let all = Self.order { $0.seeds.desc() }.limit(2)
}

/// The shelf with most packets.
@Table("packets") struct Crowded: Equatable {
    @Column(primaryKey: true) let shelf: String
    static let all = Self.group(by: \.shelf).order { $0.shelf.count().desc() }.limit(1)
}

/// Rows with a key of several columns, of which a scope leaves out some.
@Table("trials", withoutRowID: true) struct Deepest {
    let id: Trial.ID
    var score: Int?
    static let all = Self.distinct().offset(1)
}

enum Second: AliasName {}

@Suite struct ScopeTests {
    let library: SeedLibrary

    init() throws { library = try SeedLibrary() }

    @Test(.proves("TBL-031"))
    func `every query on a type starts from its default scope`() throws {
        let scope = #"WHERE "members"."points" >= 0"#
        let list = #""members"."id", "members"."name", "members"."email""#
        #expect(Member.all.debugSQL.hasPrefix("SELECT \(list)"))
        #expect(Member.all.debugSQL.hasSuffix(#"FROM "members" \#(scope)"#))
        for (sql, end) in [
            (Member.select(\.id).debugSQL, ""),
            (Member.where { $0.id > 0 }.debugSQL, #" AND "members"."id" > 0"#),
            (
                Member.group(by: \.name).select(\.name).debugSQL,
                #" GROUP BY "members"."name""#
            ),
            (
                Member.group(by: \.name).having { $0.id.count() > 1 }.debugSQL,
                #" GROUP BY "members"."name" HAVING count("members"."id") > 1"#
            ),
            (Member.order(by: \.name).debugSQL, #" ORDER BY "members"."name""#),
            (Member.limit(1).debugSQL, " LIMIT 1"), (Member.count().debugSQL, ""),
            (Member.find(2).debugSQL, #" AND "members"."id" = 2"#),
            (Member.update { $0.points = 1 }.debugSQL, ""), (Member.delete().debugSQL, ""),
            (Taxon.join(Member.all) { $0.id.eq($1.id) }.debugSQL, ""),
        ] {
            #expect(sql.hasSuffix(scope + end), "\(sql)")
        }
        #expect(
            Member.exists().queryFragment.description
                == #"EXISTS (SELECT 1 FROM "members" \#(scope))"#)
        let names = try library.queue.read { try Member.select(\.name).fetchAll($0) }
        let outside = try library.queue.read { try Member.find(2).fetchOne($0) }
        #expect(names == ["Ada"] && outside == nil)
        #expect(try library.queue.read { try Member.fetchCount($0) } == 1)
    }

    @Test(.proves("TBL-031"))
    func `clauses after a scope with a limit apply to its rows`() throws {
        let list = #""packets"."id", "packets"."seeds""#
        let scope = #"SELECT \#(list) FROM "packets" ORDER BY "packets"."seeds" DESC LIMIT 2"#
        #expect(Richest.all.debugSQL == scope)
        let poor = try library.fetch(
            Richest.where { $0.seeds < 100 },
            """
            SELECT \(list) FROM (\(scope)) AS "packets" WHERE "packets"."seeds" < 100 \
            ORDER BY "packets"."seeds" DESC
            """)
        #expect(poor == [Richest(id: 3, seeds: 40)])
        let ordered = try library.fetch(
            Richest.order(by: \.id).limit(1).select(\.id),
            """
            SELECT "packets"."id" FROM (\(scope)) AS "packets" \
            ORDER BY "packets"."seeds" DESC, "packets"."id" LIMIT 1
            """)
        #expect(ordered == [1])
        #expect(
            Richest.all.where { $0.seeds < 100 }.debugSQL
                == Richest.where { $0.seeds < 100 }.debugSQL)
        #expect(Richest.all.limit(1).debugSQL == Richest.limit(1).debugSQL)
        #expect(try library.queue.read { try Richest.fetchCount($0) } == 2)
        #expect(try library.queue.read { try Richest.find(2).fetchAll($0) } == [])
        let group = """
            SELECT "packets"."shelf" FROM "packets" GROUP BY "packets"."shelf" \
            ORDER BY count("packets"."shelf") DESC LIMIT 1
            """
        #expect(Crowded.all.debugSQL == group)
        let crowded = try library.fetch(
            Crowded.where { $0.shelf > "A" },
            #"SELECT "packets"."shelf" FROM (\#(group)) AS "packets" WHERE "packets"."shelf" > 'A'"#
        )
        #expect(crowded == [Crowded(shelf: "B")])
    }

    @Test(.proves("TBL-034"))
    func `a scope is applied once`() throws {
        #expect(Member.all.all.debugSQL == Member.all.debugSQL)
        #expect(Member.unscoped.all.debugSQL == Member.all.debugSQL)
        #expect(Member.unscoped.all.all.debugSQL == Member.all.debugSQL)
        #expect(Member.all.where { $0.id > 1 }.all.debugSQL == Member.where { $0.id > 1 }.debugSQL)
        #expect(
            Member.unscoped.where { $0.id > 1 }.all.debugSQL
                == Member.where { $0.id > 1 }.debugSQL)
        #expect(
            Member.as(Second.self).unscoped.all.select(\.id).debugSQL == """
                SELECT "seconds"."id" FROM "members" AS "seconds" WHERE "seconds"."points" >= 0
                """)
        #expect(Richest.unscoped.all.debugSQL == Richest.all.debugSQL)
        #expect(Taxon.all.all.debugSQL == Taxon.unscoped.debugSQL)
    }

    @Test(.proves("TBL-035"))
    func `a scope that chooses rows restricts changes by their key`() throws {
        let chosen = """
            "packets"."rowid" IN (SELECT "packets"."rowid" FROM "packets" \
            ORDER BY "packets"."seeds" DESC LIMIT 2)
            """
        let updated = try library.run(
            Richest.update { $0.seeds += 1 }.where { $0.seeds < 100 },
            """
            UPDATE "packets" SET "seeds" = "packets"."seeds" + 1 WHERE \(chosen) \
            AND "packets"."seeds" < 100
            """, then: "SELECT seeds FROM packets ORDER BY id")
        #expect(updated == [["120"], ["0"], ["41"]])
        let deleted = try library.run(
            Richest.delete(), #"DELETE FROM "packets" WHERE \#(chosen)"#,
            then: "SELECT id FROM packets")
        #expect(deleted == [["2"]])
        let key = #""trials"."variety", "trials"."year""#
        let trials = try library.run(
            Deepest.update { $0.score = 0 },
            """
            UPDATE "trials" SET "score" = 0 WHERE (\(key)) IN (SELECT DISTINCT \(key) FROM \
            "trials" LIMIT -1 OFFSET 1)
            """, then: "SELECT score FROM trials ORDER BY variety")
        #expect(trials == [["9"], ["0"]])
        let grouped = Crowded.update { $0.shelf = "Z" }.debugSQL
        #expect(grouped.contains(#"GROUP BY "packets"."shelf" ORDER BY count"#))
    }

    @Test(.proves("TBL-030"))
    func `an expression of the columns stands in every clause of every statement`() throws {
        let heavy = #""packets"."grams" > 5.0"#
        #expect(Packet.where(\.isHeavy).debugSQL.hasSuffix("WHERE \(heavy)"))
        #expect(Packet.order(by: \.isHeavy).debugSQL.hasSuffix("ORDER BY \(heavy)"))
        #expect(
            Packet.group { $0.isHeavy }.having { $0.isHeavy }.select { ($0.isHeavy, $0.count()) }
                .debugSQL == """
                    SELECT \(heavy), count("packets"."id") FROM "packets" GROUP BY \(heavy) \
                    HAVING \(heavy)
                    """)
        #expect(
            Taxon.join(Packet.all) { $0.id.eq($1.id) && $1.isHeavy }.debugSQL
                .hasSuffix(#"ON "taxons"."id" = "packets"."id" AND \#(heavy)"#))
        #expect(
            Packet.where(\.isHeavy).update { $0.seeds = 0 }.debugSQL.hasSuffix("WHERE \(heavy)"))
        #expect(Packet.delete().where(\.isHeavy).debugSQL.hasSuffix("WHERE \(heavy)"))
        #expect(
            Packet.delete().returning { ($0.id, $0.isHeavy) }.debugSQL
                .hasSuffix(#"RETURNING "id", "grams" > 5.0"#))
        let insert = Packet.insert {
            Packet.Draft(id: 1)
        } onConflict: {
            $0.id
        } doUpdate: {
            $0.seeds = 1
        } where: {
            $0.isHeavy
        }
        #expect(insert.debugSQL.hasSuffix("WHERE \(heavy)"))
        #expect(
            Packet.as(Second.self).where(\.isHeavy).debugSQL
                .hasSuffix(#"WHERE "seconds"."grams" > 5.0"#))
        let drafts = try library.queue.read { try Packet.Draft.where(\.isHeavy).fetchAll($0) }
        #expect(drafts.map(\.id) == [3])
        let outer: [Bool?] = try library.queue.read { db in
            try Taxon.order(by: \.id).leftJoin(Packet.where { $0.id > 1 }) { $0.id.eq($1.id) }
                .select { $1.isHeavy }.fetchAll(db)
        }
        #expect(outer == [nil, nil])
    }
}
