import StrongroomCore
import StrongroomSync
import StrongroomTestSupport

// A device's own batches, and the merge of those of others.

extension Simulation {
    /// Writes a batch of a device's own, and merges it there.
    mutating func emit(
        _ index: Int, _ changes: [RowChange], deltas: Set<CounterDelta>, evenEmpty: Bool = false,
        earlier: [CounterPlace: (CounterPlace, CounterEntry)] = [:]
    ) throws {
        guard !changes.isEmpty || evenEmpty else { return try project(index) }
        let device = devices[index]
        var bases: [CounterPlace: CounterEntry] = [:]
        for change in changes {
            let old = device.source.state(of: change.row)
            // The first batch of a new run has nothing before it, though the state has it already.
            for entry in change.state.counters where entry.run == device.run && device.number > 0 {
                let place = device.counter(entry.field, change.row, change.state.life)
                let now = old?.life == change.state.life ? old : nil
                let base = now?.counters.first { $0.field == entry.field && $0.run == device.run }
                bases[place] = base ?? earlier[place]?.1
            }
        }
        let batch = SimulatedBatch(
            run: device.run, number: device.number + 1, seen: device.vector,
            floor: device.source.merged.floor.number, rows: device.canonical(changes),
            deltas: deltas, bases: bases, earlier: earlier.mapValues(\.0), hash: identity())
        devices[index].kept.append(batch)
        try mergeBatch(batch, index)
        try project(index)
    }

    /// Merges a batch that is ready.
    mutating func mergeBatch(_ batch: SimulatedBatch, _ index: Int) throws {
        try mergeRows(batch.rows, index)
        devices[index].source.change { merged in
            merged.setNumber(max(batch.number, merged.vector[batch.run]), of: batch.run)
            return [:]
        }
        devices[index].hashes[batch.position] = batch.hash
        devices[index].deltas.formUnion(batch.deltas)
    }

    /// Merges rows, and notes what the device may have to bring back.
    mutating func mergeRows(_ bytes: [UInt8], _ index: Int) throws {
        for change in try devices[index].decode(bytes) {
            if let old = devices[index].source.state(of: change.row) {
                devices[index].noteLiving(change, old)
            }
            try follow(index) { $0.merge([change]) }
        }
        script.merge(device: index, rows: bytes)
    }

    /// Changes a device's merged state; its digest follows.
    mutating func follow(
        _ index: Int, _ body: (inout MergedState) -> [RowID: RowState?]
    ) throws {
        let changed = devices[index].source.change(body)
        keeper.digest = devices[index].digest
        for (row, old) in changed {
            try keeper.follow(
                row, in: devices[index].schema[row.table], from: old,
                to: devices[index].source.state(of: row))
        }
        devices[index].digest = keeper.digest
        touched.merge(changed) { first, _ in first }
    }

    /// Shows what became visible, and compares with a projection of everything.
    mutating func project(_ index: Int) throws {
        var incremental = IncrementalProjection(of: devices[index].source, after: touched)
        devices[index].source.show(incremental.run())
        touched = [:]
        var full = FullProjection(of: devices[index].source)
        guard full.run() == devices[index].source.projected else {
            throw Failure(description: "the incremental projection is not the full one")
        }
        devices[index].app = devices[index].source.projected.compactMapValues(\.values)
        let visible = try digest(of: devices[index].visibleBytes)
        script.check(device: index, digest: devices[index].digest, visible: visible)
    }

    // MARK: - Rows that come back

    /// Brings back what edits and RESTRICT keep.
    mutating func bringBack(_ index: Int) throws {
        let device = devices[index]
        devices[index].bringingBack = [:]
        let revival = Revival(ownRuns: device.ownRuns)
        var changes: [RowChange] = []
        var deltas: Set<CounterDelta> = []
        var earlier: [CounterPlace: (CounterPlace, CounterEntry)] = [:]
        for row in device.bringingBack.keys.sorted(by: device.isBefore) {
            guard let living = device.bringingBack[row], let now = device.source.state(of: row)
            else {
                continue
            }
            let table = device.schema[row.table]
            var change = mutant == .noRevival ? nil : revival.addition(of: living, to: now)
            if table.editWins, mutant != .noRevival {
                change = change ?? revival.editWins(living, over: now)
            }
            if mutant != .noParentRevival, isParentKept(row, device, revival) {
                change = change ?? Revival.change(bringingBack: living, over: now)
            }
            guard let change else {
                if !now.isAlive, revival.hasOwn(living) { devices[index].ended[row] = living }
                continue
            }
            changes.append(RowChange(row, change))
            for entry in living.counters where entry.run == device.run {
                earlier[device.counter(entry.field, row, change.life)] = (
                    device.counter(entry.field, row, living.life), entry
                )
            }
            for delta in device.deltas
            where delta.table == table.name && delta.key == row.key && delta.life == living.life {
                var delta = delta
                delta.life = change.life
                deltas.insert(delta)
            }
        }
        try emit(index, changes, deltas: deltas, earlier: earlier)
    }

    private func isParentKept(_ row: RowID, _ device: SimulatedDevice, _ revival: Revival) -> Bool {
        for (number, table) in device.schema.tables.enumerated() {
            for (position, reference) in table.references.enumerated()
            where reference.parent == row.table && reference.action == .restrict {
                let id = ReferenceID(number, position)
                for child in device.source.children(of: row, by: id) {
                    guard let state = device.source.state(of: child) else { continue }
                    if revival.isAuthor(of: reference, in: table, state) { return true }
                }
            }
        }
        return false
    }
}

extension SimulatedDevice {
    /// Notes how a row lived whose life a change ends or replaces, with what comes only now.
    mutating func noteLiving(_ change: RowChange, _ old: RowState) {
        let (row, state) = (change.row, change.state)
        if old.isAlive {
            if state.life > old.life { bringingBack[row] = old }
        } else if state.life > old.life {
            if state.isAlive, bringingBack[row] == nil {
                bringingBack[row] = ended.removeValue(forKey: row)
            }
        } else if var living = bringingBack[row], living.life == state.life {
            _ = living.merge(state)
            bringingBack[row] = living
        }
    }

    func counter(_ field: Int, _ row: RowID, _ life: UInt64) -> CounterPlace {
        let table = schema[row.table]
        return CounterPlace(
            table: table.name, key: row.key, life: life, field: table.fields[field].name)
    }

    func canonical(_ changes: [RowChange]) -> [UInt8] {
        changes.flatMap { $0.state.canonicalBytes(of: $0.row, in: schema[$0.row.table]) }
    }

    /// Reads rows; tables and fields that are new get numbers here.
    mutating func decode(_ bytes: [UInt8]) throws -> [RowChange] {
        var schema = schema
        var reader = CanonicalReader(bytes)
        var changes: [RowChange] = []
        while !reader.isAtEnd { changes.append(try reader.row(noting: &schema)) }
        source.adopt(schema)
        return changes
    }

    /// All living rows of known tables, as the witness writes them.
    var visibleBytes: [UInt8] {
        var bytes: [UInt8] = []
        let rows = source.projected.keys.sorted {
            $0.table == $1.table
                ? $0.key < $1.key : schema[$0.table].name.precedesByBytes(schema[$1.table].name)
        }
        for row in rows where schema[row.table].isKnown {
            guard let projected = source.projected[row] else { continue }
            bytes.append(counted: schema[row.table].name.utf8)
            bytes.append(counted: row.key.bytes)
            bytes += [projected.status.level.rawValue, projected.status.isCut ? 1 : 0]
            for value in projected.values ?? [] { bytes.append(value) }
        }
        return bytes
    }
}
