/// What the check of a schema has to say of a table that is to be shared.
public struct SyncFinding: Sendable, Hashable, CustomStringConvertible {
    /// Whether the table is shared all the same.
    public enum Severity: String, Sendable, Hashable {
        /// The engine does not start.
        case refused
        /// The engine starts; rows may be held back, or be slow.
        case warning
    }

    /// What is found, as a name that does not change.
    public enum Reason: String, Sendable, Hashable, CaseIterable {
        /// There is no table of that name.
        case missingTable
        /// It is a view, a virtual table, or one that SQLite, the migrator or this library keeps.
        case notATable
        /// Two declarations have one table, or one first name.
        case declaredTwice
        /// The table has no primary key.
        case noPrimaryKey
        /// The key is a row number, which several devices would give to several rows.
        case rowNumberKey
        /// A column of the key takes NULL.
        case nullableKey
        /// A declaration names a column or an index that the table does not have.
        case unknownName
        /// A policy has a name that this version does not know.
        case unknownPolicy
        /// A policy is part of a later version.
        case notAvailable
        /// A policy does not fit the column.
        case unsuitableColumn
        /// A counter or a greatest value is in a CHECK constraint or a group.
        case groupedColumn
        /// A foreign key refers to a table that is not shared, or that is missing.
        case parentNotShared
        /// A foreign key refers to other columns than the primary key.
        case notPrimaryKey
        /// A column that must make no loop does not refer to its own table.
        case notSelfReference
        /// A column refuses NULL, and has no default for rows of older versions.
        case noDefault
        /// No index has the columns of a foreign key.
        case slowForeignKey
        /// The text of an index is not understood.
        case unreadableIndex
        /// Something in the file has a name that is reserved.
        case reservedName
    }

    /// Whether the table is shared all the same.
    public let severity: Severity
    /// What is found.
    public let reason: Reason
    /// The table as it is declared.
    public let table: String
    /// The column; nil where the finding is about the table.
    public let column: String?
    /// The finding in words.
    public let message: String
    /// What to write instead: SQL, or a part of the declaration.
    public let remedy: String

    /// The finding on one line, with its remedy.
    public var description: String {
        let place = column.map { "\(table).\($0)" } ?? table
        return "\(severity.rawValue): \(place): \(message): \(remedy)"
    }
}

/// The tables of a database cannot be shared as they are declared.
public struct SyncSchemaError: Error, Sendable, Hashable, CustomStringConvertible {
    /// All findings, warnings included.
    public let findings: [SyncFinding]

    /// One line for each finding.
    public var description: String { findings.map(\.description).joined(separator: "\n") }
}
