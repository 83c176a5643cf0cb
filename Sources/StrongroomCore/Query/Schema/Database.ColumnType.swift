extension Database {
    /// The type that a column declares: what its values are turned into, where they can be.
    ///
    /// <https://www.sqlite.org/datatype3.html>
    public struct ColumnType: RawRepresentable, Hashable, Sendable {
        /// The type as SQL writes it: `VARCHAR(100)`.
        public let rawValue: String

        /// Any type. It is SQL: it must come from the program.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Text.
        public static let text = ColumnType(rawValue: "TEXT")
        /// Whole numbers.
        public static let integer = ColumnType(rawValue: "INTEGER")
        /// Numbers, always as floating point.
        public static let double = ColumnType(rawValue: "DOUBLE")
        /// Numbers, always as floating point.
        public static let real = ColumnType(rawValue: "REAL")
        /// Numbers, whole or not.
        public static let numeric = ColumnType(rawValue: "NUMERIC")
        /// Truth values: 0 and 1.
        public static let boolean = ColumnType(rawValue: "BOOLEAN")
        /// Bytes.
        public static let blob = ColumnType(rawValue: "BLOB")
        /// Days, as texts.
        public static let date = ColumnType(rawValue: "DATE")
        /// Dates with time, as texts.
        public static let datetime = ColumnType(rawValue: "DATETIME")
        /// Anything as it is, in `STRICT` tables.
        public static let any = ColumnType(rawValue: "ANY")
        /// JSON as text, which SQLite's functions for JSON read.
        public static let jsonText = ColumnType(rawValue: "TEXT")
        /// JSON in SQLite's binary form. <https://www.sqlite.org/jsonb.html>
        public static let jsonb = ColumnType(rawValue: "BLOB")
    }
}
