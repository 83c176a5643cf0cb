internal import StrongroomCore

/// A column as the database has it.
package struct DatabaseColumn: Sendable, Hashable {
    package enum Generation: Sendable, Hashable { case stored, virtual }

    package var name: String
    /// As it was declared; empty where none was.
    package var type = ""
    package var isNotNull = false
    package var defaultSQL: String?
    /// From 1; nil outside of the primary key.
    package var keyPosition: Int?
    package var generation: Generation?
}

/// A table or a view as the database has it.
package struct DatabaseTable: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        case table, view
        /// With the name of the module, in lower case.
        case virtual(String)
        /// A table that a virtual one keeps for itself.
        case shadow
    }

    package var schema: String
    package var name: String
    package var kind: Kind
    package var isWithoutRowID = false
    package var isStrict = false
    /// The text that made it.
    package var sql = ""
    package var columns: [DatabaseColumn] = []
    /// Why the columns cannot be read, as of a view on a table that is gone.
    package var failure: String?

    package var keyColumns: [DatabaseColumn] {
        columns.filter { $0.keyPosition != nil }
            .sorted { ($0.keyPosition ?? 0) < ($1.keyPosition ?? 0) }
    }

    package var isFullText: Bool { kind == .virtual("fts5") }

    /// Whether a column is another name of the row number, which is never NULL.
    package func isRowNumber(_ column: DatabaseColumn) -> Bool {
        kind == .table && !isWithoutRowID && column.keyPosition == 1 && keyColumns.count == 1
            && column.type.asciiLowercased == "integer"
    }

    /// Whether SQLite itself, or this library, keeps the table.
    package var isInternal: Bool {
        let lower = name.asciiLowercased
        return kind == .shadow
            || ["sqlite_", "grdb_", "strongroom_"].contains(where: lower.hasPrefix)
    }
}

/// A foreign key: the columns, and what they refer to.
package struct DatabaseReference: Sendable, Hashable {
    package var table: String
    package var columns: [String]
    /// Nil for the primary key.
    package var targets: [String]?
    package var deleteAction: String
    package var updateAction: String
}
