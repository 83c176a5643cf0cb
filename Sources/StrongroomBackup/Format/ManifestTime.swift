internal import Foundation

/// Times as manifests have them: `2026-11-21T15:04:05.678Z`, in UTC.
///
/// Foundation's formats bring its calendars and their data along, which a backup of few pages would
/// wait for longer than for its pages.
enum ManifestTime {
    private static let daysInEra = 146_097
    /// From 1 March of the year 0 to 1970.
    private static let daysBefore1970 = 719_468
    private static let millisecondsInDay = 86_400_000

    static func text(of date: Date) -> String {
        let milliseconds = Int((date.timeIntervalSince1970 * 1000).rounded())
        let inDay = milliseconds.modulo(millisecondsInDay)
        let (year, month, day) = civil((milliseconds - inDay) / millisecondsInDay)
        let seconds = inDay / 1000
        return [digits(year, 4), digits(month, 2), digits(day, 2)].joined(separator: "-") + "T"
            + [seconds / 3600, seconds / 60 % 60, seconds % 60].map { digits($0, 2) }
            .joined(separator: ":") + "." + digits(inDay % 1000, 3) + "Z"
    }

    /// Nil for a text that is written differently; fractions of a second may be absent.
    static func date(of text: String) -> Date? {
        let bytes = Array(text.utf8)
        guard bytes.count >= 20, bytes.last == UInt8(ascii: "Z"),
            let year = number(bytes, 0, 4, "-"), let month = number(bytes, 5, 2, "-"),
            let day = number(bytes, 8, 2, "T"), let hour = number(bytes, 11, 2, ":"),
            let minute = number(bytes, 14, 2, ":"), let second = number(bytes, 17, 2, nil),
            (1...12).contains(month), day >= 1, hour < 24, minute < 60, second < 60,
            let fraction = fraction(bytes[19..<(bytes.count - 1)])
        else { return nil }
        let days = daysSince1970(year, month, day)
        // 31 February is the third of March: no day of any month.
        guard civil(days) == (year, month, day) else { return nil }
        let whole = days * 86_400 + hour * 3600 + minute * 60 + second
        return Date(timeIntervalSince1970: Double(whole) + fraction)
    }

    private static func digits(_ value: Int, _ count: Int) -> String {
        let text = String(value)
        return String(repeating: "0", count: max(0, count - text.count)) + text
    }

    /// The value of some digits, if that is followed by a sign.
    private static func number(
        _ bytes: [UInt8], _ start: Int, _ count: Int, _ sign: Unicode.Scalar?
    ) -> Int? {
        if let sign, bytes[start + count] != UInt8(ascii: sign) { return nil }
        return number(bytes[start..<(start + count)])
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int? {
        bytes.reduce(Int?.some(0)) { value, byte in
            guard let value, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else {
                return nil
            }
            return value * 10 + Int(byte - UInt8(ascii: "0"))
        }
    }

    private static func fraction(_ bytes: ArraySlice<UInt8>) -> Double? {
        guard let point = bytes.first else { return 0 }
        let digits = bytes.dropFirst()
        guard point == UInt8(ascii: "."), (1...9).contains(digits.count) else { return nil }
        let scale = digits.reduce(1.0) { scale, _ in scale * 10 }
        return number(digits).map { Double($0) / scale }
    }
}

// MARK: - The calendar

extension ManifestTime {
    // Years begin in March here, so that the day that leap years add is their last: then the days
    // before a month are those of 153 days in each 5 months.

    private static func civil(_ daysSince1970: Int) -> (year: Int, month: Int, day: Int) {
        let days = daysSince1970 + daysBefore1970
        let dayOfEra = days.modulo(daysInEra)
        let era = (days - dayOfEra) / daysInEra
        let yearOfEra =
            (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        return (era * 400 + yearOfEra + (month <= 2 ? 1 : 0), month, day)
    }

    private static func daysSince1970(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let year = month <= 2 ? year - 1 : year
        let yearOfEra = year.modulo(400)
        let era = (year - yearOfEra) / 400
        let monthFromMarch = month > 2 ? month - 3 : month + 9
        let dayOfYear = (153 * monthFromMarch + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * daysInEra + dayOfEra - daysBefore1970
    }
}

extension Int {
    /// The remainder from 0 on, also of a negative number.
    fileprivate func modulo(_ divisor: Int) -> Int {
        let remainder = self % divisor
        return remainder < 0 ? remainder + divisor : remainder
    }
}
