import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

@Suite struct DateTests {
    let queue: DatabaseQueue

    init() throws {
        queue = try DatabaseQueue()
    }

    static let texts: [(String, String?)] = [
        ("2026-11-21", "2026-11-21 00:00:00.000"),
        ("2026-11-21 01:02", "2026-11-21 01:02:00.000"),
        ("2026-11-21T01:02", "2026-11-21 01:02:00.000"),
        ("2026-11-21T01:02:03", "2026-11-21 01:02:03.000"),
        ("2026-11-21T01:02:03.4", "2026-11-21 01:02:03.400"),
        ("2026-11-21 01:02:03.4567", "2026-11-21 01:02:03.457"),
        ("2026-11-21 01:02:03.9999999999999999999999999", "2026-11-21 01:02:04.000"),
        ("2026-11-21 01:02Z", "2026-11-21 01:02:00.000"),
        ("2026-11-21 01:02:03Z", "2026-11-21 01:02:03.000"),
        ("2026-11-21 01:02:03.5Z", "2026-11-21 01:02:03.500"),
        ("2026-11-21 01:02:03.5+02:30", "2026-11-20 22:32:03.500"),
        ("2026-11-21T01:02-01:00", "2026-11-21 02:02:00.000"),
        ("2026-12-31 23:59:59.999-00:01", "2027-01-01 00:00:59.999"),
        // Fields out of range roll over.
        ("2024-02-30", "2024-03-01 00:00:00.000"), ("2023-02-29", "2023-03-01 00:00:00.000"),
        ("2024-13-01", "2025-01-01 00:00:00.000"), ("2024-00-00", "2023-11-30 00:00:00.000"),
        ("2024-14-01", "2025-02-01 00:00:00.000"), ("2024-27-01", "2026-03-01 00:00:00.000"),
        ("2024-01-01 24:60:60", "2024-01-02 01:01:00.000"),
        ("2024-99-99 99:99:99.999+99:99", "2032-06-07 00:01:39.999"),
        // The first and the last that can be read back, and a day that other calendars skip.
        ("0000-01-01", "0000-01-01 00:00:00.000"),
        ("9999-12-31 23:59:59.999", "9999-12-31 23:59:59.999"),
        ("1582-10-10", "1582-10-10 00:00:00.000"),
        // Not dates.
        ("now", nil), ("01:02", nil), ("01:02:03.456", nil), ("2026-11-21Z", nil),
        ("2026-11-21+01:00", nil), ("2026-11-21 01:02 Z", nil), ("2026-11-21 01:02:03+0200", nil),
        ("2026-11-21 01:02:03+02", nil), ("2026-11-21 01:02:03z", nil), ("12026-11-21", nil),
        ("-026-11-21", nil), ("+026-11-21", nil), ("", nil), ("2026", nil), ("2026-11", nil),
        ("2026-11-21 01:02:03.", nil), ("2026-1-2", nil), ("2026-11-21 ", nil),
        (" 2026-11-21", nil),
        ("2026-11-21T", nil), ("2026-11-21 01", nil), ("2026-11-21 01:", nil),
        ("2026-11-21 01:02:", nil), ("2026-11-21  01:02", nil), ("2026-11-21t01:02", nil),
        ("2026/11/21", nil), ("20261121", nil), ("2026-11-21\0", nil), ("2026-11-2\0", nil),
        ("٢٠٢٦-11-21", nil), ("2026-11-21 01:02:03,456", nil), ("2026-11-21 1:02", nil),
    ]

    @Test(
        .proves("VAL-016", "VAL-017", "VAL-018", "VAL-020", "VAL-021"), arguments: texts)
    func `Dates are read in SQLite's formats and written in one`(text: String, written: String?)
        throws
    {
        let date = Date.fromDatabaseValue(text.databaseValue)
        #expect(date?.databaseValue == written?.databaseValue)
        try queue.read { db throws in
            let straight = try? Date.fetchOne(db, sql: "SELECT ?", arguments: [text])
            #expect(straight == date)
            let again = try Date?.fetchOne(db, sql: "SELECT ?", arguments: [date])
            #expect(again??.databaseValue == date?.databaseValue)
        }
    }

    @Test(.proves("CMP-37"))
    func `Dates of whole milliseconds come back equal, by all ways`() throws {
        // Each millisecond of minutes, and one of each hour of years.
        let minutes = stride(from: 1_795_392_000_000, to: 1_795_392_300_000, by: 1)
        let years = stride(from: -2_000_000_000_000, to: 4_100_000_000_000, by: 3_599_987)
        for milliseconds in Array(minutes) + Array(years) {
            let date = Date(millisecondsSince1970: Int64(milliseconds))
            guard Date.fromDatabaseValue(date.databaseValue) == date,
                Self.roundTrip(date) == date
            else {
                Issue.record("\(milliseconds)")
                return
            }
        }
        let date = Date(millisecondsSince1970: 1_795_392_000_123)
        try queue.read { db throws in
            #expect(try Date.fetchOne(db, sql: "SELECT ?", arguments: [date]) == date)
        }
    }

    /// What `Calendar` makes of the components of a date's text.
    private static func roundTrip(_ date: Date) -> Date? {
        guard Int(date.timeIntervalSinceReferenceDate) % 997 == 0 else { return date }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = TimeZone(secondsFromGMT: 0)!
        return DatabaseDateComponents.fromDatabaseValue(date.databaseValue)
            .flatMap { calendar.date(from: $0.dateComponents) }
    }

    @Test(.proves("CMP-37"), arguments: [0, 1_795_392_000_000, 4_000_000_000_000] as [Int64])
    func `Dates stored as milliseconds stay what they are`(start: Int64) throws {
        struct Event: Codable, FetchableRecord, EncodableRecord {
            var date: Date

            static func databaseDateEncodingStrategy(
                for column: String
            ) -> DatabaseDateEncodingStrategy { .millisecondsSince1970 }

            static func databaseDateDecodingStrategy(
                for column: String
            ) -> DatabaseDateDecodingStrategy { .millisecondsSince1970 }
        }
        for milliseconds in start..<start + 1000 {
            var event = Event(date: Date(millisecondsSince1970: milliseconds))
            for _ in 0..<2 {
                let columns = try event.databaseDictionary
                #expect(columns["date"] == milliseconds.databaseValue)
                event = try Event(row: Row(columns))
            }
        }
    }

    @Test(.proves("CMP-37"), arguments: [("00456", 4_560_000), ("123456789", 123_456_789)])
    func `Digits beyond the millisecond are read`(digits: String, nanosecond: Int) throws {
        let text = "2018-04-21 01:02:03.\(digits)".databaseValue
        let components = DatabaseDateComponents.fromDatabaseValue(text)?.dateComponents
        #expect(components?.nanosecond == nanosecond)
        let start = try #require(Date.fromDatabaseValue("2018-04-21 01:02:03".databaseValue))
        let seconds = try #require(Date.fromDatabaseValue(text)).timeIntervalSince(start)
        #expect(abs(seconds - Double(nanosecond) / 1e9) < 2e-7)
    }

    @Test(.proves("VAL-057", "VAL-019", "UTL-007"))
    func `Dates are those that SQLite counts`() throws {
        var generator = SeededGenerator(seed: 20_261_121)
        try queue.read { db throws in
            for _ in 0..<2000 {
                let milliseconds = Int64.random(
                    in: -62_167_219_200_000...253_402_300_799_999, using: &generator)
                let date = Date(millisecondsSince1970: milliseconds)
                let text = try #require(String.fromDatabaseValue(date.databaseValue))
                let row = try Row.fetchOne(
                    db, sql: "SELECT strftime('%Y-%m-%d %H:%M:%S', ?, 'unixepoch'), julianday(?)",
                    arguments: [Int64((Double(milliseconds) / 1000).rounded(.down)), text])
                let counted = try #require(row)
                #expect(text.prefix(19) == counted[0] as String)
                #expect(Date.fromDatabaseValue(date.databaseValue) == date)
                #expect(Date(julianDay: counted[1]) == date)
            }
            #expect(Date(julianDay: 2_440_587.5) == Date(timeIntervalSince1970: 0))
            #expect(Date(julianDay: -1) == nil)
            #expect(Date(julianDay: .nan) == nil)
            #expect(Date(julianDay: .infinity) == nil)
            #expect(Date.fromDatabaseValue(1.5.databaseValue) == Date(timeIntervalSince1970: 1.5))
        }
    }

    @Test(.proves("VAL-016"))
    func `Dates are rounded to the millisecond, and sort as text`() throws {
        func text(_ seconds: Double) -> String {
            Date(timeIntervalSince1970: seconds).databaseValue.description
        }
        #expect(text(0.0004) == "\"1970-01-01 00:00:00.000\"")
        #expect(text(0.0006) == "\"1970-01-01 00:00:00.001\"")
        #expect(text(-0.0006) == "\"1969-12-31 23:59:59.999\"")
        #expect(text(0.9996) == "\"1970-01-01 00:00:01.000\"")
        #expect(text(-62_167_219_200) == "\"0000-01-01 00:00:00.000\"")
        try queue.read { db throws in
            let date = Date()
            #expect(
                try Bool.fetchOne(
                    db, sql: "SELECT ? < CURRENT_TIMESTAMP AND ? > CURRENT_TIMESTAMP",
                    arguments: [date.addingTimeInterval(-60), date.addingTimeInterval(60)]) == true)
        }
    }

    @Test(
        .proves("VAL-021"),
        arguments: [
            253_402_300_800, 253_402_300_799.999_7, -62_167_219_201, 1e12, -1e12, 9e15, -9e15,
            1e300,
            -1e300, .infinity, -.infinity, .nan, .greatestFiniteMagnitude,
        ])
    func `Dates that the format has no place for do not come back, and harm nothing`(
        seconds: Double
    ) throws {
        let date = Date(timeIntervalSince1970: seconds)
        #expect(Date.fromDatabaseValue(date.databaseValue) == nil)
        try queue.read { db throws in
            #expect((try? Date.fetchAll(db, sql: "SELECT ?", arguments: [date])) == nil)
        }
    }
}

extension Date {
    /// As precise as a date can be.
    fileprivate init(millisecondsSince1970 milliseconds: Int64) {
        self.init(timeIntervalSinceReferenceDate: Double(milliseconds - 978_307_200_000) / 1000)
    }
}
