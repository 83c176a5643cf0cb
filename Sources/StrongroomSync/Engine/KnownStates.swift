internal import StrongroomCore

/// What the journal has of rows: read once, then followed.
struct NotedRows: Sendable {
    private var rows: [RowName: NotedRow] = [:]
    private var last: Int64 = 0

    subscript(name: RowName) -> NotedRow? { rows[name] }

    /// Reads what was noted since the last call. No notes may have been removed meanwhile.
    mutating func update(_ db: Database) throws {
        let found = try Journal.rows(db, after: last)
        last = found.last
        for row in found.rows {
            let name = RowName(table: row.table, key: row.key.keyBytes)
            guard var known = rows[name] else {
                rows[name] = row
                continue
            }
            for note in row.notes { known.add(note) }
            rows[name] = known
        }
    }
}

/// What a scan compares the app's rows with.
struct KnownStates: KnownRows {
    private let db: Database
    private let space: SpaceSchema
    private let runs: RunTable?
    private let noted: NotedRows
    private let numbers: [Int: Int]

    init(
        _ db: Database, _ space: SpaceSchema, _ noted: NotedRows = NotedRows(),
        knowsCounters: Bool = false
    ) throws {
        self.db = db
        self.space = space
        self.noted = noted
        runs = knowsCounters ? try MergedRuns(db).numbers : nil
        numbers = Dictionary(
            uniqueKeysWithValues: space.tables.values.map { ($0.captured.number, $0.number) })
    }

    func hash(of key: [UInt8], in table: Int) throws -> UInt64? {
        guard let number = numbers[table] else { return nil }
        var hash: UInt64?
        try db.forEachRow(
            """
            SELECT hash FROM main.strongroom_sync_row
            WHERE tbl = ? AND "key" = ? AND (status & 14) = 14
            """, [.integer(Int64(number)), .blob(key)], columnCount: 1
        ) { if case .integer(let found) = $0[0] { hash = UInt64(bitPattern: found) } }
        return hash
    }

    func noted(_ key: [UInt8], in table: Int) -> NotedRow? {
        noted[RowName(table: table, key: key)]
    }

    func shownCounters(of key: [UInt8], in table: Int) throws -> [Int: Int64] {
        let notes = noted(key, in: table)
        guard let runs, let number = numbers[table], let table = space.tables[number],
            notes?.inserted == nil, notes?.deleted == nil
        else { return [:] }
        let merge = space.merge[number]
        let row = RowID(number, RowKey(bytes: key))
        guard merge.fields.contains(where: { $0.kind == .counter }),
            let state = try StateDecoder(db, space, runs).state(of: row), state.isAlive,
            let values = merge.mergedValues(of: row, state)
        else { return [:] }
        var counters: [Int: Int64] = [:]
        for (index, place) in merge.columns.enumerated() {
            guard case .field(let field, _) = place, merge.fields[field].kind == .counter,
                let position = table.positions[index], case .integer(let value) = values[index]
            else { continue }
            let change = notes?.differences[position]?.amount ?? 0
            counters[position] = Int64(exactly: Int128(value) + change)
        }
        return counters
    }

    func forEachShownKey(
        in table: Int, after last: [UInt8]?, limit: Int, _ body: ([CapturedValue]) throws -> Void
    ) throws {
        guard let number = numbers[table] else { return }
        try forEachShownKey(of: number, after: last, limit: limit) {
            try body($0.values.map(\.captured))
        }
    }

    /// - Parameter number: The number of a table in states.
    func forEachShownKey(
        of number: Int, after last: [UInt8]? = nil, limit: Int = .max,
        _ body: (RowKey) throws -> Void
    ) throws {
        try db.forEachRow(
            """
            SELECT "key" FROM main.strongroom_sync_row
            WHERE tbl = ? AND "key" > ? AND (status & 14) = 14 ORDER BY "key" LIMIT ?
            """,
            [.integer(Int64(number)), .blob(last ?? []), .integer(Int64(limit))], columnCount: 1
        ) { values in
            guard case .blob(let bytes) = values[0] else { return }
            try body(RowKey(bytes: bytes))
        }
    }
}
