internal import StrongroomCore
internal import Synchronization

extension SyncEngine {
    /// Reads how the device stands now.
    ///
    /// - Throws: `DatabaseError`.
    @discardableResult
    public func refreshStatus() async throws -> SyncStatus {
        let membership = membership
        let names = try membership.roster.devices.filter { $0.value.isReal && $0.value.isActive }
            .keys.map {
                ($0.hexadecimal, try membership.roster.name(of: $0, membership.keys) ?? "")
            }
        let counts = try await writer.read { try StoreCounts($0) }
        let offset = store.offset
        let required = isOutdated ? Int(membership.roster.minimumVersion) : nil
        change { status in
            status.devices = Dictionary(uniqueKeysWithValues: names)
            status.pendingChanges = counts.pendingChanges
            status.unsentBatches = counts.unsentBatches
            status.heldRows = counts.heldRows
            status.overruledTriggers = counts.overruledTriggers
            status.lostRows = counts.lostRows
            status.inexactCounters = counts.inexactCounters
            status.lastExchange = counts.lastExchange
            status.clockOffset = offset
            status.requiredAppVersion = required
        }
        return status
    }
}

/// Numbers that the file knows.
struct StoreCounts: Sendable {
    var pendingChanges: Int
    var unsentBatches: Int
    var heldRows: [String: Int] = [:]
    var overruledTriggers: [String]
    var lostRows: [String: Int]
    var inexactCounters: [String: Int]
    var lastExchange: Int64?

    init(_ db: Database) throws {
        pendingChanges = Int(try Journal.noteCount(db))
        unsentBatches =
            try Int.fetchOne(
                db, sql: "SELECT count(*) FROM main.strongroom_sync_outbox WHERE sent IS NULL") ?? 0
        lastExchange = try StoreSetting.lastExchange.integer(db)
        overruledTriggers = try AppTriggers.overruled(db)
        lostRows = try LostRows(db).counts
        inexactCounters = try InexactCounters.counts(db)
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT (status & 15) / 2, count(*) FROM main.strongroom_sync_row
                WHERE (status BETWEEN 2 AND 13 OR status > 15) AND (status & 14) < 14 GROUP BY 1
                """)
        for row in rows {
            let level: Int = row[0]
            if let level = RowStatus.Level(rawValue: UInt8(level)) {
                heldRows[level.reason] = row[1]
            }
        }
    }
}
