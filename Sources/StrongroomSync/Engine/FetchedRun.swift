internal import StrongroomCore

/// What others have written in one run, as far as it is fetched and not merged.
struct FetchedRun: Sendable {
    let device: DeviceID
    let run: Run
    /// The last batch that was fetched and verified; at first the last one that is merged.
    private(set) var tail: LogTail?
    private(set) var units: [FetchedUnit] = []
    /// Why nothing after `tail` counts.
    private(set) var refusal: Refusal?
    /// Whether the hub had no more.
    var isExhausted = false
    private var reader = UnitReader()
    private var changes: [RowChange] = []
    private var seen: Vector?

    init(_ device: DeviceID, _ run: Run, after tail: LogTail?) {
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
            if let block = try reader.add(batch.body.unitPart, &grown) { changes += block }
            guard Set(changes.map(\.row)).count == changes.count else {
                throw Refusal.impossible("a row twice in a unit")
            }
            schema = grown
            seen = batch.body.seen
            tail = batch.tail
            if batch.body.isLastPart {
                units.append(FetchedUnit(seen: batch.body.seen, changes: changes, tail: batch.tail))
                reader = UnitReader()
                changes = []
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

    mutating func removeFirst() -> FetchedUnit { units.removeFirst() }
}

/// What a device committed at once, fetched and verified.
struct FetchedUnit: Sendable {
    let seen: Vector
    let changes: [RowChange]
    let tail: LogTail
}
