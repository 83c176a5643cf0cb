internal import StrongroomCore

// What other devices have written.

extension SyncEngine {
    private static let bytesAtOnce = 1 << 20

    func fetchAll(_ summary: inout SyncSummary) async throws {
        change { $0.activity = .fetching }
        findings.refused = []
        // Transactions that merge take what the app wrote before: so there is little left for them.
        try await takeLocalChanges()
        // A device that is new in the space.
        if store.runs.vector.numbers.keys.allSatisfy(store.runs.own.contains) {
            _ = try await mergeSnapshot({ _ in true }, &summary)
        }
        try await regainContents(&summary)
        try await mergeRepairs(&summary)
        var runs = try await fetchLogs(&summary)
        for run in runs where run.refusal == .brokenChain {
            if try await mergeFork(run) { runs = try await fetchLogs(&summary) }
        }
        // What is missing was deleted, or the hub has lost it: a snapshot may have it.
        while let need = Self.need(runs) {
            var isMerged = try await mergeSnapshot(need, &summary)
            if !isMerged { isMerged = try await beginAgain(need, &summary) }
            guard isMerged else { break }
            runs = try await fetchLogs(&summary)
        }
        if store.isBetween { try await bringBackLast() }
        report(runs)
        try await examineLoss(&summary)
    }

    private func fetchLogs(_ summary: inout SyncSummary) async throws -> [FetchedRun] {
        var runs = try await listRuns()
        var isMoving = true
        while isMoving {
            isMoving = try await applyFloors()
            for index in runs.indices where runs[index].units.isEmpty {
                if try await fetch(&runs[index]) { isMoving = true }
            }
            if try await mergeReady(&runs, &summary) { isMoving = true }
        }
        return runs
    }

    /// What a snapshot would have to bring, for what the hub has to be merged; nil if nothing is missing.
    private static func need(_ runs: [FetchedRun]) -> (@Sendable (Vector) -> Bool)? {
        var wanted: [(run: Run, number: UInt64)] = []
        for run in runs {
            if run.firstNumber > run.nextNumber { wanted.append((run.run, run.firstNumber - 1)) }
            guard let unit = run.units.first else { continue }
            wanted += unit.seen.numbers.map { ($0.key, $0.value) }
        }
        guard !wanted.isEmpty else { return nil }
        let all = wanted
        return { vector in all.contains { vector[$0.run] >= $0.number } }
    }

    /// The runs that the hub has batches of, with what is merged of each.
    ///
    /// One call for each run: names between two runs are passed over.
    func listRuns() async throws -> [FetchedRun] {
        let prefix = HubName.prefix(of: membership.space)
        var runs: [FetchedRun] = []
        var last: String?
        while true {
            let page = try await hub.list(prefix + "log/", after: last, limit: 1)
            guard let name = page.names.first, name.hasPrefix(prefix) else { return runs }
            guard last.map({ $0 < name }) ?? true else {
                throw HubError(.damaged, name, "the hub lists names in a wrong order")
            }
            guard
                case .batch(let device, let run, let first)? = HubName(
                    name.dropFirst(prefix.count))
            else {
                last = name
                continue
            }
            let log = HubName.logPrefix(membership.space, device, run)
            last = log + String(HubName.largestNumber)
            runs.append(FetchedRun(device, run, from: first, after: store.runs.tails[run]))
        }
    }

    /// Fetches more of a run.
    ///
    /// - Returns: Whether something new came.
    private func fetch(_ run: inout FetchedRun) async throws -> Bool {
        guard run.refusal == nil else { return false }
        if run.bodies.isEmpty {
            guard !run.isExhausted else { return false }
            let prefix = HubName.logPrefix(membership.space, run.device, run.run)
            run.bodies =
                try await hub.get(
                    numbered: prefix, from: run.nextNumber, upTo: Self.bytesAtOnce)[...]
            guard !run.bodies.isEmpty else {
                run.isExhausted = true
                return false
            }
            if run.run == store.run { throw Copied() }
        }
        var schema = store.space.merge
        // No more is read than what is merged next: what is read takes much more memory.
        while run.units.isEmpty || run.changeCount < holdSize.count,
            let body = run.bodies.popFirst()
        {
            if try run.add(body, membership.verification, &schema) { continue }
            // The author may know more of the roster than was read a moment ago.
            guard run.refusal == .rosterFuture else { break }
            try await updateRoster()
            run.forgetRefusal()
            guard try run.add(body, membership.verification, &schema) else { break }
        }
        store.space.merge = schema
        // Others have merged more of this device's run than it has written.
        let vector = store.runs.vector
        let own = store.run
        if run.units.contains(where: { $0.seen[own] > vector[own] }) {
            throw Copied(sign: .others)
        }
        return !run.units.isEmpty || run.refusal == nil
    }

    /// Merges units whose predecessors are merged.
    ///
    /// - Returns: Whether there were any.
    private func mergeReady(
        _ runs: inout [FetchedRun], _ summary: inout SyncSummary
    ) async throws -> Bool {
        var hasMerged = false
        while true {
            let ready = try takeReady(&runs)
            guard !ready.isEmpty else { return hasMerged }
            try await merge(ready)
            summary.mergedUnits += ready.count
            summary.mergedChanges += ready.reduce(0) { $0 + $1.unit.changes.count }
            hasMerged = true
        }
    }

    private struct ReadyUnit: Sendable {
        let device: DeviceID
        let run: Run
        let unit: FetchedUnit
    }

    /// Units that can be merged one after the other, as many as one transaction may have.
    private func takeReady(_ runs: inout [FetchedRun]) throws -> [ReadyUnit] {
        var ready: [ReadyUnit] = []
        var vector = store.runs.vector
        var count = 0
        var isMoving = true
        while isMoving {
            isMoving = false
            for index in runs.indices {
                guard let unit = runs[index].units.first, vector.covers(unit.seen),
                    unit.floor <= store.floor.number,
                    ready.isEmpty || count + unit.changes.count <= holdSize.count
                else { continue }
                let run = runs[index]
                ready.append(
                    ReadyUnit(device: run.device, run: run.run, unit: runs[index].removeFirst()))
                vector[runs[index].run] = unit.tail.number
                count += unit.changes.count
                isMoving = true
            }
        }
        return ready
    }

    /// Merges units, and what the app has written meanwhile before.
    private func merge(_ units: [ReadyUnit]) async throws {
        let (sealer, now) = (try sealer(), now())
        let count = units.reduce(0) { $0 + $1.unit.changes.count }
        try options.step("merge")
        if let first = units.first, units.count == 1, count > options.atomicLimit {
            return try await mergeInSlices(first.unit, first.run, sealer)
        }
        let first = units.first
        let isSame = try await transaction { session, store in
            let isSame = first.flatMap {
                session.agrees(with: $0.unit.digest, at: $0.unit.seen, floor: $0.unit.floor)
            }
            try session.takeLocalChanges(&store, sealer, now: now)
            for ready in units {
                session.seenByAuthor = ready.unit.seen
                for change in ready.unit.changes { try session.merge(change) }
                session.runs.merge(ready.run, ready.unit.tail, seen: ready.unit.seen)
                session.logByteCount += Int64(ready.unit.byteCount)
                if !ready.unit.changes.isEmpty { session.hasMerged = true }
            }
            session.seenByAuthor = nil
            try session.project()
            for ready in units {
                try session.giveWay(to: ready.unit.tokens, of: ready.run, store, sealer)
            }
            try session.bringBack(store, sealer)
            return isSame
        }
        holdSize.learn(count, workSeconds)
        if let first, let isSame { noteAgreement(isSame, first.device) }
    }

    /// Merges a great unit piece by piece; it counts with the last piece.
    private func mergeInSlices(
        _ unit: FetchedUnit, _ run: Run, _ sealer: BatchSealer
    ) async throws {
        try await merge(unit.changes, sealer)
        let now = now()
        try await transaction { session, store in
            try session.takeLocalChanges(&store, sealer, now: now)
            session.runs.merge(run, unit.tail, seen: unit.seen)
            session.logByteCount += Int64(unit.byteCount)
            session.hasMerged = true
            try store.setBetween(false, session.db)
            try session.project()
            try session.giveWay(to: unit.tokens, of: run, store, sealer)
            try session.bringBack(store, sealer)
        }
    }

    /// What was merged in part stays so: the hub has lost the rest, or a device has to send it again.
    private func bringBackLast() async throws {
        let (sealer, now) = (try sealer(), now())
        try await transaction { session, store in
            try session.takeLocalChanges(&store, sealer, now: now)
            try session.bringBack(store, sealer, isEnd: true)
        }
    }

    // MARK: - Findings

    /// Notes whether another device that has merged the same has the same state.
    private func noteAgreement(_ isSame: Bool, _ device: DeviceID) {
        let name = device.hexadecimal
        findings.diverged.removeAll { $0 == name }
        if !isSame { findings.diverged.append(name) }
    }

    private func report(_ runs: [FetchedRun]) {
        findings.refused += runs.compactMap { run in
            run.refusal.map {
                SyncStatus.Finding(
                    device: run.device.hexadecimal, number: run.nextNumber,
                    reason: $0.explanation)
            }
        }
        change { status in
            status.waitingBatches = [:]
            for run in runs where !run.units.isEmpty {
                status.waitingBatches[run.device.hexadecimal, default: 0] += run.units.count
            }
        }
    }
}

extension Duration {
    var seconds: Double {
        Double(components.seconds) + Double(components.attoseconds) * 1e-18
    }
}
