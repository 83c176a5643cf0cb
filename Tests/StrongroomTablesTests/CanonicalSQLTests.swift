import CSQLCipher
import Foundation
import StrongroomTablesRuntime
import StrongroomTestSupport
import Testing

@Suite struct CanonicalSQLTests {
    private func condition(
        _ make: (Item.TableColumns) -> some QueryExpression
    ) -> String {
        make(Item.columns).queryFragment.description
    }

    @Test(.proves("CAN-001"))
    func `a fragment is text with the values apart`() {
        let query = Item.find(7).select(\.id).query
        let (sql, bindings) = query.prepare { "?\($0)" }
        #expect(sql == #"SELECT "items"."id" FROM "items" WHERE "items"."id" = ?1"#)
        #expect(bindings == [.int(7)])
        let text = #"SELECT "items"."id" FROM "items" WHERE "items"."id" = 7"#
        #expect("\(query)" == text)
        #expect(query.debugDescription == text)
        #expect(Item.find(7).select(\.id).debugSQL == text)
    }

    @Test(.proves("CAN-005"))
    func `chains of one operator stay flat, and AND and OR on both sides`() {
        #expect(condition { ($0.id + 1) + 2 } == #""items"."id" + 1 + 2"#)
        #expect(condition { $0.id + ($0.id + 2) } == #""items"."id" + ("items"."id" + 2)"#)
        #expect(condition { ($0.id + 1) * 2 } == #"("items"."id" + 1) * 2"#)
        #expect(condition { ($0.id - 1) - 2 } == #"("items"."id" - 1) - 2"#)
        #expect(condition { -$0.id } == #"-"items"."id""#)
        #expect(condition { !$0.isDone } == #"NOT "items"."isDone""#)
        #expect(condition { !$0.id.eq(1) } == #"NOT ("items"."id" = 1)"#)
        #expect(
            condition { $0.isDone && ($0.id.eq(1) && $0.title.like("a%")) }
                == #""items"."isDone" AND "items"."id" = 1 AND "items"."title" LIKE 'a%'"#)
        #expect(
            condition { ($0.isDone || $0.id > 1) && $0.id.between(1, and: 9) }
                == #"("items"."isDone" OR "items"."id" > 1) AND ("items"."id" BETWEEN 1 AND 9)"#)
    }

    @Test(
        .proves("CAN-006"),
        arguments: [
            (true.queryFragment, "1"), ((-3).queryFragment, "-3"), (1.0.queryFragment, "1.0"),
            (1e16.queryFragment, "1e+16"), ((-0.0).queryFragment, "-0.0"),
            (Double.infinity.queryFragment, "9e999"), ((-Double.infinity).queryFragment, "-9e999"),
            (Double.nan.queryFragment, "NULL"), ("it's".queryFragment, "'it''s'"),
            ([UInt8]([0x0a, 0xff]).queryFragment, "X'0aff'"),
            (Date(timeIntervalSince1970: 0).queryFragment, "'1970-01-01 00:00:00.000'"),
            ("a\0".queryFragment, "CAST(X'6100' AS TEXT)"),
        ])
    func `literals read back as what was bound`(fragment: QueryFragment, text: String) throws {
        #expect(fragment.description == text)
        let value = fragment.prepare { _ in "?" }.bindings[0].databaseValue
        let read = try Library().queue.read {
            try DatabaseValue.fetchOne($0, sql: "SELECT \(text)")
        }
        #expect(read == value)
    }

    @Test(.proves("CAN-009", "TBL-033"))
    func `a query of no rows is empty whatever follows, and runs nothing`() throws {
        let none = Item.none.where { $0.isDone }.order(by: \.title).limit(3)
        #expect(none.debugSQL == "")
        #expect(Folder.join(Item.none) { $0.id.eq($1.folderID) }.debugSQL == "")
        #expect(Item.none.delete().debugSQL == "")
        #expect(Item.none.update { $0.isDone = true }.debugSQL == "")
        let library = try Library()
        try library.queue.write { db in
            let run = try db.capturedSQL {
                #expect(try none.fetchAll(db) == [])
                #expect(try none.fetchOne(db) == nil)
                #expect(try none.fetchCount(db) == 0)
                try Item.none.delete().execute(db)
            }
            #expect(run == [])
        }
        let outer = Folder.leftJoin(Item.none) { $0.id.eq($1.folderID) }.select { ($0.id, $1.id) }
        let rows = try library.queue.read { try outer.fetchAll($0) }
        #expect(rows.count == 3 && rows.allSatisfy { $0.1 == nil })
    }

    @Test(.proves("CAN-013"))
    func `values never reach the text`() {
        let texts = ["?", "'", "--", "a\0b", #"""#]
        let queries = texts.map { text in Item.where { $0.title.eq(text) }.query }
        let statements = Set(queries.map { $0.prepare { _ in "?" }.sql })
        #expect(statements == [#"SELECT \#(itemColumns) FROM "items" WHERE "items"."title" = ?"#])
        #expect(Set(queries).count == texts.count)
        #expect(Item.find(1).query == Item.find(1).query)
    }

    @Test(.proves("CAN-011"))
    func `statements built alike have one text, and share a prepared statement`() throws {
        func query(_ title: String, _ count: Int) -> some StrongroomTablesRuntime.Statement<Item> {
            Item.where { $0.title.neq(title) && $0.id > count }.order(by: \.id).limit(count)
        }
        #expect(query("a", 1).query != query("b", 1).query)
        #expect(Set([query("a", 1).query, query("a", 1).query, query("a", 2).query]).count == 2)
        let library = try Library()
        try library.queue.write { db in
            for title in ["a", "b", "'", "?"] {
                _ = try query(title, 1).fetchAll(db)
                let cursor = try query(title, 2).fetchCursor(db)
                while try cursor.next() != nil {}
                try Item.find(title.count).update { $0.title = title }.execute(db)
                try Folder.insert { Folder.Draft(title: title) }.execute(db)
            }
            #expect(runs(of: query("c", 9).query, db) == [8])
            #expect(runs(of: Item.find(9).update { $0.title = "" }.query, db) == [4])
            #expect(runs(of: Folder.insert { Folder.Draft(title: "") }.query, db) == [4])
        }
    }

    /// How often each prepared statement with the text of a query has run.
    private func runs(of query: QueryFragment, _ db: Database) -> [Int32] {
        let text = query.prepare { _ in "?" }.sql
        var counts: [Int32] = []
        var statement = sqlite3_next_stmt(db.sqliteConnection, nil)
        while let current = statement {
            if sqlite3_sql(current).map({ String(cString: $0) }) == text {
                counts.append(sqlite3_stmt_status(current, SQLITE_STMTSTATUS_RUN, 0))
            }
            statement = sqlite3_next_stmt(db.sqliteConnection, current)
        }
        return counts
    }
}
