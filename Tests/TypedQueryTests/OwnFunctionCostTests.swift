import StrongroomTables
import StrongroomTestSupport
import Testing

@DatabaseFunction("cost_next") private func next(_ number: Int) -> Int { number &+ 1 }

@Suite("What a call of '@DatabaseFunction' costs")
struct OwnFunctionCostTests {
    @Test(.proves("FNC-024"))
    func `at most 1.2 times that of a closure`() throws {
        let fixture = try FixtureDatabase()
        let queue = try fixture.open()
        try queue.write { db in
            db.add(function: $next)
            db.add(
                function: DatabaseFunction("closure_next", argumentCount: 1) { values in
                    Int.fromDatabaseValue(values[0]).map { $0 &+ 1 }
                })
            func time(of name: String) throws -> Duration {
                try ProcessorTime.ofThread {
                    let sql = """
                        WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 5000)
                        SELECT sum(\(name)(\(name)(\(name)(\(name)(x))))) FROM n
                        """
                    let sum = try Int.fetchOne(db, sql: sql)
                    #expect(sum == 12_522_500)
                }
            }
            // In turns; the fastest of each was disturbed least.
            let times = try (0..<9).map { _ in
                (try time(of: "cost_next"), try time(of: "closure_next"))
            }
            let macro = try #require(times.map(\.0).min())
            let closure = try #require(times.map(\.1).min())
            #expect(macro <= closure * 1.2, "\(macro) and \(closure)")
        }
    }
}
