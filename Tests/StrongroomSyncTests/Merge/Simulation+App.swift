import StrongroomSync
import StrongroomTestSupport

// What apps write.

extension Simulation {
    private typealias Tables = SimulatedSchema

    /// A row that may exist or not: there are few, so that devices meet.
    private mutating func someRow(_ table: Int, of device: Int) -> RowID {
        guard table == Tables.link else {
            let number = Int.random(in: 0...4, using: &random)
            let name = devices[device].schema[table].name
            return RowID(table, RowKey([.text(Array("\(name)\(number)".utf8))]))
        }
        let parts = [someKey(Tables.item, of: device), someKey(Tables.tag, of: device)]
        return RowID(table, RowKey(parts))
    }

    private mutating func someKey(_ table: Int, of device: Int) -> CellValue {
        someRow(table, of: device).key.values[0]
    }

    private mutating func someValue() -> CellValue {
        switch Int.random(in: 0...9, using: &random) {
        case 0: .null
        case 1: CellValue(random.pick([0.0, -0.0, 1.0, 2.5, .infinity, 0x1p63]))
        case 2:
            .text(random.pick([[], [0], [0xFF, 0xFE], Array("é".utf8), Array("e\u{301}".utf8)]))
        case 3: .blob(random.pick([[], [0, 1], Array("é".utf8)]))
        default: .integer(Int64.random(in: 0...99, using: &random))
        }
    }

    private mutating func someNumber(_ range: ClosedRange<Int64>) -> CellValue {
        .integer(Int64.random(in: range, using: &random))
    }

    private mutating func someReference(_ table: Int, of device: Int) -> CellValue {
        Self.chance(30, &random) ? .null : someKey(table, of: device)
    }

    /// A value for a column, as an app would write it.
    private mutating func someValue(_ table: Int, _ column: Int, of device: Int) -> CellValue {
        switch (table, column) {
        case (Tables.list, 2): someReference(Tables.list, of: device)
        case (Tables.list, 3): someNumber(0...9)
        case (Tables.list, 4): someNumber(0...3)
        case (Tables.tag, 1): someNumber(0...2)
        case (Tables.item, 2), (Tables.doc, 2): someKey(Tables.list, of: device)
        case (Tables.item, 3): someReference(Tables.tag, of: device)
        case (Tables.item, 4): someNumber(0...2)
        case (Tables.item, 5), (Tables.item, 6): someNumber(0...9)
        case (Tables.note, 2): someKey(Tables.item, of: device)
        case (Tables.note, 3): someNumber(0...9)
        case (Tables.box, 2): someReference(Tables.list, of: device)
        case (Tables.node, 2): someReference(Tables.node, of: device)
        case (Tables.pair, 1): someReference(Tables.pair, of: device)
        default: someValue()
        }
    }

    mutating func insertSomething(_ index: Int) {
        let tables = devices[index].schema.tables.indices.filter {
            devices[index].schema[$0].isKnown
        }
        let table = random.pick(tables)
        let row = someRow(table, of: index)
        var values = row.key.values
        for column in values.count..<devices[index].schema[table].columns.count {
            values.append(someValue(table, column, of: index))
        }
        devices[index].insert(row, values, at: time)
    }

    private mutating func someVisibleRow(_ index: Int) -> RowID? {
        let rows = devices[index].app.keys.sorted(by: devices[index].isBefore)
        return rows.randomElement(using: &random)
    }

    mutating func updateSomething(_ index: Int) {
        guard let row = someVisibleRow(index), let values = devices[index].app[row] else { return }
        let table = devices[index].schema[row.table]
        guard table.columns.count > table.key.count else { return }
        let column = Int.random(in: table.key.count..<table.columns.count, using: &random)
        var value = someValue(row.table, column, of: index)
        if case .field(let field, _) = table.columns[column], table.fields[field].kind == .counter,
            case .integer(let old) = values[column]
        {
            value = .integer(old + Int64.random(in: -3...5, using: &random))
        }
        devices[index].update(row, column, value, at: time)
    }

    mutating func deleteSomething(_ index: Int) {
        guard let row = someVisibleRow(index) else { return }
        devices[index].delete(row, at: time)
    }

    /// Deletes a row, and inserts the same again.
    mutating func reinsertSomething(_ index: Int) {
        guard let row = someVisibleRow(index), let values = devices[index].app[row] else { return }
        devices[index].delete(row, at: time)
        devices[index].insert(row, values, at: time)
    }

    // MARK: - Notes become changes

    /// Makes a batch of what the app wrote.
    mutating func drain(_ index: Int) throws {
        let notes = devices[index].journal
        guard !notes.isEmpty else { return }
        let device = devices[index]
        let batch = Tombstone.Position(device.run, device.number + 1)
        var byRow: [RowID: [LocalNote]] = [:]
        var order: [RowID] = []
        for note in notes {
            let stamp = devices[index].clock.stamp(
                noted: note.time, now: time + device.skew, offset: device.offset)
            if byRow[note.row] == nil { order.append(note.row) }
            byRow[note.row, default: []].append(
                LocalNote(note.kind, stamp, differences: note.differences))
        }
        var changes: [RowChange] = []
        for row in order {
            let local = LocalRow(
                in: device.schema[row.table], notes: byRow[row] ?? [],
                merged: device.source.state(of: row),
                wasVisible: device.source.status(of: row).level == .shown,
                values: device.app[row])
            guard var state = try local.change(in: batch) else { continue }
            if mutant != nil { breakRule(&state, local, batch) }
            changes.append(RowChange(row, state))
        }
        devices[index].journal = []
        let written = devices[index].app
        let visible = Set(order.filter { device.source.status(of: $0).level == .shown })
        try emit(index, changes, deltas: newDeltas(changes, device))
        try checkOwnWrites(index, written, order, visible)
    }

    private mutating func breakRule(
        _ state: inout RowState, _ local: LocalRow, _ batch: Tombstone.Position
    ) {
        switch mutant {
        case .noDomination:
            guard state.life == local.merged?.life, let stamp = local.notes.last?.stamp else {
                return
            }
            for cell in state.cells.indices { state.cells[cell].author.stamp = stamp }
        case .reinsertionIgnored:
            guard let merged = local.merged, merged.isAlive, state.isAlive,
                state.life > merged.life
            else { return }
            state = merged.ended(in: batch, isSeenKept: false)
        case .nothingSeen:
            state.tombstone.seen = []
            state.tombstone.seenCounts = []
        default: break
        }
    }

    /// What changes add to counters: told apart wherever they go.
    private mutating func newDeltas(
        _ changes: [RowChange], _ device: SimulatedDevice
    ) -> Set<CounterDelta> {
        var deltas: Set<CounterDelta> = []
        for change in changes {
            let table = device.schema[change.row.table]
            let old = device.source.state(of: change.row)
            for entry in change.state.counters {
                let before = old?.life == change.state.life ? old?.counters : nil
                let base = before?.first { $0.field == entry.field && $0.run == entry.run }
                deltas.insert(
                    CounterDelta(
                        identity: identity(), table: table.name, key: change.row.key,
                        life: change.state.life, field: table.fields[entry.field].name,
                        amount: entry.sum - (base?.sum ?? 0)))
            }
        }
        return deltas
    }

    /// What an app wrote is still there after the merge of it, but for what a named rule takes.
    private func checkOwnWrites(
        _ index: Int, _ written: [RowID: [CellValue]], _ rows: [RowID], _ visible: Set<RowID>
    ) throws {
        let device = devices[index]
        for row in rows {
            let status = device.source.status(of: row)
            guard let values = written[row] else {
                // A held row may be freed by the rest of the batch.
                guard device.app[row] == nil || !visible.contains(row) else {
                    throw Failure(description: "a deleted row came back")
                }
                continue
            }
            guard let shown = device.app[row] else {
                guard status.level > .orphan else {
                    throw Failure(description: "a written row is \(status.level)")
                }
                continue
            }
            let table = device.schema[row.table]
            var excused: Set<Int> = []
            for (number, reference) in table.references.enumerated() {
                let isCut = status.isCut && number == table.acyclic?.reference
                let parent = device.parent(of: row, values, number)
                if isCut || parent.map({ device.app[$0] == nil }) ?? false {
                    excused.formUnion(reference.columns)
                }
            }
            for (column, place) in table.columns.enumerated() where shown[column] != values[column]
            {
                if case .field(let field, _) = place {
                    if [.maximum, .minimum].contains(table.fields[field].kind) { continue }
                }
                guard excused.contains(column) else {
                    throw Failure(
                        description:
                            "\(table.name).\(table.column(at: place).name) is not as written")
                }
            }
        }
    }
}
