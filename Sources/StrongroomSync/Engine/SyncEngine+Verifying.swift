package import StrongroomCore
internal import StrongroomSchema

// What tests and `sync verify` compare.

extension SyncEngine {
    /// The merged state, after what the app wrote was taken.
    package func mergedState() async throws -> MergedState {
        try await exclusively {
            try await takeLocalChanges()
            return try await transaction { session, _ in try session.mergedState() }
        }
    }

    /// Makes a batch of what the app wrote, and sends nothing.
    package func takeNotes() async throws {
        _ = try await exclusively { try await takeLocalChanges() }
    }

    /// Compares the app's rows and what is kept of them with a projection of everything.
    ///
    /// - Returns: What differs, in words.
    package func differences() async throws -> [String] {
        try await exclusively {
            try await takeLocalChanges()
            return try await transaction { session, _ in try session.differences() }
        }
    }
}

extension StoreSession {
    func mergedState() throws -> MergedState {
        var state = MergedState(schema)
        for table in schema.tables.indices {
            for row in try rowIDs(in: table) {
                guard let known = try stored(row).state else { continue }
                state.merge([RowChange(row, known)])
            }
        }
        for (run, number) in runs.vector.numbers { state.setNumber(number, of: run) }
        return state
    }

    func differences() throws -> [String] {
        var found: [String] = []
        var full = FullProjection(of: self)
        let wanted = full.run()
        if let failure { throw failure }
        for (number, table) in space.tables.sorted(by: { $0.key < $1.key }) {
            var shown: [RowID: [CellValue]] = [:]
            try table.forEachRow(db) { values in
                let key = Array(values.prefix(table.keyCount))
                guard !key.contains(.null) else { return }
                shown[RowID(number, RowKey(key))] = values
            }
            for (row, projected) in wanted where row.table == number {
                let known = try stored(row)
                if known.status != projected.status {
                    found.append(
                        "a row of \(table.stored.name) is \(known.status), not \(projected.status)")
                }
                if shown[row] != projected.values {
                    found.append(
                        "a row of \(table.stored.name) is \(shown[row] ?? []), not \(projected.values ?? [])"
                    )
                }
                shown[row] = nil
            }
            for row in shown.keys where !scans.contains(where: { $0.table == number }) {
                found.append("a row of \(table.stored.name) is not known: \(row.key.values)")
            }
        }
        return found
    }
}

extension SyncEngine {
    /// The engine of a database whose former engine is gone, as after the death of its process.
    package static func reopened(
        _ old: SyncEngine, _ writer: any DatabaseWriter, _ hub: any SyncTransport,
        tables: [SyncedTable]? = nil, _ options: SyncOptions
    ) async throws -> SyncEngine {
        let declarations = tables ?? old.declarations
        let opened = try await OpenedSpace.open(writer, declarations, options, old.lock)
        let engine = SyncEngine(opened, writer, hub)
        try await engine.finishOpening()
        return engine
    }
}

/// What a verification found.
package struct SyncFindings: Sendable {
    /// How many rows and batches were looked at.
    package var rowCount = 0
    package var batchCount = 0
    /// What is wrong, in words.
    package var problems: [String] = []

    package init() {}
}

extension SyncEngine {
    /// Compares all rows with what is merged. What was written without triggers becomes changes, which are sent.
    package func verifyRows() async throws -> SyncFindings {
        try await exclusively {
            // What is noted was written with triggers.
            try await takeLocalChanges()
            // Of a table that is shared for the first time, rows are not known yet.
            let scanned = Set(store.scans.map(\.table))
            let time = now()
            let tables = store.space.tables.values.filter { !scanned.contains($0.number) }
            let counts = try await transaction { session, _ in
                let known = try KnownStates(
                    session.db, session.space, knowsCounters: true)
                return try tables.map { table in
                    (
                        table.stored.name,
                        try RowScan.run(session.db, table.captured, against: known, time: time)
                    )
                }
            }
            try await takeLocalChanges()
            var findings = SyncFindings()
            for (name, count) in counts.sorted(by: { $0.0 < $1.0 }) {
                findings.rowCount += count.rows
                guard count.found > 0 else { continue }
                findings.problems.append(
                    "\(count.found) rows of \(name) were written without triggers;"
                        + " the next exchange sends them")
            }
            findings.problems += try await transaction { session, _ in
                let isRight =
                    try session.digest == nil || session.computedDigest() == session.digest
                return try session.differences()
                    + (isRight ? [] : ["what was merged is not what the file has of it"])
            }
            return findings
        }
    }

    /// Snapshots of the same batches as are merged here, with another state.
    private func divergedSnapshots() async throws -> [String] {
        try await takeLocalChanges()
        let (vector, digest) = (store.runs.vector, store.isBetween ? nil : store.digest)
        guard let digest else { return [] }
        let floor = store.floor.number
        return try await snapshots().filter { known in
            known.manifest.vector == vector && known.manifest.floor.number == floor
                && known.manifest.digest != digest.bytes
        }.map { known in
            "the device \(known.header.start.device.hexadecimal) has merged the same batches and has another state"
        }
    }

    /// Verifies everything that the hub has of the space: signatures, chains, gaps.
    package func verifyHub() async throws -> SyncFindings {
        try await exclusively {
            var findings = SyncFindings()
            try await updateRoster()
            let (roster, _) = try await RosterLog(hub, membership.space).read()
            if roster.position != membership.roster.position {
                findings.problems.append("the hub lacks entries of the roster")
            }
            findings.problems += try await divergedSnapshots()
            let saved = try await snapshots().map(\.manifest.vector)
            var schema = store.space.merge
            for known in try await listRuns() {
                var run = try await beginning(of: known)
                let prefix = HubName.logPrefix(membership.space, run.device, run.run)
                var isMoving = true
                while isMoving, run.refusal == nil {
                    let bodies = try await hub.get(
                        numbered: prefix, from: run.nextNumber, upTo: 4 << 20)
                    isMoving = !bodies.isEmpty
                    for body in bodies {
                        guard try run.add(body, membership.verification, &schema) else { break }
                        findings.batchCount += 1
                        while !run.units.isEmpty { _ = run.removeFirst() }
                    }
                }
                if let refusal = run.refusal {
                    findings.problems.append(
                        "batch \(run.nextNumber) of the device \(run.device.hexadecimal): \(refusal.explanation)"
                    )
                }
                if run.refusal == nil,
                    let lost = try await lost(of: run.run, prefix, from: run.nextNumber, saved)
                {
                    findings.problems.append(
                        "the hub lacks batches \(lost.lowerBound) to \(lost.upperBound) of the device"
                            + " \(run.device.hexadecimal)")
                }
            }
            return findings
        }
    }

    /// Which batches that are merged here the hub has neither in a log nor in a snapshot, from the first to the last one.
    private func lost(
        of run: Run, _ prefix: String, from number: UInt64, _ saved: [Vector]
    ) async throws -> ClosedRange<UInt64>? {
        let merged = store.runs.vector[run]
        let first = max(number, (saved.map { $0[run] }.max() ?? 0) + 1)
        guard first <= merged else { return nil }
        let names = try await hub.names(prefix)
        let there = Set(names.compactMap { UInt64($0.dropFirst(prefix.count)) })
        let missing = (first...merged).filter { !there.contains($0) }
        return missing.first.flatMap { first in missing.last.map { first...$0 } }
    }
}
