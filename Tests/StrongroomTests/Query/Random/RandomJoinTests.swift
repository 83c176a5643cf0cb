import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

/// Random requests over joined and counted associations give what queries by hand give.
///
/// `STRONGROOM_REQUEST_SEEDS=100000 swift test --filter RandomJoinTests` tries as many seeds, and
/// `STRONGROOM_REQUEST_SEED=17` begins with that one.
@Suite struct RandomJoinTests {
    private let fixture: FixtureDatabase
    private let queue: DatabaseQueue
    private let seeds: Range<UInt64>

    init() throws {
        fixture = try FixtureDatabase()
        queue = try fixture.open()
        try queue.write { try Library.fill($0) }
        let environment = ProcessInfo.processInfo.environment
        let first = environment["STRONGROOM_REQUEST_SEED"].flatMap { UInt64($0) } ?? 1
        let count = environment["STRONGROOM_REQUEST_SEEDS"].flatMap { UInt64($0) } ?? 200
        seeds = first..<(first + count)
    }

    @Test("Aliases, annotations and orders over joined associations", .proves("CMP-101"))
    func joins() throws {
        let rowCount = try queue.read { db in
            try seeds.reduce(0) { sum, seed in
                let random = RandomJoin(seed: seed)
                return try sum
                    + compare(
                        db, seed, random.request, random.hand, isOrdered: random.isOrdered,
                        random.text)
            }
        }
        // Requests for nothing prove little.
        #expect(rowCount > seeds.count * 5)
    }

    @Test("Arithmetic and conditions of aggregates of associations", .proves("CMP-101"))
    func aggregates() throws {
        let rowCount = try queue.read { db in
            try seeds.reduce(0) { sum, seed in
                let random = RandomHaving(seed: seed)
                return try sum
                    + compare(db, seed, random.request, random.hand, isOrdered: false) { row in
                        Self.text(of: row.unadapted)
                    }
            }
        }
        #expect(rowCount > seeds.count * 2)
    }

    /// Compares the rows and the count of a request with those of a query by hand.
    ///
    /// - Returns: How many rows there are.
    private func compare(
        _ db: Database, _ seed: UInt64, _ request: QueryInterfaceRequest<Row>, _ hand: String,
        isOrdered: Bool, _ text: (Row) -> String
    ) throws -> Int {
        do {
            var found = try Row.fetchAll(db, request).map(text)
            var expected = try Row.fetchAll(db, sql: hand).map(Self.text)
            if !isOrdered {
                found.sort()
                expected.sort()
            }
            let count = try request.fetchCount(db)
            if found == expected, count == expected.count { return count }
            let sql = try db.sql(of: request)
            Issue.record("seed \(seed), \(count)\n\(sql)\n\(hand)\n\(found)\n\(expected)")
            return expected.count
        } catch {
            Issue.record("seed \(seed): \(error)\n\(hand)")
            return 0
        }
    }

    private static func text(of row: Row) -> String {
        row.databaseValues.map { "\($0)" }.joined(separator: "|")
    }
}
