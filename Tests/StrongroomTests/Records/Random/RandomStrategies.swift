import Foundation
import Strongroom
import StrongroomTestSupport

/// How the columns of a type are stored.
struct RandomStrategies: Sendable {
    enum Dates: CaseIterable, Sendable {
        case text, sinceReference, since1970, seconds, milliseconds, iso8601, formatted, custom
    }
    enum UUIDs: CaseIterable, Sendable { case blob, upper, lower }
    enum Bytes: CaseIterable, Sendable { case blob, text, custom }

    var dates = Dates.text
    var uuids = UUIDs.blob
    var bytes = Bytes.blob

    init() {}

    init(_ random: inout SeededGenerator) {
        dates = random.pick(Dates.allCases)
        uuids = random.pick(UUIDs.allCases)
        bytes = random.pick(Bytes.allCases)
    }
}

extension RandomStrategies {
    func stored(_ bytes: Data) -> DatabaseValue {
        switch self.bytes {
        case .blob: bytes.databaseValue
        case .text: String(decoding: bytes, as: UTF8.self).databaseValue
        case .custom: bytes.map { String($0) }.joined(separator: " ").databaseValue
        }
    }

    /// A date, and what is left of it when it was stored.
    func draw(_ random: inout SeededGenerator) -> (Date, Date) {
        // From 1000 to 2999; formatters of Foundation count otherwise before 1583.
        let isLate = dates == .formatted || dates == .iso8601
        let days = Int.random(in: (isLate ? -100_000 : -354_000)...376_000, using: &random)
        var milliseconds = days * 86_400_000 + Int.random(in: 0..<86_400_000, using: &random)
        if isLate { milliseconds -= milliseconds % 1000 }
        // Foundation counts from 2001: another origin, and it may lose a bit.
        let date = Date(
            timeIntervalSinceReferenceDate: Double(milliseconds - 978_307_200_000) / 1000)
        let seconds = Double(milliseconds) / 1000
        switch dates {
        case .text, .sinceReference, .iso8601, .formatted: return (date, date)
        case .since1970: return (date, Date(timeIntervalSince1970: date.timeIntervalSince1970))
        case .seconds: return (date, Date(timeIntervalSince1970: seconds.rounded(.down)))
        case .milliseconds, .custom: return (date, Date(timeIntervalSince1970: seconds))
        }
    }

    func stored(_ date: Date) -> DatabaseValue {
        let milliseconds = Int((date.timeIntervalSince1970 * 1000).rounded())
        let second = (milliseconds - Self.remainder(milliseconds, 1000)) / 1000
        switch dates {
        case .sinceReference: return date.timeIntervalSinceReferenceDate.databaseValue
        case .since1970: return date.timeIntervalSince1970.databaseValue
        case .seconds: return second.databaseValue
        case .milliseconds: return milliseconds.databaseValue
        case .custom: return "D\(milliseconds)".databaseValue
        case .text:
            let fraction = String(Self.remainder(milliseconds, 1000) + 1000).dropFirst()
            return "\(Self.text(second, " ")).\(fraction)".databaseValue
        case .iso8601: return "\(Self.text(second, "T"))Z".databaseValue
        case .formatted: return Self.text(second, "_").databaseValue
        }
    }

    private static func remainder(_ a: Int, _ b: Int) -> Int { ((a % b) + b) % b }

    /// Day and time, by the calendar's rule for leap years alone.
    private static func text(_ second: Int, _ separator: String) -> String {
        let time = remainder(second, 86_400)
        var day = (second - time) / 86_400
        var year = 1970
        func isLeap(_ year: Int) -> Bool {
            year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        }
        func dayCount(_ year: Int) -> Int { isLeap(year) ? 366 : 365 }
        while day < 0 {
            year -= 1
            day += dayCount(year)
        }
        while day >= dayCount(year) {
            day -= dayCount(year)
            year += 1
        }
        let lengths = [31, isLeap(year) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        var month = 0
        while day >= lengths[month] {
            day -= lengths[month]
            month += 1
        }
        func two(_ number: Int) -> String { String(number + 100).dropFirst().description }
        return "\(year)-\(two(month + 1))-\(two(day + 1))\(separator)"
            + "\(two(time / 3600)):\(two(time / 60 % 60)):\(two(time % 60))"
    }
}

// MARK: - For the library

extension RandomStrategies {
    var dateEncoding: DatabaseDateEncodingStrategy {
        switch dates {
        case .text: .deferredToDate
        case .sinceReference: .timeIntervalSinceReferenceDate
        case .since1970: .timeIntervalSince1970
        case .seconds: .secondsSince1970
        case .milliseconds: .millisecondsSince1970
        case .iso8601: .iso8601
        case .formatted: .formatted(Self.formatter)
        case .custom: .custom { "D\(Int(($0.timeIntervalSince1970 * 1000).rounded()))" }
        }
    }

    var dateDecoding: DatabaseDateDecodingStrategy {
        switch dates {
        case .text: .deferredToDate
        case .sinceReference: .timeIntervalSinceReferenceDate
        case .since1970, .seconds: .timeIntervalSince1970
        case .milliseconds: .millisecondsSince1970
        case .iso8601: .iso8601
        case .formatted: .formatted(Self.formatter)
        case .custom:
            .custom { value in
                String.fromDatabaseValue(value).flatMap { Double($0.dropFirst()) }
                    .map { Date(timeIntervalSince1970: $0 / 1000) }
            }
        }
    }

    var uuidEncoding: DatabaseUUIDEncodingStrategy {
        switch uuids {
        case .blob: .deferredToUUID
        case .upper: .uppercaseString
        case .lower: .lowercaseString
        }
    }

    var dataEncoding: DatabaseDataEncodingStrategy {
        switch bytes {
        case .blob: .deferredToData
        case .text: .text
        case .custom: .custom { $0.map { String($0) }.joined(separator: " ") }
        }
    }

    var dataDecoding: DatabaseDataDecodingStrategy {
        guard bytes == .custom else { return .deferredToData }
        return .custom { value in
            String.fromDatabaseValue(value).map { text in
                Data(text.split(separator: " ").compactMap { UInt8($0) })
            }
        }
    }

    private static var formatter: DateFormatter {
        let formatter = DateFormatter()
        formatter.dateFormat = "yyyy-MM-dd_HH:mm:ss"
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        return formatter
    }
}
