internal import StrongroomCore
internal import StrongroomEssentials

/// The runs of a space: their numbers in states, and how far each is merged.
///
/// 1. The vector is at the ends of whole units; a tail belongs to the number there.
struct MergedRuns: Sendable {
    private(set) var numbers = RunTable()
    private(set) var vector = Vector()
    private(set) var tails: [Run: LogTail] = [:]
    private(set) var own: Set<Run> = []
    /// For runs of other devices, what the author had merged when he wrote the last batch of it.
    private(set) var seen: [Run: Vector] = [:]
    private var changed: Set<Run> = []
    private var changedSeen: Set<Run> = []

    init(_ db: Database) throws {
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT run, isOwn, merged, hash, roster FROM main.strongroom_sync_run
                ORDER BY number
                """)
        var runs: [Run] = []
        for row in rows {
            let bytes: Data = row[0]
            guard let run = Run(Array(bytes)) else { throw SyncError.damagedStore("a run") }
            runs.append(run)
            let (isOwn, merged): (Bool, Int64) = (row[1], row[2])
            if isOwn { own.insert(run) }
            vector[run] = UInt64(merged)
            if let hash = row[3] as Data?, let roster = row[4] as Int64?,
                let digest = hash.withUnsafeBytes({ ContentDigest($0) })
            {
                tails[run] = LogTail(UInt64(merged), digest, roster: UInt64(roster))
            }
        }
        numbers = RunTable(runs)
        let vectors = try Row.fetchAll(
            db, sql: "SELECT run, vector FROM main.strongroom_sync_seen")
        for row in vectors {
            let (run, bytes): (Data, Data) = (row[0], row[1])
            guard let run = Run(Array(run)) else { throw SyncError.damagedStore("a run") }
            var reader = ObjectReader(Array(bytes))
            seen[run] = try reader.vector()
        }
    }

    mutating func begin(own run: Run) {
        own.insert(run)
        changed.insert(run)
    }

    /// Notes that a unit is merged.
    ///
    /// - Parameter seen: What its author had merged, who is another device.
    mutating func merge(_ run: Run, _ tail: LogTail, seen vector: Vector? = nil) {
        self.vector[run] = tail.number
        tails[run] = tail
        changed.insert(run)
        guard let vector, !own.contains(run) else { return }
        seen[run] = vector
        changedSeen.insert(run)
    }

    /// Puts a run back to the last batch that the hub has.
    mutating func cut(_ run: Run, to tail: LogTail?) {
        vector[run] = tail?.number ?? 0
        tails[run] = tail
        changed.insert(run)
    }

    /// States of rows get their numbers here.
    mutating func withNumbers<T>(_ body: (inout RunTable) throws -> T) rethrows -> T {
        try body(&numbers)
    }

    /// Writes what has changed, and the runs that have got numbers.
    mutating func save(_ db: Database, knownCount: Int) throws {
        for run in changed { _ = numbers.number(noting: run) }
        for (number, run) in numbers.runs.enumerated()
        where number >= knownCount || changed.contains(run) {
            let tail = tails[run]
            try db.run(
                """
                INSERT INTO main.strongroom_sync_run (number, run, isOwn, merged, hash, roster)
                VALUES (?1, ?2, ?3, ?4, ?5, ?6)
                ON CONFLICT (number) DO UPDATE SET isOwn = ?3, merged = ?4, hash = ?5, roster = ?6
                """,
                [
                    .integer(Int64(number)), .blob(run.bytes), .integer(own.contains(run) ? 1 : 0),
                    .integer(Int64(vector[run])), tail.map { .blob($0.hash.bytes) } ?? .null,
                    tail.map { .integer(Int64($0.roster)) } ?? .null,
                ])
        }
        changed = []
        for run in changedSeen {
            var bytes: [UInt8] = []
            bytes.append(seen[run] ?? Vector())
            try db.run(
                """
                INSERT INTO main.strongroom_sync_seen (run, vector) VALUES (?1, ?2)
                ON CONFLICT (run) DO UPDATE SET vector = ?2
                """, [.blob(run.bytes), .blob(bytes)])
        }
        changedSeen = []
    }
}
