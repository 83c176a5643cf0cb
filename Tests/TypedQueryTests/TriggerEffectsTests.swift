import Foundation
import StrongroomTables
import StrongroomTestSupport
import Testing

private typealias Tables = JournalTables

@Suite struct TriggerEffectsTests {
    let journal: Journal
    private let page = #""page ""one""'s""#

    init() throws { journal = try Journal() }

    private func log(_ text: String) -> Insert<LogLine> {
        LogLine.insert {
            $0.text
        } values: {
            text
        }
    }

    @Test(.proves("TRG-009"))
    func `a touch of other columns runs once where triggers are recursive`() throws {
        try journal.run(
            Leaf.createTemporaryTrigger(
                "limited", after: .update(of: { $0.text }, touch: { $0.rank += 1 })))
        try journal.queue.inDatabase { try $0.execute(sql: "PRAGMA recursive_triggers = ON") }
        try journal.run(Leaf.find(1).update { $0.text = "b" })
        #expect(
            try journal.values(#"SELECT "rank" FROM \#(page) WHERE "id" = 1"#) == [2.databaseValue])
        let endless = Leaf.createTemporaryTrigger(
            "endless", after: .update(touch: { $0.rank += 1 }))
        try journal.run(endless)
        let change = Leaf.find(1).update { $0.text = "c" }
        #expect(journal.refusal(change).contains("too many levels of trigger recursion"))
        // Nothing of the statement stays, and the connection is as good as before.
        #expect(
            try journal.values(#"SELECT "text" || "rank" FROM \#(page) WHERE "id" = 1"#)
                == ["b2".databaseValue])
        try journal.queue.inDatabase { try $0.execute(sql: "PRAGMA recursive_triggers = OFF") }
        try journal.run(change)
        #expect(
            try journal.values(#"SELECT "text" || "rank" FROM \#(page) WHERE "id" = 1"#)
                == ["c5".databaseValue])
    }

    @Test(.proves("TRG-003"))
    func `a trigger that fails takes back its statement, or the transaction`() throws {
        func refuse(_ action: String, at rank: Int) -> CreateTrigger {
            Leaf.createTemporaryTrigger(
                action,
                after: .insert { _ in
                    log(action)
                    if action == "ABORT" {
                        Values(#sql("RAISE(ABORT, 'it''s full')", as: Int.self))
                    } else {
                        Values(#sql("RAISE(ROLLBACK, 'all of it')", as: Int.self))
                    }
                } when: {
                    $0.rank.eq(rank)
                })
        }
        try journal.run(refuse("ABORT", at: 5), refuse("ROLLBACK", at: 6))
        try journal.queue.write { db in
            try Leaf.insert {
                ($0.id, $0.text)
            } values: {
                (3, "stays")
            }.execute(db)
            let failed = #expect(throws: DatabaseError.self) {
                try Leaf.insert {
                    ($0.id, $0.text, $0.rank)
                } values: {
                    (4, "", 5)
                }.execute(db)
            }
            #expect(failed?.message == "it's full" && failed?.resultCode == .SQLITE_CONSTRAINT)
            #expect(db.isInsideTransaction)
        }
        #expect(try journal.values(#"SELECT "id" FROM \#(page)"#).count == 3)
        #expect(throws: DatabaseError.self) {
            try journal.queue.write { db in
                try Leaf.find(3).delete().execute(db)
                _ = try? Leaf.insert {
                    ($0.id, $0.text, $0.rank)
                } values: {
                    (4, "", 6)
                }.execute(db)
                #expect(!db.isInsideTransaction)
                try Leaf.find(1).delete().execute(db)
            }
        }
        #expect(try journal.values(#"SELECT "id" FROM \#(page)"#).count == 3)
        #expect(try journal.lines() == [])
    }

    @Test(.proves("TRG-001"))
    func `a statement that is prepared already fires what comes later`() throws {
        let trigger = Leaf.createTemporaryTrigger("later", after: .delete { _ in log("gone") })
        try journal.queue.write { db in
            func add(_ id: Int) throws {
                try Leaf.insert {
                    ($0.id, $0.text)
                } values: {
                    (id, "")
                }.execute(db)
                try Leaf.find(id).delete().execute(db)
            }
            try add(3)
            try trigger.execute(db)
            try add(3)
            try trigger.drop().execute(db)
            try add(3)
        }
        #expect(try journal.lines() == ["gone"])
    }
}
