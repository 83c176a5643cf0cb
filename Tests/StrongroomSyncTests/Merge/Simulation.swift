import StrongroomCore
import StrongroomSync
import StrongroomTestSupport

/// Devices, a hub, copies of files and clocks that are wrong, all from one seed. Whatever does not hold after a step is a
/// ``Failure``.
struct Simulation: ~Copyable {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// What may happen, by the seed.
    struct Options {
        /// Files are restored and cloned.
        var hasCopies: Bool
        /// The hub loses the tails of logs.
        var losesTails: Bool
        /// Tombstones are dropped.
        var hasFloors: Bool
        /// The hub has no clock, so that wrong clocks stay wrong.
        var hasNoClock: Bool

        init(seed: UInt64) {
            hasCopies = seed % 3 != 2
            losesTails = seed % 3 == 1
            hasFloors = seed % 3 == 2
            hasNoClock = seed % 4 == 0
        }
    }

    let options: Options
    let mutant: DeviceMutant?
    var random: SeededGenerator
    var time: Int64 = 1_700_000_000_000
    var hub = SimulatedHub()
    var devices: [SimulatedDevice] = []
    var saved: [Int: SimulatedDevice] = [:]
    var nextIdentity = 0
    var keeper: DigestKeeper
    var script: WitnessScript
    var touched: [RowID: RowState?] = [:]
    /// Whether two batches of one number may have added to counters twice.
    var isInexact = false

    init(seed: UInt64, mutant: DeviceMutant? = nil, isRecorded: Bool = true) throws {
        options = Options(seed: seed)
        self.mutant = mutant
        random = SeededGenerator(seed: seed)
        keeper = try DigestKeeper()
        script = WitnessScript(isRecorded: isRecorded)
        for index in 0..<Int.random(in: 2...5, using: &random) {
            let skews = [
                0, Int64.random(in: -5000...5000, using: &random), 86_400_000, -86_400_000,
            ]
            let isOld = index > 0 && Int.random(in: 0...3, using: &random) == 0
            devices.append(SimulatedDevice(newRun(), skew: random.pick(skews), isOld: isOld))
            script.begin(device: index, isOld: isOld)
        }
    }

    /// Some devices of the present version whose clocks are right, and nothing that happens by itself.
    init(devices count: Int) throws {
        options = Options(seed: 0)
        mutant = nil
        random = SeededGenerator(seed: 47)
        keeper = try DigestKeeper()
        script = WitnessScript(isRecorded: false)
        for _ in 0..<count { devices.append(SimulatedDevice(newRun(), skew: 0, isOld: false)) }
    }

    mutating func newRun() -> Run {
        Run(high: random.next(), low: random.next())
    }

    mutating func identity() -> Int {
        nextIdentity += 1
        return nextIdentity
    }

    static func chance(_ percent: Int, _ random: inout SeededGenerator) -> Bool {
        Int.random(in: 0..<100, using: &random) < percent
    }

    /// One step: an app writes, a device talks to the hub, or something goes wrong.
    mutating func step() throws {
        time += random.pick([1, 50, 2000, 60_000])
        let index = Int.random(in: 0..<devices.count, using: &random)
        switch Int.random(in: 0..<1000, using: &random) {
        case ..<250: insertSomething(index)
        case ..<500: updateSomething(index)
        case ..<600: deleteSomething(index)
        case ..<630: reinsertSomething(index)
        case ..<760:
            let isAnswerLost = Self.chance(20, &random)
            try push(index, upTo: random.pick([1, 99]), isAnswerLost: isAnswerLost)
        case ..<940: try pull(index, upTo: random.pick([nil, 1, 3]))
        case ..<950: saved[index] = devices[index]
        case ..<968: try copySomething(index)
        case ..<975: options.hasFloors ? try writeFloor(index) : loseTails()
        case ..<984: devices[index].skew += random.pick([-3_600_000, 3_600_000, 0])
        case ..<992: try writeFloor(index)
        default: if devices[index].offset != nil || options.hasNoClock { try drain(index) }
        }
        try check(index)
    }

    private mutating func copySomething(_ index: Int) throws {
        guard options.hasCopies else { return }
        let from = saved.keys.sorted().randomElement(using: &random)
        guard let from, let file = saved[from] else { return }
        if devices.count < 6, Self.chance(40, &random) {
            // A clone: both go on.
            devices.append(file)
            script.restore(device: devices.count - 1, file, schema: file.schema)
        } else {
            devices[from] = file
            script.restore(device: from, file, schema: file.schema)
        }
    }

    private mutating func loseTails() {
        guard options.losesTails else { return }
        isInexact = true
        for run in hub.heads.keys.sorted() {
            guard let head = hub.heads[run] else { continue }
            let kept = head - UInt64.random(in: 0...min(3, head), using: &random)
            for number in kept..<head { hub.log[.init(run, number + 1)] = nil }
            hub.heads[run] = kept
        }
    }

    private mutating func writeFloor(_ index: Int) throws {
        guard options.hasFloors else { return }
        let device = devices[index]
        // Each device says with its last batch what it had merged.
        var reported: [Vector] = []
        for other in devices {
            let last = device.vector[other.run]
            guard last > 0, let batch = hub.log[.init(other.run, last)] else { return }
            var vector = batch.seen
            vector[other.run] = last
            reported.append(vector)
        }
        let floor = Floor(
            number: UInt64(hub.floors.count + 1), merged: device.vector, reported: reported)
        guard hub.floors.last.map({ floor.passed.covers($0.passed) }) ?? true else { return }
        hub.floors.append(floor)
    }

    // MARK: - Properties

    /// What holds after each step.
    func check(_ index: Int) throws {
        let device = devices[index]
        if let broken = device.brokenConstraint { throw Failure(description: broken) }
        guard !hub.isForked, !options.losesTails else { return }
        for other in devices where other.vector == device.vector {
            guard other.source.merged.floor == device.source.merged.floor else { continue }
            // Two copies that have not sent yet may mean different batches by one number.
            let isSame = device.hashes.allSatisfy { other.hashes[$0.key] ?? $0.value == $0.value }
            guard isSame else { continue }
            guard other.digest == device.digest else {
                throw Failure(
                    description: "equal vectors, different digests: \(difference(device, other))")
            }
            guard other.isOld == device.isOld, other.journal.isEmpty, device.journal.isEmpty else {
                continue
            }
            if other.app != device.app {
                throw Failure(description: "equal states, different rows")
            }
        }
    }

    /// Ends the schedule: all talk until nothing is left to say; then everything is equal everywhere.
    mutating func finish() throws {
        for _ in 0..<40 {
            let before = devices.map(\.digest)
            for index in devices.indices { try push(index, upTo: 99, isAnswerLost: false) }
            for index in devices.indices { try pull(index, upTo: nil) }
            // A fork may be noticed in the next round, and a snapshot of it be merged in the one after that.
            guard devices.map(\.digest) == before else { continue }
            let first = devices[0].vector
            let isQuiet = devices.allSatisfy { device in
                device.journal.isEmpty && device.vector == first
                    && device.kept.allSatisfy { hub.log[$0.position]?.hash == $0.hash }
                    && device.source.merged.floor == devices[0].source.merged.floor
            }
            if isQuiet { return try checkEnd() }
        }
        throw Failure(description: "no end of talking")
    }

    private mutating func checkEnd() throws {
        let bytes = devices[0].source.merged.canonicalBytes
        for (index, device) in devices.enumerated() {
            guard device.source.merged.canonicalBytes == bytes else {
                throw Failure(description: "merged states differ in the end")
            }
            guard device.digest == devices[0].digest else {
                throw Failure(description: "equal states, different digests")
            }
            if let other = devices.first(where: { $0.isOld == device.isOld }),
                other.app != device.app
            {
                throw Failure(description: "visible rows differ in the end")
            }
            script.checkState(device: index, try digest(of: bytes))
        }
        guard !isInexact, !hub.isForked else { return }
        try checkCounters()
    }

    /// Each counter is the sum of what was ever added to it, and merged: nothing twice, nothing lost.
    private func checkCounters() throws {
        let device = devices[0]
        var expected: [CounterPlace: Int128] = [:]
        for delta in device.deltas {
            let place = CounterPlace(
                table: delta.table, key: delta.key, life: delta.life, field: delta.field)
            expected[place, default: 0] += delta.amount
        }
        for (row, state) in device.source.merged.rows where state.isAlive {
            let table = device.schema[row.table]
            for (number, field) in table.fields.enumerated() {
                let entries = state.counters.filter { $0.field == number }
                guard !entries.isEmpty else { continue }
                let place = CounterPlace(
                    table: table.name, key: row.key, life: state.life, field: field.name)
                let sum = entries.reduce(0) { $0 + $1.sum }
                guard sum == expected[place, default: 0] else {
                    throw Failure(
                        description: "a counter is \(sum), not \(expected[place, default: 0])")
                }
            }
        }
    }

    private func difference(_ one: SimulatedDevice, _ other: SimulatedDevice) -> String {
        let states = [one, other].map { device in
            Dictionary(
                uniqueKeysWithValues: device.source.merged.rows.map { row, state in
                    (RowID(row.table, row.key), "\(device.schema[row.table].name) \(state)")
                })
        }
        return Set(states[0].keys).union(states[1].keys).filter { states[0][$0] != states[1][$0] }
            .map { "\($0): \(states[0][$0] ?? "none") / \(states[1][$0] ?? "none")" }
            .joined(separator: "; ")
    }

    func digest(of bytes: [UInt8]) throws -> String {
        try bytes.withUnsafeBytes { try ContentDigest(of: $0).hexadecimal }
    }
}

/// A rule that a device breaks. A simulation has to notice.
enum DeviceMutant: String, CaseIterable {
    /// An edit's stamp need not exceed that of what it replaces.
    case noDomination
    /// Deleted and inserted again counts as deleted.
    case reinsertionIgnored
    /// Revival is left out where an edit wins …
    case noRevival
    /// … or where RESTRICT keeps a parent.
    case noParentRevival
    /// A copy goes on under its old run.
    case noNewRun
    /// A new run sends counters as the old one did.
    case countersNotMoved
    /// A device that knows more than the hub keeps it to itself.
    case noSnapshots
    /// A floor is applied before what it needs is merged.
    case earlyFloor
    /// Batches are merged in any order.
    case noCausality
    /// Deletions do not say what they had seen.
    case nothingSeen

    /// Whether many seeds are needed to notice it.
    var isRare: Bool { [.noSnapshots, .countersNotMoved, .earlyFloor].contains(self) }
}
