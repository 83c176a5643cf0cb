import Foundation
import StrongroomTables
import StrongroomTestSupport
import Testing

/// The compiler has to know these before it checks the first query on them.
private typealias Tables = (
    Trait.TableColumns, Taxon.TableColumns, Packet.TableColumns, Trial.TableColumns,
    Member.TableColumns, Parcel.TableColumns, TraitView.TableColumns
)

extension WriteFormsTests {
    @Test(.proves("TIN-012"))
    func `an insert gives columns of its rows, or all of them`() throws {
        let draft = Parcel.Draft(id: 2, count: 4, tags: ["a"], sizes: [1, 2])
        let insert = Parcel.insert { draft }
        #expect(insert.returning(\.id).debugSQL.hasSuffix(#" RETURNING "id""#))
        let (id, pair, whole) = try library.queue.write { db in
            let id = try insert.returning(\.id).fetchOne(db)
            try Parcel.find(2).delete().execute(db)
            let pair = try insert.returning { ($0.double, $0.sentOn, $0.sizes) }.fetchOne(db)
            try Parcel.find(2).delete().execute(db)
            return (id, pair, try insert.returning(\.self).fetchOne(db))
        }
        #expect(id == 2)
        #expect(pair?.0 == 8 && pair?.1 == nil && pair?.2 == [1, 2])
        #expect(
            insert.returning { ($0.double, $0.sentOn, $0.sizes) }.debugSQL
                .hasSuffix(#" RETURNING "double", "sent_on", json("sizes")"#))
        #expect(whole == Parcel(id: 2, count: 4, tags: ["a"], sizes: [1, 2], double: 8))
    }

    @Test(.proves("TIN-003"))
    func `what any query gives is inserted`() throws {
        _ = try library.run(
            Trait.insert {
                ($0.code, $0.label)
            } select: {
                Values("v", "V")
            }, #"INSERT INTO "traits" ("code", "label") SELECT 'v', 'V'"#)
        _ = try library.run(
            Trait.insert {
                ($0.code, $0.label)
            } select: {
                Taxon.select { ($0.name, $0.name) }.union(Trait.select { ($0.label, $0.code) })
            },
            """
            INSERT INTO "traits" ("code", "label") SELECT "taxons"."name", "taxons"."name" \
            FROM "taxons" UNION SELECT "traits"."label", "traits"."code" FROM "traits"
            """)
        let with = With {
            Taxon.select { NewTrait.Columns(code: $0.name.lower(), label: $0.name) }
        } query: {
            NewTrait.select { ($0.code, $0.label) }
        }
        let rows = try library.run(
            Trait.insert {
                ($0.code, $0.label)
            } select: {
                with
            },
            """
            INSERT INTO "traits" ("code", "label") WITH "newTraits" AS (SELECT \
            lower("taxons"."name") AS "code", "taxons"."name" AS "label" FROM "taxons") \
            SELECT "newTraits"."code", "newTraits"."label" FROM "newTraits"
            """, then: "SELECT code FROM traits ORDER BY code")
        #expect(
            rows.map { $0[0] } == [
                "Capsicum", "Hot", "Odd 'one'", "Solanaceae", "V", "capsicum", "hot", "odd",
                "solanaceae", "v",
            ])
        // Int and Int? agree; dates and UUIDs are bound.
        let date = Date(timeIntervalSince1970: 60)
        let token = UUID(uuidString: "00000000-0000-4000-8000-00000000000A")!
        let insert = Parcel.insert {
            ($0.count, $0.extra, $0.title, $0.at, $0.token, $0.data, $0.tags, $0.sizes)
        } select: {
            Taxon.where { $0.parentID.isNot(nil) }.select {
                (
                    $0.parentID, $0.id, $0.name, #bind(date, as: Date.UnixTimeRepresentation.self),
                    #bind(token, as: UUID.self), #bind([], as: [UInt8].self),
                    #bind([], as: [String].JSONRepresentation.self),
                    #bind([], as: [Int].JSONBRepresentation.self)
                )
            }
        }
        #expect(insert.debugSQL.contains("'00000000-0000-4000-8000-00000000000a'"))
        #expect(insert.debugSQL.contains(#""taxons"."name", 60, "#))
    }

    @Test(.proves("TIN-010"))
    func `an upsert of a query has a condition where SQLite would take it for a join`() throws {
        func sql<Query: StrongroomTables.Statement>(_ query: Query) -> String
        where Query.Shape: ScalarShape, Query.Shape.SubqueryValue.Unwrapped == String {
            let insert = Trait.insert {
                $0.code
            } select: {
                query
            } onConflict: {
                $0.code
            }
            return insert.debugSQL
        }
        let end = #" WHERE 1 ON CONFLICT ("code") DO NOTHING"#
        let plain = #" ON CONFLICT ("code") DO NOTHING"#
        let names = Taxon.select(\.name)
        let joined = Taxon.join(Trait.all) { $0.name.eq($1.label) }.select { $0.0.name }
        for (query, expected) in [
            (sql(names), #"FROM "taxons""# + end),
            (sql(Taxon.where { $0.id > 1 }.select(\.name)), "> 1" + plain),
            (sql(Taxon.order(by: \.id).select(\.name)), #"BY "taxons"."id""# + plain),
            (sql(Taxon.limit(1).select(\.name)), "LIMIT 1" + plain),
            (sql(Taxon.group(by: \.name).select(\.name)), #"BY "taxons"."name""# + plain),
            (sql(joined), #""traits"."label""# + plain),
            (sql(names.union(names)), #"FROM "taxons""# + end),
            (sql(names.union(names).order { $0 }), "ORDER BY 1" + plain),
            (sql(names.union(Taxon.limit(1).select(\.name))), "LIMIT 1)" + end),
            (sql(Values("x")), "'x'" + plain),
            (sql(names.union(Values("x"))), "'x'" + plain),
            (
                sql(
                    With {
                        Taxon.select { NewTrait.Columns(code: $0.name, label: $0.name) }
                    } query: {
                        NewTrait.select(\.code)
                    }), #"FROM "newTraits""# + end
            ),
        ] {
            #expect(query.hasSuffix(expected), "\(query)")
            _ = try library.queue.write { try $0.makeStatement(sql: query) }
        }
    }

    @Test(.proves("TIN-023"))
    func `a view takes rows by a trigger, and gives the values as they were sent`() throws {
        try library.queue.write { db in
            try db.execute(
                sql: "CREATE VIEW traitViews AS SELECT code, upper(label) AS label FROM traits")
        }
        let insert = TraitView.insert { TraitView(code: "new", label: "New") }
        #expect(throws: DatabaseError.self) { try library.queue.write { try insert.execute($0) } }
        try library.queue.write { db in
            try db.execute(
                sql: """
                    CREATE TRIGGER t INSTEAD OF INSERT ON traitViews
                        BEGIN INSERT INTO traits VALUES (new.code, new.label); END
                    """)
        }
        let rows = try library.fetch(
            insert.returning(\.self),
            """
            INSERT INTO "traitViews" ("code", "label") VALUES ('new', 'New') \
            RETURNING "code", "label"
            """)
        #expect(rows == [TraitView(code: "new", label: "New")])
        let found = try library.queue.read { try TraitView.find("new").fetchOne($0) }
        #expect(found?.label == "NEW")
    }

    @Test(.proves("TIN-024"))
    func `rows are inserted into a table under another name`() throws {
        _ = try library.run(
            Trait.as(T.self).insert { Trait(code: "a", label: "A") },
            #"INSERT INTO "traits" AS "ts" ("code", "label") VALUES ('a', 'A')"#)
        let rows = try library.run(
            Trait.as(T.self).insert {
                ($0.code, $0.label)
            } values: {
                ("a", "B")
            }.onConflict {
                $0.code
            } doUpdate: {
                $0.label = $0.label + $1.label
            },
            """
            INSERT INTO "traits" AS "ts" ("code", "label") VALUES ('a', 'B') ON CONFLICT \
            ("code") DO UPDATE SET "label" = "ts"."label" || "excluded"."label"
            """, then: "SELECT label FROM traits WHERE code = 'a'")
        #expect(rows == [["AB"]])
        #expect(
            Trait.as(T.self).insert { Trait(code: "c") }.returning { ($0.code, $0.label) }
                .debugSQL.hasSuffix(#"RETURNING "code", "label""#))
        let filtered = Trait.as(T.self).where { $0.code.eq("a") }.insert { Trait(code: "x") }
        #expect(throws: QueryBuildingError.self) {
            try library.queue.write { try filtered.execute($0) }
        }
    }

    @Test
    func `drafts are queried as their table is`() throws {
        let list = Taxon.all.debugSQL
        #expect(Taxon.Draft.all.debugSQL == list)
        #expect(Taxon.Draft.find(1).debugSQL == list + #" WHERE "taxons"."id" = 1"#)
        let drafts: [Taxon.Draft] = try library.queue.read { db in
            try Taxon.Draft.where { $0.rank.eq(.genus) }.fetchAll(db)
        }
        #expect(drafts == [Taxon.Draft(id: 2, name: "Capsicum", rank: .genus, parentID: 1)])
        let found: Taxon.Draft? = try library.queue.read { try Taxon.Draft.find(1).fetchOne($0) }
        #expect(found?.name == "Solanaceae")
        let trial = try library.queue.read { db in
            try Trial.Draft.find(Trial.ID(variety: 1, year: 2024)).fetchOne(db)
        }
        #expect(trial?.score == 9)
        try MacroClient(
            """
            @Table struct Tag { let id: Int; var name = "" }
            func types() { _ = Tag.Draft.self; _ = Tag.Draft.Draft.self } // error: value of type 'Tag.Draft.Type' has no dynamic member 'Draft'
            """
        ).expectDiagnostics()
    }
}
