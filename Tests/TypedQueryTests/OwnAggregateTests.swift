import Foundation
import StrongroomTables
import StrongroomTestSupport
import Testing

/// The compiler has to know these before it checks the first query on them.
private typealias Tables = (Trait.TableColumns, Packet.TableColumns)

@DatabaseFunction private func sum2(_ numbers: some Sequence<Int?>) -> Int? {
    let known = numbers.compactMap { $0 }
    return known.isEmpty ? nil : known.reduce(0, +)
}
@DatabaseFunction private func codes(_ traits: some Sequence<Trait>) -> String {
    traits.map(\.code).sorted().joined(separator: ",")
}
@DatabaseFunction private func labelled(
    of parts: some Sequence<(Trait?, prefix: String)>
) throws -> String {
    parts.map { $0.prefix + ($0.0?.label ?? "none") }.joined(separator: ",")
}
@DatabaseFunction(as: ((Date.UnixTimeRepresentation) -> Date.UnixTimeRepresentation?).self)
private func latest(_ dates: some Sequence<Date>) -> Date? { dates.max() }
@DatabaseFunction private func anyOne(_ numbers: some Sequence<Int>) -> Int? {
    for number in numbers { return number }
    return nil
}
@DatabaseFunction private func seven(_ numbers: some Sequence<Int>) -> Int { 7 }
@DatabaseFunction private func picky(_ numbers: some Sequence<Int>) throws -> Int {
    if numbers.contains(0) { throw DatabaseError(resultCode: .SQLITE_RANGE, message: "a zero") }
    return numbers.count(where: { _ in true })
}

/// The largest number without the smallest, which fails at a negative one.
@DatabaseFunction("span", isDeterministic: true) private struct Span {
    private var low: Int?
    private var high: Int?

    mutating func step(_ number: Int) throws {
        guard number >= 0 else { throw DatabaseError(message: "below zero") }
        low = min(low ?? number, number)
        high = max(high ?? number, number)
    }
    func result() throws -> Int? {
        if high == 1000 { throw DatabaseError(message: "too much") }
        return high.flatMap { high in low.map { high - $0 } }
    }
}

/// An aggregate of a type in a type, with labels, a default and a row.
private enum Scale {
    @DatabaseFunction struct Weigh {
        var total = 0
        mutating func step(_ place: Place, times factor: Int = 2) { total += place.box * factor }
        func result() -> Int { total }
    }
}

private final class Teller: @unchecked Sendable {
    var db: Database?
    var threads: Set<ObjectIdentifier> = []
    @DatabaseFunction func tell(_ numbers: some Sequence<Int>) throws -> Int {
        threads.insert(ObjectIdentifier(Thread.current))
        let own = try db.flatMap { try Trait.all.fetchCount($0) } ?? 0
        return numbers.reduce(own, +)
    }
}

@Suite struct OwnAggregateTests {
    let library: SeedLibrary

    init() throws {
        library = try SeedLibrary()
        try library.queue.write { db throws in
            db.add(function: $sum2)
            db.add(function: $codes)
            db.add(function: $labelled)
            db.add(function: $latest)
            db.add(function: $anyOne)
            db.add(function: $seven)
            db.add(function: $picky)
            db.add(function: $Span)
            db.add(function: Scale.$Weigh)
        }
    }

    @Test(.proves("FNC-013"))
    func `a sequence has values, rows, what may be NULL, or tuples of these`() throws {
        try library.check(
            Packet.select { $sum2($0.harvestYear) },
            "SELECT `sum2`(`packets`.`harvestYear`) FROM `packets`")
        try library.check(
            Trait.select { $codes($0, filter: $0.code < "f") },
            """
            SELECT `codes`(`traits`.`code`, `traits`.`label`) FILTER (WHERE `traits`.`code` < \
            'f') FROM `traits`
            """, [["compact,drought,early"]])
        try library.check(
            Trait.where { $0.code.eq("hot") }.select { $labelled(of: $0, prefix: "+") },
            """
            SELECT `labelled`(`traits`.`code`, `traits`.`label`, '+') FROM `traits` WHERE \
            `traits`.`code` = 'hot'
            """, [["+Hot 🌶"]])
        try library.queue.write { db throws in
            let texts = try String.fetchOne(
                db,
                sql: """
                    SELECT labelled(c, l, p) FROM
                    (SELECT NULL c, NULL l, 'a' p UNION ALL SELECT 'x', 'y', 'b')
                    """)
            #expect(texts == "anone,by")
            let stored = #sql("\(90)", as: Date.UnixTimeRepresentation.self)
            let latest = try Values($latest(stored)).fetchOne(db)
            #expect(latest == Date(timeIntervalSince1970: 90))
            #expect(try Int.fetchOne(db, sql: "SELECT latest(90)") == 90)
            let number = try Int.fetchOne(
                db, sql: "SELECT sum2(n) FROM (SELECT 1 n UNION SELECT NULL)")
            #expect(number == 1)
        }
    }

    @Test(.proves("FNC-014"))
    func `a struct is an aggregate`() throws {
        try library.check(
            Packet.group { $0.place.shelf }.where { $0.seeds < 1000 }.order { $0.place.shelf }
                .select { ($0.place.shelf, $Span($0.seeds)) },
            """
            SELECT `packets`.`shelf`, `span`(`packets`.`seeds`) FROM `packets` WHERE \
            `packets`.`seeds` < 1000 GROUP BY `packets`.`shelf` ORDER BY `packets`.`shelf`
            """)
        try library.queue.read { db throws in
            let spans = Packet.group { $0.place.shelf }.where { $0.seeds < 1000 }
                .order { $0.place.shelf }
            #expect(
                try spans.select { $Span($0.seeds) }.fetchAll(db)
                    == spans.select { $0.seeds.max() - $0.seeds.min() }.fetchAll(db))
            #expect(
                try Packet.where { _ in false }.select { $Span($0.seeds) }.fetchAll(db) == [nil])
            let boxes = try #require(try Packet.select { $0.place.box.sum() }.fetchOne(db))
            #expect(
                try Packet.select { Scale.$Weigh($0.place) }.fetchOne(db) == boxes.map { $0 * 2 })
            #expect(
                try Packet.select { Scale.$Weigh($0.place, times: 3) }.fetchOne(db)
                    == boxes.map { $0 * 3 })
            for (sql, message) in [
                ("SELECT span(seeds - 5) FROM packets", "below zero"),
                ("SELECT span(seeds) FROM packets", "too much"),
                ("SELECT span(NULL)", "argument 1 of span() is NULL"),
                ("SELECT picky(seeds) FROM packets", "a zero"),
                ("SELECT span(1, 2)", "wrong number of arguments to function span()"),
                (
                    "SELECT span(seeds) OVER () FROM packets",
                    "span() may not be used as a window function"
                ),
            ] {
                let error = #expect(throws: DatabaseError.self) { try Row.fetchAll(db, sql: sql) }
                #expect(error?.message == message, "\(sql)")
            }
        }
    }

    @Test(.proves("FNC-014"))
    func `an aggregate runs on the thread of its statement, and may query`() throws {
        let teller = Teller()
        try library.queue.write { db throws in
            teller.db = db
            db.add(function: teller.$tell)
            let traits = try Trait.all.fetchCount(db)
            #expect(
                try Packet.group { $0.place.shelf }.where { $0.id < 3 }
                    .select { teller.$tell($0.id) }.fetchAll(db) == [3 + traits])
            #expect(teller.threads == [ObjectIdentifier(Thread.current)])
        }
    }

    @Test(.proves("FNC-015"))
    func `an aggregate takes each value once, in an order, and some of them`() throws {
        try library.check(
            Packet.select {
                (
                    $sum2($0.harvestYear, distinct: true, filter: $0.seeds > 0),
                    $sum2($0.harvestYear, distinct: false),
                    $anyOne($0.seeds, order: $0.seeds.desc())
                )
            },
            """
            SELECT `sum2`(DISTINCT `packets`.`harvestYear`) FILTER (WHERE `packets`.`seeds` > 0), \
            `sum2`(`packets`.`harvestYear`), `anyOne`(`packets`.`seeds` ORDER BY \
            `packets`.`seeds` DESC) FROM `packets`
            """)
        try library.queue.read { db throws in
            let own = Packet.where { $0.harvestYear.isNot(nil) }
            #expect(
                try own.select { $sum2($0.harvestYear, distinct: true) }.fetchOne(db)
                    == own.select { $0.harvestYear.sum(distinct: true) }.fetchOne(db))
            let first = Packet.select { $anyOne($0.seeds, order: $0.seeds.desc()) }
            #expect(try first.fetchAll(db) == [1000])
            let isDistinct = true
            #expect(
                Packet.select { $seven($0.seeds, distinct: .init(isDistinct)) }.text
                    == "SELECT `seven`(DISTINCT `packets`.`seeds`) FROM `packets`")
        }
    }

    @Test(.proves("FNC-016"))
    func `no row is an empty sequence, and a body need not read`() throws {
        try library.queue.read { db throws in
            let none = Packet.where { _ in false }
            #expect(try none.select { $sum2($0.harvestYear) }.fetchAll(db) == [nil])
            #expect(try none.select { $anyOne($0.seeds) }.fetchAll(db) == [nil])
            #expect(try none.select { $seven($0.seeds) }.fetchAll(db) == [7])
            #expect(try Packet.select { $seven($0.seeds) }.fetchAll(db) == [7])
            #expect(try Packet.group(by: \.id).select { $seven($0.seeds) }.fetchAll(db).count == 12)
            let each = try Packet.group(by: \.id).order(by: \.id).select { $anyOne($0.id) }
                .fetchAll(db)
            #expect(each == Array(1...12))
            #expect(try Packet.select { $anyOne($0.seeds) }.fetchAll(db).count == 1)
        }
    }
}
