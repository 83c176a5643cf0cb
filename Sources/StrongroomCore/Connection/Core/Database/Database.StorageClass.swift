extension Database {
    /// A type of content by the name that SQL gives it, as in `CAST(score AS REAL)`.
    ///
    /// <https://www.sqlite.org/datatype3.html>
    public struct StorageClass: RawRepresentable, Hashable, Sendable {
        public let rawValue: String

        /// The class of any name: SQLite derives its affinity from the name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// A signed 64-bit integer.
        public static let integer = StorageClass(rawValue: "INTEGER")
        /// An IEEE 754 double.
        public static let real = StorageClass(rawValue: "REAL")
        /// A text.
        public static let text = StorageClass(rawValue: "TEXT")
        /// Bytes.
        public static let blob = StorageClass(rawValue: "BLOB")
    }
}
