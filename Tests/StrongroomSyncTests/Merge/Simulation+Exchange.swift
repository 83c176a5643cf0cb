import StrongroomSync
import StrongroomTestSupport

// What devices and hub do with each other.

extension Simulation {
    /// Measures the hub's clock.
    private mutating func measure(_ index: Int) {
        if !options.hasNoClock { devices[index].offset = -devices[index].skew }
    }

    mutating func push(_ index: Int, upTo limit: Int, isAnswerLost: Bool) throws {
        measure(index)
        try leaveForkedRun(index)
        try drain(index)
        if options.hasFloors, Self.chance(50, &random) {
            try emit(index, [], deltas: [], evenEmpty: true)
        }
        var count = 0
        for batch in devices[index].kept where hub.log[batch.position] == nil && count < limit {
            hub.put(batch)
            count += 1
        }
        // Without the answer the device does not know that the hub has them: it keeps them either way.
        _ = isAnswerLost
    }

    /// Begins a new run where the hub shows that this device is a copy.
    private mutating func leaveForkedRun(_ index: Int) throws {
        let device = devices[index]
        let conflict = device.kept.first { batch in
            batch.run == device.run
                && hub.log[batch.position].map { $0.hash != batch.hash } ?? false
        }
        let isBehind = hub.heads[device.run, default: 0] > device.number
        guard conflict != nil || isBehind, mutant != .noNewRun else { return }
        try beginRun(index, firstUnsent: conflict?.number ?? device.number + 1)
    }

    /// Begins a new run where others have merged more of this one than this device has written.
    private mutating func leaveRun(_ index: Int, known vector: Vector) throws {
        let device = devices[index]
        guard vector[device.run] > device.number, mutant != .noNewRun else { return }
        let unsent = device.kept.first {
            $0.run == device.run && hub.log[$0.position]?.hash != $0.hash
        }
        try beginRun(index, firstUnsent: unsent?.number ?? device.number + 1)
    }

    private mutating func beginRun(_ index: Int, firstUnsent: UInt64) throws {
        // Else what the app wrote would be overwritten by what is shown.
        try drain(index)
        let old = devices[index].run
        let change = NewRun(newRun(), after: old)
        let lost = devices[index].kept.filter { $0.run == old && $0.number >= firstUnsent }
        devices[index].kept.removeAll { $0.run == old && $0.number >= firstUnsent }
        devices[index].run = change.new
        devices[index].ownRuns.insert(change.new)
        if devices[index].number > 0 { throw Failure(description: "a run twice") }
        devices[index].source.change { merged in
            merged.setNumber(firstUnsent - 1, of: old)
            return [:]
        }
        for position in devices[index].hashes.keys
        where position.run == old && position.number >= firstUnsent {
            devices[index].hashes[position] = nil
        }
        guard !lost.isEmpty else { return }
        try sendAgain(lost, index, change, firstUnsent)
    }

    /// Sends what is not sent under the new run, in one batch.
    private mutating func sendAgain(
        _ lost: [SimulatedBatch], _ index: Int, _ run: NewRun, _ firstUnsent: UInt64
    ) throws {
        let batch = Tombstone.Position(run.new, 1)
        var bases: [CounterPlace: CounterEntry?] = [:]
        var states: [RowID: RowState] = [:]
        var order: [RowID] = []
        for unsent in lost {
            for change in try devices[index].decode(unsent.rows) {
                let (row, life) = (change.row, change.state.life)
                for entry in change.state.counters where entry.run == run.old {
                    let place = devices[index].counter(entry.field, row, life)
                    guard bases[place] == nil else { continue }
                    // Of a row that was brought back, the life before may be one that was not sent.
                    let before = unsent.earlier[place].flatMap { bases[$0] }
                    bases[place] = .some(before ?? unsent.bases[place])
                }
                var moved = run.change(change.state, in: batch) { field in
                    let place = devices[index].counter(field, row, life)
                    return bases[place] ?? nil
                }
                if mutant == .countersNotMoved { moved = change.state }
                if states[row] == nil { order.append(row) }
                states[row, default: RowState(life: 0)] =
                    states[row].map { state in
                        var state = state
                        _ = state.merge(moved)
                        return state
                    } ?? moved
            }
        }
        for row in order {
            guard let state = devices[index].source.state(of: row), mutant != .countersNotMoved
            else {
                continue
            }
            let device = devices[index]
            let moved = run.state(state, in: batch, firstUnsent: firstUnsent) { field in
                if let base = bases[device.counter(field, row, state.life)] { return base }
                return state.counters.first { $0.field == field && $0.run == run.old }
            }
            try follow(index) { merged in
                merged.replace(row, with: moved)
                return [row: state]
            }
            script.replace(device: index, rows: device.canonical([RowChange(row, moved)]))
        }
        let deltas = lost.reduce(into: Set<CounterDelta>()) { $0.formUnion($1.deltas) }
        try emit(
            index, order.compactMap { row in states[row].map { RowChange(row, $0) } },
            deltas: deltas)
    }

    // MARK: - Fetching

    mutating func pull(_ index: Int, upTo limit: Int?) throws {
        measure(index)
        try leaveForkedRun(index)
        try drain(index)
        try mergeForked(index)
        try mergeSnapshots(index)
        try mergeBatches(index, upTo: limit)
        try project(index)
        try bringBack(index)
        publish(index)
    }

    /// Merges batches whose number is merged already with other content.
    private mutating func mergeForked(_ index: Int) throws {
        for position in sortedLog {
            guard let batch = hub.log[position], batch.number <= devices[index].vector[batch.run],
                let known = devices[index].hashes[position], known != batch.hash
            else { continue }
            try mergeRows(batch.rows, index)
            devices[index].hashes[position] = batch.hash
            devices[index].deltas.formUnion(batch.deltas)
            devices[index].mustPublish = true
        }
    }

    private var sortedLog: [Tombstone.Position] {
        hub.log.keys.sorted { $0.run == $1.run ? $0.number < $1.number : $0.run < $1.run }
    }

    private mutating func mergeSnapshots(_ index: Int) throws {
        for snapshot in hub.snapshots.shuffled(using: &random) {
            guard !devices[index].mergedSnapshots.contains(snapshot.identity) else { continue }
            let rows = try devices[index].decode(snapshot.rows)
            let content = SnapshotContent(
                vector: snapshot.vector, floor: snapshot.floor, rows: rows)
            guard content.isValid else { throw Failure(description: "an invalid snapshot") }
            guard devices[index].source.merged.canMerge(content) else { continue }
            try leaveRun(index, known: snapshot.vector)
            devices[index].mergedSnapshots.insert(snapshot.identity)
            try mergeRows(snapshot.rows, index)
            let floor = devices[index].source.merged.floor.number
            try follow(index) {
                $0.merge(SnapshotContent(vector: snapshot.vector, floor: snapshot.floor, rows: []))
            }
            if devices[index].source.merged.floor.number > floor {
                script.apply(device: index, snapshot.floor)
            }
            devices[index].hashes.merge(snapshot.hashes) { own, _ in own }
            devices[index].deltas.formUnion(snapshot.deltas)
        }
    }

    private mutating func mergeBatches(_ index: Int, upTo limit: Int?) throws {
        var fetched = sortedLog.filter { $0.number > devices[index].vector[$0.run] }
            .shuffled(using: &random)
        if let limit { fetched = Array(fetched.prefix(limit)) }
        var isMoving = true
        while isMoving {
            isMoving = false
            try applyFloors(index)
            for position in fetched {
                guard let batch = hub.log[position] else { continue }
                let content = BatchContent(
                    run: batch.run, number: batch.number, seen: batch.seen, floor: batch.floor,
                    changes: [])
                guard content.isValid else { throw Failure(description: "an invalid batch") }
                let readiness = devices[index].source.merged.readiness(of: content)
                let isReady =
                    readiness == .ready || (mutant == .noCausality && readiness == .missing)
                guard isReady else { continue }
                try leaveRun(index, known: batch.seen)
                try mergeBatch(batch, index)
                isMoving = true
            }
        }
    }

    /// Applies the floors whose condition is fulfilled.
    private mutating func applyFloors(_ index: Int) throws {
        for floor in hub.floors where floor.number > devices[index].source.merged.floor.number {
            let vector = devices[index].vector
            guard
                vector.covers(floor.known) || (mutant == .earlyFloor && vector.covers(floor.passed))
            else { return }
            try follow(index) { $0.apply(floor) }
            script.apply(device: index, floor)
        }
    }

    /// Publishes a state: always after a fork, and now and then if the hub lacks what is merged here.
    private mutating func publish(_ index: Int) {
        let device = devices[index]
        let isHubBehind = device.vector.numbers.contains { run, number in
            run != device.run && hub.heads[run, default: 0] < number
        }
        let isWanted = device.mustPublish || (isHubBehind && Self.chance(50, &random))
        guard isWanted, mutant != .noSnapshots else { return }
        devices[index].mustPublish = false
        hub.snapshots.append(
            SimulatedSnapshot(
                identity: identity(), vector: device.vector, floor: device.source.merged.floor,
                rows: device.source.merged.canonicalBytes, hashes: device.hashes,
                deltas: device.deltas))
    }
}
