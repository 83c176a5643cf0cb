internal import StrongroomCore

// What a trigger of updates asks of the columns of its table.

extension StoredTable {
    /// What SQLite does with the values of a column; nil for one that the table does not have.
    package func affinity(of column: String) -> ColumnAffinity? {
        columns.first { $0.name.asciiLowercased == column.asciiLowercased }.map {
            ColumnAffinity(declared: $0.type, isStrict: isStrict)
        }
    }

    /// The condition that a column has another value or storage class, in a trigger of updates.
    ///
    /// 1 and 1.0 are equal, and so are texts by most collations. Where the affinity of the column
    /// turns 1.0 into 1, or 1 into 1.0, equal values have one storage class.
    package func changeSQL(of column: String) -> String {
        let name = column.quotedDatabaseIdentifier
        let (old, new) = ("\"old\".\(name)", "\"new\".\(name)")
        let values = "\(old) IS NOT \(new) COLLATE BINARY"
        switch affinity(of: column) {
        case nil, .integer, .real, .text, .numeric: return values
        case .some(.blob), .some(.none): return "\(values) OR typeof(\(old)) <> typeof(\(new))"
        }
    }

    /// The condition that one of several columns has; `0` for no columns.
    ///
    /// The parentheses keep the depth of the expression small: SQLite refuses more than 1,000.
    package func changeSQL(ofAny columns: [String]) -> String {
        guard columns.count > 16 else {
            let terms = columns.map(changeSQL(of:))
            return terms.isEmpty ? "0" : "(\(terms.joined(separator: " OR ")))"
        }
        let half = columns.count / 2
        let parts = [Array(columns[..<half]), Array(columns[half...])]
        return "(\(parts.map(changeSQL(ofAny:)).joined(separator: " OR ")))"
    }

    /// Whether the key is another name of the row number, which `UPDATE` also knows as `rowid`.
    package var isKeyRowNumber: Bool {
        guard !isWithoutRowID, key.count == 1 else { return false }
        return columns.contains {
            $0.name.asciiLowercased == key[0].asciiLowercased
                && $0.type.asciiLowercased == "integer"
        }
    }

    /// Whether keys that the table takes for equal are equal byte by byte.
    ///
    /// With a collation, or in a column that keeps 1 and 1.0 apart, they may differ.
    package var isKeyExact: Bool {
        guard !isKeyRowNumber else { return true }
        guard let index = indexes.first(where: \.isPrimaryKey) else { return false }
        return index.terms.allSatisfy { term in
            guard let column = term.column, term.collation.asciiLowercased == "binary" else {
                return false
            }
            switch affinity(of: column) {
            case .integer, .real, .text, .numeric: return true
            case nil, .some(.blob), .some(.none): return false
            }
        }
    }
}
