internal import StrongroomCore

/// What two copies of a file have added to counters under one run: of two entries that differ, one is kept.
struct ForkedCounters {
    private struct Place: Hashable {
        let row: RowID
        let field: Int
    }

    private let run: Run
    /// What was merged before, and what the hub has last.
    private var entries: [Place: (own: CounterEntry?, hubs: CounterEntry)] = [:]

    init(_ run: Run) {
        self.run = run
    }

    mutating func note(_ change: RowChange, _ state: RowState?) {
        for entry in change.state.counters where entry.run == run {
            let place = Place(row: change.row, field: entry.field)
            let own = state?.counters.first { $0.field == entry.field && $0.run == run }
            entries[place] = (entries[place].map(\.own) ?? own, entry)
        }
    }

    /// The counters whose sums may lack what one of both has added.
    var inexact: [(row: RowID, field: Int)] {
        entries.filter { $0.value.own != nil && $0.value.own != $0.value.hubs }
            .map { ($0.key.row, $0.key.field) }
    }
}

/// The counters that may lack something, as the file keeps them.
enum InexactCounters {
    static func add(_ counters: [(row: RowID, field: Int)], _ db: Database) throws {
        for (row, field) in counters {
            try db.run(
                """
                INSERT OR IGNORE INTO main.strongroom_sync_inexact (tbl, "key", field)
                VALUES (?, ?, ?)
                """, [.integer(Int64(row.table)), .blob(row.key.bytes), .integer(Int64(field))])
        }
    }

    /// How many there are, by the first names of table and column.
    static func counts(_ db: Database) throws -> [String: Int] {
        var counts: [String: Int] = [:]
        for row in try all(db) { counts["\(row.table).\(row.column)", default: 0] += 1 }
        return counts
    }

    static func all(_ db: Database) throws -> [(table: String, column: String, key: RowKey)] {
        // Files of earlier versions do not have the table before an engine has opened them.
        guard try db.tableExists("strongroom_sync_inexact") else { return [] }
        let names = try SyncNames(db)
        var found: [(table: String, column: String, key: RowKey)] = []
        try db.forEachRow(
            "SELECT tbl, field, \"key\" FROM main.strongroom_sync_inexact ORDER BY 1, 3, 2", [],
            columnCount: 3
        ) { values in
            guard case .integer(let table) = values[0], case .integer(let field) = values[1],
                case .blob(let key) = values[2], Int(table) < names.tables.count,
                Int(field) < names.fields[Int(table)].count
            else { return }
            found.append(
                (
                    names.tables[Int(table)], names.fields[Int(table)][Int(field)],
                    RowKey(bytes: key)
                ))
        }
        return found
    }
}
