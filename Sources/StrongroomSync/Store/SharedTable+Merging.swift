internal import StrongroomCore
internal import StrongroomSchema

// From the schema of a table to what merge and projection know of it.

extension SharedTable {
    /// A foreign key with its columns in the order of the parent's key.
    struct SharedReference {
        let key: StoredTable.ForeignKey
        let columns: [String]
        let collations: [String]
    }

    /// The foreign keys to shared tables.
    func sharedReferences(_ parents: (String) -> StoredTable?) -> [SharedReference] {
        foreignKeys.compactMap { key in
            guard let parent = parents(key.table) else { return nil }
            var columns: [String] = []
            for part in parent.key {
                guard
                    let index = key.targets.firstIndex(where: {
                        $0.asciiLowercased == part.asciiLowercased
                    })
                else { return nil }
                columns.append(key.columns[index])
            }
            guard columns.count == key.columns.count else { return nil }
            let index = parent.indexes.first(where: \.isPrimaryKey)
            let collations = parent.key.map { part in
                index?.terms.first { $0.column?.asciiLowercased == part.asciiLowercased }?.collation
                    ?? "BINARY"
            }
            return SharedReference(key: key, columns: columns, collations: collations)
        }
    }

    /// The indexes that keep rows apart which the merge takes for different.
    var mergedIndexes: [StoredTable.Index] {
        stored.indexes.filter { $0.isUnique && (!$0.isPrimaryKey || !stored.isKeyExact) }
    }

    /// The names of the fields on the wire, with the places of their columns in ``columns``.
    ///
    /// A group is known by the first of its columns, in brackets: so it keeps its name when columns are added.
    var wireFields: [(name: String, columns: [Int], isGroup: Bool)] {
        let grouped = Set(groups.flatMap(\.self))
        let single = columns.indices.filter { !grouped.contains($0) }.map {
            (name: columns[$0].wireName, columns: [$0], isGroup: false)
        }
        return single
            + groups.map { group in
                let names = group.map { columns[$0].wireName }
                let first = names.min { $0.precedesByBytes($1) } ?? ""
                return (name: "(\(first))", columns: group, isGroup: true)
            }
    }

    /// The table for the merge.
    ///
    /// - Parameters:
    ///   - names: The names of the fields by their numbers; those that the table does not have stay numbers of fields
    ///     that only others know.
    ///   - constant: The value of a default that is always the same; nil for any other.
    ///   - parent: The number of a table by its name in the file, and the table.
    func mergeTable(
        fields names: [String], constant: (Column, String) throws -> CellValue?,
        parent: (String) -> (number: Int, table: StoredTable)?
    ) throws -> MergeTable {
        let known = wireFields
        let fields = try names.map { name -> MergeField in
            guard let field = known.first(where: { $0.name.hasSameBytes(as: name) }) else {
                return MergeField(unknown: name)
            }
            let columns = try field.columns.map { try mergeColumn($0, constant) }
            if field.isGroup { return MergeField(group: name, columns) }
            return MergeField(columns[0], self.columns[field.columns[0]].kind)
        }
        let key = zip(keyWireNames, stored.key).map { wire, _ in
            MergeColumn(wire, isNullable: false)
        }
        let bare = MergeTable(wireName, key: key, fields: fields)
        func number(_ name: String) -> Int? {
            if let part = stored.key.firstIndex(where: {
                $0.asciiLowercased == name.asciiLowercased
            }) {
                return part
            }
            return index(of: name).flatMap { bare.column(named: columns[$0].wireName) }
        }
        let shared = sharedReferences { parent($0)?.table }
        let references = try shared.compactMap { reference -> Reference? in
            guard let parent = parent(reference.key.table) else { return nil }
            let action = try action(of: reference, constant)
            return Reference(
                reference.columns.compactMap(number), parent: parent.number, action,
                isNeeded: isNeeded(reference, action))
        }
        let uniques = mergedIndexes.map { index in
            let plain = index.terms.compactMap { $0.column.flatMap(number) }
            let isPlain = plain.count == index.terms.count
            let asked = index.terms.filter { $0.column == nil }.map(\.sql) + [index.condition ?? ""]
            let others = stored.names(in: asked).compactMap(number)
            return UniqueSet(
                plain, others: isPlain && index.condition == nil ? [] : others.sorted())
        }
        return MergeTable(
            wireName, key: key, fields: fields, references: references, uniques: uniques,
            acyclic: acyclic(shared), editWins: declaration.onConflictingDelete == .editWins)
    }

    private func mergeColumn(
        _ place: Int, _ constant: (Column, String) throws -> CellValue?
    ) throws -> MergeColumn {
        let column = columns[place]
        var absent: CellValue?
        if let sql = column.absentSQL ?? column.defaultSQL { absent = try constant(column, sql) }
        if absent?.isNull == true, column.isNotNull { absent = nil }
        return MergeColumn(
            column.wireName, isNullable: !column.isNotNull, absent: absent,
            isComputedIfAbsent: column.absentSQL.map { !stored.names(in: [$0]).isEmpty } ?? false,
            clamp: column.clamp)
    }

    private func action(
        of reference: SharedReference, _ constant: (Column, String) throws -> CellValue?
    ) throws -> Reference.Action {
        switch reference.key.onDelete.asciiLowercased {
        case "cascade": return .cascade
        case "set null": return .setNull
        case "set default":
            return .setDefault(
                try reference.columns.map { name in
                    guard let place = index(of: name), let sql = columns[place].defaultSQL else {
                        return .null
                    }
                    return try constant(columns[place], sql) ?? .null
                })
        default: return .restrict
        }
    }

    /// Whether what would be shown instead of the parent cannot be.
    private func isNeeded(_ reference: SharedReference, _ action: Reference.Action) -> Bool {
        let names = Set(reference.columns.map(\.asciiLowercased))
        let conditions = stored.indexes.flatMap { index in
            index.terms.filter { $0.column == nil }.map(\.sql) + [index.condition ?? ""]
        }
        let isAsked =
            stored.checkedColumns.contains { !$0.isDisjoint(with: names) }
            || !stored.names(in: conditions).map(\.asciiLowercased).allSatisfy {
                !names.contains($0)
            }
            || !Set(stored.key.map(\.asciiLowercased)).isDisjoint(with: names)
        let refusesNull = columns.contains {
            names.contains($0.name.asciiLowercased) && $0.isNotNull
        }
        let isUnique = stored.indexes.contains { index in
            index.isUnique
                && index.terms.contains { names.contains($0.column?.asciiLowercased ?? "") }
        }
        if case .setDefault(let values) = action {
            return isAsked || isUnique || (refusesNull && values.contains(.null))
        }
        return isAsked || refusesNull
    }

    private func acyclic(_ references: [SharedReference]) -> Acyclic? {
        guard let name = declaration.acyclic.first?.asciiLowercased,
            let index = references.firstIndex(where: {
                $0.columns.map(\.asciiLowercased) == [name]
                    && $0.key.table.asciiLowercased == stored.name.asciiLowercased
            })
        else { return nil }
        let holds =
            columns.contains { $0.name.asciiLowercased == name && $0.isNotNull }
            || stored.checkedColumns.contains { $0.contains(name) }
        return Acyclic(reference: index, cutHolds: holds)
    }
}

extension SharedTable.Column {
    var kind: MergeField.Kind {
        switch merge {
        case .sum: .counter
        case .maximum: .maximum
        case .minimum: .minimum
        default: .latest
        }
    }
}
