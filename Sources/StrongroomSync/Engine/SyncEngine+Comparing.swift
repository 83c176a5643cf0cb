internal import StrongroomCore

// Two devices that should have the same, and do not: which rows?

/// What comparing with another device found.
package struct SyncComparison: Sendable, Hashable {
    /// How the rows of a table differ.
    package struct Table: Sendable, Hashable {
        /// The first name of the table.
        package var table: String
        /// Rows that both have merged with other results.
        package var otherCount = 0
        package var onlyHereCount = 0
        package var onlyThereCount = 0

        package var differs: Bool { otherCount + onlyHereCount + onlyThereCount > 0 }
    }

    /// The name of the other device.
    package var device: String
    /// The tables that differ; nil if the hub has nothing of the other device to compare with.
    package var tables: [Table]?
    /// How many rows were compared.
    package var rowCount = 0
}

extension SyncEngine {
    /// Compares what is merged here with what another device has, row by row.
    ///
    /// Both write their states as snapshots; so it has to be done on the other device first, when both have merged the same.
    ///
    /// - Parameter name: The name of the other device, or the beginning of its id.
    package func compare(with name: String) async throws -> SyncComparison {
        try await exclusively {
            try await updateRoster()
            let device = try device(named: name)
            try await takeLocalChanges()
            let all = try await snapshots().filter {
                $0.manifest.vector == store.runs.vector
                    && $0.manifest.floor.number == store.floor.number
            }
            let own = membership.identity.device
            if !all.contains(where: { $0.header.start.device == own }) {
                var summary = SyncSummary()
                try await publishSnapshot(&summary)
            }
            var found = SyncComparison(
                device: try membership.roster.name(of: device, membership.keys) ?? name)
            guard let theirs = all.first(where: { $0.header.start.device == device }) else {
                return found
            }
            found.tables = try await compare(theirs, &found.rowCount).filter(\.differs)
            return found
        }
    }

    private func device(named name: String) throws -> DeviceID {
        let roster = membership.roster
        let all = roster.activeDevices.filter {
            $0 != membership.identity.device && roster.devices[$0]?.isReal == true
        }
        let matching = try all.filter {
            try roster.name(of: $0, membership.keys) == name
                || name.utf8.count >= 4 && $0.hexadecimal.hasPrefix(name)
        }
        guard let device = matching.first, matching.count == 1 else {
            throw SyncError(
                .notMember, membership.space.hexadecimal,
                matching.isEmpty
                    ? "the space has no other device of this name"
                    : "the space has several devices of this name",
                hint: "strongroom sync status lists them; an id can take the place of a name")
        }
        return device
    }

    private func compare(
        _ snapshot: KnownSnapshot, _ rowCount: inout Int
    ) async throws -> [SyncComparison.Table] {
        var reader = try SnapshotReader(
            snapshot.manifest, snapshot.header, key: snapshot.key)
        let (space, runs) = (store.space, store.runs)
        var schema = space.merge
        var tables = schema.tables.map { SyncComparison.Table(table: $0.name) }
        var matched = [Int](repeating: 0, count: tables.count)
        while let name = try reader.nextName {
            let bytes = try await hub.get(name.text(in: membership.space))
            for block in try reader.open(bytes) {
                let rows = try reader.decode(block, &schema)
                while tables.count < schema.tables.count {
                    tables.append(SyncComparison.Table(table: schema.tables[tables.count].name))
                    matched.append(0)
                }
                let own = try await writer.read { db in
                    let decoder = StateDecoder(db, space, runs.numbers)
                    return try rows.map { try decoder.state(of: $0.row) }
                }
                for (row, state) in zip(rows, own) {
                    rowCount += 1
                    let table = row.row.table
                    guard let state else {
                        tables[table].onlyThereCount += 1
                        continue
                    }
                    matched[table] += 1
                    if state != row.state { tables[table].otherCount += 1 }
                }
            }
        }
        try reader.finish()
        let counts = try await writer.read { db in
            try Row.fetchAll(
                db, sql: "SELECT tbl, count(*) FROM main.strongroom_sync_row GROUP BY tbl"
            ).map { ($0[0] as Int, $0[1] as Int) }
        }
        for (table, count) in counts where table < tables.count {
            tables[table].onlyHereCount = count - matched[table]
        }
        return tables
    }
}

extension StateDecoder {
    /// The state of a row; nil if there is none.
    func state(of row: RowID) throws -> RowState? {
        var found: RowState?
        try db.cachedStatement(
            sql: "SELECT status, state FROM main.strongroom_sync_row WHERE tbl = ? AND \"key\" = ?"
        ).forEachRow([.integer(Int64(row.table)), .blob(row.key.bytes)]) { statement in
            guard case .integer(let number) = CapturedValue(statement, 0),
                case .blob(let bytes) = CapturedValue(statement, 1)
            else { throw SyncError.damagedStore("a merged row") }
            found = try state(bytes, of: row, RowStatus(stored: number))
        }
        return found
    }
}
