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
        case missingTable, missingColumn, unreadable, duplicateColumn, nullability, primaryKey
        case generated, tableKind, affinity, requiredColumn, lazyDefault, letterCase, extraColumn
        case columnOrder, foreignKey, decoding
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
