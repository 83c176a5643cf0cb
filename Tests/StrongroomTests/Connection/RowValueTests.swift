import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

@Suite struct RowValueTests {
    /// Runs a check on a statement's row, on the same row once it is kept, and on an adapted one.
    private func withRow(_ sql: String, _ check: (Row) throws -> Void) throws {
        try DatabaseQueue().read { db throws in
            let cursor = try Row.fetchCursor(db, sql: sql)
            let row = try #require(try cursor.next())
            try check(row)
            #expect(try cursor.next() == nil)
            try check(row)
            let adapted = try Row.fetchOne(
                db, sql: "SELECT 'hidden', * FROM (\(sql))", adapter: SuffixRowAdapter(fromIndex: 1)
            )
            try check(try #require(adapted))
        }
    }

    private struct Stopped: Error {}

    @Test func `Bytes are lent from rows that are visited, kept or adapted`() throws {
        try withRow("SELECT x'0102' AS b, 'é' AS t, NULL AS n, 1 AS i, 1.5 AS r, x'' AS e, '' AS s")
        {
            row throws in
            #expect(try row.withUnsafeData(named: "B") { $0.map { Array($0) } } == [1, 2])
            #expect(try row.withUnsafeData(atIndex: 1) { $0?.count } == 2)
            #expect(try row.withUnsafeData(named: "n") { $0 == nil })
            #expect(try row.withUnsafeData(named: "missing") { $0 == nil })
            #expect(try row.withUnsafeData(named: "e") { $0?.count } == 0)
            #expect(try row.withUnsafeData(named: "s") { $0?.count } == 0)
            for number in ["i", "r"] {
                let error = #expect(throws: RowDecodingError.self) {
                    try row.withUnsafeData(named: number) { _ in }
                }
                #expect(error?.description.contains("column: \"\(number)\"") == true)
            }
            #expect(throws: Stopped.self) {
                try row.withUnsafeData(named: "b") { _ in throw Stopped() }
            }
        }
    }

    @Test func `Lent bytes are not copied`() throws {
        try DatabaseQueue().read { db throws in
            let cursor = try Row.fetchCursor(db, sql: "SELECT zeroblob(100000) AS b")
            let row = try #require(try cursor.next())
            func address(_ data: Data?) -> UnsafeRawPointer? {
                data?.withUnsafeBytes { $0.baseAddress }
            }
            let first = try row.withUnsafeData(named: "b", address)
            #expect(try first == row.withUnsafeData(atIndex: 0, address))
            #expect(try cursor.next() == nil)
            let kept = try row.withUnsafeData(named: "b", address)
            #expect(try kept != first && kept == row.withUnsafeData(named: "b", address))
        }
    }

    @Test(.proves("ROW-008"))
    func `A column without a type is one of five`() throws {
        try withRow("SELECT 1 AS i, 1.5 AS r, 'x' AS t, x'01' AS b, NULL AS n") { row throws in
            let values: [(any DatabaseValueConvertible)?] = (0..<5).map { row[$0] }
            #expect(values[0] as? Int64 == 1 && values[1] as? Double == 1.5)
            #expect(values[2] as? String == "x" && values[3] as? Data == Data([1]))
            #expect(values[4] == nil)
            #expect(row["T"] as? String == "x")
            #expect(row["n"] as DatabaseValue? == .null)
            #expect(row["z"] as DatabaseValue? == nil)
            #expect(row["z"] as (any DatabaseValueConvertible)? == nil)
            #expect(row.coalesce(["n", "z", "t"]) as String? == "x")
            #expect(row.coalesce(["n", "z"]) as String? == nil)
            #expect(row.coalesce([String]()) as String? == nil)
        }
    }

    @Test(.proves("ROW-024"))
    func `Errors name the type asked for, and arguments only where they are public`() throws {
        let sql = "SELECT ? AS n"
        for isPublic in [false, true] {
            var configuration = Configuration()
            configuration.publicStatementArguments = isPublic
            let tail = isPublic ? ", arguments: [256]" : ""
            let expected =
                "could not decode Optional<Int8> from database value 256 - column: \"n\", "
                + "column index: 0, row: [n:256], sql: `SELECT ? AS n`" + tail
            try DatabaseQueue(configuration: configuration).read { db throws in
                _ = try Int.fetchAll(db, sql: sql, arguments: [1])
                let row = try Row.fetchOne(db, sql: sql, arguments: [256])
                let ofRow = #expect(throws: RowDecodingError.self) {
                    try row?.decode(Int8?.self, atIndex: 0)
                }
                #expect(ofRow?.description == expected)
                let ofFetch = #expect(throws: RowDecodingError.self) {
                    try Int8?.fetchAll(db, sql: sql, arguments: [256])
                }
                #expect(ofFetch?.description == expected)
            }
        }
    }

    private func expectTrap(
        _ message: String, _ result: ExitTest.Result?,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let output = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(output.contains(message), sourceLocation: sourceLocation)
    }

    @Test(.proves("ROW-009", "ROW-010", "ROW-011", "ROW-013"))
    func `Subscripts trap, and say why`() async {
        expectTrap(
            "could not decode Int from database value NULL - column: \"n\"",
            await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                let _: Int = (["n": nil] as Row)["n"]
            })
        expectTrap(
            "column not found: \"missing\"",
            await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                let _: Int = (["n": nil] as Row)["missing"]
            })
        expectTrap(
            "could not decode Optional<Date> from database value \"Mom's birthday\"",
            await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                let _: Date? = (["d": "Mom's birthday"] as Row)[0]
            })
        expectTrap(
            "could not decode Optional<UInt8> from database value 256",
            await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                try DatabaseQueue().read { db throws in
                    let row = try #require(try Row.fetchOne(db, sql: "SELECT 256 AS n"))
                    let _: UInt8? = row["n"]
                }
            })
        for index in [-1, 1] {
            expectTrap(
                "row index out of range",
                await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                    [index = index as Int] in
                    let _: Int? = (["n": 1] as Row)[index]
                })
        }
        expectTrap(
            "could not decode Optional<Int> from database value \"x\"",
            await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                let _: Int? = (["n": "x"] as Row).coalesce(["n"])
            })
    }
}
