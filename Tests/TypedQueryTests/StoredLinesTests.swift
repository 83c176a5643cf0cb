import Foundation
import StrongroomTables
import StrongroomTestSupport
import Testing

private typealias Tables = JournalTables

@DatabaseFunction("note_page") func notePage(_ id: Int) {
    NotedPages.shared.add("\(id) \(pthread_self())")
}
@DatabaseFunction("direct_page", isDirectOnly: true) func directPage(_ id: Int) -> Int { id }

/// What the function of a trigger was told, and on which thread.
private enum NotedPages { static let shared = Collected() }

@Suite struct StoredLinesTests {
    let journal: Journal
    private let page = #""page ""one""'s""#

    init() throws { journal = try Journal() }

    @Test(.proves("TRG-012", "BYD-024"))
    func `a permanent trigger is in the file, for whoever opens it`() throws {
        let trigger = Leaf.createTrigger(
            "log",
            after: .insert { new in
                LogLine.insert {
                    $0.pageID
                } values: {
                    new.id
                }
            })
        #expect(
            trigger.debugSQL == """
                CREATE TRIGGER "log" AFTER INSERT ON \(page) FOR EACH ROW BEGIN INSERT INTO "logLines" \
                ("pageID") VALUES ("new"."id"); END
                """)
        #expect(
            Leaf.createTrigger("b", before: .delete { _ in Values(1) }).debugSQL
                .hasPrefix(#"CREATE TRIGGER "b" BEFORE DELETE ON"#))
        #expect(
            HighPage.createTrigger("i", ifNotExists: true, insteadOf: .delete { _ in Values(1) })
                .debugSQL.hasPrefix(
                    #"CREATE TRIGGER IF NOT EXISTS "i" INSTEAD OF DELETE ON "highPages""#))
        try journal.run(trigger)
        let other = try journal.fixture.open()
        try other.write { db in
            try Leaf.insert {
                ($0.id, $0.text)
            } values: {
                (3, "x")
            }.execute(db)
            #expect(try LogLine.select(\.pageID).fetchAll(db) == [3])
            try trigger.drop().execute(db)
        }
        try journal.add(4)
        #expect(try journal.lines().count == 1)
        #expect(journal.refusal(trigger.drop()).contains("no such trigger"))
    }

    @Test(.proves("TRG-012"))
    func `a permanent trigger is in the schema of its table`() throws {
        try journal.queue.inDatabase { db in
            try db.execute(sql: "ATTACH ':memory:' AS old")
            try db.execute(
                sql: """
                    CREATE TABLE old.pages (id INTEGER PRIMARY KEY, text TEXT);
                    CREATE TABLE old.lines (pageID INTEGER, text TEXT);
                    """)
        }
        let trigger = OldPage.createTrigger(
            "log",
            after: .insert { new in
                OldLine.insert {
                    ($0.pageID, $0.text)
                } values: {
                    (new.id, new.text)
                }
                OldLine.where { $0.text.eq("no") }.delete()
            } when: { new in
                !OldLine.where { $0.pageID.eq(new.id) }.exists()
            })
        #expect(
            trigger.debugSQL == """
                CREATE TRIGGER "old"."log" AFTER INSERT ON "pages" FOR EACH ROW WHEN NOT EXISTS (SELECT \
                1 FROM "lines" WHERE "lines"."pageID" = "new"."id") BEGIN INSERT INTO "lines" \
                ("pageID", "text") VALUES ("new"."id", "new"."text"); DELETE FROM "lines" WHERE \
                "lines"."text" = 'no'; END
                """)
        #expect(trigger.drop().query.description == #"DROP TRIGGER "old"."log""#)
        let temporary = OldPage.createTemporaryTrigger("t", after: .delete { _ in OldLine.all })
        #expect(
            temporary.debugSQL.contains(#"AFTER DELETE ON "old"."pages" FOR EACH ROW BEGIN SELECT"#)
        )
        try journal.run(trigger, temporary)
        try journal.queue.write { db in
            try OldPage.insert {
                ($0.id, $0.text)
            } values: {
                (7, "seven")
            }.execute(db)
            #expect(try OldLine.select(\.text).fetchAll(db) == ["seven"])
            try OldPage.delete().execute(db)
            try trigger.drop().execute(db)
        }
        // A trigger of a file sees nothing of the others.
        let far = Leaf.createTrigger("far", after: .insert { _ in OldLine.all })
        #expect(journal.refusal(far).contains("cannot reference objects in database old"))
    }

    @Test(.proves("TRG-010", "TRG-012", "FNC-004"))
    func `a trigger calls functions of Swift on the thread of its connection`() throws {
        let journal = try Journal { $0.add(functions: $notePage, $directPage) }
        try journal.run(
            Leaf.createTemporaryTrigger("note", after: .insert { new in Values($notePage(new.id)) })
        )
        try journal.queue.write { db in
            try Leaf.insert {
                ($0.id, $0.text)
            } values: {
                (3, "x")
            }.execute(db)
            #expect(NotedPages.shared.texts == ["3 \(pthread_self())"])
        }
        let direct = Leaf.createTrigger(
            "direct", after: .insert { new in Values($directPage(new.id)) })
        try journal.run(direct)
        let error = #expect(throws: DatabaseError.self) { try journal.add(4) }
        #expect(error?.message?.contains("unsafe use of direct_page()") == true, "\(error)")
        // Who opens the file without the function is told so.
        let other = try journal.fixture.open()
        let missing = #expect(throws: DatabaseError.self) {
            try other.write {
                try Leaf.insert {
                    ($0.id, $0.text)
                } values: {
                    (4, "x")
                }.execute($0)
            }
        }
        #expect(missing?.message?.contains("no such function: direct_page") == true)
        #expect(try journal.values("SELECT 1 FROM \(page)").count == 3)
    }

    @Test(.proves("TRG-013"))
    func `a date or UUID in a stored statement is a warning, once`() async {
        let result = await #expect(
            processExitsWith: .success, observing: [\.standardErrorContent]
        ) {
            for _ in 1...2 {
                _ = Leaf.createTemporaryTrigger(
                    "now",
                    after: .update { old, _ in Leaf.find(old.id).update { $0.seenOn = Date() } })
            }
            _ = HighPage.createTemporaryView(
                as: Leaf.where { $0.seenOn < Date() }.select {
                    HighPage.Columns(id: $0.id, text: $0.text)
                })
            _ = Leaf.createTemporaryTrigger(
                "id",
                after: .insert { _ in
                    Values(UUID())
                })
            _ = Leaf.createTemporaryTrigger(
                "meant",
                after: .update { old, _ in
                    Leaf.find(old.id).update { $0.seenOn = #bind(Date()) }
                } when: { old, _ in
                    old.seenOn < #bind(Date()) && old.text.neq("2026-01-01")
                })
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        let lines = text.split(separator: "\n").filter { $0.hasPrefix("warning: ") }
        #expect(lines.count == 3, "\(text)")
        for (line, name) in zip(lines, [#"trigger "now""#, #"view "highPages""#, #"trigger "id""#])
        {
            #expect(
                line == """
                    warning: \(name): this value is fixed now; use '#sql("datetime()")', or \
                    '#bind(value)' where it is meant
                    """)
        }
    }
}
