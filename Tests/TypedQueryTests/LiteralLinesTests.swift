import Foundation
import StrongroomTables
import StrongroomTestSupport
import Testing

/// The compiler has to know these before it checks the first query on them.
private typealias Tables = (
    Variety.TableColumns, Packet.TableColumns, Member.TableColumns, Loan.TableColumns,
    Trait.TableColumns, OpenName.TableColumns, Distant.TableColumns
)

/// A table of an attached database.
@Table("things", schema: "aux") struct Distant { let id: Int }

@Suite struct LiteralLinesTests {
    let library: SeedLibrary

    init() throws { library = try SeedLibrary() }

    @Test(.proves("LIT-001"))
    func `SQL has a type, which the context may give`() throws {
        let length: SQLQueryExpression<Int> = #sql("length(\(Member.name))")
        let value = 40
        let typed = Member.where { #sql("\($0.points) >= \(value)", as: Bool.self) }
        #expect(typed.text.hasSuffix(" WHERE `members`.`points` >= 40"))
        #expect(typed.query.prepare { _ in "?" }.bindings == [.int(40)])
        let statement: SQLStatement = #sql("DELETE FROM \(Trait.self) WHERE code = \(bind: "odd")")
        try library.queue.write { (db) throws in
            #expect(try Member.find(3).select { _ in length }.fetchOne(db) == 5)
            #expect(try typed.select(\.id).fetchAll(db) == [1])
            #expect(try #sql("SELECT 1 + \(value)", as: Int.self).fetchOne(db) == 41)
            try statement.execute(db)
            let nothing: Void? = try statement.fetchOne(db)
            #expect(nothing == nil)
            #expect(try Trait.fetchCount(db) == 6)
        }
    }

    @Test(.proves("LIT-002"))
    func `SQL stands in any clause`() throws {
        let late = Loan.where { #sql("\($0.dueAt) < date('2026-01-01')") }
        #expect(late.text.hasSuffix(" WHERE `loans`.`dueAt` < date('2026-01-01')"))
        let query = Loan.join(Packet.all) { #sql("\($0.packetID) = \($1.id)") }
            .group { l, _ in #sql("\(l.memberID) % 2") }
            .having { l, _ in #sql("count(\(l.id)) > \(2)") }
            .order { l, _ in #sql("count(\(l.id)) DESC") }
            .limit(#sql("1 + 1", as: Int.self))
            .select { l, _ in (l.count(), #sql("max(\(l.seeds))", as: Int?.self)) }
        #expect(
            query.text
                == """
                SELECT count(`loans`.`id`), max(`loans`.`seeds`) FROM `loans` JOIN `packets` ON \
                `loans`.`packetID` = `packets`.`id` GROUP BY `loans`.`memberID` % 2 HAVING \
                count(`loans`.`id`) > 2 ORDER BY count(`loans`.`id`) DESC LIMIT 1 + 1
                """)
        let update = Loan.find(1).update { $0.seeds = #sql("\($0.seeds) + 1") }
        #expect(
            update.text == "UPDATE `loans` SET `seeds` = `loans`.`seeds` + 1 WHERE `loans`.`id` = 1"
        )
        let insert = Trait.insert { Trait.Columns(code: #sql("upper('x')"), label: "X") }
        #expect(insert.text == "INSERT INTO `traits` (`code`, `label`) VALUES (upper('x'), 'X')")
        try library.queue.write { (db) throws in
            #expect(try late.select(\.id).fetchSet(db) == [1, 2, 3, 5])
            #expect(try query.fetchAll(db).map(\.0) == [6, 4])
            try update.execute(db)
            try insert.execute(db)
            #expect(try Loan.find(db, key: 1).seeds == 11)
            #expect(try Trait.find(db, key: "X").label == "X")
        }
    }

    @Test(.proves("LIT-003"))
    func `SQL is a whole statement`() throws {
        try library.queue.read { (db) throws in
            let traits: [Trait] = try #sql(
                "SELECT \(Trait.columns) FROM \(Trait.self) ORDER BY code", as: Trait.self
            ).fetchAll(db)
            #expect(traits.count == 7 && traits[0].code == "compact")
            let pairs: [(Loan, Member)] = try #sql(
                """
                SELECT \(Loan.columns), \(Member.columns) FROM \(Loan.self) JOIN \(Member.self) \
                ON \(Loan.memberID) = \(Member.id) WHERE \(Loan.id) < \(3) ORDER BY 1
                """, as: (Loan, Member).self
            ).fetchAll(db)
            #expect(pairs.map(\.0.id) == [1, 2] && pairs.map(\.1.name) == ["Bo O'Hara", "Chidi"])
            let grams: [Double?] = try #sql(
                "SELECT grams FROM packets WHERE id < 3 ORDER BY id", as: Double?.self
            ).fetchAll(db)
            #expect(grams == [0.5, nil])
        }
    }

    @Test(.proves("LIT-005", "LIT-006"))
    func `tables and their columns stand in SQL`() throws {
        func text(_ fragment: QueryFragment) -> String {
            fragment.description.replacing("\"", with: "`")
        }
        #expect(text("\(Trait.self)") == "`traits`")
        #expect(text("\(Distant.self)") == "`aux`.`things`")
        #expect(text("\(Distant.columns)") == "`aux`.`things`.`id`")
        #expect(text("\(Trait.columns)") == "`traits`.`code`, `traits`.`label`")
        #expect(text("\(Member.columns)").contains("json(`members`.`address`) AS `address`, "))
        let whole = Member.as(Sponsor.self).find(1).select {
            #sql("json_array(\($0.name))", as: String.self)
        }
        #expect(
            whole.text.hasPrefix(
                "SELECT json_array(`sponsors`.`name`) FROM `members` AS `sponsors`"))
        let member = Member.as(Sponsor.self).where { _ in true }.select { columns in
            #sql("(SELECT count(*) FROM (SELECT \(columns)))", as: Int.self)
        }
        #expect(member.text.contains("SELECT `sponsors`.`id`, `sponsors`.`name`, "))
        #expect(member.text.contains("json(`sponsors`.`address`) AS `address`"))
        #expect(try library.queue.read { try member.fetchAll($0) } == Array(repeating: 1, count: 8))
        try library.queue.writeWithoutTransaction { (db) throws in
            try db.execute(sql: "ATTACH ':memory:' AS aux KEY ''; CREATE TABLE aux.things (id)")
            try db.execute(sql: "INSERT INTO aux.things VALUES (7)")
            let rows = #sql("SELECT \(Distant.columns) FROM \(Distant.self)", as: Distant.self)
            #expect(try rows.fetchAll(db).map(\.id) == [7])
        }
    }

    @Test(.proves("LIT-008"))
    func `statements stand in SQL`() throws {
        func text(_ fragment: QueryFragment) -> String {
            fragment.description.replacing("\"", with: "`")
        }
        #expect(text("\(Member.points + 1)") == "`members`.`points` + 1")
        #expect(text("\(Trait.count())") == "SELECT count(*) FROM `traits`")
        #expect(
            text("\(Trait.where { $0.code.eq("hot") })")
                == "SELECT `traits`.`code`, `traits`.`label` FROM `traits` WHERE `traits`.`code` = 'hot'"
        )
        let table = With {
            Trait.select { OpenName.Columns(name: $0.code) }
        } query: {
            OpenName.count()
        }
        #expect(text("\(table)") == table.text)
        let compound = Member.select(\.id).union(Trait.select { $0.code.length() })
        #expect(text("\(compound)") == compound.text && compound.text.hasPrefix("SELECT "))
        // In an expression, a statement is an operand.
        let query = Member.where { $0.points > Trait.count() }.select(\.id)
        #expect(query.text.hasSuffix(" WHERE `members`.`points` > (SELECT count(*) FROM `traits`)"))
        try library.queue.read { (db) throws in
            #expect(
                try #sql("SELECT (\(table)) + (\(Trait.count()))", as: Int.self).fetchOne(db) == 14)
            #expect(try query.fetchSet(db) == [1, 2, 3, 6])
        }
    }

    @Test(.proves("LIT-020"))
    func `values are bound by a representation or by what stands next to them`() throws {
        let date = day("2024-03-01")
        let unix = #bind(date, as: Date.UnixTimeRepresentation.self)
        #expect("\(unix.queryFragment)" == "1709251200")
        #expect(unix.queryFragment.prepare { _ in "?" }.bindings == [.int(1_709_251_200)])
        let tested = Packet.where { $0.germination.testedAt.eq(#bind(date)) }
        #expect(tested.text.hasSuffix(" WHERE `packets`.`testedAt` = 1709251200"))
        let none = Variety.where { $0.aliases.eq(#bind([])) }
        #expect(none.text.hasSuffix(" WHERE `varieties`.`aliases` = '[]'"))
        let bools = Variety.where { $0.isOpenPollinated.eq(#bind(false)) }
        #expect(bools.text.hasSuffix(" WHERE `varieties`.`isOpenPollinated` = 0"))
        try library.queue.write { (db) throws in
            #expect(try tested.select(\.id).fetchAll(db) == [1])
            #expect(try none.fetchCount(db) == 5)
            let update = Packet.find(3).update { $0.seeds = #bind(9) }
            #expect(update.text == "UPDATE `packets` SET `seeds` = 9 WHERE `packets`.`id` = 3")
            try update.execute(db)
            #expect(try Packet.find(db, key: 3).seeds == 9)
        }
    }

    @Test(.proves("LIT-023"))
    func `expressions lose their type, and fragments are put together`() throws {
        let fragment: QueryFragment = "\(Trait.code) = \(bind: "hot")"
        var condition = fragment
        condition.append(" OR ")
        condition.append("\(Trait.code) = \(bind: "odd")")
        #expect(!condition.isEmpty && QueryFragment().isEmpty)
        let other = fragment + " OR " + QueryFragment("\(Trait.code) = \(bind: "odd")")
        #expect(other == condition)
        let parts: [QueryFragment] = ["\(1)", "\(2)", "\(3)"]
        #expect(parts.joined(separator: ", ").description == "1, 2, 3")
        let typed = SQLQueryExpression<Bool>(condition)
        let erased = SQLQueryExpression<Int>(Trait.columns.code.length())
        let count = SQLQueryExpression<Int>(Trait.count())
        #expect("\(erased.queryFragment)" == #"length("traits"."code")"#)
        #expect("\(count.queryFragment)" == #"(SELECT count(*) FROM "traits")"#)
        let chosen: [SQLQueryExpression<Bool>] = [
            Trait.columns.code.eq("hot"), Trait.columns.label.like("H%"),
        ]
        try library.queue.read { (db) throws in
            #expect(try Trait.where { _ in typed }.select(\.code).fetchSet(db) == ["hot", "odd"])
            #expect(try Trait.find("hot").select { _ in (erased, count) }.fetchAll(db)[0] == (3, 7))
            let all = Trait.where { _ in for condition in chosen { condition } }
            #expect(try all.fetchCount(db) == 1)
        }
    }
}
