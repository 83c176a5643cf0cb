import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

@Suite struct ValueTests {
    let queue: DatabaseQueue

    init() throws {
        queue = try DatabaseQueue()
    }

    private func roundTrip<V: DatabaseValueConvertible>(_ value: V) throws -> V? {
        try queue.read { db throws in
            let straight = try V.fetchOne(db, sql: "SELECT ?", arguments: [value])
            let row = try Row.fetchOne(db, sql: "SELECT ?", arguments: [value])
            #expect(row?[0] as DatabaseValue? == value.databaseValue)
            return straight
        }
    }

    @Test func `Values come back as they were stored`() throws {
        #expect(try roundTrip(true) == true)
        #expect(try roundTrip(Int64.min) == .min)
        #expect(try roundTrip(UInt8.max) == .max)
        #expect(try roundTrip(Float(1.5)) == 1.5)
        #expect(try roundTrip("Jérôme 🐴") == "Jérôme 🐴")
        #expect(try roundTrip("") == "")
        #expect(try roundTrip(Data()) == Data())
        #expect(try roundTrip(Data([0, 1])) == Data([0, 1]))
        let uuid = UUID()
        #expect(try roundTrip(uuid) == uuid)
        #expect(try roundTrip(Decimal(string: "10.50")!) == Decimal(string: "10.5"))
        #expect(try roundTrip(URL(string: "https://example.com/a?b")!)?.query == "b")
    }

    @Test(.proves("VAL-006", "VAL-007"))
    func `NULL is no value, or a value of an optional`() throws {
        try queue.read { db throws in
            #expect(try Int.fetchOne(db, sql: "SELECT NULL") == nil)
            #expect(try Int.fetchOne(db, sql: "SELECT 1 WHERE 0") == nil)
            #expect(try Optional<Int>.fetchOne(db, sql: "SELECT NULL") == .some(nil))
            #expect(try Optional<Int>.fetchOne(db, sql: "SELECT 1 WHERE 0") == nil)
            #expect(
                try Optional<Int>.fetchAll(db, sql: "SELECT NULL UNION ALL SELECT 1") == [nil, 1])
            #expect(throws: RowDecodingError.self) { try Int.fetchAll(db, sql: "SELECT NULL") }
            #expect(throws: RowDecodingError.self) { try Int.fetchSet(db, sql: "SELECT NULL") }
        }
    }

    @Test(.proves("VAL-010", "VAL-011", "VAL-012", "VAL-039", "VAL-040", "VAL-041", "VAL-042"))
    func `Conversions through DatabaseValue are strict`() {
        #expect(UInt8.fromDatabaseValue(256.databaseValue) == nil)
        #expect(UInt.fromDatabaseValue((-1).databaseValue) == nil)
        #expect(Int.fromDatabaseValue(1.9.databaseValue) == 1)
        #expect(Int.fromDatabaseValue(1e300.databaseValue) == nil)
        #expect(Int8.fromDatabaseValue((-128.9).databaseValue) == -128)
        #expect(Float.fromDatabaseValue(1e300.databaseValue) == .infinity)
        #expect(Int.fromDatabaseValue("12".databaseValue) == nil)
        #expect(Bool.fromDatabaseValue(0.5.databaseValue) == true)
        #expect(Bool.fromDatabaseValue("1".databaseValue) == nil)
        #expect(String.fromDatabaseValue(1.databaseValue) == nil)
        #expect(String.fromDatabaseValue(Data("é".utf8).databaseValue) == "é")
        #expect(String.fromDatabaseValue(Data([0xFF]).databaseValue) == nil)
        #expect(Data.fromDatabaseValue("é".databaseValue) == Data("é".utf8))
        #expect(UUID.fromDatabaseValue(Data([1]).databaseValue) == nil)
        #expect(Date.fromDatabaseValue(12.databaseValue) == Date(timeIntervalSince1970: 12))
        #expect(Double.nan.databaseValue == .null)
        #expect(URL.fromDatabaseValue("".databaseValue) == nil)
    }

    @Test(.proves("VAL-014"))
    func `Read straight from a statement, SQLite's own conversions apply`() throws {
        try queue.read { db throws in
            #expect(try Int.fetchOne(db, sql: "SELECT '20 small cigars'") == 20)
            #expect(try String.fetchOne(db, sql: "SELECT 1") == "1")
        }
    }

    @Test(.proves("VAL-033", "VAL-034", "VAL-035"))
    func `Database values are equal by value`() {
        #expect(1.databaseValue == 1.0.databaseValue)
        #expect(Set([1.databaseValue, 1.0.databaseValue]).count == 1)
        let large = Int64(1) << 53 + 1
        #expect(large.databaseValue != Double(large).databaseValue)
        #expect("a".databaseValue != Data("a".utf8).databaseValue)
        #expect(DatabaseValue.Storage.int64(1) != .double(1))
        #expect(DatabaseValue(value: "x") == "x".databaseValue)
        #expect(DatabaseValue(value: Optional<Int>.none as Any) == .null)
        #expect(DatabaseValue(value: Set<Int>()) == nil)
        #expect(
            [nil, 1, "a"].map { ($0 as (any DatabaseValueConvertible)?)?.databaseValue.description }
                == [nil, "1", "\"a\""])
    }

    enum Grape: String, DatabaseValueConvertible { case chardonnay, merlot }

    @Test(.proves("VAL-028"))
    func `An enum with raw values needs no code`() throws {
        #expect(try roundTrip(Grape.merlot) == .merlot)
        try queue.inDatabase { db throws in
            _ = #expect(throws: RowDecodingError.self) {
                try Grape.fetchAll(db, sql: "SELECT 'tea'")
            }
        }
    }

    @Test(
        .proves("VAL-016", "VAL-017", "VAL-018", "VAL-020", "VAL-021"),
        arguments: [
            ("2026-11-21", "2026-11-21 00:00:00.000"),
            ("2026-11-21 01:02", "2026-11-21 01:02:00.000"),
            ("2026-11-21T01:02:03", "2026-11-21 01:02:03.000"),
            ("2026-11-21 01:02:03.4567", "2026-11-21 01:02:03.456"),
            ("2026-11-21 01:02:03Z", "2026-11-21 01:02:03.000"),
            ("2026-11-21 01:02:03.5+02:30", "2026-11-20 22:32:03.500"),
            ("2024-02-30", "2024-03-01 00:00:00.000"), ("0000-01-01", "0000-01-01 00:00:00.000"),
            ("1582-10-10", "1582-10-10 00:00:00.000"),
            ("now", nil), ("01:02", nil), ("2026-11-21Z", nil), ("2026-11-21 01:02 Z", nil),
            ("2026-11-21 01:02:03+0200", nil), ("12026-11-21", nil), ("-026-11-21", nil), ("", nil),
            ("2026-11-21 01:02:03.", nil), ("2026-1-2", nil),
        ])
    func `Dates are read in SQLite's formats and written in one`(text: String, written: String?)
        throws
    {
        let date = Date.fromDatabaseValue(text.databaseValue)
        #expect(date?.databaseValue == written?.databaseValue)
        try queue.read { db throws in
            #expect(try Date?.fetchOne(db, sql: "SELECT ?", arguments: [date]) == date)
        }
    }

    @Test(.proves("VAL-057", "VAL-019", "UTL-007"))
    func `Dates are those that SQLite counts`() throws {
        var generator = SeededGenerator(seed: 20_261_121)
        try queue.read { db throws in
            for _ in 0..<2000 {
                let milliseconds = Int64.random(
                    in: -62_167_219_200_000...253_402_300_799_999, using: &generator)
                let date = Date(timeIntervalSince1970: Double(milliseconds) / 1000)
                let text = try #require(String.fromDatabaseValue(date.databaseValue))
                let sqlite = try String.fetchOne(
                    db, sql: "SELECT strftime('%Y-%m-%d %H:%M:%S', ?, 'unixepoch')",
                    arguments: [Int64((Double(milliseconds) / 1000).rounded(.down))])
                #expect(text.prefix(19) == sqlite ?? "")
                #expect(Date.fromDatabaseValue(date.databaseValue) == date)
            }
            #expect(Date(julianDay: 2_440_587.5) == Date(timeIntervalSince1970: 0))
            #expect(Date(julianDay: -1) == nil)
        }
    }
}
