import Foundation
import StrongroomTables
import StrongroomTestSupport
import Testing

private typealias Tables = JournalTables

@Suite struct TriggerLinesTests {
    let journal: Journal

    init() throws { journal = try Journal() }

    private func log(_ text: String) -> Insert<LogLine> {
        LogLine.insert {
            $0.text
        } values: {
            text
        }
    }

    private let page = #""page ""one""'s""#

    @Test(.proves("TRG-001", "TRG-002", "TRG-003", "TRG-008"))
    func `each time and each event has its words, and a name may have quotes`() throws {
        let before = Leaf.createTemporaryTrigger(
            "it's \"b\" now", ifNotExists: true,
            before: .insert { _ in
                log("b")
            } when: {
                $0.isHigh
            })
        #expect(
            before.debugSQL == """
                CREATE TEMPORARY TRIGGER IF NOT EXISTS "it's ""b"" now" BEFORE INSERT ON \(page) FOR EACH \
                ROW WHEN "new"."rank" > 9 BEGIN INSERT INTO "logLines" ("text") VALUES ('b'); END
                """)
        let after = Leaf.createTemporaryTrigger(
            "after",
            after: .delete { old in
                log("d")
            } when: { old in
                old.text.eq("new")
            })
        #expect(
            after.debugSQL == """
                CREATE TEMPORARY TRIGGER "after" AFTER DELETE ON \(page) FOR EACH ROW WHEN \
                "old"."text" = 'new' BEGIN INSERT INTO "logLines" ("text") VALUES ('d'); END
                """)
        let instead = HighPage.createTemporaryTrigger(
            "instead",
            insteadOf: .update { old, new in
                log("i")
            } when: {
                $0.id.neq($1.id)
            })
        #expect(
            instead.debugSQL == """
                CREATE TEMPORARY TRIGGER "instead" INSTEAD OF UPDATE ON "highPages" FOR EACH ROW WHEN \
                "old"."id" <> "new"."id" BEGIN INSERT INTO "logLines" ("text") VALUES ('i'); END
                """)
        try journal.run(before, before, after)
        try journal.add(3, rank: 10)
        try journal.add(4, rank: 9)
        #expect(try journal.lines() == ["b"])
        try journal.run(Leaf.where { $0.id > 1 }.delete())
        #expect(try journal.lines() == ["b", "d", "d"])
        try journal.run(before.drop(), after.drop())
        try journal.add(3, rank: 10)
        #expect(try journal.lines().count == 3)
        #expect(journal.refusal(before.drop()).contains("no such trigger: it's \"b\" now"))
        try journal.run(before.drop(ifExists: true))
    }

    @Test(.proves("TRG-004"))
    func `statements are made by conditions and loops`() throws {
        func trigger(_ isLong: Bool, _ texts: [String]) -> CreateTrigger {
            Leaf.createTemporaryTrigger(
                "many",
                after: .insert { new in
                    if isLong { log("long") } else { log("short") }
                    for text in texts { log(text) }
                    if isLong {
                        LogLine.where { $0.text.eq("x") }.delete()
                        Leaf.find(new.id).update { $0.rank += 1 }
                        Leaf.where { $0.id.eq(new.id) }
                    }
                    LogLine.none.delete()
                })
        }
        #expect(
            trigger(true, []).debugSQL.hasSuffix(
                """
                BEGIN INSERT INTO "logLines" ("text") VALUES ('long'); DELETE FROM "logLines" WHERE \
                "logLines"."text" = 'x'; UPDATE \(page) SET "rank" = \(page)."rank" + 1 WHERE \
                \(page)."id" = "new"."id"; SELECT \(page)."id", \(page)."text", \(page)."rank", \
                \(page)."changedAt", \(page)."seenOn" FROM \(page) WHERE \(page)."id" = "new"."id"; END
                """))
        let short = trigger(false, ["x", "y"])
        try journal.run(short)
        try journal.add(3)
        #expect(try journal.lines() == ["short", "x", "y"])
        try journal.run(short.drop(), trigger(true, ["z"]))
        try journal.add(4)
        #expect(try journal.lines() == ["short", "y", "long", "z"])
    }

    @Test(.proves("TRG-004"))
    func `an insert in a trigger takes the rows of a With`() throws {
        try journal.run(
            Leaf.createTemporaryTrigger(
                "with",
                after: .insert { new in
                    LogLine.insert {
                        $0.text
                    } select: {
                        With {
                            Leaf.where { $0.id <= new.id }.select {
                                HighPage.Columns(id: $0.id, text: $0.text)
                            }
                        } query: {
                            HighPage.select(\.text)
                        }
                    }
                }))
        try journal.add(3)
        #expect(try journal.lines() == ["a", "b", "new"])
    }

    @Test(.proves("TRG-004"))
    func `what SQLite refuses in a trigger is an error when it is run`() throws {
        enum Other: AliasName {}
        func refusal(@TriggerBuilder _ body: (Leaf.SideColumns) -> [TriggerStep]) -> String {
            journal.refusal(Leaf.createTemporaryTrigger("bad", after: .insert(forEachRow: body)))
        }
        #expect(refusal { _ in } == "a trigger needs a statement, and has none")
        let idle = Leaf.createTemporaryTrigger("idle", after: .insert(touch: { _ in }))
        #expect(journal.refusal(idle).hasPrefix("a trigger needs a statement"))
        #expect(refusal { _ in LogLine.none.delete() }.hasPrefix("a trigger needs a statement"))
        #expect(
            refusal { _ in LogLine.insert() }
                == "'insert' without values cannot stand in a trigger: SQLite refuses it")
        let alias = #"the alias "others" cannot stand in a statement of a trigger"#
        #expect(refusal { _ in LogLine.as(Other.self).delete() } == alias)
        #expect(refusal { _ in LogLine.as(Other.self).update { $0.text = "" } } == alias)
        try journal.queue.inDatabase { db in
            try db.execute(sql: "ATTACH ':memory:' AS old")
            try db.execute(sql: #"CREATE TABLE old."lines" ("pageID" INTEGER, "text" TEXT)"#)
        }
        let qualified = "qualified table names are not allowed on INSERT, UPDATE, and DELETE"
        #expect(refusal { _ in OldLine.delete() }.contains(qualified))
        #expect(
            refusal { _ in
                OldLine.insert {
                    $0.text
                } values: {
                    ""
                }
            }.contains(qualified))
        // A query may look into another file, from a trigger that is no part of one.
        #expect(refusal { _ in OldLine.all } == "nothing")
    }

    @Test(.proves("TRG-005"))
    func `old and new have the groups and helpers of the table`() throws {
        let trigger = Leaf.createTemporaryTrigger(
            "helpers",
            after: .update { old, new in
                Values(new.text + old.text)
            } when: { old, new in
                new.isHigh && !old.isHigh
            })
        #expect(
            trigger.debugSQL.hasSuffix(
                """
                WHEN "new"."rank" > 9 AND NOT ("old"."rank" > 9) BEGIN SELECT "new"."text" || \
                "old"."text"; END
                """))
        let group = Slot.createTemporaryTrigger(
            "group",
            after: .update { old, new in
                Values(new.label)
            } when: { old, new in
                old.id.shelf.neq(new.id.shelf)
            })
        #expect(group.debugSQL.contains(#"WHEN "old"."shelf" <> "new"."shelf" BEGIN"#))
        try journal.run(trigger, group)
    }

    @Test(.proves("TRG-006", "TBL-056"))
    func `touch finds the row by its number, or by its key`() throws {
        let insert = Leaf.createTemporaryTrigger("i", after: .insert(touch: \.changedAt))
        #expect(
            insert.debugSQL.hasSuffix(
                """
                AFTER INSERT ON \(page) FOR EACH ROW BEGIN UPDATE \(page) SET "changedAt" = \
                datetime('now', 'subsec') WHERE \(page)."rowid" = "new"."rowid"; END
                """))
        let date = Leaf.createTemporaryTrigger(
            "u", after: .update(of: { $0.text }, touch: \.changedAt, date: Leaf.columns.seenOn))
        #expect(date.debugSQL.contains(#"SET "changedAt" = \#(page)."seenOn" WHERE"#))
        let key = Slot.createTemporaryTrigger("k", after: .update(touch: \.movedAt))
        #expect(
            key.debugSQL.hasSuffix(
                """
                WHERE ("slots"."shelf", "slots"."box") = ("new"."shelf", "new"."box"); END
                """))
        try journal.run(insert, date, key)
        try journal.add(3)
        #expect(
            try journal.values(
                """
                SELECT "changedAt" > '2026' AND length("changedAt") = 23 FROM \(page) ORDER BY "id"
                """) == [.null, .null, 1.databaseValue])
        try journal.queue.write { db in
            try db.execute(
                sql: #"INSERT INTO "slots" VALUES ('A', 1, 'x', NULL), ('A', 2, 'x', NULL)"#)
            try db.execute(sql: #"UPDATE "slots" SET "label" = 'y' WHERE "box" = 2"#)
            try db.execute(sql: #"UPDATE \#(page) SET "seenOn" = '2000-01-01', "text" = 'c'"#)
        }
        #expect(
            try journal.values(#"SELECT "movedAt" IS NULL FROM "slots" ORDER BY "box""#)
                == [1.databaseValue, 0.databaseValue])
        #expect(
            try journal.values(#"SELECT DISTINCT "changedAt" FROM \#(page)"#)
                == ["2000-01-01".databaseValue])
        #expect(
            journal.refusal(
                KeylessPage.createTemporaryTrigger("x", after: .update(touch: \.seenOn)))
                == "the table has neither rowid nor key")
        #expect(
            journal.refusal(Leaf.createTemporaryTrigger("x", before: .insert(touch: \.seenOn)))
                == "'touch' needs 'after': the row is not there before")
    }

    @Test(.proves("TRG-007"))
    func `touch is combined with columns, a condition and any assignments`() throws {
        try journal.run(
            Leaf.createTemporaryTrigger(
                "both",
                after: .update(
                    of: { ($0.text, $0.seenOn) },
                    touch: {
                        $0.rank += 100
                        $0.seenOn = nil
                    },
                    when: { old, new in old.text.neq(new.text) })),
            Leaf.createTemporaryTrigger(
                "new", after: .insert(touch: { $0.rank = 7 }, when: { $0.rank.eq(0) })))
        try journal.run(
            Leaf.find(1).update { $0.text = "a" }, Leaf.find(2).update { $0.text = "c" })
        try journal.add(3)
        try journal.add(4, rank: 5)
        let ranks = try journal.queue.read { try Leaf.order(by: \.id).select(\.rank).fetchAll($0) }
        #expect(ranks == [1, 120, 7, 5])
    }

    @Test(.proves("TRG-008"))
    func `without a name a trigger has one of the place where it is written`() throws {
        let all = (1...2).map { _ in
            Leaf.createTemporaryTrigger(after: .update(of: { $0.text }) { _, _ in log("x") })
        }
        let other = HighPage.createTemporaryTrigger(insteadOf: .delete { _ in log("x") })
        let line = #line - 1
        #expect(all[0].name == all[1].name)
        #expect(
            all[0].name.wholeMatch(
                of: #/after_update_on_page "one"'s@TypedQueryTests/TriggerLinesTests.swift:\d+:\d+/#
            )
                != nil, "\(all[0].name)")
        #expect(other.name.hasPrefix("instead_of_delete_on_highPages@"))
        #expect(other.name.contains("Tests.swift:\(line):"))
        try journal.run(all[0])
        #expect(journal.refusal(all[1]).contains("already exists"))
        try journal.run(all[1].drop(), all[0])
    }
}
