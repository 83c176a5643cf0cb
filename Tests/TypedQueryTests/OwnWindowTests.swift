import Foundation
import StrongroomTables
import StrongroomTestSupport
import Synchronization
import Testing

/// The compiler has to know these before it checks the first query on them.
private typealias Tables = (Trait.TableColumns, Packet.TableColumns)

/// The sum and the number of the rows in the window.
@DatabaseFunction("own_sum") private struct OwnSum {
    private var sum = 0
    private var count = 0

    mutating func step(_ number: Int, weight: Int = 1) throws {
        sum += number * weight
        count += 1
    }
    mutating func inverse(_ number: Int, weight: Int) {
        sum -= number * weight
        count -= 1
    }
    func value() -> Int? { count == 0 ? nil : sum }
    func result() -> Int? { value() }
}

/// Fails at some calls, and counts the groups that live.
@DatabaseFunction private struct Fragile {
    final class Token: Sendable {
        static let living = Atomic(0)
        init() { Self.living.add(1, ordering: .relaxed) }
        deinit { Self.living.subtract(1, ordering: .relaxed) }
    }
    private let token = Token()
    private var sum = 0

    mutating func step(_ number: Int) throws {
        if number == 10 { throw DatabaseError(message: "step") }
        sum += number
    }
    mutating func inverse(_ number: Int) throws {
        if number == 5 { throw DatabaseError(message: "inverse") }
        sum -= number
    }
    func value() throws -> Int {
        if sum == 3 { throw DatabaseError(message: "value") }
        return sum
    }
    func result() throws -> Int {
        if sum == 6 { throw DatabaseError(message: "result") }
        return sum
    }
}

@DatabaseCollation("by length") private func byLength(_ a: String, _ b: String) -> ComparisonResult
{
    a.count < b.count ? .orderedAscending : a.count > b.count ? .orderedDescending : .orderedSame
}
private enum Orders {
    @DatabaseCollation static func backwards(left a: String, right b: String) -> ComparisonResult {
        a < b ? .orderedDescending : a > b ? .orderedAscending : .orderedSame
    }
}

@Suite struct OwnWindowTests {
    let library: SeedLibrary

    init() throws {
        library = try SeedLibrary()
        try library.queue.write { db throws in
            db.add(function: $OwnSum)
            db.add(function: $Fragile)
            db.add(collation: $byLength)
            db.add(collation: Orders.$backwards)
        }
    }

    @Test(.proves("FNC-017"))
    func `rows leave a window`() throws {
        try library.check(
            Packet.where { $0.id < 6 }.order(by: \.id).select {
                $OwnSum($0.id).over(.order($0.id).rows(from: .preceding(1), to: .currentRow))
            },
            """
            SELECT `own_sum`(`packets`.`id`, 1) OVER (ORDER BY `packets`.`id` ROWS BETWEEN 1 \
            PRECEDING AND CURRENT ROW) FROM `packets` WHERE `packets`.`id` < 6 ORDER BY \
            `packets`.`id`
            """, [[1], [3], [5], [7], [9]])
        try library.check(
            Packet.where { $0.id < 4 }.order(by: \.id).select {
                $OwnSum($0.id, weight: 10, filter: $0.id.neq(2)).over()
            },
            """
            SELECT `own_sum`(`packets`.`id`, 10) FILTER (WHERE `packets`.`id` <> 2) OVER () FROM \
            `packets` WHERE `packets`.`id` < 4 ORDER BY `packets`.`id`
            """, [[40], [40], [40]])
        // Without a window, it is an aggregate.
        try library.check(
            Packet.where { $0.id < 4 }.select { $OwnSum($0.id) },
            "SELECT `own_sum`(`packets`.`id`, 1) FROM `packets` WHERE `packets`.`id` < 4", [[6]])
    }

    @Test(.proves("FNC-017"))
    func `each window has the values of the function that SQLite has`() throws {
        var generator = SeededGenerator(seed: 17)
        try library.queue.read { db throws in
            for _ in 0..<60 {
                let unit = ["ROWS", "RANGE", "GROUPS"].randomElement(using: &generator)!
                let start = Int.random(in: -4...4, using: &generator)
                let end = Int.random(in: start...5, using: &generator)
                let frame = [start, end].map { "\(abs($0)) \($0 < 0 ? "PRECEDING" : "FOLLOWING")" }
                let part = Bool.random(using: &generator) ? "PARTITION BY shelf" : ""
                let exclude = ["NO OTHERS", "CURRENT ROW", "GROUP", "TIES"]
                    .randomElement(using: &generator)!
                let window = """
                    OVER (\(part) ORDER BY box \(unit) BETWEEN \(frame[0]) AND \(frame[1]) \
                    EXCLUDE \(exclude))
                    """
                let sql = """
                    SELECT own_sum(seeds, 1) \(window), sum(seeds) \(window) FROM packets
                    """
                for row in try Row.fetchAll(db, sql: sql) {
                    #expect(row[0] as Int? == row[1] as Int?, "\(sql)")
                }
            }
        }
    }

    /// One test, since the groups of all of these are counted in one place.
    @Test(.proves("FNC-014", "FNC-017"))
    func `nothing is left of a statement that fails, or is left half way`() throws {
        let window = "OVER (ORDER BY n ROWS BETWEEN 2 PRECEDING AND CURRENT ROW)"
        func numbers(_ list: [Int]) -> String {
            "(" + list.map { "SELECT \($0) AS n" }.joined(separator: " UNION ALL ") + ")"
        }
        try library.queue.read { db throws in
            for (sql, message) in [
                ("SELECT Fragile(n) FROM \(numbers([1, 4, 10, 7]))", "step"),
                ("SELECT Fragile(n) FROM \(numbers([2, 4]))", "result"),
                ("SELECT Fragile(n) \(window) FROM \(numbers([5, 6, 7, 8, 9]))", "inverse"),
                ("SELECT Fragile(n) \(window) FROM \(numbers([1, 2]))", "value"),
                ("SELECT Fragile(n) \(window) FROM \(numbers([1, 3, 10]))", "step"),
                ("SELECT Fragile(n, 1) FROM \(numbers([1]))", "wrong number"),
                (
                    "SELECT Fragile(n), abs(-9223372036854775807 - n) FROM \(numbers([1]))",
                    "integer overflow"
                ),
            ] {
                let error = #expect(throws: DatabaseError.self) { try Row.fetchAll(db, sql: sql) }
                #expect(error?.message?.hasPrefix(message) == true, "\(sql) \(error as Any)")
                #expect(Fragile.Token.living.load(ordering: .relaxed) == 0, "\(sql)")
            }
            for sql in [
                "SELECT n, Fragile(n) \(window) FROM \(numbers([1, 3, 7, 8, 9]))",
                "SELECT n % 2, Fragile(n) FROM \(numbers([1, 3, 7, 8])) GROUP BY n % 2",
            ] {
                do {
                    let cursor = try Row.fetchCursor(db, sql: sql)
                    #expect(try cursor.next() != nil)
                }
                #expect(Fragile.Token.living.load(ordering: .relaxed) == 0, "\(sql)")
            }
            #expect(try Int.fetchOne(db, sql: "SELECT Fragile(7)") == 7)
            #expect(Fragile.Token.living.load(ordering: .relaxed) == 0)
        }
    }

    @Test(.proves("FNC-018"))
    func `a collation has a name, and stands in types`() throws {
        try library.check(
            Trait.order { ($0.code.collate($byLength), $0.code.collate(Orders.$backwards)) }
                .select(\.code),
            """
            SELECT `traits`.`code` FROM `traits` ORDER BY `traits`.`code` COLLATE `by length`, \
            `traits`.`code` COLLATE `backwards`
            """)
        try library.queue.write { db throws in
            let codes = try Trait.select(\.code).fetchAll(db)
            let found = try Trait.order {
                ($0.code.collate($byLength), $0.code.collate(Orders.$backwards))
            }.select(\.code).fetchAll(db)
            #expect(found == codes.sorted { ($0.count, $1) < ($1.count, $0) })
            #expect(
                try Trait.where { $0.code.collate($byLength).eq("xxx") }.fetchCount(db)
                    == codes.count { $0.count == 3 })
            #expect(byLength("a", "bb") == .orderedAscending)
            db.remove(collation: $byLength)
            let error = #expect(throws: DatabaseError.self) {
                try Trait.order { $0.code.collate($byLength) }.fetchAll(db)
            }
            #expect(error?.message == "no such collation sequence: by length")
        }
    }
}
