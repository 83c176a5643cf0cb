// The canonical form: the same state has the same bytes on every device. Documentation/SyncFormat.md
// describes it under "Merge".

extension [UInt8] {
    /// Seven bits a byte, lowest first; the highest bit says that more follow.
    package mutating func append(number: UInt64) {
        var rest = number
        while rest >= 0x80 {
            append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        append(UInt8(rest))
    }

    /// As many bytes as the integer has, highest first.
    package mutating func append(fixed integer: some FixedWidthInteger) {
        var shift = integer.bitWidth - 8
        while shift >= 0 {
            append(UInt8(truncatingIfNeeded: integer >> shift))
            shift -= 8
        }
    }

    /// The number of bytes, then the bytes.
    package mutating func append(counted bytes: some Collection<UInt8>) {
        append(number: UInt64(bytes.count))
        append(contentsOf: bytes)
    }

    package mutating func append(_ run: Run) {
        append(fixed: run.high)
        append(fixed: run.low)
    }

    package mutating func append(_ author: Author) {
        append(fixed: author.stamp.bits)
        append(author.run)
    }

    package mutating func append(_ value: CellValue) {
        switch value {
        case .null: append(0)
        case .integer(let integer):
            append(1)
            append(fixed: integer)
        case .real(let bits):
            append(2)
            append(fixed: bits)
        case .text(let bytes):
            append(3)
            append(counted: bytes)
        case .blob(let bytes):
            append(4)
            append(counted: bytes)
        }
    }

    package mutating func append(_ content: CellContent) {
        switch content {
        case .value(let value):
            append(0)
            append(value)
        case .group(let values):
            append(1)
            append(number: UInt64(values.count))
            for value in values {
                append(counted: value.column.utf8)
                append(value.value)
            }
        }
    }

    package mutating func append(_ vector: Vector) {
        append(number: UInt64(vector.numbers.count))
        for (run, number) in vector.numbers.sorted(by: { $0.key < $1.key }) {
            append(run)
            append(number: number)
        }
    }
}

/// A row's canonical form, and the form that the digest counts.
struct RowBytes {
    let table: MergeTable
    let row: RowID
    let state: RowState

    /// Birth, or tombstone.
    private func appendFrame(to bytes: inout [UInt8]) {
        guard state.isAlive else {
            let tombstone = state.tombstone
            bytes.append(number: UInt64(tombstone.batches.count))
            for batch in tombstone.batches {
                bytes.append(batch.run)
                bytes.append(number: batch.number)
            }
            bytes.append(number: UInt64(tombstone.seen.count))
            for seen in sorted(tombstone.seen, \.field) {
                appendName(seen.field, to: &bytes)
                bytes.append(seen.author)
            }
            bytes.append(number: UInt64(tombstone.seenCounts.count))
            for seen in sorted(tombstone.seenCounts, \.field) {
                appendName(seen.field, to: &bytes)
                bytes.append(seen.run)
                bytes.append(number: seen.count)
            }
            return
        }
        bytes.append(state.birth == nil ? 0 : 1)
        if let birth = state.birth { bytes.append(birth) }
    }

    private func appendName(_ field: Int, to bytes: inout [UInt8]) {
        bytes += table.wireFields[field].name
    }

    private func append(_ cell: Cell, to bytes: inout [UInt8], withContents: Bool) {
        appendName(cell.field, to: &bytes)
        bytes.append(cell.author)
        if withContents { bytes.append(cell.content) }
    }

    private func append(_ counter: CounterEntry, to bytes: inout [UInt8]) {
        appendName(counter.field, to: &bytes)
        bytes.append(counter.run)
        bytes.append(number: counter.count)
        bytes.append(fixed: counter.sum)
    }

    private func append(_ extreme: Extreme, to bytes: inout [UInt8]) {
        appendName(extreme.field, to: &bytes)
        bytes.append(extreme.isMaximum ? 1 : 0)
        bytes.append(extreme.value)
    }

    /// Entries in the order of the bytes of their fields' names; those of one field stay in their order.
    private func sorted<Entry>(_ entries: [Entry], _ field: (Entry) -> Int) -> [Entry] {
        let ranks = entries.map { table.wireFields[field($0)].rank }
        guard zip(ranks, ranks.dropFirst()).contains(where: { $0 > $1 }) else { return entries }
        return entries.indices.sorted { (ranks[$0], $0) < (ranks[$1], $1) }.map { entries[$0] }
    }

    /// The whole row.
    func append(to bytes: inout [UInt8]) { append(to: &bytes, withContents: true) }

    /// What the digest counts: the whole row but for the contents of its cells.
    func appendDigested(to bytes: inout [UInt8]) { append(to: &bytes, withContents: false) }

    private func append(to bytes: inout [UInt8], withContents: Bool) {
        bytes.append(counted: table.name.utf8)
        bytes.append(counted: row.key.bytes)
        bytes.append(number: state.life)
        appendFrame(to: &bytes)
        guard state.isAlive else { return }
        bytes.append(number: UInt64(state.cells.count))
        for cell in sorted(state.cells, \.field) {
            append(cell, to: &bytes, withContents: withContents)
        }
        bytes.append(number: UInt64(state.counters.count))
        for counter in sorted(state.counters, \.field) { append(counter, to: &bytes) }
        bytes.append(number: UInt64(state.extremes.count))
        for extreme in sorted(state.extremes, \.field) { append(extreme, to: &bytes) }
    }
}

extension RowState {
    /// The canonical form of a row.
    package func canonicalBytes(of row: RowID, in table: MergeTable) -> [UInt8] {
        var bytes: [UInt8] = []
        RowBytes(table: table, row: row, state: self).append(to: &bytes)
        return bytes
    }
}
