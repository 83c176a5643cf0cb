/// What a text in one of SQLite's date formats says, field by field.
///
/// `YYYY-MM-DD[( |T)HH:MM[:SS[.S…]][zone]]` or `HH:MM[:SS[.S…]][zone]`, where a zone is `Z` or
/// `±HH:MM`. Digits beyond the nanosecond are cut.
/// <https://www.sqlite.org/lang_datefunc.html#time_values>
struct DateTimeText {
    /// The fields as written. Those that the text does not have are zero.
    private(set) var time = CivilTime(year: 0, month: 0, day: 0)
    private(set) var format = DatabaseDateComponents.Format.YMD
    /// Minutes east of UTC; nil when the text names no zone.
    private(set) var zoneMinutes: Int?

    private enum Precision { case minute, second, fraction }

    /// nil for any other text.
    init?(_ text: UnsafeBufferPointer<UInt8>) {
        var reader = DigitReader(bytes: text)
        let hasDate = text.count > 4 && text[4] == UInt8(ascii: "-")
        if hasDate {
            guard readDate(&reader) else { return nil }
            if reader.isAtEnd { return }
            guard reader.skip(" ") || reader.skip("T") else { return nil }
        }
        guard let precision = readTime(&reader), readZone(&reader), reader.isAtEnd else {
            return nil
        }
        format =
            switch precision {
            case .minute: hasDate ? .YMD_HM : .HM
            case .second: hasDate ? .YMD_HMS : .HMS
            case .fraction: hasDate ? .YMD_HMSS : .HMSS
            }
    }

    private mutating func readDate(_ reader: inout DigitReader) -> Bool {
        guard let year = reader.number(digits: 4), reader.skip("-"),
            let month = reader.number(digits: 2), reader.skip("-"),
            let day = reader.number(digits: 2)
        else { return false }
        time = CivilTime(year: year, month: month, day: day)
        return true
    }

    private mutating func readTime(_ reader: inout DigitReader) -> Precision? {
        guard let hour = reader.number(digits: 2), reader.skip(":"),
            let minute = reader.number(digits: 2)
        else { return nil }
        (time.hour, time.minute) = (hour, minute)
        guard reader.skip(":") else { return .minute }
        guard let second = reader.number(digits: 2) else { return nil }
        time.second = second
        guard reader.skip(".") else { return .second }
        guard let nanosecond = reader.fraction() else { return nil }
        time.nanosecond = nanosecond
        return .fraction
    }

    private mutating func readZone(_ reader: inout DigitReader) -> Bool {
        if reader.skip("Z") {
            zoneMinutes = 0
            return true
        }
        let sign = reader.skip("+") ? 1 : reader.skip("-") ? -1 : 0
        guard sign != 0 else { return true }
        guard let hours = reader.number(digits: 2), reader.skip(":"),
            let minutes = reader.number(digits: 2)
        else { return false }
        zoneMinutes = sign * (hours * 60 + minutes)
        return true
    }
}

private struct DigitReader {
    let bytes: UnsafeBufferPointer<UInt8>
    var index = 0

    var isAtEnd: Bool { index == bytes.count }

    mutating func skip(_ scalar: Unicode.Scalar) -> Bool {
        guard index < bytes.count, bytes[index] == UInt8(ascii: scalar) else { return false }
        index += 1
        return true
    }

    mutating func number(digits: Int) -> Int? {
        guard index + digits <= bytes.count else { return nil }
        var number = 0
        for _ in 0..<digits {
            guard let digit = digit() else { return nil }
            number = number * 10 + digit
        }
        return number
    }

    /// One digit or more, as nanoseconds.
    mutating func fraction() -> Int? {
        guard let first = digit() else { return nil }
        var nanoseconds = first * 100_000_000
        var weight = 10_000_000
        while let digit = digit() {
            nanoseconds += digit * weight
            weight /= 10
        }
        return nanoseconds
    }

    private mutating func digit() -> Int? {
        guard index < bytes.count, case let byte = bytes[index],
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        else { return nil }
        index += 1
        return Int(byte - UInt8(ascii: "0"))
    }
}
