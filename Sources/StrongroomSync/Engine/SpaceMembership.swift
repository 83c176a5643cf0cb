internal import StrongroomCore

/// This device in its space: its keys, and the roster as far as it is read.
struct SpaceMembership: Sendable {
    let identity: DeviceIdentity
    var roster: Roster
    var keys: SpaceKeys

    init(_ identity: DeviceIdentity, _ roster: Roster) throws {
        self.identity = identity
        self.roster = roster
        keys = try roster.keys(for: identity)
    }

    var space: SpaceID { roster.space }
    var verification: ObjectVerification { ObjectVerification(roster, keys) }

    /// What writes batches; nil while this device may write none.
    func sealer(_ fingerprint: ContentDigest, _ options: SyncOptions) -> BatchSealer? {
        guard !roster.isEpochPending, let key = keys[roster.epoch] else { return nil }
        return BatchSealer(
            identity: identity, space: space, roster: roster.position, key: key,
            randomness: options.randomness, fingerprint: fingerprint, padding: options.padding,
            capacity: options.capacity)
    }

    /// What the space says of its tables; nil before anybody has said it.
    var tables: SharedTables? {
        get throws { try roster.tables(keys).map { try SharedTables($0) } }
    }

    /// What the file has; nil if it belongs to no space.
    static func load(_ db: Database) throws -> SpaceMembership? {
        guard try StoreTables.exist(db), let identity = try identity(db) else { return nil }
        let entries = try entries(db)
        guard let first = entries.first, let space = try StoreSetting.space.bytes(db) else {
            return nil
        }
        var roster = try Roster(first: first, of: SpaceID(space))
        for entry in entries.dropFirst() { try roster.append(entry) }
        return try SpaceMembership(identity, roster)
    }

    /// This device's keys.
    static func identity(_ db: Database) throws -> DeviceIdentity? {
        var found: DeviceIdentity?
        try db.makeStatement(sql: "SELECT seed FROM main.strongroom_sync_identity").forEachRow {
            let value = BorrowedStatement($0).value(0)
            guard value.storage == .blob, value.blobBytes.count == DeviceIdentity.seedByteCount
            else { throw SyncError.damagedStore("the keys of this device") }
            found = try DeviceIdentity(seed: SecretBytes(copying: value.blobBytes))
        }
        return found
    }

    static func save(_ identity: DeviceIdentity, _ db: Database) throws {
        let sql = "INSERT INTO main.strongroom_sync_identity (id, seed) VALUES (1, ?)"
        try db.makeStatement(sql: sql).run(secret: identity.seed)
    }

    static func entries(_ db: Database) throws -> [[UInt8]] {
        var entries: [[UInt8]] = []
        try db.makeStatement(
            sql: "SELECT entry FROM main.strongroom_sync_roster ORDER BY position"
        ).forEachRow {
            if case .blob(let entry) = CapturedValue($0, 0) { entries.append(entry) }
        }
        return entries
    }

    /// Keeps entries of the roster from a position on.
    static func save(_ entries: [[UInt8]], from position: UInt64, _ db: Database) throws {
        for (index, entry) in entries.enumerated() {
            try db.run(
                "INSERT OR REPLACE INTO main.strongroom_sync_roster (position, entry) VALUES (?, ?)",
                [.integer(Int64(position) + Int64(index)), .blob(entry)])
        }
    }
}
