import Foundation
import StrongroomTables
import StrongroomTestSupport
import Testing

private typealias Tables = JournalTables

@Suite struct ViewLinesTests {
    let journal: Journal
    private let page = #""page ""one""'s""#

    init() throws { journal = try Journal() }

    @Test(.proves("TRG-014"))
    func `a temporary view has the rows of a compound or of a With`() throws {
        let high = Leaf.where(\.isHigh).select { HighPage.Columns(id: $0.id, text: $0.text) }
        let compound = HighPage.createTemporaryView(
            ifNotExists: true,
            as: high.union(all: true, Values(HighPage.Columns(id: 9, text: "it's"))))
        #expect(
            compound.debugSQL == """
                CREATE TEMPORARY VIEW IF NOT EXISTS "highPages" ("id", "text") AS SELECT \(page)."id" \
                AS "id", \(page)."text" AS "text" FROM \(page) WHERE \(page)."rank" > 9 UNION ALL \
                SELECT 9 AS "id", 'it''s' AS "text"
                """)
        try journal.run(compound, compound)
        let rows = [HighPage(id: 2, text: "b"), HighPage(id: 9, text: "it's")]
        #expect(try journal.queue.read { try HighPage.order(by: \.id).fetchAll($0) } == rows)
        let other = try journal.fixture.open()
        #expect(throws: DatabaseError.self) { try other.read { try HighPage.fetchAll($0) } }
        try journal.run(compound.drop(ifExists: true), compound.drop(ifExists: true))
        #expect(journal.refusal(compound.drop()).contains("no such view: highPages"))
        let common = HighPage.createTemporaryView(
            as: With {
                high
            } query: {
                HighPage.where { $0.id > 1 }
            })
        #expect(common.debugSQL.contains(#"AS WITH "highPages" AS ("#), "\(common.debugSQL)")
        #expect(
            journal.refusal(HighPage.createTemporaryView(as: HighPage.none))
                == "a view of an empty query"
        )
    }

    @Test(.proves("TRG-015", "BYD-024"))
    func `a permanent view is in the file, under its schema`() throws {
        let view = HighPage.createView(
            ifNotExists: true,
            as: Leaf.where(\.isHigh).select { HighPage.Columns(id: $0.id, text: $0.text) })
        #expect(
            view.debugSQL == """
                CREATE VIEW IF NOT EXISTS "highPages" ("id", "text") AS SELECT \(page)."id" AS "id", \
                \(page)."text" AS "text" FROM \(page) WHERE \(page)."rank" > 9
                """)
        try journal.run(view, view)
        let other = try journal.fixture.open()
        #expect(try other.read { try HighPage.fetchAll($0) } == [HighPage(id: 2, text: "b")])
        // A table may be the type of a view, too: its rows are read as they are.
        #expect(
            OldPage.createView(as: OldPage.where { $0.id > 1 }).debugSQL
                == """
                CREATE VIEW "old"."pages" ("id", "text") AS SELECT "old"."pages"."id", \
                "old"."pages"."text" FROM "old"."pages" WHERE "old"."pages"."id" > 1
                """)
        #expect(
            journal.refusal(OldPage.createTemporaryView(as: OldPage.all))
                == "a temporary view has no schema")
        try journal.run(view.drop())
        #expect(journal.refusal(view.drop()).contains("no such view"))
    }

    @Test(.proves("TRG-015"))
    func `a view whose table is gone tells so, and nothing else breaks`() throws {
        try journal.run(
            HighPage.createView(
                as: Leaf.all.select { HighPage.Columns(id: $0.id, text: $0.text) }))
        try journal.queue.write { try $0.execute(sql: "DROP TABLE \(page)") }
        let error = #expect(throws: DatabaseError.self) {
            try journal.queue.read { try HighPage.fetchAll($0) }
        }
        #expect(error?.message == #"no such table: main.page "one"'s"#)
        #expect(try journal.lines() == [])
    }

    @Test(.proves("TRG-016", "TIN-023"))
    func `triggers make a view writable, with find, returning and an upsert of its table`() throws {
        try journal.run(
            HighPage.createView(
                as: Leaf.where(\.isHigh).select { HighPage.Columns(id: $0.id, text: $0.text) }),
            HighPage.createTrigger(
                "add",
                insteadOf: .insert { new in
                    Leaf.insert {
                        ($0.id, $0.text, $0.rank)
                    } values: {
                        (new.id, new.text.upper(), 10)
                    }
                }),
            HighPage.createTrigger(
                "remove", insteadOf: .delete { old in Leaf.find(old.id).update { $0.rank = 0 } }),
            HighPage.createTrigger(
                "rename",
                insteadOf: .update(of: { $0.text }) { old, new in
                    Leaf.find(old.id).update { $0.text = new.text }
                }))
        try journal.queue.write { db in
            let sent = try HighPage.insert { HighPage(id: 3, text: "sent") }.returning { $0 }
                .fetchAll(db)
            #expect(sent == [HighPage(id: 3, text: "sent")])
            #expect(try HighPage.find(3).fetchOne(db)?.text == "SENT")
            try HighPage.find(2).update { $0.text = "two" }.execute(db)
            #expect(try Leaf.find(2).fetchOne(db)?.text == "two")
            try HighPage.find(3).delete().execute(db)
            #expect(try HighPage.fetchAll(db) == [HighPage(id: 2, text: "two")])
            #expect(try Leaf.fetchCount(db) == 3)
        }
    }

    @Test(.proves("TRG-017"))
    func `an observation of a view fires when its table changes`() async throws {
        try journal.run(
            HighPage.createView(
                as: Leaf.where(\.isHigh).select { HighPage.Columns(id: $0.id, text: $0.text) }))
        let observation = ValueObservation.tracking { db in
            try HighPage.order(by: \.id).select(\.text).fetchAll(db).joined()
        }
        var values = observation.values(in: journal.queue).makeAsyncIterator()
        #expect(try await values.next() == "b")
        try journal.add(3, rank: 50)
        #expect(try await values.next() == "bnew")
        let region = try await journal.queue.read { try HighPage.all.databaseRegion($0) }
        #expect(region.isModified(byEventsOfKind: .insert(tableName: Leaf.tableName)))
        #expect(!region.isModified(byEventsOfKind: .insert(tableName: "logLines")))
    }

    @Test(.proves("TRG-018", "CAN-003"))
    func `an index has terms, a condition, and values in its text`() throws {
        let index = Leaf.createIndex(
            "by \"text\" now", ifNotExists: true,
            on: { ($0.text.collate(.nocase), $0.rank.desc()) },
            unique: true, where: { $0.text.neq("it's") })
        #expect(
            index.debugSQL == """
                CREATE UNIQUE INDEX IF NOT EXISTS "by ""text"" now" ON \(page) ("text" COLLATE "NOCASE", \
                "rank" DESC) WHERE "text" <> 'it''s'
                """)
        try journal.run(index, index)
        let plan = try journal.queue.read { db in
            try Row.fetchAll(
                db,
                sql: "EXPLAIN QUERY PLAN SELECT * FROM \(page) WHERE \"text\" = 'b' COLLATE NOCASE"
                    + " AND \"text\" <> 'it''s'"
            ).map { "\($0["detail"] as String)" }
        }
        #expect(plan.first?.contains(#"USING INDEX by "text" now"#) == true, "\(plan)")
        let double = Leaf.insert {
            ($0.id, $0.text, $0.rank)
        } values: {
            (3, "A", 1)
        }
        #expect(journal.refusal(double).contains("UNIQUE constraint failed"))
        try journal.run(index.drop(), double)
        try journal.run(index.drop(ifExists: true))
        #expect(
            journal.refusal(Leaf.createIndex("none", on: { _ in })) == "an index needs a column")
        #expect(
            OldPage.createIndex("i", on: { $0.text }).debugSQL
                == #"CREATE INDEX "old"."i" ON "pages" ("text")"#)
    }
}
