public import StrongroomEssentials

/// A date, a time of day, or both, stored as text in one of the formats that SQLite reads.
///
///     let time = DatabaseDateComponents(DateComponents(hour: 9, minute: 30), format: .HM)
///     try db.execute(sql: "INSERT INTO alarm VALUES (?)", arguments: [time])  // '09:30'
///
/// Unlike a `Date` it has no calendar: components are written as they are, and what they say of a time
/// zone is not written. <https://www.sqlite.org/lang_datefunc.html#time_values>
public struct DatabaseDateComponents: Sendable {
    /// The components: those that the format has, and the time zone if the text named one.
    public let dateComponents: DateComponents

    /// The format to write, or the format that was read.
    public let format: Format

    /// Components to be stored in a format; where one is nil, 1 is written for a month or a day, else 0.
    public init(_ dateComponents: DateComponents, format: Format) {
        self.dateComponents = dateComponents
        self.format = format
    }

    /// SQLite's formats of dates and times.
    public enum Format: String, Sendable {
        /// `2026-11-21`
        case YMD = "yyyy-MM-dd"
        /// `2026-11-21 09:30`, also read with `T` between.
        case YMD_HM = "yyyy-MM-dd HH:mm"
        /// `2026-11-21 09:30:00`, also read with `T` between.
        case YMD_HMS = "yyyy-MM-dd HH:mm:ss"
        /// `2026-11-21 09:30:00.000`, also read with `T` between.
        case YMD_HMSS = "yyyy-MM-dd HH:mm:ss.SSS"
        /// `09:30`
        case HM = "HH:mm"
        /// `09:30:00`
        case HMS = "HH:mm:ss"
        /// `09:30:00.000`
        case HMSS = "HH:mm:ss.SSS"

        var hasDate: Bool {
            switch self {
            case .YMD, .YMD_HM, .YMD_HMS, .YMD_HMSS: true
            case .HM, .HMS, .HMSS: false
            }
        }

        var hasTime: Bool { self != .YMD }

        var hasSecond: Bool {
            switch self {
            case .YMD_HMS, .YMD_HMSS, .HMS, .HMSS: true
            case .YMD, .YMD_HM, .HM: false
            }
        }

        var hasMillisecond: Bool { self == .YMD_HMSS || self == .HMSS }
    }
}

extension DatabaseDateComponents: DatabaseValueConvertible, StatementColumnConvertible {
    /// The text in the format; nanoseconds are rounded to milliseconds.
    public var databaseValue: DatabaseValue { text.databaseValue }

    /// Texts in any of the formats, with or without a time zone; not numbers.
    public static func fromDatabaseValue(_ dbValue: DatabaseValue) -> DatabaseDateComponents? {
        String.fromDatabaseValue(dbValue).flatMap { DatabaseDateComponents(text: $0) }
    }

    public init?(sqliteStatement: SQLiteStatement, index: CInt) {
        let dbValue = DatabaseValue(sqliteStatement: sqliteStatement, index: index)
        guard let components = Self.fromDatabaseValue(dbValue) else { return nil }
        self = components
    }
}

extension DatabaseDateComponents: Codable {
    /// Decodes the text.
    ///
    /// - Throws: `DecodingError` when the text is in none of the formats.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let components = Self(text: try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "not a date or time in a format of SQLite")
        }
        self = components
    }

    /// Writes the text.
    ///
    /// - Throws: What the encoder throws.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}

extension DatabaseDateComponents {
    private init?(text: String) {
        var text = text
        guard let found = text.withUTF8({ DateTimeText($0) }) else { return nil }
        var components = DateComponents()
        format = found.format
        if format.hasDate {
            components.year = found.time.year
            components.month = found.time.month
            components.day = found.time.day
        }
        if format.hasTime {
            components.hour = found.time.hour
            components.minute = found.time.minute
        }
        if format.hasSecond { components.second = found.time.second }
        if format.hasMillisecond { components.nanosecond = found.time.nanosecond }
        if let minutes = found.zoneMinutes {
            guard let zone = TimeZone(secondsFromGMT: minutes * 60) else { return nil }
            components.timeZone = zone
        }
        dateComponents = components
    }

    private var text: String {
        var parts: [String] = []
        if format.hasDate {
            let days = [
                (dateComponents.year, 4), (dateComponents.month ?? 1, 2),
                (dateComponents.day ?? 1, 2),
            ]
            parts.append(days.map(Self.padded).joined(separator: "-"))
        }
        if format.hasTime {
            var times = [(dateComponents.hour, 2), (dateComponents.minute, 2)]
            if format.hasSecond { times.append((dateComponents.second, 2)) }
            parts.append(times.map(Self.padded).joined(separator: ":"))
        }
        let text = parts.joined(separator: " ")
        return format.hasMillisecond ? text + "." + Self.padded(millisecond, 3) : text
    }

    private var millisecond: Int {
        // The next second is another field: what is nearest to it stays in this one.
        let nanosecond = Double(dateComponents.nanosecond ?? 0)
        return Int(min(max((nanosecond / 1_000_000).rounded(), 0), 999))
    }

    private static func padded(_ number: Int?, _ digits: Int) -> String {
        let number = number ?? 0
        let text = String(number.magnitude)
        let zeros = String(repeating: "0", count: max(0, digits - text.count))
        return (number < 0 ? "-" : "") + zeros + text
    }
}
