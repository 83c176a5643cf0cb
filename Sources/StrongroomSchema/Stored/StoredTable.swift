internal import StrongroomCore

/// A table as the database has it: what triggers, synchronisation and undo need to know of it.
///
///     if let items = try db.storedTable("items") { print(items.foreignKeys) }
public struct StoredTable: Sendable, Hashable {
    /// One column.
    public struct Column: Sendable, Hashable {
        /// The name.
        public let name: String
        /// The type as it was declared; empty where none was.
        public let type: String
        /// Whether it refuses NULL.
        public let isNotNull: Bool
        /// The expression of its default.
        public let defaultSQL: String?
        /// Whether the database computes it.
        public let isGenerated: Bool
        /// The collation by which it is compared: `BINARY` where none was declared.
        public let collation: String
    }

    /// A foreign key.
    public struct ForeignKey: Sendable, Hashable {
        /// The columns of the table.
        public let columns: [String]
        /// The table that they refer to.
        public let table: String
        /// The columns of that table; empty where it is missing.
        public let targets: [String]
        /// What happens to the row with that one: `CASCADE`, `SET NULL`, `NO ACTION` and so on.
        public let onDelete: String
        /// What happens when the columns of that table change.
        public let onUpdate: String
    }

    /// An index, that of a UNIQUE or PRIMARY KEY included.
    public struct Index: Sendable, Hashable {
        /// A column of it, or an expression.
        public struct Term: Sendable, Hashable {
            /// The SQL: the name of a column in quotes, or an expression.
            public let sql: String
            /// The name of the column; nil for an expression.
            public let column: String?
            /// The collation by which it is compared.
            public let collation: String
        }

        /// The name.
        public let name: String
        /// Whether it refuses equal rows.
        public let isUnique: Bool
        /// Whether a PRIMARY KEY made it.
        public let isPrimaryKey: Bool
        /// What it is on.
        public let terms: [Term]
        /// The condition of rows that are in it; nil where all are.
        public let condition: String?
    }

    /// `main`, `temp`, or the name of an attached database.
    public let schemaName: String
    /// The name.
    public let name: String
    /// All columns, those that the database computes included.
    public let columns: [Column]
    /// The columns of the primary key, in its order; empty where none was declared.
    public let key: [String]
    /// Whether it was made WITHOUT ROWID.
    public let isWithoutRowID: Bool
    /// Whether it is STRICT.
    public let isStrict: Bool
    /// The foreign keys.
    public let foreignKeys: [ForeignKey]
    /// The indexes.
    public let indexes: [Index]
    /// The expressions of its CHECK constraints.
    public let checks: [String]

    /// A name by which SQL reads the row number.
    ///
    /// Nil where there is none, or where columns have taken all three names.
    public var rowIDName: String? {
        if isWithoutRowID { return nil }
        let names = Set(columns.map(\.name.asciiLowercased))
        return ["rowid", "_rowid_", "oid"].first { !names.contains($0) }
    }
}

extension StoredTable {
    /// The name with its schema, in quotes.
    package var quotedName: String {
        schemaName.quotedDatabaseIdentifier + "." + name.quotedDatabaseIdentifier
    }

    /// What tells rows apart while a transaction is open, with the collations of it.
    var identity: [(name: String, collation: String)] {
        if let rowIDName { return [(rowIDName, "BINARY")] }
        let index = indexes.first(where: \.isPrimaryKey)
        return key.map { name in
            let term = index?.terms.first { $0.column?.asciiLowercased == name.asciiLowercased }
            let column = columns.first { $0.name.asciiLowercased == name.asciiLowercased }
            return (name, term?.collation ?? column?.collation ?? "BINARY")
        }
    }
}
