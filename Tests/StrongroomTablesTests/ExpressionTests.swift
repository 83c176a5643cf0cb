import Foundation
import StrongroomTablesRuntime
import StrongroomTestSupport
import Testing

/// The SQL of an expression of the columns of an item.
func sql(_ expression: (Item.TableColumns) -> some QueryExpression) -> String {
    expression(Item.columns).queryFragment.description
        .replacing("\"items\".", with: "").replacing("\"", with: "`")
}

@Suite struct ExpressionTests {
    let library: Library

    init() throws { library = try Library() }

    /// The first value of an expression, computed for the first item.
    private func value<Value>(
        _ expression: (Item.TableColumns) -> SQLQueryExpression<Value>
    ) throws -> Value.QueryOutput? {
        try library.queue.read { try Item.find(1).select { expression($0) }.fetchOne($0) }
    }

    @Test(.proves("TEX-002"))
    func `IS takes NULL as a value`() throws {
        let level: Level? = nil
        #expect(sql { $0.stars.is(3) } == "`stars` IS 3")
        #expect(sql { $0.stars.isNot($0.id) } == "`stars` IS NOT `id`")
        #expect(sql { $0.stars.is(nil) } == "`stars` IS NULL")
        #expect(sql { $0.stars.isNot(nil) } == "`stars` IS NOT NULL")
        #expect(sql { $0.level.is(level) } == "`level` IS NULL")
        #expect(sql { $0.level.isNot(level) } == "`level` IS NOT NULL")
        #expect(sql { $0.level.isNot(.high) } == "`level` IS NOT 3")
        let prepared = Item.columns.level.is(level).queryFragment.prepare { _ in "?" }
        #expect(prepared.sql.hasSuffix("IS NULL") || prepared.bindings == [.null])
    }

    @Test(.proves("TEX-005"))
    func `conditions are combined, optional where an operand is`() throws {
        let both: SQLQueryExpression<Bool> = Item.columns.isDone && Item.columns.id.eq(1)
        let perhaps: SQLQueryExpression<Bool?> = Item.columns.isDone || Item.columns.stars.eq(1)
        #expect(both.queryFragment.description == #""items"."isDone" AND "items"."id" = 1"#)
        #expect(perhaps.queryFragment.description.hasSuffix(#" OR "items"."stars" = 1"#))
        #expect(
            sql { $0.isDone.and($0.id > 1).or($0.isDone) } == "(`isDone` AND `id` > 1) OR `isDone`")
        #expect(sql { !($0.isDone && $0.isDone) } == "NOT (`isDone` AND `isDone`)")
        #expect(sql { $0.isDone.not() } == "NOT `isDone`")
        let opposite: SQLQueryExpression<Bool?> = !(Item.columns.stars > 1)
        #expect(opposite.queryFragment.description == #"NOT ("items"."stars" > 1)"#)
    }

    @Test(.proves("TEX-008", "TEX-009"))
    func `values lie in ranges, and SQLite is told what is likely`() throws {
        #expect(sql { $0.stars.between(1, and: 9) } == "`stars` BETWEEN 1 AND 9")
        #expect(sql { $0.stars.in(1...9) } == "`stars` BETWEEN 1 AND 9")
        #expect(sql { $0.id.in(1..<9) } == "`id` >= 1 AND `id` < 9")
        #expect(sql { $0.id.in(1...) } == "`id` >= 1")
        #expect(sql { $0.id.in(..<9) } == "`id` < 9")
        #expect(sql { $0.isDone.likely() } == "likely(`isDone`)")
        #expect(sql { ($0.id > 1).unlikely() } == "unlikely(`id` > 1)")
        #expect(sql { ($0.id > 1).likelihood(0.9) } == "likelihood(`id` > 1, 0.9)")
        #expect(try value { ($0.id < 9).likelihood(0.9) } == true)
    }

    @Test(.proves("TEX-012", "TEX-013"))
    func `texts have functions, which optional texts have too`() throws {
        #expect(sql { $0.title + "!" + $0.title } == "`title` || '!' || `title`")
        #expect(sql { $0.title.length() } == "length(`title`)")
        #expect(sql { $0.title.octetLength() } == "octet_length(`title`)")
        #expect(sql { $0.title.lower().upper() } == "upper(lower(`title`))")
        #expect(sql { $0.title.trim() } == "trim(`title`)")
        #expect(sql { $0.title.trim("x") } == "trim(`title`, 'x')")
        #expect(sql { $0.title.ltrim("x").rtrim("y") } == "rtrim(ltrim(`title`, 'x'), 'y')")
        #expect(sql { $0.title.replace("a", "b") } == "replace(`title`, 'a', 'b')")
        #expect(sql { $0.title.substr(2) } == "substr(`title`, 2)")
        #expect(sql { $0.title.substr(2, 3) } == "substr(`title`, 2, 3)")
        #expect(sql { $0.title.instr("x") } == "instr(`title`, 'x')")
        #expect(sql { $0.title.quote() } == "quote(`title`)")
        #expect(sql { $0.title.hex().unhex() } == "unhex(hex(`title`))")
        #expect(sql { $0.title.unhex("-") } == "unhex(`title`, '-')")
        let code: SQLQueryExpression<Int?> = Item.columns.title.unicode()
        #expect(code.queryFragment.description == #"unicode("items"."title")"#)
        let missing = Item.columns.stars.cast(as: String.self)
        let upper: SQLQueryExpression<String?> = missing.upper() + "!"
        let fits: SQLQueryExpression<Bool?> = upper.like("%a%")
        try library.queue.read { (db) throws in
            #expect(try Item.find(2).select { _ in upper }.fetchOne(db) == .some(nil))
            #expect(try Item.where { _ in fits }.fetchCount(db) == 0)
            #expect(try Item.find(1).select { $0.title.upper() + "!" }.fetchOne(db) == "TEA!")
        }
    }

    @Test(.proves("TEX-017"))
    func `other values stand in for NULL`() throws {
        let other: SQLQueryExpression<Int?> = Item.columns.stars.nullif(3)
        #expect(sql { $0.stars ?? $0.stars ?? 1 } == "coalesce(`stars`, `stars`, 1)")
        #expect(sql { $0.stars.ifnull(0) } == "ifnull(`stars`, 0)")
        #expect(other.queryFragment.description == #"nullif("items"."stars", 3)"#)
        let optional: SQLQueryExpression<Int?> = Item.columns.stars ?? Item.columns.stars
        let certain: SQLQueryExpression<Int> = optional ?? 7
        #expect(try value { _ in other ?? certain } == 3)
    }

    @Test(.proves("TEX-018"))
    func `expressions of optional values stay NULL`() throws {
        let next: SQLQueryExpression<Int?> = Item.columns.stars.map { $0 + 1 }
        #expect(next.queryFragment.description == #""items"."stars" + 1"#)
        let text = Item.columns.stars.cast(as: String.self)
        #expect(
            text.map { $0.upper() }.queryFragment.description
                == #"upper(CAST("items"."stars" AS TEXT))"#)
        #expect(sql { $0.stars.map { -$0 } } == "-`stars`")
        #expect(sql { $0.stars.map { $0 > 1 } } == "`stars` > 1")
        #expect(
            sql { $0.stars.map { $0 + $0 } }
                == "`stars` + `stars`")
        #expect(
            sql { item in item.stars.map { iif($0 > 1, "a", "b") } }
                == "CASE WHEN `stars` IS NULL THEN NULL ELSE iif(`stars` > 1, 'a', 'b') END")
        #expect(
            sql { $0.stars.flatMap { $0.nullif(1) } }
                == "CASE WHEN `stars` IS NULL THEN NULL ELSE nullif(`stars`, 1) END")
    }

    @Test(.proves("TEX-019"))
    func `cases choose between values`() throws {
        let open: SQLQueryExpression<String> = Case().when(Item.columns.isDone, then: "a").else("b")
        #expect(
            open.queryFragment.description
                == #"CASE WHEN "items"."isDone" THEN 'a' ELSE 'b' END"#)
        #expect(
            sql { Case($0.level).when(.low, then: 1).when(.high, then: 3) }
                == "CASE `level` WHEN 1 THEN 1 WHEN 3 THEN 3 END")
        let stops = [3, 2]
        #expect(
            sql { item in stops.reduce(Case()) { $0.when(item.id >= $1, then: $1) }.else(0) }
                == "CASE WHEN `id` >= 3 THEN 3 WHEN `id` >= 2 THEN 2 ELSE 0 END")
        let none = [Int]().reduce(Case()) { $0.when(Item.columns.id > $1, then: $1) }
        #expect(none.queryFragment.description == "NULL")
        #expect(none.else(7).queryFragment.description == "7")
    }

    @Test(.proves("TEX-021", "TEX-016"))
    func `conditions choose, storage classes are told, and blobs are made`() throws {
        #expect(sql { iif($0.isDone, "a", "b") } == "iif(`isDone`, 'a', 'b')")
        let kind: SQLQueryExpression<String> = Item.columns.stars.typeof()
        #expect(kind.queryFragment.description == #"typeof("items"."stars")"#)
        #expect(try value { $0.stars.typeof() } == "integer")
        #expect(try value { $0.stars.zeroblob() } == [0, 0, 0])
        #expect(try value { $0.stars.randomblob() }?.count == 3)
    }
}
