import Strongroom
import StrongroomTestSupport
import Testing

/// Queries nested deeper than a small stack can take: they work or throw, and never end the process.
@Suite struct NestingTests {
    /// Few, more than a small stack takes, what SQLite takes, more, and far more.
    private static let depths = [10, 90, 480, 990, 1100, 5000]

    @Test("Deeply nested expressions work or throw on a small stack", .proves("LOD-06"))
    func expressions() async throws {
        let result = await #expect(
            processExitsWith: .success, observing: [\.standardOutputContent]
        ) {
            try Self.run(NestedQuery.allCases) { query, db, depth in
                let request = query.request(depth: depth)
                _ = try Row.fetchAll(db, request)
                _ = try request.fetchCount(db)
                _ = try request.databaseRegion(db)
                _ = try Knot.filter(!request.exists()).fetchCount(db)
            }
        }
        Self.expectEnd(result)
    }

    @Test(
        "Deeply nested requests and associations work or throw on a small stack",
        .proves("LOD-06"))
    func requests() async throws {
        let result = await #expect(
            processExitsWith: .success, observing: [\.standardOutputContent]
        ) {
            try Self.run(NestedRequest.allCases) { request, db, depth in
                try request.fetch(db, depth: depth)
            }
        }
        Self.expectEnd(result)
    }

    /// Runs a body with all values and all depths, on a small stack.
    private static func run<Value: Sendable>(
        _ values: [Value],
        _ body: @escaping @Sendable (Value, Database, _ depth: Int) throws -> Void
    ) throws {
        let fixture = try FixtureDatabase()
        let queue = try fixture.open()
        try queue.write(Knot.createTable)
        SmallStack.run {
            for value in values {
                for depth in depths {
                    do {
                        try queue.read { db in try body(value, db, depth) }
                        print("\(value) \(depth): works")
                    } catch {
                        let message = (error as? DatabaseError)?.message ?? "not expected: \(error)"
                        print("\(value) \(depth): \(message)")
                    }
                }
            }
            print("end")
        }
    }

    private static func expectEnd(_ result: ExitTest.Result?) {
        let output = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)
        let isWhole = output.hasSuffix("end\n") && !output.contains("not expected")
        #expect(isWhole, "\(output.suffix(300))")
    }
}
