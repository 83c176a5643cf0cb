internal import StrongroomCore

/// What one transaction of the engine reads and changes of merged states.
///
/// 1. States are read before the rows that they leave values to are written.
/// 2. `touched` has each row that changed since the last projection, as it was before.
/// 3. A row whose merged values are not those in the app's table is in `shadow`, or is touched.
/// 4. Nothing is kept from one transaction to the next but what ``SyncStore`` takes over.
final class StoreSession {
    let db: Database
    var space: SpaceSchema
    var runs: MergedRuns
    var shadow: RowShadow
    /// The last floor that was applied: what comes is cleared by it.
    var floor: Floor
    /// The bytes of the batches that this transaction has made or merged.
    var logByteCount: Int64 = 0
    /// Whether changes of others were merged.
    var hasMerged = false
    /// Whether states have changed since the last projection, which the digest follows.
    var isPending = false
    /// The tables whose rows are not all known yet.
    let scans: [TableScan]
    /// Whether something is merged in part.
    let isBetween: Bool
    private var keeper: DigestKeeper?
    var touched: [RowID: RowState?] = [:]
    /// Rows whose life a merge has ended or replaced, as they lived.
    var bringingBack: [RowID: RowState] = [:]
    /// Those of them that somebody has ended who may not have seen all that this device wrote.
    var endedUnseen: Set<RowID> = []
    /// What the author of the changes that are being merged had merged; nil if that is not known.
    var seenByAuthor: Vector?
    /// The tables to which foreign keys refer that restrict deletions.
    lazy var restrictedTables = Set(
        schema.tables.flatMap(\.references).filter { $0.action == .restrict }.map(\.parent))
    /// Rows that SQLite has refused, though the projection shows them.
    var rejected: Set<RowID> = []
    /// The first error that the projection met, whose calls cannot throw.
    var failure: (any Error)?
    private var current: [RowID: RowState?] = [:]
    private var loaded: [RowID: Loaded] = [:]
    /// The rows of which all notes are taken; nil if no others have notes.
    var writable: Set<RowID>?
    private var touchedTables: Set<Int> = []
    private var unreached: Set<Int>?

    struct Loaded {
        var status = RowStatus()
        var state: RowState?
    }

    init(_ db: Database, _ store: SyncStore) throws {
        self.db = db
        space = store.space
        runs = store.runs
        shadow = store.shadow
        floor = store.floor
        scans = store.scans
        isBetween = store.isBetween
        keeper = try store.digest.map { try DigestKeeper(digest: $0) }
        if try shadow.prepare(db, space) { try fillShadow() }
    }

    private func fillShadow() throws {
        for table in space.tables.values where RowShadow.isNeeded(table) {
            var rows: [RowID] = []
            try db.forEachRow(
                """
                SELECT "key" FROM main.strongroom_sync_row
                WHERE tbl = ? AND (status BETWEEN 2 AND 13 OR status > 15)
                """, [.integer(Int64(table.number))], columnCount: 1
            ) {
                if case .blob(let key) = $0[0] {
                    rows.append(RowID(table.number, RowKey(bytes: key)))
                }
            }
            for row in rows {
                let state = try stored(row).state
                loaded[row] = nil
                let merged = mergedRow(row, state)
                try shadow.set(row, merged?.values, in: table, db)
            }
        }
    }

    var schema: MergeSchema { space.merge }

    // MARK: - States

    /// The row as it was when it was last saved; what is elided is read from the app's row.
    func stored(_ row: RowID) throws -> Loaded {
        if let known = loaded[row] { return known }
        var status: Int64 = 0
        var bytes: [UInt8]?
        try db.cachedStatement(
            sql: "SELECT status, state FROM main.strongroom_sync_row WHERE tbl = ? AND \"key\" = ?"
        ).forEachRow([.integer(Int64(row.table)), .blob(row.key.bytes)]) { statement in
            if case .integer(let number) = CapturedValue(statement, 0) { status = number }
            if case .blob(let found) = CapturedValue(statement, 1) { bytes = found }
        }
        var found = Loaded()
        if let bytes {
            found.status = try RowStatus(stored: status)
            let decoder = StateDecoder(db, space, runs.numbers)
            found.state = try decoder.state(bytes, of: row, found.status)
        }
        loaded[row] = found
        return found
    }

    func currentState(of row: RowID) throws -> RowState? {
        if let state = current[row] { return state }
        return try stored(row).state
    }

    /// Merges a change.
    func merge(_ change: RowChange) throws {
        let row = change.row
        let old = try currentState(of: row)
        guard let state = change.state.cleared(below: floor.passed) else { return }
        if let old { try noteLiving(row, old, before: state) }
        guard var new = old else { return set(row, state, from: nil) }
        guard new.merge(state).kind != .nothing else { return }
        set(row, new, from: old)
    }

    /// Puts a state in place of another.
    func set(_ row: RowID, _ state: RowState?, from old: RowState?) {
        if touched[row] == nil { touched[row] = .some(old) }
        touchedTables.insert(row.table)
        current[row] = .some(state)
        isPending = true
    }

    /// Has a row shown anew, though its state is the same.
    func touch(_ row: RowID) throws {
        guard touched[row] == nil else { return }
        let state = try currentState(of: row)
        touched[row] = .some(state)
        touchedTables.insert(row.table)
        current[row] = .some(state)
    }

    /// Whether a scan has not reached a table yet, so that no row of it is known.
    func isUnreached(_ table: Int) throws -> Bool {
        guard !scans.isEmpty, !touchedTables.contains(table) else { return false }
        if let unreached { return unreached.contains(table) }
        let found = try scans.filter { scan in
            try scan.progress.last == nil
                && Bool.fetchOne(
                    db,
                    sql: "SELECT NOT EXISTS (SELECT 1 FROM main.strongroom_sync_row WHERE tbl = ?)",
                    arguments: [scan.table]) == true
        }
        unreached = Set(found.map(\.table))
        return unreached?.contains(table) == true
    }

    // MARK: - Digest

    /// The digest of what was saved.
    var digest: StateDigest? { keeper?.digest }

    /// The digest at the vector; nil if the state is not that of the vector.
    var settledDigest: StateDigest? { isPending || isBetween ? nil : digest }

    /// Follows a row that is saved.
    func followDigest(_ row: RowID, _ state: RowState?) throws {
        guard let old = touched[row], old != state else { return }
        try keeper?.follow(row, in: schema[row.table], from: old, to: state)
    }

    /// Takes over what the last projection made of a row.
    func settle(_ row: RowID, _ status: RowStatus, _ state: RowState?) {
        loaded[row] = Loaded(status: status, state: state)
        current[row] = nil
    }

    /// All rows of a table, with their states.
    func rowIDs(in table: Int, atLeast level: RowStatus.Level = .absent) throws -> [RowID] {
        var keys: [RowID] = []
        try db.forEachRow(
            "SELECT \"key\" FROM main.strongroom_sync_row WHERE tbl = ? AND status >= ?",
            [.integer(Int64(table)), .integer(Int64(level.rawValue) * 2)], columnCount: 1
        ) { values in
            if case .blob(let bytes) = values[0] { keys.append(RowID(table, RowKey(bytes: bytes))) }
        }
        return keys
    }

    func attempt<T>(_ fallback: T, _ body: () throws -> T) -> T {
        do { return try body() } catch {
            if failure == nil { failure = error }
            return fallback
        }
    }
}

extension RowStatus {
    /// The number that files keep.
    ///
    /// - Parameter isSubstituted: Whether the visible row shows something else than the merged values.
    func stored(isSubstituted: Bool) -> Int64 {
        Int64(level.rawValue) * 2 + (isCut ? 1 : 0) + (isSubstituted ? 16 : 0)
    }

    init(stored number: Int64) throws {
        guard (0...31).contains(number), let level = Level(rawValue: UInt8(number & 15) / 2) else {
            throw SyncError.damagedStore("a status")
        }
        self.init(level, isCut: number & 1 == 1)
    }
}

extension MergeTable {
    /// What a row of the app holds in a field whose state leaves its value to the row; nil for other fields.
    func shownContent(
        of field: Int, in values: [CellValue], of table: SpaceTable
    ) -> CellContent? {
        guard field < fields.count, !table.keptFields.contains(field),
            let first = firstColumn(of: field)
        else { return nil }
        guard fields[field].isGroup else { return .value(values[first]) }
        return .group(
            fields[field].columns.enumerated().map { .init($1.name, values[first + $0]) })
    }
}
