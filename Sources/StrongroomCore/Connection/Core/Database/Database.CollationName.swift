extension Database {
    /// The name of a collation. <https://www.sqlite.org/datatype3.html#collating_sequences>
    public struct CollationName: RawRepresentable, Hashable, Sendable {
        /// The name in SQL.
        public let rawValue: String

        /// Names any collation.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Compares bytes.
        public static let binary = CollationName(rawValue: "BINARY")
        /// Compares bytes, with the letters of ASCII in any case.
        public static let nocase = CollationName(rawValue: "NOCASE")
        /// Compares bytes, without spaces at the end.
        public static let rtrim = CollationName(rawValue: "RTRIM")
    }
}
