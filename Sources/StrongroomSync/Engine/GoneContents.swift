internal import StrongroomCore
internal import StrongroomEssentials

/// What was in columns and tables that the app has dropped: the file does not have it any more, only who wrote it.
///
/// 1. As long as something is gone, this device writes no snapshots: who begins with one would never get it.
/// 2. When the app has the columns and tables again, a snapshot of another device brings back what was in them.
struct GoneContents: Sendable {
    /// What was merged when it went; nil if nothing is gone.
    private(set) var vector: Vector?

    init(_ db: Database) throws {
        guard let bytes = try StoreSetting.goneContents.bytes(db) else { return }
        do {
            var reader = ObjectReader(bytes)
            vector = try reader.vector()
        } catch {
            throw SyncError.damagedStore("what was dropped")
        }
    }

    /// Notes what the app has dropped since the last start.
    static func note(_ db: Database, _ captured: [CapturedTable], _ merged: Vector) throws {
        var dropped = try Set(
            String.fetchAll(
                db,
                sql: """
                    SELECT t.wire FROM main.strongroom_sync_table AS t WHERE NOT EXISTS (
                        SELECT 1 FROM main.sqlite_master AS m
                        WHERE m.type = 'table' AND m.name = t.name COLLATE NOCASE)
                    """))
        for wire in dropped {
            // What was shown of it is not there to be compared with: its rows were not deleted one by one.
            try db.execute(
                sql: """
                    UPDATE main.strongroom_sync_row SET status = 0, hash = NULL
                    WHERE tbl = (SELECT tbl FROM main.strongroom_sync_name WHERE field = -1 AND name = ?)
                        AND status > 0
                    """, arguments: [wire])
        }
        for table in captured {
            let wires = Set(table.table.columns.map(\.wireName))
            let known = try String.fetchAll(
                db, sql: "SELECT wire FROM main.strongroom_sync_column WHERE number = ?",
                arguments: [table.number])
            for wire in known where !wires.contains(wire) {
                dropped.insert("\(table.table.wireName).\(wire)")
            }
        }
        let list = dropped.sorted().joined(separator: "\n")
        let old = try StoreSetting.dropped.text(db) ?? ""
        guard list != old else { return }
        try StoreSetting.dropped.set(db, list)
        guard !dropped.subtracting(old.split(separator: "\n").map(String.init)).isEmpty else {
            return
        }
        var vector = try GoneContents(db).vector ?? Vector()
        vector.join(merged)
        var bytes: [UInt8] = []
        bytes.append(vector)
        try StoreSetting.goneContents.set(db, bytes: bytes)
    }
}

extension SyncEngine {
    /// Gets back what was in columns and tables that the app has dropped and has again, if another device has written it
    /// as a snapshot.
    func regainContents(_ summary: inout SyncSummary) async throws {
        guard let gone = goneContents.vector, store.space.isComplete else { return }
        for snapshot in try await snapshots()
        where snapshot.header.start.device != membership.identity.device {
            let vector = snapshot.manifest.vector
            guard vector.covers(gone), vector.covers(store.floor.passed),
                try await canMerge(snapshot.manifest)
            else { continue }
            if vector[store.run] > store.runs.vector[store.run] { throw Copied(sign: .others) }
            guard try await mergeCounting(snapshot, &summary) else { continue }
            try await writer.write { try StoreSetting.goneContents.remove($0) }
            goneContents = try await writer.read { try GoneContents($0) }
            return
        }
    }
}
