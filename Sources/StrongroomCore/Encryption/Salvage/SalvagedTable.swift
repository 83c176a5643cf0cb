/// A table of the new file, as the rows of the old one are written into it.
struct SalvagedTable {
    let name: String
    let root: UInt32
    let isWithoutRowID: Bool
    /// The columns in the order of a stored record: what they are called, and whether a value can be
    /// given.
    private let columns: [(name: String, isGenerated: Bool)]
    /// The place of the column that is the row's number, in the record.
    private let rowIDColumn: Int?
    /// What the row's number is called, where no column is it.
    private let rowIDName: String?

    /// How many values a record has that was written since the last column was added.
    var columnCount: Int { columns.count }

    init(_ item: StoredSchema.Item, in database: Database) throws {
        name = item.name
        root = item.root
        let rows = try Row.fetchAll(
            database,
            sql: "SELECT name, hidden, pk, upper(type) FROM pragma_table_xinfo(?, 'main')",
            arguments: [name])
        isWithoutRowID =
            try Int.fetchOne(
                database,
                sql: "SELECT wr FROM pragma_table_list WHERE schema = 'main' AND name = ?",
                arguments: [name]) == 1
        let hasKeyIndex =
            try Int.fetchOne(
                database,
                sql: "SELECT count(*) FROM pragma_index_list(?, 'main') WHERE origin = 'pk'",
                arguments: [name]) ?? 0 > 0
        // A virtual generated column is not stored.
        var stored = rows.filter { ($0[1] as Int) != 2 }
        if isWithoutRowID {
            let key = stored.filter { ($0[2] as Int) > 0 }
                .sorted { ($0[2] as Int) < ($1[2] as Int) }
            stored = key + stored.filter { ($0[2] as Int) == 0 }
        }
        columns = stored.map { ($0[0], ($0[1] as Int) == 3) }
        let keys = stored.indices.filter { (stored[$0][2] as Int) > 0 }
        let isAlias =
            !isWithoutRowID && !hasKeyIndex && keys.count == 1
            && (stored[keys[0]][3] as String) == "INTEGER"
        rowIDColumn = isAlias ? keys[0] : nil
        let names = rows.map { ($0[0] as String).lowercased() }
        rowIDName =
            isWithoutRowID || isAlias
            ? nil : ["rowid", "_rowid_", "oid"].first { !names.contains($0) }
    }

    /// Takes the values of a record that has some of the columns, with the row's number in front if
    /// it has a name; columns that were added later get their default.
    func insertion(valueCount: Int) -> String {
        let names = (rowIDName.map { [$0] } ?? []) + taken(valueCount).map { columns[$0].name }
        guard !names.isEmpty else {
            return "INSERT INTO main.\(name.quotedDatabaseIdentifier) DEFAULT VALUES"
        }
        return """
            INSERT OR ABORT INTO main.\(name.quotedDatabaseIdentifier) \
            (\(names.map(\.quotedDatabaseIdentifier).joined(separator: ", "))) \
            VALUES (\(Array(repeating: "?", count: names.count).joined(separator: ", ")))
            """
    }

    /// The values that the insertion takes; nil for a record that is none of this table.
    func arguments(_ entry: TreeReader.Entry) -> [StoredValue]? {
        let values = entry.record.values
        guard values.count <= columns.count, (entry.rowID == nil) == isWithoutRowID else {
            return nil
        }
        var arguments: [StoredValue] = []
        if rowIDName != nil, let rowID = entry.rowID { arguments.append(.integer(rowID)) }
        for index in taken(values.count) {
            if index == rowIDColumn, let rowID = entry.rowID {
                arguments.append(.integer(rowID))
            } else {
                arguments.append(values[index])
            }
        }
        return arguments
    }

    /// Whether a record could be one of this table, as far as its form tells.
    func mayHave(_ entry: TreeReader.Entry) -> Bool {
        guard let arguments = arguments(entry), !arguments.isEmpty else { return false }
        guard let rowIDColumn, rowIDColumn < entry.record.values.count else { return true }
        // The number of the row stands in front of the record, not in it.
        return entry.record.values[rowIDColumn] == .null
    }

    private func taken(_ valueCount: Int) -> [Int] {
        columns.indices.filter { $0 < valueCount && !columns[$0].isGenerated }
    }
}
