/// A difference between a Swift type and the database.
public struct SchemaMismatch: Sendable, Hashable, Codable {
    /// How much a mismatch matters.
    public enum Severity: String, Sendable, Hashable, Codable, CaseIterable {
        /// A query or a write fails, or may fail.
        case error
        /// It works with the rows that there are, or in part.
        case warning
        /// It matters in few places.
        case note
    }

    /// What differs.
    public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
        /// The database has no such table.
        case missingTable
        /// The table has no such column.
        case missingColumn
        /// SQLite cannot prepare a query of the table: a view over a missing table, for example.
        case unreadable
        /// The type declares two columns of one name.
        case duplicateColumn
        /// One of them takes NULL, the other does not.
        case nullability
        /// The keys differ.
        case primaryKey
        /// One of them says that the database computes the column.
        case generated
        /// A table with row numbers, one without, a view, or a table for full-text search.
        case tableKind
        /// The column stores another kind of value.
        case affinity
        /// The table needs a value that the type never gives.
        case requiredColumn
        /// The type may leave out a value that has no default in the table.
        case lazyDefault
        /// The names differ in upper and lower case only.
        case letterCase
        /// The table has a column that the type does not declare.
        case extraColumn
        /// The columns stand in another order.
        case columnOrder
        /// A foreign key refers to something that is not there.
        case foreignKey
        /// A stored value cannot become a value of the property.
        case decoding
    }

    /// How much it matters.
    public var severity: Severity
    /// What differs.
    public var kind: Kind
    /// The name of the table, as the type has it.
    public var table: String
    /// The name of the column, if it is about one.
    public var column: String?
    /// What the type says: `Date? is stored as text`.
    public var expected: String
    /// What the database says: `the column is INTEGER`.
    public var found: String
    /// What to change in the type, or in the database, in words.
    public var correction: String?
    /// The statements of a migration that repair it; empty where no statement can.
    ///
    /// Several mismatches of one table may have the same statements, which repair all of them.
    public var repair: [String] = []

    package init(
        _ severity: Severity, _ kind: Kind, table: String, column: String? = nil,
        expected: String, found: String, correction: String? = nil
    ) {
        self.severity = severity
        self.kind = kind
        self.table = table
        self.column = column
        self.expected = expected
        self.found = found
        self.correction = correction
    }
}

extension SchemaMismatch: CustomStringConvertible {
    /// The mismatch on one line.
    public var description: String {
        let place = column.map { "\(table).\($0)" } ?? table
        return "\(severity): \(place): \(expected), \(found)"
            + (correction.map { " \u{2014} \($0)" } ?? "")
    }
}

extension [SchemaMismatch] {
    /// The statements of a migration that repairs all of them, each once.
    public var repair: [String] {
        var seen: Set<[String]> = []
        return filter { !$0.repair.isEmpty && seen.insert($0.repair).inserted }.flatMap(\.repair)
    }
}
