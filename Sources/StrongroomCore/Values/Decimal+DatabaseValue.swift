public import StrongroomEssentials

extension Decimal: DatabaseValueConvertible, StatementColumnConvertible {
    /// All digits, as text, with a point; NULL for what is not a number.
    public var databaseValue: DatabaseValue { isNaN ? .null : description.databaseValue }

    /// Numbers, and texts that are one number from their first to their last character.
    ///
    /// A real becomes the decimal that is written like it: 3.133, not the binary fraction next to it.
    public static func fromDatabaseValue(_ dbValue: DatabaseValue) -> Decimal? {
        switch dbValue.storage {
        case .int64(let int64): Decimal(int64)
        case .double(let double): Decimal(number: String(double))
        case .string(let string): Decimal(number: string)
        default: nil
        }
    }

    public init?(sqliteStatement: SQLiteStatement, index: CInt) {
        let dbValue = DatabaseValue(sqliteStatement: sqliteStatement, index: index)
        guard let decimal = Decimal.fromDatabaseValue(dbValue) else { return nil }
        self = decimal
    }

    // Foundation reads the number that a text begins with, and passes over the rest.
    private init?(number text: String) {
        guard Self.isNumber(text.utf8[...]) else { return nil }
        self.init(string: text, locale: Self.locale)
    }

    private static let locale = Locale(identifier: "en_US_POSIX")

    /// `[+|-]digits[.digits][e[+|-]digits]`; one side of the point may be empty.
    private static func isNumber(_ text: Substring.UTF8View) -> Bool {
        var rest = text
        skipSign(&rest)
        var digits = skipDigits(&rest)
        if rest.first == UInt8(ascii: ".") {
            rest.removeFirst()
            digits += skipDigits(&rest)
        }
        guard digits > 0 else { return false }
        if rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E") {
            rest.removeFirst()
            skipSign(&rest)
            guard skipDigits(&rest) > 0 else { return false }
        }
        return rest.isEmpty
    }

    private static func skipSign(_ text: inout Substring.UTF8View) {
        if text.first == UInt8(ascii: "+") || text.first == UInt8(ascii: "-") {
            text.removeFirst()
        }
    }

    private static func skipDigits(_ text: inout Substring.UTF8View) -> Int {
        let digits = text.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }.count
        text.removeFirst(digits)
        return digits
    }
}
