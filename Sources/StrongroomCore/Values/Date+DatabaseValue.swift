public import StrongroomEssentials

extension Date: DatabaseValueConvertible, StatementColumnConvertible {
    @inlinable public static var _isStoredByStrategy: Bool { true }

    /// `YYYY-MM-DD HH:MM:SS.SSS` in UTC, rounded to the millisecond.
    ///
    /// The format sorts, and is read back, for the years 0 to 9999. A date that no calendar has, such
    /// as one at infinity, is stored as NULL.
    public var databaseValue: DatabaseValue {
        let milliseconds = (timeIntervalSince1970 * 1000).rounded()
        guard let milliseconds = Int64(exactly: milliseconds) else { return .null }
        return CivilTime(millisecondsSince1970: milliseconds).text.databaseValue
    }

    /// Texts in SQLite's date formats, and numbers as seconds since 1970.
    public static func fromDatabaseValue(_ dbValue: DatabaseValue) -> Date? {
        switch dbValue.storage {
        case .int64(let int64): Date(timeIntervalSince1970: Double(int64))
        case .double(let double): Date(finiteTimeIntervalSince1970: double)
        case .string(var string): string.withUTF8 { Date(text: $0) }
        case .blob(let data):
            data.withUnsafeBytes { $0.withMemoryRebound(to: UInt8.self) { Date(text: $0) } }
        case .null: nil
        }
    }

    public init?(sqliteStatement: SQLiteStatement, index: CInt) {
        let value = BorrowedStatement(sqliteStatement).value(index)
        switch value.storage {
        case .integer, .real:
            self.init(finiteTimeIntervalSince1970: value.double)
        case .text, .blob:
            let bytes = value.utf8Bytes
            guard let date = bytes.withMemoryRebound(to: UInt8.self, { Date(text: $0) }) else {
                return nil
            }
            self = date
        case .null:
            return nil
        }
    }

    /// The date of a julian day number, as SQLite's `julianday()` gives it.
    ///
    /// - Returns: nil outside the years 0 to 9999, which SQLite does not count.
    public init?(julianDay: Double) {
        let milliseconds = (julianDay - 2_440_587.5) * 86_400_000
        guard milliseconds.isFinite, Self.readableMilliseconds.contains(milliseconds) else {
            return nil
        }
        self.init(CivilTime(millisecondsSince1970: Int64(milliseconds.rounded())))
    }

    /// The date of a cell that is a text; nil for any other cell, and for other texts.
    package init?(textAt index: CInt, of statement: BorrowedStatement) {
        let value = statement.value(index)
        guard case .text = value.storage, let date = Date(text: value.textBytes) else {
            return nil
        }
        self = date
    }

    private init?(text: UnsafeBufferPointer<UInt8>) {
        guard let time = CivilTime(text: text) else { return nil }
        self.init(time)
    }

    private init?(finiteTimeIntervalSince1970 seconds: Double) {
        guard seconds.isFinite else { return nil }
        self.init(timeIntervalSince1970: seconds)
    }

    /// The nearest that a date can be: it counts from 2001, and is finer there than around 1970.
    private init(_ time: CivilTime) {
        let seconds = Double(time.secondsSince1970) - Self.timeIntervalBetween1970AndReferenceDate
        self.init(timeIntervalSinceReferenceDate: seconds + Double(time.nanosecond) / 1e9)
    }

    /// The years 0 to 9999.
    private static let readableMilliseconds = -62_167_219_200_000.0...253_402_300_799_999.0
}
