internal import StrongroomCore
package import StrongroomSchema

/// What devices share of a table: the declaration, and what the database says.
package struct SharedTable: Sendable, Hashable {
    /// A column outside of the key.
    package struct Column: Sendable, Hashable {
        /// The name in the file.
        package let name: String
        /// The first name that it had, which other devices know, with A to Z in lower case.
        package let wireName: String
        /// How concurrent changes become one.
        package let merge: MergePolicy
        /// Whether it refuses NULL.
        package let isNotNull: Bool
        /// The expression of its default in the file.
        package let defaultSQL: String?
        /// The expression for rows of versions that do not have it.
        package let absentSQL: String?
        /// Bounds for what is shown of a counter.
        package let clamp: ClosedRange<Int64>?

        package var isCounter: Bool { merge == .sum }
    }

    package let declaration: SyncedTable
    package let stored: StoredTable
    /// The first name that the table had, with A to Z in lower case.
    package let wireName: String
    /// The first names of the columns of the key, in its order.
    package let keyWireNames: [String]
    /// What is shared outside of the key; columns that the database computes are not.
    package let columns: [Column]
    /// The columns that travel as one value, by their places in `columns`: in no group or in one.
    package let groups: [[Int]]

    /// The foreign keys with their actions.
    package var foreignKeys: [StoredTable.ForeignKey] { stored.foreignKeys }

    /// The unique indexes but for that of the key.
    package var uniqueIndexes: [StoredTable.Index] {
        stored.indexes.filter { $0.isUnique && !$0.isPrimaryKey }
    }

    package init(_ declaration: SyncedTable, _ stored: StoredTable) {
        self.declaration = declaration
        self.stored = stored
        wireName = (declaration.renamedFrom ?? stored.name).asciiLowercased
        let merge = declaration.merge.byLowercasedName
        let renamed = declaration.renamedColumns.byLowercasedName
        let absent = declaration.absent.byLowercasedName
        let clamp = declaration.clamp.byLowercasedName
        keyWireNames = stored.key.map { (renamed[$0.asciiLowercased] ?? $0).asciiLowercased }
        let key = Set(stored.key.map(\.asciiLowercased))
        columns = stored.columns.compactMap { column in
            let name = column.name.asciiLowercased
            guard !column.isGenerated, !key.contains(name) else { return nil }
            return Column(
                name: column.name, wireName: (renamed[name] ?? column.name).asciiLowercased,
                merge: merge[name] ?? .latest, isNotNull: column.isNotNull,
                defaultSQL: column.defaultSQL, absentSQL: absent[name], clamp: clamp[name])
        }
        groups = Self.groups(declaration, stored, columns)
    }

    /// The place of a column in ``columns``.
    package func index(of name: String) -> Int? {
        columns.firstIndex { $0.name.asciiLowercased == name.asciiLowercased }
    }
}

extension Dictionary where Key == String {
    /// The same by names as SQLite compares them.
    var byLowercasedName: [String: Value] {
        Dictionary<String, Value>(
            map { ($0.key.asciiLowercased, $0.value) }, uniquingKeysWith: { first, _ in first })
    }
}
