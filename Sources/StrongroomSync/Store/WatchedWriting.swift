internal import StrongroomCore

/// Writes rows where the app has triggers of its own on shared tables, and puts back what they write to these.
///
/// 1. A row that triggers change is read before they do: where it was not, all is undone and begun again.
/// 2. What differs from what rows are to show is written once more, and triggers may react to it.
/// 3. What differs then is written without triggers.
struct WatchedWriting {
    private let db: Database
    private let space: SpaceSchema
    private let triggers: AppTriggers
    /// What rows are to show when all is done; nil for nothing.
    private var wanted: [RowID: [CellValue]?]
    /// The triggers that were against it, and were turned off.
    private(set) var overruled: Set<String> = []

    private enum Outcome {
        case written
        case refused(RowID)
        case unread([RowID])
    }

    /// How often it begins again, for triggers that change rows which other triggers have made known.
    private static let attemptLimit = 4

    init(
        _ db: Database, _ space: SpaceSchema, _ triggers: AppTriggers,
        _ wanted: [RowID: [CellValue]?]
    ) {
        self.db = db
        self.space = space
        self.triggers = triggers
        self.wanted = wanted
    }

    /// - Returns: A row that SQLite refuses; nil if all is written.
    mutating func run() throws -> RowID? {
        var attempts = 0
        while true {
            // Triggers may change other rows each time, or write what is in the way.
            let fires = attempts < Self.attemptLimit
            var outcome = Outcome.written
            try db.inSavepoint {
                outcome = try attempt(firing: fires)
                if case .written = outcome { return .commit }
                return .rollback
            }
            switch outcome {
            case .written: return nil
            case .refused(let row):
                guard fires else { return row }
                attempts = Self.attemptLimit
                continue
            case .unread(let rows):
                for row in rows {
                    wanted[row] = .some(try space.tables[row.table]?.values(of: row.key, db))
                }
            }
            attempts += 1
        }
    }

    private mutating func attempt(firing: Bool) throws -> Outcome {
        var written: [SpaceTable] = []
        for round in 0..<3 {
            var writing = RowWriting(db, triggers)
            for (row, values) in wanted.sorted(by: { $0.key.isBefore($1.key) }) {
                if let table = space.tables[row.table] { try writing.add(row, table, values) }
            }
            guard writing.count > 0 else { break }
            let tables = writing.tables
            var fires = firing && round < 2
            if !fires {
                overruled.formUnion(
                    triggers.names(on: round == 0 ? tables : written, changing: tables))
            } else {
                let rollbacks = triggers.namesOfRollbacks(on: tables)
                overruled.formUnion(rollbacks)
                fires = rollbacks.isEmpty
            }
            written = tables
            let (refused, rows) = try db.applyingWatchedChanges {
                fires ? try writing.run() : try db.withoutTriggers { try writing.run() }
            }
            overruled.formUnion(writing.overruled)
            if let refused { return .refused(refused) }
            let unread = try unread(rows)
            if !unread.isEmpty { return .unread(unread) }
        }
        return .written
    }

    /// The rows that triggers have changed, and that were there before in a form that is not known.
    private mutating func unread(_ rows: [NotedRow]) throws -> [RowID] {
        var unread: [RowID] = []
        for noted in rows {
            guard let table = space.table(captured: noted.table) else { continue }
            let row = RowID(table.number, RowKey(noted.key.map { CellValue($0) }))
            guard wanted[row] == nil else { continue }
            let isNew = noted.inserted != nil && noted.deleted == nil && noted.looked == nil
            if isNew, try !isShown(row) {
                wanted[row] = .some(nil)
            } else {
                unread.append(row)
            }
        }
        return unread
    }

    private func isShown(_ row: RowID) throws -> Bool {
        var isShown = false
        try db.forEachRow(
            """
            SELECT 1 FROM main.strongroom_sync_row
            WHERE tbl = ? AND "key" = ? AND (status & 14) = 14
            """, [.integer(Int64(row.table)), .blob(row.key.bytes)], columnCount: 0
        ) { _ in isShown = true }
        return isShown
    }
}
