internal import StrongroomCore

// Tables that are shared for the first time, slice by slice: each slice becomes a batch, and makes its rows known.

extension StoreSession {
    /// Takes the next rows of the tables that are scanned, with all that was noted.
    ///
    /// - Parameters:
    ///   - limit: How many rows are read at most.
    ///   - unit: With more notes than these, a part of them is taken, and no rows are read.
    ///   - isWhole: Whether all of the notes are taken then.
    /// - Returns: How many changes there were.
    func takeScannedRows(
        _ store: inout SyncStore, _ sealer: BatchSealer, now: Int64, limit: Int, unit: Int64,
        isWhole: Bool
    ) throws -> Int {
        guard let index = store.scans.firstIndex(where: { $0.progress.phase == .taking }) else {
            return 0
        }
        if try Journal.noteCount(db) > unit {
            return try takeLocalChanges(
                &store, sealer, now: now, limit: isWhole ? .max : limit
            ).count
        }
        var scan = store.scans[index]
        // Each counter of each row has a token.
        let counterCount = scan.captured.table.columns.count(where: \.isCounter)
        let limit = min(limit, CounterTokens.limit / max(counterCount, 1))
        var rows: [RowID] = []
        var count = 0
        try RowScan.forEachRow(
            db, scan.captured, after: scan.progress.last, limit: limit
        ) { row in
            count += 1
            scan.progress.last = row.key.keyBytes
            rows.append(RowID(scan.table, RowKey(row.key.map { CellValue($0) })))
        }
        scan.progress.rowCount += UInt64(count)
        if count < limit { scan.progress.phase = .taken }
        try scan.progress.save(db, number: scan.captured.number)
        let taken = try takeLocalChanges(&store, sealer, now: now, scanned: rows).count
        store.scans[index] = scan
        return max(taken, count)
    }

    /// Ends the scans: what others have written to the tables is shown now.
    func endScans(
        _ store: inout SyncStore, _ sealer: BatchSealer, now: Int64
    ) throws {
        if !store.isShown { try showAnew(&store, sealer, now: now) }
        for scan in store.scans {
            try Capture.didScan(db, scan.captured)
        }
        store.scans = []
    }

    /// Adds rows that no note names, as if they were inserted now: those that a scan has reached, and those to which any
    /// of the rows refers. Without its parents, a row would be taken from the app's table until the scan reaches them.
    func addUnscanned(
        _ scanned: [RowID], to found: inout Journal.Rows, _ scans: [TableScan],
        _ sealer: BatchSealer, now: Int64
    ) throws {
        let pending = Set(scans.filter { $0.progress.phase == .taking }.map(\.table))
        guard !pending.isEmpty else { return }
        for place in found.rows.indices {
            guard found.rows[place].inserted == nil, let row = row(found.rows[place]),
                pending.contains(row.table), try stored(row).status.level != .shown
            else { continue }
            try addAmounts(of: row, to: &found, at: place, sealer)
        }
        // What notes say of a row that is taken later would count twice.
        let noted = found.hasMore ? try Journal.rows(db).rows : found.rows
        var seen = Set(noted.compactMap { self.row($0) })
        var open = found.rows.compactMap { row($0) }
        for row in scanned where seen.insert(row).inserted {
            if try addUnscanned(row, to: &found, sealer, now) { open.append(row) }
        }
        while let row = open.popLast() {
            for parent in try parents(of: row, in: pending) where seen.insert(parent).inserted {
                if try addUnscanned(parent, to: &found, sealer, now) { open.append(parent) }
            }
        }
    }

    func row(_ noted: NotedRow) -> RowID? {
        space.table(captured: noted.table).map {
            RowID($0.number, RowKey(noted.key.map { CellValue($0) }))
        }
    }

    /// - Returns: Whether the row is there, and was not known.
    private func addUnscanned(
        _ row: RowID, to found: inout Journal.Rows, _ sealer: BatchSealer, _ now: Int64
    ) throws -> Bool {
        guard let table = space.tables[row.table], try stored(row).status.level != .shown,
            try table.values(of: row.key, db) != nil
        else { return false }
        let key = row.key.values.map(\.captured)
        var noted = NotedRow(table: table.captured.number, key: key)
        noted.add(Note(table: noted.table, key: key, kind: .insert, time: now))
        found.rows.append(noted)
        try addAmounts(of: row, to: &found, at: found.rows.count - 1, sealer)
        return true
    }

    /// Adds what the counters of a row had before notes were taken, under tokens that a copy of the file gives, too.
    private func addAmounts(
        of row: RowID, to found: inout Journal.Rows, at place: Int, _ sealer: BatchSealer
    ) throws {
        let merge = schema[row.table]
        guard merge.fields.contains(where: { $0.kind == .counter }),
            let table = space.tables[row.table], let values = try table.values(of: row.key, db)
        else { return }
        for (index, column) in merge.columns.enumerated() {
            guard case .field(let field, _) = column, merge.fields[field].kind == .counter,
                let position = table.positions[index], case .integer(let value) = values[index]
            else { continue }
            let noted = found.rows[place].differences[position]?.amount ?? 0
            guard let amount = Int64(exactly: Int128(value) - noted), amount != 0 else { continue }
            var bytes = sealer.identity.device.bytes
            bytes.append(counted: schema[row.table].name.utf8)
            bytes.append(counted: row.key.bytes)
            bytes.append(counted: merge.fields[field].name.utf8)
            let token = try ContentDigest.of(bytes).bytes.prefix(8).reduce(UInt64(0)) {
                $0 << 8 | UInt64($1)
            }
            found.additions[place, default: []].insert(
                NotedAddition(position: position, amount: amount, token: token), at: 0)
        }
    }

    /// The rows of some tables to which a row of the app refers.
    private func parents(of row: RowID, in tables: Set<Int>) throws -> [RowID] {
        let references = schema[row.table].references
        guard references.contains(where: { tables.contains($0.parent) }),
            let values = try space.tables[row.table]?.values(of: row.key, db)
        else { return [] }
        var found: [RowID] = []
        for reference in references where tables.contains(reference.parent) {
            let key = reference.columns.map { values[$0] }
            guard !key.contains(.null) else { continue }
            found += parents(named: key, in: reference.parent)
        }
        if let failure { throw failure }
        return found
    }
}
