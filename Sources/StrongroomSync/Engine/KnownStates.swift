internal import StrongroomCore

/// What a scan compares the app's rows with.
struct KnownStates: KnownRows {
    private let db: Database
    private let space: SpaceSchema
    private let runs: RunTable?
    /// What the journal has of rows, by their tables in notes and their keys.
    private let noted: [RowName: NotedRow]
    private let numbers: [Int: Int]

    init(_ db: Database, _ space: SpaceSchema, knowsCounters: Bool = false) throws {
        self.db = db
        self.space = space
        runs = knowsCounters ? try MergedRuns(db).numbers : nil
        let rows = knowsCounters ? try Journal.rows(db).rows : []
        noted = Dictionary(
            uniqueKeysWithValues: rows.map {
                (RowName(table: $0.table, key: $0.key.keyBytes), $0)
            })
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

    func shownCounters(of key: [UInt8], in table: Int) throws -> [Int: Int64] {
        let notes = noted[RowName(table: table, key: key)]
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
        in table: Int, _ body: ([CapturedValue]) throws -> Void
    ) throws {
        guard let number = numbers[table] else { return }
        try forEachShownKey(of: number) { try body($0.values.map(\.captured)) }
    }

    /// - Parameter number: The number of a table in states.
    func forEachShownKey(of number: Int, _ body: (RowKey) throws -> Void) throws {
        try db.forEachRow(
            """
            SELECT "key" FROM main.strongroom_sync_row WHERE tbl = ? AND (status & 14) = 14
            """, [.integer(Int64(number))], columnCount: 1
        ) { values in
            guard case .blob(let bytes) = values[0] else { return }
            try body(RowKey(bytes: bytes))
        }
    }
}
