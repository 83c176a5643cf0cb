/// An index on columns of a table.
///
/// <https://www.sqlite.org/pragma.html#pragma_index_list>
public struct IndexInfo: Sendable {
    /// The name; SQLite generates one for the indexes of constraints.
    public let name: String

    /// The columns, in the order of the index.
    public let columns: [String]

    /// Whether no two rows may have the same values.
    public let isUnique: Bool

    /// What created the index.
    public let origin: Origin

    /// Whether the index holds some of the rows only.
    package let isPartial: Bool

    /// What created an index, as `PRAGMA index_list` reports it.
    public struct Origin: RawRepresentable, Hashable, Sendable {
        public let rawValue: String

        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// A `CREATE INDEX` statement: `c`.
        public static let createIndex = Origin(rawValue: "c")
        /// A `UNIQUE` constraint: `u`.
        public static let uniqueConstraint = Origin(rawValue: "u")
        /// A `PRIMARY KEY` constraint: `pk`.
        public static let primaryKeyConstraint = Origin(rawValue: "pk")
    }
}

extension IndexInfo.Origin: DatabaseValueConvertible {}
