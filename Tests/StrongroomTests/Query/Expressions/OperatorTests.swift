import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

/// What Swift's operators become.
@Suite struct OperatorTests {
    let fixture: FixtureDatabase
    let queue: DatabaseQueue

    private let a = Column("a")
    private let b = Column("b")
    private let c = Column("c")

    init() throws {
        fixture = try FixtureDatabase()
        queue = try fixture.open()
        try queue.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE t(a, b, c);
                    INSERT INTO t VALUES (1, 2, 3), (0, 0, NULL), ('x', 'X', 'é'), (2.5, NULL, -1)
                    """)
        }
    }

    /// Checks what an expression becomes, and that SQLite understands it.
    private func expect(
        _ expression: some SQLSpecificExpressible, _ sql: String,
        _ location: SourceLocation = #_sourceLocation
    ) throws {
        try queue.read { db throws in
            let request = Table("t").select(expression)
            let prefix = "SELECT "
            let text = try db.sql(of: request)
            #expect(text == prefix + sql + #" FROM "t""#, sourceLocation: location)
            _ = try request.fetchAll(db)
        }
    }

    @Test(.proves("QRY-026"))
    func `Comparisons know NULL`() throws {
        let none: Int? = nil
        try expect(a == 1, #""a" = 1"#)
        try expect(1 == a, #"1 = "a""#)
        try expect(a == b, #""a" = "b""#)
        try expect(a == nil, #""a" IS NULL"#)
        try expect(a == none, #""a" IS NULL"#)
        try expect(none == a, #""a" IS NULL"#)
        try expect(a == "it's", #""a" = 'it''s'"#)
        try expect(a != 1, #""a" <> 1"#)
        try expect(a != nil, #""a" IS NOT NULL"#)
        try expect(a != none, #""a" IS NOT NULL"#)
        try expect(a === b, #""a" IS "b""#)
        try expect(a === 1, #""a" IS 1"#)
        try expect(a === nil, #""a" IS NULL"#)
        try expect(a !== b, #""a" IS NOT "b""#)
        try expect(a !== nil, #""a" IS NOT NULL"#)
        try expect(a < 1, #""a" < 1"#)
        try expect(a <= b, #""a" <= "b""#)
        try expect(1 > a, #"1 > "a""#)
        try expect(a >= "x", #""a" >= 'x'"#)
    }

    @Test(.proves("QRY-027"))
    func `Conditions are negated by their opposites`() throws {
        try expect(a == true, #""a" = 1"#)
        try expect(a == false, #""a" = 0"#)
        try expect(a != true, #""a" <> 1"#)
        try expect(true == a, #"1 = "a""#)
        try expect(!a, #"NOT "a""#)
        try expect(!(a == 1), #""a" <> 1"#)
        try expect(!(a == nil), #""a" IS NOT NULL"#)
        try expect(!(a !== b), #""a" IS "b""#)
        try expect(![1, 2].contains(a), #""a" NOT IN (1, 2)"#)
        try expect(!(1...2).contains(a), #""a" NOT BETWEEN 1 AND 2"#)
        try expect(!a.like("x%"), #""a" NOT LIKE 'x%'"#)
        try expect(!(a < 1), #"NOT ("a" < 1)"#)
        try expect(!(a && b), #"NOT ("a" AND "b")"#)
        try expect(!(!a), #"NOT (NOT "a")"#)
        try expect(
            !Table("t").filter(a == 1).exists(),
            #"NOT EXISTS (SELECT * FROM "t" WHERE "a" = 1)"#)
    }

    @Test(.proves("QRY-028"))
    func `Operands stand in parentheses where they need them`() throws {
        try expect(a + 1, #""a" + 1"#)
        try expect(a - b, #""a" - "b""#)
        try expect(2 * a / b, #"(2 * "a") / "b""#)
        try expect((a + 1) * (b - 2), #"("a" + 1) * ("b" - 2)"#)
        try expect(a - (b - c), #""a" - ("b" - "c")"#)
        try expect(-a, #"-"a""#)
        try expect(-(a + b), #"-("a" + "b")"#)
        try expect(-(-a), #"-(-"a")"#)
        try expect(a & 1, #""a" & 1"#)
        try expect(a | b, #""a" | "b""#)
        try expect(~a, #"~"a""#)
        try expect(a << 2, #""a" << 2"#)
        try expect(1 >> a, #"1 >> "a""#)
        try expect(a && b && c, #""a" AND "b" AND "c""#)
        try expect(a || b || c, #""a" OR "b" OR "c""#)
        try expect((a || b) && c, #"("a" OR "b") AND "c""#)
        try expect(a == 1 && b > 2, #"("a" = 1) AND ("b" > 2)"#)
        try expect(a ?? 0, #"IFNULL("a", 0)"#)
        try expect(a ?? b, #"IFNULL("a", "b")"#)
        let none: Column? = nil
        try expect(none ?? b, #""b""#)
        try expect(Optional(a) ?? b, #""a""#)
    }

    @Test(.proves("QRY-029", "QRY-030", "QRY-031"))
    func `Any number of expressions are joined by an operator`() throws {
        let columns = [a, b, c]
        let nothing: [Column] = []
        try expect(
            [a, " ".databaseValue, b].joined(operator: .concat), #""a" || ' ' || "b""#)
        try expect(a + "x", #""a" + 'x'"#)
        let operators: [(SQLExpression.AssociativeBinaryOperator, String, String)] = [
            (.add, #""a" + "b" + "c""#, "0"), (.multiply, #""a" * "b" * "c""#, "1"),
            (.and, #""a" AND "b" AND "c""#, "1"), (.or, #""a" OR "b" OR "c""#, "0"),
            (.concat, #""a" || "b" || "c""#, "''"), (.bitwiseAnd, #""a" & "b" & "c""#, "-1"),
            (.bitwiseOr, #""a" | "b" | "c""#, "0"),
        ]
        for (joiner, sql, neutral) in operators {
            try expect(columns.joined(operator: joiner), sql)
            try expect(nothing.joined(operator: joiner), neutral)
            try expect([b].joined(operator: joiner), #""b""#)
        }
    }

    @Test(.proves("QRY-032"))
    func `Sequences and ranges contain expressions`() throws {
        try expect([1, 2, 3].contains(a), #""a" IN (1, 2, 3)"#)
        try expect([1].contains(a), #""a" = 1"#)
        try expect([Int]().contains(a), "0")
        try expect(![Int]().contains(a), "1")
        try expect(Set(["x"]).contains(a), #""a" = 'x'"#)
        try expect([a, b].contains(c), #""c" IN ("a", "b")"#)
        try expect((0...1000).contains(a), #""a" BETWEEN 0 AND 1000"#)
        try expect((0..<1000).contains(a), #"("a" >= 0) AND ("a" < 1000)"#)
        try expect(("a"..."m").contains(a), #""a" BETWEEN 'a' AND 'm'"#)
        try expect(("a"..<"m").contains(a), #"("a" >= 'a') AND ("a" < 'm')"#)
        try expect((0.5...1.5).contains(a), #""a" BETWEEN 0.5 AND 1.5"#)
        try expect((1...).contains(a), #""a" >= 1"#)
        try expect((...9).contains(a), #""a" <= 9"#)
        try expect((..<9).contains(a), #""a" < 9"#)
        try expect(("m"...).contains(a), #""a" >= 'm'"#)
    }

    @Test(.proves("QRY-033"))
    func `Requests stand as values, lists and conditions`() throws {
        let inner = Table("t").select(b).filter(c == 3)
        let raw: SQLRequest<Int> = "SELECT MAX(b) FROM t"
        try expect(inner.contains(a), #""a" IN (SELECT "b" FROM "t" WHERE "c" = 3)"#)
        try expect(
            !inner.contains(a), #""a" NOT IN (SELECT "b" FROM "t" WHERE "c" = 3)"#)
        try expect(a == inner, #""a" = (SELECT "b" FROM "t" WHERE "c" = 3)"#)
        try expect(a == raw, #""a" = (SELECT MAX(b) FROM t)"#)
        try expect(raw.contains(a), #""a" IN (SELECT MAX(b) FROM t)"#)
        try expect(inner.exists(), #"EXISTS (SELECT "b" FROM "t" WHERE "c" = 3)"#)
    }

    @Test(.proves("QRY-034", "QRY-036"))
    func `Texts are compared by patterns and collations`() throws {
        try expect(a.like("x%"), #""a" LIKE 'x%'"#)
        try expect(a.like(b), #""a" LIKE "b""#)
        try expect(a.like(#"100\%"#, escape: #"\"#), #""a" LIKE '100\%' ESCAPE '\'"#)
        try expect(a.collating(.nocase), #""a" COLLATE NOCASE"#)
        try expect(a.collating(.nocase) == "X", #""a" = 'X' COLLATE NOCASE"#)
        try expect(a == b.collating(.nocase), #""a" = "b" COLLATE NOCASE"#)
        try expect(a.collating(.nocase) < "X", #""a" < 'X' COLLATE NOCASE"#)
        try expect(
            ["x", "y"].contains(a.collating(.nocase)), #"("a" COLLATE NOCASE) IN ('x', 'y')"#)
        try expect(
            ("a"..."z").contains(a.collating(.nocase)),
            #"("a" COLLATE NOCASE) BETWEEN 'a' AND 'z'"#)
        try queue.read { db throws in
            let range = ("A"..."Z").contains(a.collating(.nocase))
            #expect(try Table("t").filter(range).fetchCount(db) == 1)
            #expect(try Table("t").filter(a == b.collating(.nocase)).fetchCount(db) == 2)
        }
    }

    @Test(.proves("QRY-037"))
    func `Columns get names, and names stand alone`() throws {
        enum Keys: String, CodingKey { case total }
        try queue.read { db throws in
            let request = Table("t").select((a + 1).forKey("next"), b.forKey(Keys.total))
                .order(Column("next").detached)
            #expect(
                try db.sql(of: request)
                    == #"SELECT "a" + 1 AS "next", "b" AS "total" FROM "t" ORDER BY "next""#)
            #expect(try request.fetchOne(db)?["next"] == 1)
            let alias = TableAlias(name: "x")
            #expect(
                try db.sql(of: request.aliased(alias)) == """
                    SELECT "x"."a" + 1 AS "next", "x"."b" AS "total" FROM "t" "x" ORDER BY "next"
                    """)
        }
    }

    @Test(.proves("QRY-041"))
    func `SQL functions have Swift names`() throws {
        try expect(abs(a), #"ABS("a")"#)
        try expect(average(a), #"AVG("a")"#)
        try expect(cast(a, as: .text), #"CAST("a" AS TEXT)"#)
        try expect(coalesce([a, b]), #"COALESCE("a", "b")"#)
        try expect(coalesce([a]), #""a""#)
        try expect(coalesce([]), "NULL")
        try expect(count(a), #"COUNT("a")"#)
        try expect(count(distinct: a), #"COUNT(DISTINCT "a")"#)
        try expect(count(.allColumns), "COUNT(*)")
        try expect(dateTime(a), #"DATETIME("a")"#)
        try expect(
            dateTime(a, .day(-1), .startOfMonth), #"DATETIME("a", '-1 days', 'start of month')"#)
        try expect(julianDay(a, .weekday(1), .utc), #"JULIANDAY("a", 'weekday 1', 'utc')"#)
        try expect(length(a), #"LENGTH("a")"#)
        try expect(max(a), #"MAX("a")"#)
        try expect(max(a, b, 3), #"MAX("a", "b", 3)"#)
        try expect(min(a), #"MIN("a")"#)
        try expect(min(a, 0), #"MIN("a", 0)"#)
        try expect(sum(a), #"SUM("a")"#)
        try expect(total(a), #"TOTAL("a")"#)
    }

    @Test(.proves("QRY-042"))
    func `Aggregates take some of the rows, in an order`() throws {
        try expect(average(a, filter: b > 0), #"AVG("a") FILTER (WHERE "b" > 0)"#)
        try expect(max(a, filter: b > 0), #"MAX("a") FILTER (WHERE "b" > 0)"#)
        try expect(min(a, filter: b > 0), #"MIN("a") FILTER (WHERE "b" > 0)"#)
        try expect(total(a, filter: b > 0), #"TOTAL("a") FILTER (WHERE "b" > 0)"#)
        try expect(sum(a, filter: b > 0), #"SUM("a") FILTER (WHERE "b" > 0)"#)
        try expect(sum(a, orderBy: b.desc), #"SUM("a" ORDER BY "b" DESC)"#)
        try expect(
            total(a, orderBy: b, filter: c == 1),
            #"TOTAL("a" ORDER BY "b") FILTER (WHERE "c" = 1)"#)
    }

    @Test(.proves("QRY-043"))
    func `Dates are moved by modifiers`() throws {
        let modifiers: [(SQLDateModifier, String)] = [
            (.second(1.5), "1.5 seconds"), (.minute(-2), "-2 minutes"), (.hour(3), "3 hours"),
            (.day(1), "1 days"), (.month(1), "1 months"), (.year(-1), "-1 years"),
            (.startOfDay, "start of day"), (.startOfMonth, "start of month"),
            (.startOfYear, "start of year"), (.weekday(2), "weekday 2"),
            (.unixEpoch, "unixepoch"), (.localTime, "localtime"), (.utc, "utc"),
        ]
        for (modifier, text) in modifiers {
            try expect(modifier.sqlExpression, "'\(text)'")
            let date: any SQLSpecificExpressible =
                modifier == .unixEpoch ? 0.databaseValue : "2026-11-21 08:00:00".databaseValue
            let value = try queue.read { db in
                try Table("t").select(dateTime(date.sqlExpression, modifier), as: String?.self)
                    .fetchOne(db)
            }
            #expect(value as? String != nil, "\(modifier)")
        }
    }

    @Test(.proves("QRY-038"))
    func `Orderings reverse into each other`() throws {
        let orderings: [(any SQLOrderingTerm, String, String)] = [
            (a, #""a""#, #""a" DESC"#),
            (a.asc, #""a" ASC"#, #""a" DESC"#),
            (a.desc, #""a" DESC"#, #""a" ASC"#),
            (a.ascNullsLast, #""a" ASC NULLS LAST"#, #""a" DESC NULLS FIRST"#),
            (a.descNullsFirst, #""a" DESC NULLS FIRST"#, #""a" ASC NULLS LAST"#),
            (a.collating(.nocase).desc, #""a" COLLATE NOCASE DESC"#, #""a" COLLATE NOCASE ASC"#),
            (SQL("a + 1").sqlExpression, "a + 1", "a + 1 DESC"),
        ]
        try queue.read { db throws in
            for (ordering, sql, reversed) in orderings {
                let request = Table("t").order(ordering)
                #expect(try db.sql(of: request) == #"SELECT * FROM "t" ORDER BY "# + sql)
                #expect(
                    try db.sql(of: request.reversed()) == #"SELECT * FROM "t" ORDER BY "# + reversed
                )
            }
        }
    }
}
