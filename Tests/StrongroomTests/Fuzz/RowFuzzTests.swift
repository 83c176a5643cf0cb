import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

@Suite struct RowFuzzTests {
    struct Point: Codable, Equatable, DatabaseValueConvertible {
        var x: Double
        var y: [Int?]
    }

    enum Word: String, DatabaseValueConvertible, StatementColumnConvertible { case a, b }

    typealias Reading = (Row, Int) throws -> Void

    static var readings: [Reading] {
        [
            reading(Int.self), reading(Int8.self), reading(Int16.self), reading(Int32.self),
            reading(Int64.self), reading(UInt.self), reading(UInt8.self), reading(UInt16.self),
            reading(UInt32.self), reading(UInt64.self), reading(Float.self), reading(Double.self),
            reading(CGFloat.self), reading(Bool.self), reading(String.self), reading(Data.self),
            reading(Date.self), reading(Decimal.self), reading(UUID.self), reading(URL.self),
            reading(NSNull.self), reading(DatabaseDateComponents.self), reading(DatabaseValue.self),
            reading(Point.self), reading(Word.self), lendingBytes,
        ]
    }

    static func reading<Value: DatabaseValueConvertible>(_ type: Value.Type) -> Reading {
        { row, index in
            do {
                let value = try row.decode(Value.self, atIndex: index)
                // What has been read can be stored.
                _ = value.databaseValue
            } catch is RowDecodingError {}
            _ = try? row.decode(Value?.self, atIndex: index)
        }
    }

    static func lendingBytes(_ row: Row, _ index: Int) throws {
        do {
            _ = try row.withUnsafeData(atIndex: index) { ($0 ?? Data()).reduce(0, &+) }
        } catch is RowDecodingError {}
    }

    @Test func `Rows of any content are read as any type`() throws {
        try DatabaseQueue().read { db throws in
            let readings = Self.readings
            let inputCount = try Fuzzing().run("row decoding") { generator in
                let cells = (0..<Int.random(in: 1...30, using: &generator)).map { _ in
                    Self.cell(&generator)
                }
                try check(cells, db, readings, &generator)
            }
            #expect(inputCount > 0)
        }
    }

    private func check(
        _ cells: [Cell], _ db: Database, _ readings: [Reading],
        _ generator: inout SeededGenerator
    ) throws {
        let columns = cells.map { "\($0.sql) AS \($0.name.quotedDatabaseIdentifier)" }
            .joined(separator: ", ")
        let sql = "SELECT \(columns) UNION ALL SELECT \(cells.map(\.sql).joined(separator: ", "))"
        let arguments = StatementArguments(cells.map(\.value) + cells.map(\.value))
        let cursor = try Row.fetchCursor(db, sql: sql, arguments: arguments)
        let read = try #require(try cursor.next())
        for _ in 0..<8 {
            let index = Int.random(in: 0..<cells.count, using: &generator)
            try generator.pick(readings)(read, index)
        }
        let other = try #require(try cursor.next())
        for index in cells.indices {
            try Fuzzing.expect(
                (read[index] as DatabaseValue).storage == (other[index] as DatabaseValue).storage,
                "reading changed \(cells[index].sql) of \(cells[index].value)")
            try generator.pick(readings)(read, index)
        }
        try Fuzzing.expect(read == other && read.hashValue == other.hashValue, read.description)
        for name in cells.map(\.name) { _ = try? read.decode(Int?.self, forColumn: name) }
    }

    struct Cell {
        var sql: String
        var name: String
        var value: DatabaseValue
    }

    private static func cell(_ generator: inout SeededGenerator) -> Cell {
        // SQLite would stop reading at a NUL.
        let name = String(decoding: generator.bytes(upTo: 4).filter { $0 != 0 }, as: UTF8.self)
        let bytes = Data(generator.bytes(upTo: 40)).databaseValue
        switch Int.random(in: 0...6, using: &generator) {
        case 0: return Cell(sql: "?", name: name, value: .null)
        case 1:
            let bits = UInt64.random(in: 0...(.max), using: &generator)
            return Cell(sql: "?", name: name, value: Double(bitPattern: bits).databaseValue)
        case 2:
            let edges: [Int64] = [.min, .max, 0, 1, -1, 127, 128, 255, 256]
            return Cell(sql: "?", name: name, value: generator.pick(edges).databaseValue)
        case 3:
            let texts = [
                "2026-11-21 01:02:03", "69BF8A9C-D9F0-4777-BD11-93451D84CBCF", "1e40", "-12.50",
                #"{"x":1,"y":[1,null]}"#, "https://example.com", "a",
            ]
            let text = generator.mutated(Array(generator.pick(texts).utf8))
            return Cell(sql: "CAST(? AS TEXT)", name: name, value: Data(text).databaseValue)
        case 4: return Cell(sql: "CAST(? AS TEXT)", name: name, value: bytes)
        default: return Cell(sql: "?", name: name, value: bytes)
        }
    }
}
