package import StrongroomCore
internal import StrongroomSchema

/// What a file says of its space, without an engine.
package struct SyncReport: Sendable {
    package struct HeldRow: Sendable {
        package var table: String
        /// The values of the key, as SQL shows them.
        package var key: [String]
        package var reason: String
    }

    package var space: String
    package var device: String
    package var deviceName: String
    /// The other devices, by their names.
    package var otherDevices: [String]
    package var hub: String?
    package var tables: [String]
    package var rowCount: Int
    package var pendingChanges: Int
    package var unsentBatches: Int
    package var heldRows: [String: Int]
    package var overruledTriggers: [String]
    package var clockOffset: Int64?
    package var lastExchange: Int64?
    /// What the last exchange found in the hub that does not count.
    package var findings: [SyncStatus.Finding]
    /// What the hub had lost of other devices' batches at the last exchange.
    package var missingBatches: [SyncStatus.MissingBatches]
    /// The devices that had merged the same and had another state.
    package var divergedDevices: [String]
    /// The tables that are not synchronised here, with the reasons.
    package var withheldTables: [String: String]
    /// The version of the app that the space waits for; nil if this one may send.
    package var requiredAppVersion: Int?
    /// The names of the devices, by their ids.
    package var names: [String: String]

    /// Nil if the file belongs to no space.
    package init?(_ db: Database) throws {
        guard let membership = try SpaceMembership.load(db) else { return nil }
        let (roster, keys) = (membership.roster, membership.keys)
        let own = membership.identity.device
        let counts = try StoreCounts(db)
        space = membership.space.hexadecimal
        device = own.hexadecimal
        deviceName = try roster.name(of: own, keys) ?? ""
        otherDevices = try roster.activeDevices.filter {
            $0 != own && roster.devices[$0]?.isReal == true
        }.map { try roster.name(of: $0, keys) ?? $0.hexadecimal }
        hub = try StoreSetting.hub.text(db)
        tables = try Capture.declarations(db).map(\.name)
        rowCount =
            try Int.fetchOne(
                db, sql: "SELECT count(*) FROM main.strongroom_sync_row WHERE (status & 14) = 14")
            ?? 0
        pendingChanges = counts.pendingChanges
        unsentBatches = counts.unsentBatches
        heldRows = counts.heldRows
        overruledTriggers = counts.overruledTriggers
        clockOffset = try StoreSetting.clockOffset.integer(db)
        lastExchange = counts.lastExchange
        let found = try HubFindings(db)
        findings = found.refused
        missingBatches = found.missing
        divergedDevices = found.diverged
        withheldTables = try WithheldTables.reasons(db)
        let version = try StoreSetting.appVersion.integer(db) ?? 0
        requiredAppVersion =
            roster.minimumVersion > version ? Int(roster.minimumVersion) : nil
        names = [:]
        for id in roster.devices.keys {
            names[id.hexadecimal] = try roster.name(of: id, keys)
        }
    }

    /// The rows that are merged and not shown.
    package static func heldRows(_ db: Database) throws -> [HeldRow] {
        let names = try SyncNames(db)
        var rows: [HeldRow] = []
        try db.forEachRow(
            """
            SELECT tbl, (status & 15) / 2, "key" FROM main.strongroom_sync_row
            WHERE (status BETWEEN 2 AND 13 OR status > 15) AND (status & 14) < 14 ORDER BY 1, 3
            """, [], columnCount: 3
        ) { values in
            guard case .integer(let table) = values[0], case .integer(let level) = values[1],
                case .blob(let key) = values[2], Int(table) < names.tables.count
            else { return }
            rows.append(
                HeldRow(
                    table: names.tables[Int(table)],
                    key: RowKey(bytes: key).values.map { "\($0.databaseValue)" },
                    reason: RowStatus.Level(rawValue: UInt8(level))?.reason ?? ""))
        }
        return rows
    }

    /// The rows with counters that may lack what a copy of the file has added.
    package static func inexactRows(_ db: Database) throws -> [HeldRow] {
        try InexactCounters.all(db).map { counter in
            HeldRow(
                table: counter.table, key: counter.key.values.map { "\($0.databaseValue)" },
                reason: "\(counter.column) may lack what a copy of the file has added")
        }
    }

    /// The tables that can be shared: those that hold the app's rows.
    package static func tableNames(_ db: Database) throws -> [String] {
        try SchemaReader(db).tables.filter { table in
            table.schema == "main" && table.kind == .table && !table.isInternal
                && !table.name.asciiLowercased.hasPrefix("strongroom_")
        }.map(\.name)
    }

    /// Takes a database out of its space: triggers and tables of synchronisation go, the rows stay.
    package static func detach(_ db: Database) throws {
        try Capture.remove(db)
    }
}
