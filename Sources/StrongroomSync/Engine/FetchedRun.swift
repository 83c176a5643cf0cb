internal import StrongroomCore

/// What others have written in one run, as far as it is fetched and not merged.
struct FetchedRun: Sendable {
    let device: DeviceID
    let run: Run
    /// The first number that the hub has.
    let firstNumber: UInt64
    /// The last batch that was fetched and verified; at first the last one that is merged.
    private(set) var tail: LogTail?
    private(set) var units: [FetchedUnit] = []
    /// Why nothing after `tail` counts.
    private(set) var refusal: Refusal?
    /// What was fetched and not read.
    var bodies: ArraySlice<[UInt8]> = []
    /// How many changes were read and not taken.
    private(set) var changeCount = 0
    /// Whether the hub had no more.
    var isExhausted = false
    private var reader = UnitReader()
    private var changes: [RowChange] = []
    private var seen: Vector?
    private var rows: Set<RowID> = []
    private var byteCount = 0
    private var digest: [UInt8]?
    private var tokens = CounterTokens()

    init(_ device: DeviceID, _ run: Run, from first: UInt64 = 1, after tail: LogTail?) {
        firstNumber = first
        self.device = device
        self.run = run
        self.tail = tail
    }

    var nextNumber: UInt64 { (tail?.number ?? 0) + 1 }

    /// Verifies the next batch.
    ///
    /// - Parameter schema: Gets the names that only others have.
    /// - Returns: Whether it counts.
    mutating func add(
        _ bytes: [UInt8], _ verification: ObjectVerification, _ schema: inout MergeSchema
    ) throws -> Bool {
        do {
            let name = HubName.batch(device, run, nextNumber)
            let batch = try verification.batch(bytes, under: name, after: tail)
            guard seen == nil || seen == batch.body.seen else {
                throw Refusal.impossible("parts of a unit that have seen different batches")
            }
            var grown = schema
            if let block = try reader.add(batch.body.unitPart, &grown) {
                changes += block
                for change in block where !rows.insert(change.row).inserted {
                    throw Refusal.impossible("a row twice in a unit")
                }
                changeCount += block.count
            }
            schema = grown
            seen = batch.body.seen
            if batch.body.part == 0 { (digest, tokens) = (batch.body.digest, batch.body.tokens) }
            tail = batch.tail
            byteCount += bytes.count
            if batch.body.isLastPart {
                units.append(
                    FetchedUnit(
                        seen: batch.body.seen, floor: batch.body.floor, changes: changes,
                        tail: batch.tail, byteCount: byteCount, digest: digest, tokens: tokens))
                byteCount = 0
                reader = UnitReader()
                changes = []
                rows = []
                seen = nil
            }
            return true
        } catch let reason as Refusal {
            refusal = reason
            return false
        }
    }

    /// The roster has grown: what it did not know may count now.
    mutating func forgetRefusal() { refusal = nil }

    mutating func removeFirst() -> FetchedUnit {
        let unit = units.removeFirst()
        changeCount -= unit.changes.count
        return unit
    }
}

/// What a device committed at once, fetched and verified.
struct FetchedUnit: Sendable {
    /// What its author had merged, and the last floor that he had applied.
    let seen: Vector
    let floor: UInt64
    let changes: [RowChange]
    let tail: LogTail
    /// Of its batches.
    let byteCount: Int
    /// The digest of what its author had merged.
    let digest: [UInt8]?
    /// Of what it adds to counters.
    let tokens: CounterTokens
}
