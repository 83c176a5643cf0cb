extension Database {
    /// What counts as JSON. <https://www.sqlite.org/json1.html#jvalid>
    public struct JSONValidationOptions: OptionSet, Sendable {
        public let rawValue: Int

        public init(rawValue: Int) {
            self.rawValue = rawValue
        }

        /// A text that is JSON by RFC 8259.
        public static let json = JSONValidationOptions(rawValue: 1)
        /// A text that is JSON5.
        public static let json5 = JSONValidationOptions(rawValue: 2)
        /// Bytes that look like SQLite's binary form from outside.
        public static let probablyJSONB = JSONValidationOptions(rawValue: 4)
        /// Bytes that are SQLite's binary form.
        public static let jsonb = JSONValidationOptions(rawValue: 8)
    }
}
