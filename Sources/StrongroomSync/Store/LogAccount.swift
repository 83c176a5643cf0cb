internal import StrongroomCore

/// How much the logs have grown since the last snapshot that this device knows: what decides when the next one is due.
struct LogAccount: Sendable, Equatable {
    /// The bytes of all batches that were made or merged here since then.
    var logByteCount: Int64 = 0
    /// How many bytes that snapshot has; 0 if there is none.
    var snapshotByteCount: Int64 = 0
    /// When this device made it, or heard of it, in milliseconds since 1970 by the hub's clock; at first when the
    /// device looked for one.
    var time: Int64 = 0
    /// The snapshot's id: 32 bytes.
    var snapshot: [UInt8] = []

    init() {}

    init(_ db: Database) throws {
        guard let bytes = try StoreSetting.logAccount.bytes(db) else { return }
        do {
            var reader = ByteReader(bytes)
            logByteCount = try reader.fixed(Int64.self)
            snapshotByteCount = try reader.fixed(Int64.self)
            time = try reader.fixed(Int64.self)
            snapshot = Array(try reader.counted())
        } catch {
            throw SyncError.damagedStore("the account of the log")
        }
    }

    func save(_ db: Database) throws {
        var bytes: [UInt8] = []
        bytes.append(fixed: logByteCount)
        bytes.append(fixed: snapshotByteCount)
        bytes.append(fixed: time)
        bytes.append(counted: snapshot)
        try StoreSetting.logAccount.set(db, bytes: bytes)
    }

    /// Begins to count again.
    mutating func note(_ id: ContentDigest, _ byteCount: Int, at time: Int64) {
        self = LogAccount()
        snapshotByteCount = Int64(byteCount)
        snapshot = id.bytes
        self.time = time
    }

    /// Whether the next snapshot is due: the log is twice as long as the last one, or that is old.
    ///
    /// - Parameters:
    ///   - leastByteCount: With a shorter log, nobody saves anything.
    ///   - age: After how many milliseconds one is due in any case.
    func isDue(leastByteCount: Int64, age: Int64, now: Int64) -> Bool {
        guard logByteCount > 0 else { return false }
        return logByteCount > max(leastByteCount, 2 * snapshotByteCount)
            || time > 0 && now - time > age
    }
}

/// A floor as the file keeps it: its number, and what all devices have passed.
extension Floor {
    static func applied(_ db: Database) throws -> Floor {
        guard let bytes = try StoreSetting.floor.bytes(db) else { return Floor() }
        do {
            var reader = ObjectReader(bytes)
            return Floor(
                number: try reader.number(), passed: try reader.vector(), known: Vector())
        } catch {
            throw SyncError.damagedStore("the floor")
        }
    }

    func save(_ db: Database) throws {
        var bytes: [UInt8] = []
        bytes.append(number: number)
        bytes.append(passed)
        try StoreSetting.floor.set(db, bytes: bytes)
    }
}
