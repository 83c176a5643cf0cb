import StrongroomSync

/// A device: its merged state, the app's tables, and the notes of what the app wrote. Copying the value is copying
/// the device's file.
struct SimulatedDevice {
    /// A note of the journal.
    struct Note {
        var row: RowID
        var kind: LocalNote.Kind
        /// The device's clock, in milliseconds.
        var time: Int64
        var differences: [Int: Int64] = [:]
    }

    let isOld: Bool
    var source: MemorySource
    /// The app's tables.
    var app: [RowID: [CellValue]] = [:]
    var journal: [Note] = []
    var clock = StampClock()
    /// The device's clock minus the true time, in milliseconds.
    var skew: Int64
    var offset: Int64?
    var run: Run
    var ownRuns: Set<Run>
    var digest = StateDigest()
    /// Its own batches: the hub may lose them.
    var kept: [SimulatedBatch] = []
    /// What was merged under each number.
    var hashes: [Tombstone.Position: Int] = [:]
    var mergedSnapshots: Set<Int> = []
    var deltas: Set<CounterDelta> = []
    var mustPublish = false
    var bringingBack: [RowID: RowState] = [:]
    /// What it had written to rows that others have deleted, and may bring back.
    var ended: [RowID: RowState] = [:]

    init(_ run: Run, skew: Int64, isOld: Bool) {
        self.run = run
        self.skew = skew
        self.isOld = isOld
        ownRuns = [run]
        source = MemorySource(MergedState(isOld ? SimulatedSchema.old : SimulatedSchema.new))
    }

    var schema: MergeSchema { source.schema }
    var vector: Vector { source.merged.vector }
    var number: UInt64 { vector[run] }
}

/// What was once added to a counter, wherever it went since.
struct CounterDelta: Hashable {
    var identity: Int
    var table: String
    var key: RowKey
    var life: UInt64
    var field: String
    var amount: Int128
}

/// A batch as it lies in a hub: rows as bytes, because devices number tables and fields differently.
struct SimulatedBatch {
    var run: Run
    var number: UInt64
    var seen: Vector
    var floor: UInt64
    var rows: [UInt8]
    var deltas: Set<CounterDelta>
    /// The entries of the author's counters before the batch: what a new run starts from.
    var bases: [CounterPlace: CounterEntry]
    /// For counters of a life that was brought back, those of the life before.
    var earlier: [CounterPlace: CounterPlace] = [:]
    /// Stands for the hash of all of it.
    var hash: Int

    var position: Tombstone.Position { .init(run, number) }
}

/// A counter of a life of a row.
struct CounterPlace: Hashable {
    var table: String
    var key: RowKey
    var life: UInt64
    var field: String
}

struct SimulatedSnapshot {
    var identity: Int
    var vector: Vector
    var floor: Floor
    var rows: [UInt8]
    var hashes: [Tombstone.Position: Int]
    var deltas: Set<CounterDelta>
}

/// A store of batches, snapshots and floors. It may lose the tails of logs.
struct SimulatedHub {
    var log: [Tombstone.Position: SimulatedBatch] = [:]
    var heads: [Run: UInt64] = [:]
    var snapshots: [SimulatedSnapshot] = []
    var floors: [Floor] = []
    /// All hashes that were ever stored under a number.
    var everStored: [Tombstone.Position: Set<Int>] = [:]

    /// Stores a batch, unless there is one of that number, or a gap before it.
    mutating func put(_ batch: SimulatedBatch) {
        guard log[batch.position] == nil, heads[batch.run, default: 0] + 1 == batch.number else {
            return
        }
        log[batch.position] = batch
        heads[batch.run] = batch.number
        everStored[batch.position, default: []].insert(batch.hash)
    }

    /// Whether two batches were stored under one number.
    var isForked: Bool { everStored.values.contains { $0.count > 1 } }
}
