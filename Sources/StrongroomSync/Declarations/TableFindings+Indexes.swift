internal import StrongroomCore
internal import StrongroomSchema

// Unique indexes and foreign keys.

extension TableFindings {
    mutating func checkUniqueIndexes() {
        for index in table.stored.indexes where index.isUnique {
            guard index.terms.contains(where: \.sql.isEmpty) else { continue }
            refuse(
                .unreadableIndex, nil, "the text of the index \(index.name) is not understood",
                "drop it, and create it again with plain names")
        }
        let names = Set(
            table.uniqueIndexes.flatMap { index in
                [index.name] + (index.terms.count == 1 ? index.terms.compactMap(\.column) : [])
            }.map(\.asciiLowercased))
        for (name, policy) in declaration.unique.sorted(by: { $0.key < $1.key }) {
            guard names.contains(name.asciiLowercased) else {
                refuse(
                    .unknownName, name,
                    "unique: names neither a unique index nor the only column of one",
                    "correct the name, or create a UNIQUE index")
                continue
            }
            switch policy {
            case .hold: break
            case .merge, .suffix:
                refuseForNow(name, "unique: .\(policy.rawValue)", "use .hold, the default")
            default:
                refuse(
                    .unknownPolicy, name, "unique: \(policy.rawValue) is no policy",
                    "use .hold, the default")
            }
        }
    }

    mutating func checkReferences(_ sharedNames: Set<String>, _ keys: [String: [String]]) {
        for key in table.foreignKeys {
            let column = key.columns.first
            if !sharedNames.contains(key.table.asciiLowercased) {
                refuse(
                    .parentNotShared, column,
                    "it refers to \(key.table), which is not shared: other devices would not show"
                        + " the row",
                    "add SyncedTable(\"\(key.table)\"), or remove the foreign key")
            } else if key.targets.count != key.columns.count {
                refuse(
                    .parentNotShared, column,
                    "it refers to \(key.table), which has no key of as many columns",
                    "name the columns: REFERENCES \(key.table)(…)")
            }
            if let parentKey = keys[key.table.asciiLowercased],
                key.targets.count == key.columns.count,
                Set(parentKey.map(\.asciiLowercased)) != Set(key.targets.map(\.asciiLowercased))
            {
                refuse(
                    .notPrimaryKey, column,
                    "it refers to other columns of \(key.table) than its primary key",
                    "refer to the primary key: REFERENCES \(key.table)")
            }
            guard !isIndexed(key.columns) else { continue }
            let list = key.columns.map(\.quotedDatabaseIdentifier).joined(separator: ", ")
            warn(
                .slowForeignKey, column,
                "no index begins with the columns of the foreign key, so each change of"
                    + " \(key.table) reads the whole table",
                "CREATE INDEX \("\(name)_\(key.columns.joined(separator: "_"))".quotedDatabaseIdentifier)"
                    + " ON \(name.quotedDatabaseIdentifier) (\(list))")
        }
    }

    /// Whether an index of all rows has these columns first, in whatever order.
    private func isIndexed(_ columns: [String]) -> Bool {
        let wanted = Set(columns.map(\.asciiLowercased))
        if table.stored.isKeyRowNumber, wanted == Set(table.stored.key.map(\.asciiLowercased)) {
            return true
        }
        return table.stored.indexes.contains { index in
            let first = index.terms.prefix(wanted.count).compactMap(\.column?.asciiLowercased)
            return index.condition == nil && Set(first) == wanted
        }
    }

    mutating func checkAcyclic() {
        for name in declaration.acyclic where column(name) != nil {
            let refersToItself = table.foreignKeys.contains { key in
                key.columns.count == 1 && key.columns[0].asciiLowercased == name.asciiLowercased
                    && key.table.asciiLowercased == table.stored.name.asciiLowercased
            }
            guard !refersToItself else { continue }
            refuse(
                .notSelfReference, name,
                "acyclic: is for a column that refers to rows of the same table",
                "add REFERENCES \(name.quotedDatabaseIdentifier), or remove acyclic:"
                    .replacing(name.quotedDatabaseIdentifier, with: self.name))
        }
    }
}
