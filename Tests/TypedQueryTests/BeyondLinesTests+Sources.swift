import Foundation
import StrongroomTables
import StrongroomTestSupport
import Testing

/// The compiler has to know these before it checks the first query on them.
private typealias Tables = (
    Taxon.TableColumns, Packet.TableColumns, Member.TableColumns, Loan.TableColumns,
    Trait.TableColumns, GrowNote.TableColumns, Count.TableColumns, Stock.TableColumns
)

extension BeyondLinesTests {
    @Test(.proves("BYD-018"))
    func `words of any text are searched, in each way`() throws {
        func found(_ text: String, _ kind: WordMatch = .all) throws -> String {
            let query = GrowNote.where { $0.match(words: text, kind) }.select(\.title)
            _ = try library.queue.read { try query.fetchAll($0) }
            return query.debugSQL.components(separatedBy: " WHERE ")[1]
        }
        #expect(try found("a b") == #""growNotes" MATCH '"a" "b"'"#)
        #expect(try found("a b", .any) == #""growNotes" MATCH '"a" OR "b"'"#)
        #expect(try found("a b", .phrase) == #""growNotes" MATCH '"a b"'"#)
        #expect(try found("a b", .prefixes) == #""growNotes" MATCH '"a"* "b"*'"#)
        for text in [
            "", "\"", "'", "*", "a\"b", "NEAR(", "AND", "a AND", "-x", "title:", "^a", "{a}:", "🌱",
            "a\0b", "(", "+", "NOT", "\\", "%", "é́", "x; DROP TABLE growNotes",
        ] {
            for kind in [WordMatch.all, .any, .phrase, .prefixes] { _ = try found(text, kind) }
        }
        for text in ["", " -!*\"() ", "🌱"] { #expect(try found(text) == "0") }
        let pattern = try #require(FTS5Pattern(matchingAnyTokenIn: "pepper frozen"))
        let titles = try library.queue.read { db in
            try GrowNote.where { $0.match(pattern) }.order(by: \.title).select(\.title).fetchAll(db)
        }
        #expect(titles == ["Pepper patience", "Poppies"])
    }

    @Test(.proves("BYD-020"))
    func `functions of SQLite give rows`() throws {
        let keys = try library.queue.read { db in
            try Variety.find(V.soupBean).join(Variety.columns.aliases.jsonEach()) { _, _ in true }
                .select { ($1.key, $1.value) }.fetchAll(db)
        }
        #expect(keys.map(\.0) == [0, 1])
        #expect(keys.map(\.1) == ["Haricot \"Hutterite\"", "Soup bean"])
        try library.check(
            Variety.find(V.soupBean).join(Variety.columns.sowing.jsonTree()) { _, t in
                t.parent.isNot(nil)
            }.select { _, t in (t.key, t.type, t.path, t.parent.isNot(nil)) },
            """
            SELECT `json_tree`.`key`, `json_tree`.`type`, `json_tree`.`path`, \
            `json_tree`.`parent` IS NOT NULL FROM `varieties` JOIN \
            json_tree(`varieties`.`sowing`) ON `json_tree`.`parent` IS NOT NULL WHERE \
            `varieties`.`id` = '00000000-0000-4000-8000-000000000003'
            """,
            [
                ["depth", "integer", "$", 1], ["indoors", "false", "$", 1],
                ["months", "array", "$", 1], [0, "integer", "$.months", 1],
                [1, "integer", "$.months", 1],
            ])
        try library.check(
            PragmaTableInfo<Taxon>.where { $0.isNotNull }.select {
                ($0.position, $0.name, $0.type)
            },
            """
            SELECT `taxonsInfo`.`cid`, `taxonsInfo`.`name`, `taxonsInfo`.`type` FROM \
            pragma_table_info('taxons') AS `taxonsInfo` WHERE `taxonsInfo`.`notnull`
            """, [[1, "name", "TEXT"], [2, "rank", "TEXT"]])
        let columns = try library.queue.read { try PragmaTableInfo<Trial>.fetchAll($0) }
        #expect(columns.map(\.keyPosition) == [1, 2, 0, 0])
        #expect(columns.map(\.defaultSQL) == [nil, nil, nil, nil])
        try library.check(
            Series(1...10, by: 2),
            """
            SELECT `series`.`value` FROM (WITH RECURSIVE `series` (`value`) AS (SELECT 1 UNION \
            ALL SELECT `series`.`value` + 2 FROM `series` WHERE (`series`.`value` + 2) <= 10) \
            SELECT `series`.`value` FROM `series`) AS `series`
            """, [[1], [3], [5], [7], [9]])
    }

    @Test(.proves("BYD-025"))
    func `values are compared and assigned as they are`() throws {
        let taken = day("2025-03-01")
        let role: Role? = .guest
        #expect(Loan.where { $0.takenAt > taken }.debugSQL.hasSuffix("> '2025-03-01 00:00:00.000'"))
        #expect(
            Loan.where { $0.ticket.eq(ticket(1)) }.debugSQL
                .hasSuffix("= X'00000000000040008000000000000001'"))
        #expect(Member.where { $0.role.is(role) }.debugSQL.hasSuffix("IS 'guest'"))
        #expect(Member.where { $0.joined < taken }.debugSQL.hasSuffix("< 2460735.5"))
        #expect(
            Loan.update {
                $0.dueAt = taken
                $0.ticket = ticket(2)
            }.debugSQL.hasSuffix("X'00000000000040008000000000000002'"))
        #expect(
            Variety.update { $0.aliases = ["a"] }.debugSQL
                == #"UPDATE "varieties" SET "aliases" = '["a"]'"#)
    }

    @Test(.proves("BYD-029"))
    func `a page begins after a row, or after values`() throws {
        func condition<S: StrongroomTables.Statement>(_ statement: S) throws -> String {
            _ = try library.queue.read { try statement.fetchAll($0) }
            let text = statement.debugSQL.components(separatedBy: " WHERE ")[1]
            return text.components(separatedBy: " ORDER BY ")[0]
        }
        let packet = try library.queue.read { try Packet.find($0, key: 11) }
        #expect(
            try condition(Packet.order { ($0.seeds, $0.id) }.after(packet).limit(20))
                == #"("packets"."seeds", "packets"."id") > (30, 11)"#)
        #expect(
            try condition(Packet.order { ($0.seeds.desc(), $0.id.desc()) }.after(packet))
                == #"("packets"."seeds", "packets"."id") < (30, 11)"#)
        #expect(
            try condition(Packet.order { ($0.seeds.desc(), $0.id) }.after(packet))
                == #""packets"."seeds" < 30 OR ("packets"."seeds" = 30 AND "packets"."id" > 11)"#)
        #expect(
            try condition(Packet.order { ($0.seeds * 2, $0.id) }.after(60, 11))
                == #"("packets"."seeds" * 2, "packets"."id") > (60, 11)"#)
        let ids = try library.queue.read { db in
            try Packet.order { ($0.seeds * 2, $0.id) }.after(60, 11).limit(2).select(\.id)
                .fetchAll(db)
        }
        #expect(ids == [12, 3])
        // Loan 4 has no date: its page begins by where NULLs stand.
        let dated = try library.queue.read { try Loan.find($0, key: 6) }
        let undated = try library.queue.read { try Loan.find($0, key: 4) }
        let due = #""loans"."dueAt""#
        let after = #"(\#(due) IS '2026-02-01 00:00:00.000' AND "loans"."id" > 6)"#
        let nullEqual = #"(\#(due) IS NULL AND "loans"."id" > 4)"#
        let first = Loan.order { ($0.dueAt, $0.id) }
        let last = Loan.order { ($0.dueAt.asc(nulls: .last), $0.id) }
        #expect(
            try condition(first.after(dated)) == "\(due) > '2026-02-01 00:00:00.000' OR \(after)")
        #expect(
            try condition(last.after(dated))
                == "\(due) > '2026-02-01 00:00:00.000' OR \(due) IS NULL OR \(after)")
        #expect(try condition(first.after(undated)) == "\(due) IS NOT NULL OR \(nullEqual)")
        #expect(try condition(last.after(undated)) == "0 OR \(nullEqual)")
        for order in [first, last, Loan.order { ($0.dueAt.desc(), $0.id.desc()) }] {
            let all = try library.queue.read { try order.fetchAll($0) }
            for (index, loan) in all.enumerated() {
                let rest = try library.queue.read { try order.after(loan).fetchAll($0) }
                #expect(rest.map(\.id) == all.dropFirst(index + 1).map(\.id))
            }
        }
        let open = Packet.order(by: \.seeds).after(packet)
        let expression = Packet.order { ($0.seeds * 2, $0.id) }.after(packet)
        let short = Packet.order { ($0.seeds, $0.id) }.after(30)
        for statement in [open, expression, short] {
            #expect(throws: QueryBuildingError.self) {
                try library.queue.read { try statement.fetchAll($0) }
            }
        }
    }
}
