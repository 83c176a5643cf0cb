internal import StrongroomCore

/// What the engine keeps in memory between transactions, as the file has it.
///
/// A transaction works on a copy, which takes the place of this value once it is committed. Nobody else writes these
/// tables: one engine at a time has the file.
struct SyncStore: Sendable {
    var space: SpaceSchema
    var runs: MergedRuns
    var shadow = RowShadow()
    /// The run in which this device writes.
    var run: Run
    var clock: StampClock
    /// The hub's clock minus the device's, in milliseconds; nil while it is unknown.
    var offset: Int64?
    /// The last floor that was applied.
    var floor: Floor
    var log: LogAccount
    /// The digest of the merged state; nil in files that were made when it was not kept.
    var digest: StateDigest?
    /// Whether something is merged in part, so that the state is ahead of the vector.
    var isBetween: Bool
    /// Whether changes of others were merged since this device sent its last batch.
    var owesAnswer: Bool
    /// Up to which note the notes of each row are next to each other; 0 while that is not known.
    var gatheredThrough: Int64 = 0
    /// The tables that are shared for the first time and whose rows are not all known: nothing may be merged before.
    var scans: [TableScan]
    /// Whether rows are shown as the schema wants them.
    var isShown = true
    /// How many changes of the app were taken since this exchange began.
    var takenCount = 0

    /// Reads what the file has. Call it in a transaction.
    init(_ db: Database, _ captured: [CapturedTable]) throws {
        space = try SpaceSchema(db, captured)
        runs = try MergedRuns(db)
        guard let run = try StoreSetting.run.bytes(db).flatMap({ Run($0) }) else {
            throw SyncError.damagedStore("the run of this device")
        }
        self.run = run
        let last = try StoreSetting.lastStamp.integer(db) ?? 0
        clock = StampClock(last: Stamp(bits: UInt64(bitPattern: last)))
        offset = try StoreSetting.clockOffset.integer(db)
        floor = try Floor.applied(db)
        log = try LogAccount(db)
        isBetween = try StoreSetting.isBetween.integer(db) != nil
        if let bytes = try StoreSetting.digest.bytes(db) {
            digest = StateDigest(bytes)
        } else if try Bool.fetchOne(
            db, sql: "SELECT NOT EXISTS (SELECT 1 FROM main.strongroom_sync_row)") == true
        {
            digest = StateDigest()
        }
        owesAnswer = try StoreSetting.owesAnswer.integer(db) != nil
        scans = try TableScan.begun(db, captured, space)
        try RowShadow.drop(db)
    }

    /// Notes whether what is merged next comes in pieces.
    mutating func setBetween(_ isBetween: Bool, _ db: Database) throws {
        guard isBetween != self.isBetween else { return }
        self.isBetween = isBetween
        if isBetween {
            try StoreSetting.isBetween.set(db, 1)
        } else {
            try StoreSetting.isBetween.remove(db)
        }
    }

    /// Takes over what a session changed, and writes what is kept of it.
    mutating func adopt(_ session: StoreSession, _ db: Database) throws {
        let names = space.names
        var grown = names
        grown.take(session.space.merge)
        try grown.save(db, since: names)
        space = session.space
        space.names = grown
        let known = runs.numbers.runs.count
        runs = session.runs
        try runs.save(db, knownCount: known)
        shadow = session.shadow
        try StoreSetting.lastStamp.set(db, Int64(bitPattern: clock.last.bits))
        if let new = session.digest, new != digest {
            try StoreSetting.digest.set(db, bytes: new.bytes)
            digest = new
        }
        log.logByteCount += session.logByteCount
        if session.logByteCount > 0 { try log.save(db) }
        if session.hasMerged, !owesAnswer {
            try StoreSetting.owesAnswer.set(db, 1)
            owesAnswer = true
        }
    }
}
