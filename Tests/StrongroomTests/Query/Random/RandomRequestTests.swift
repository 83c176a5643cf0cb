import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

/// Random requests give what queries by hand give.
///
/// `STRONGROOM_REQUEST_SEEDS=100000 swift test --filter RandomRequestTests` tries as many seeds, and
/// `STRONGROOM_REQUEST_SEED=17` begins with that one.
@Suite struct RandomRequestTests {
    private let fixture: FixtureDatabase
    private let queue: DatabaseQueue
    private let seeds: Range<UInt64>

    init() throws {
        fixture = try FixtureDatabase()
        queue = try fixture.open()
        try queue.write { try Library.fill($0) }
        let environment = ProcessInfo.processInfo.environment
        let first = environment["STRONGROOM_REQUEST_SEED"].flatMap { UInt64($0) } ?? 1
        let count = environment["STRONGROOM_REQUEST_SEEDS"].flatMap { UInt64($0) } ?? 400
        seeds = first..<(first + count)
    }

    @Test func `Random requests give what queries by hand give`() throws {
        try queue.read { db throws in
            var rowCount = 0
            for seed in seeds {
                let random = RandomRequest(seed: seed)
                let count = try checking(seed, random.hand) {
                    let count = try compare(
                        db, seed, random.request, random.hand, isOrdered: random.isOrdered)
                    #expect(try random.request.isEmpty(db) == (count == 0), "seed \(seed)")
                    return count
                }
                rowCount += count ?? 0
            }
            // Queries that are empty prove little.
            #expect(rowCount > seeds.count * 5)
        }
    }

    @Test func `Random requests put together give what queries by hand give`() throws {
        try queue.read { db throws in
            var rowCount = 0
            for seed in seeds {
                let random = RandomCompound(seed: seed)
                let count = try checking(seed, random.hand) {
                    try compare(
                        db, seed, random.request, random.hand, isOrdered: random.isOrdered)
                }
                rowCount += count ?? 0
            }
            #expect(rowCount > seeds.count * 5)
        }
    }

    @Test(.needsLimitedChanges) func `Random changes do what statements by hand do`() throws {
        try queue.write { db throws in
            // Whether reviews are left without their book is not the question here.
            try db.execute(sql: "PRAGMA defer_foreign_keys = 1")
            for seed in seeds.prefix(seeds.count / 4) {
                let random = RandomRequest.ofChanges(seed: seed)
                let rows = "WHERE id IN (\(random.handKeys))"
                try checking(seed, random.handKeys) {
                    let deleted = try contents(db) { try random.request.deleteAll(db) }
                    let byHand = try contents(db) {
                        try db.execute(sql: "DELETE FROM book \(rows)")
                    }
                    #expect(deleted == byHand, "seed \(seed)\n\(random.handKeys)")
                    let updated = try contents(db) {
                        try random.request.updateAll(db, Column("price") += Column("id"))
                    }
                    let updatedByHand = try contents(db) {
                        try db.execute(sql: "UPDATE book SET price = price + id \(rows)")
                    }
                    #expect(updated == updatedByHand, "seed \(seed)\n\(random.handKeys)")
                }
            }
        }
    }

    /// Names the seed and the query of what fails.
    @discardableResult
    private func checking<T>(
        _ seed: UInt64, _ hand: String, _ body: () throws -> T
    ) throws -> T? {
        do {
            return try body()
        } catch {
            Issue.record("seed \(seed): \(error)\n\(hand)")
            return nil
        }
    }

    /// Compares the rows and the count of a request with those of a query by hand.
    ///
    /// - Returns: How many rows there are.
    private func compare(
        _ db: Database, _ seed: UInt64, _ request: some FetchRequest<Row>, _ hand: String,
        isOrdered: Bool
    ) throws -> Int {
        let made = try Row.fetchAll(db, request).map(\.unadapted)
        let rows = try Row.fetchAll(db, sql: hand)
        let isSame = text(made, isOrdered: isOrdered) == text(rows, isOrdered: isOrdered)
        let sql = isSame ? "" : try db.sql(of: request)
        #expect(isSame, "seed \(seed)\n\(sql)\n\(hand)")
        #expect(try request.fetchCount(db) == rows.count, "seed \(seed): the count\n\(hand)")
        return rows.count
    }

    private func text(_ rows: [Row], isOrdered: Bool) -> [String] {
        let texts = rows.map { row in row.databaseValues.map { "\($0)" }.joined(separator: "|") }
        return isOrdered ? texts : texts.sorted()
    }

    private func contents(_ db: Database, after change: () throws -> Void) throws -> [String] {
        var texts: [String] = []
        try db.inSavepoint {
            try change()
            texts = try text(Row.fetchAll(db, sql: "SELECT * FROM book"), isOrdered: false)
            return .rollback
        }
        return texts
    }
}
