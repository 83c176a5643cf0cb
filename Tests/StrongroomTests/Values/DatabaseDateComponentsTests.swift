import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

@Suite(.proves("VAL-022")) struct DatabaseDateComponentsTests {
    typealias Format = DatabaseDateComponents.Format

    private static func components(
        _ date: (Int, Int, Int)?, _ time: (Int, Int)? = nil, second: Int? = nil,
        nanosecond: Int? = nil, zone: Int? = nil
    ) -> DateComponents {
        DateComponents(
            timeZone: zone.flatMap { TimeZone(secondsFromGMT: $0) }, year: date?.0, month: date?.1,
            day: date?.2, hour: time?.0, minute: time?.1, second: second, nanosecond: nanosecond)
    }

    static let day = (2026, 11, 21)
    static let readable: [(text: String, format: Format, components: DateComponents)] = [
        ("2026-11-21", .YMD, components(day)),
        ("2026-11-21 01:02", .YMD_HM, components(day, (1, 2))),
        ("2026-11-21T01:02", .YMD_HM, components(day, (1, 2))),
        ("2026-11-21 01:02:03", .YMD_HMS, components(day, (1, 2), second: 3)),
        ("2026-11-21T01:02:03", .YMD_HMS, components(day, (1, 2), second: 3)),
        (
            "2026-11-21 01:02:03.456", .YMD_HMSS,
            components(day, (1, 2), second: 3, nanosecond: 456_000_000)
        ),
        (
            "2026-11-21T01:02:03.4", .YMD_HMSS,
            components(day, (1, 2), second: 3, nanosecond: 400_000_000)
        ),
        ("01:02", .HM, components(nil, (1, 2))),
        ("01:02:03", .HMS, components(nil, (1, 2), second: 3)),
        ("01:02:03.4567", .HMSS, components(nil, (1, 2), second: 3, nanosecond: 456_700_000)),
        ("01:02Z", .HM, components(nil, (1, 2), zone: 0)),
        ("01:02:03-01:30", .HMS, components(nil, (1, 2), second: 3, zone: -5400)),
        ("2026-11-21 01:02+02:00", .YMD_HM, components(day, (1, 2), zone: 7200)),
        ("2026-11-21T01:02:03Z", .YMD_HMS, components(day, (1, 2), second: 3, zone: 0)),
        ("2026-13-99", .YMD, components((2026, 13, 99))),
    ]

    @Test(arguments: readable)
    func `Every format of SQLite is read`(
        text: String, format: Format, components: DateComponents
    ) throws {
        for dbValue in [text.databaseValue, Data(text.utf8).databaseValue] {
            let read = try #require(DatabaseDateComponents.fromDatabaseValue(dbValue))
            #expect(read.format == format)
            #expect(read.dateComponents == components)
        }
        try DatabaseQueue().read { db throws in
            let read = try DatabaseDateComponents.fetchOne(
                db, sql: "SELECT ?", arguments: [text])
            #expect(read?.format == format)
            #expect(read?.dateComponents == components)
        }
    }

    @Test(arguments: [
        "", "now", "2026", "2026-11", "2026-11-21Z", "2026-11-21 ", "01", "01:", "1:02", "01:02:",
        "01:02:03.", "01:02 Z", "01:02+0100", "01:02+99:00", "01:02\0", "26-11-21",
        "2026-11-21 1:2",
    ])
    func `Other texts are not read`(text: String) throws {
        #expect(DatabaseDateComponents.fromDatabaseValue(text.databaseValue) == nil)
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(
                [DatabaseDateComponents].self, from: JSONEncoder().encode([text]))
        }
    }

    @Test func `Numbers are not read`() throws {
        #expect(DatabaseDateComponents.fromDatabaseValue(20.databaseValue) == nil)
        #expect(DatabaseDateComponents.fromDatabaseValue(20.5.databaseValue) == nil)
        #expect(DatabaseDateComponents.fromDatabaseValue(.null) == nil)
        try DatabaseQueue().read { db throws in
            #expect(throws: RowDecodingError.self) {
                try DatabaseDateComponents.fetchOne(db, sql: "SELECT 20")
            }
            #expect(try DatabaseDateComponents.fetchOne(db, sql: "SELECT NULL") == nil)
        }
    }

    @Test(
        .proves("CMP-54"),
        arguments: [
            (Format.YMD, "2026-01-02"), (.YMD_HM, "2026-01-02 03:04"),
            (.YMD_HMS, "2026-01-02 03:04:05"),
            (.YMD_HMSS, "2026-01-02 03:04:05.006"), (.HM, "03:04"), (.HMS, "03:04:05"),
            (.HMSS, "03:04:05.006"),
        ])
    func `The chosen format is written, missing parts as the least`(
        format: Format, text: String
    ) throws {
        let all = Self.components(
            (2026, 1, 2), (3, 4), second: 5, nanosecond: 5_500_000, zone: 7200)
        let value = DatabaseDateComponents(all, format: format)
        #expect(value.databaseValue == text.databaseValue)
        let json = try JSONEncoder().encode([value])
        #expect(String(decoding: json, as: UTF8.self) == "[\"\(text)\"]")
        let decoded = try JSONDecoder().decode([DatabaseDateComponents].self, from: json)
        #expect(decoded.first?.databaseValue == text.databaseValue)

        let least = DatabaseDateComponents(DateComponents(), format: format).databaseValue
        let zeros = String(text.map { $0.isNumber ? "0" : $0 })
        #expect(least == zeros.replacing("0000-00-00", with: "0000-01-01").databaseValue)
    }

    @Test func `Components out of range are written as they are`() {
        func text(_ components: DateComponents, _ format: Format) -> DatabaseValue {
            DatabaseDateComponents(components, format: format).databaseValue
        }
        #expect(text(Self.components((12345, 13, -1)), .YMD) == "12345-13--01".databaseValue)
        #expect(text(Self.components((.min, .max, 0)), .YMD).isNull == false)
        let nearlyNext = Self.components(nil, (1, 2), second: 3, nanosecond: 999_999_999)
        #expect(text(nearlyNext, .HMSS) == "01:02:03.999".databaseValue)
        let negative = Self.components(nil, (1, 2), second: 3, nanosecond: .min)
        #expect(text(negative, .HMSS) == "01:02:03.000".databaseValue)
        let fromCalendar = Self.components(nil, (1, 2), second: 3, nanosecond: 122_999_906)
        #expect(text(fromCalendar, .HMSS) == "01:02:03.123".databaseValue)
    }
}
