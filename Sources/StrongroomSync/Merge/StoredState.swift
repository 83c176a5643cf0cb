/// The merged state of a row as a database keeps it next to the row: what the row itself shows is left out.
///
/// | part | bytes |
/// |---|---|
/// | flags | 1: alive, birth known, cells, counters, extremes, what was seen |
/// | life | a number |
/// | alive: birth | 8 and the number of the run |
/// | the fields that the birth wrote and the row shows | a count, and a bit each |
/// | further cells | for each: field, stamp as the difference to the birth, run, content unless the row shows it |
/// | counters, extremes | for each: field, run, count, sum; field, value |
/// | dead: batches, what was seen | for each: run and number; field, author or run and count |
///
/// Numbers are as in the canonical form. So a new row of 10 columns takes 15 bytes, and a tombstone 5 to 10.
package enum StoredState {
    /// The bytes of a state.
    ///
    /// - Parameters:
    ///   - shown: What the visible row holds in a field; nil if there is no row.
    package static func encode(
        _ state: RowState, runs: inout RunTable, shown: (_ field: Int) -> CellContent?
    ) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(24)
        bytes.append(flags(of: state).rawValue)
        bytes.append(number: state.life)
        guard state.isAlive else {
            append(state.tombstone, to: &bytes, &runs)
            return bytes
        }
        if let birth = state.birth {
            bytes.append(fixed: birth.stamp.bits)
            bytes.append(run: birth.run, &runs)
        }
        if !state.cells.isEmpty { append(state, to: &bytes, &runs, shown) }
        if !state.counters.isEmpty {
            bytes.append(number: UInt64(state.counters.count))
            for counter in state.counters {
                bytes.append(number: UInt64(counter.field))
                bytes.append(run: counter.run, &runs)
                bytes.append(number: counter.count)
                bytes.append(signed: counter.sum)
            }
        }
        if !state.extremes.isEmpty {
            bytes.append(number: UInt64(state.extremes.count))
            for extreme in state.extremes {
                let isShown = shown(extreme.field) == .value(extreme.value)
                let place = UInt64(extreme.field) << 2
                bytes.append(number: place | (extreme.isMaximum ? 2 : 0) | (isShown ? 0 : 1))
                if !isShown { bytes.append(extreme.value) }
            }
        }
        return bytes
    }

    struct Flags: OptionSet {
        let rawValue: UInt8

        static let alive = Flags(rawValue: 1)
        static let birth = Flags(rawValue: 2)
        static let cells = Flags(rawValue: 4)
        static let counters = Flags(rawValue: 8)
        static let extremes = Flags(rawValue: 16)
        static let seen = Flags(rawValue: 32)
    }

    private static func flags(of state: RowState) -> Flags {
        var flags: Flags = []
        if state.isAlive { flags.insert(.alive) }
        if state.birth != nil { flags.insert(.birth) }
        if !state.cells.isEmpty { flags.insert(.cells) }
        if !state.counters.isEmpty { flags.insert(.counters) }
        if !state.extremes.isEmpty { flags.insert(.extremes) }
        let tombstone = state.tombstone
        if !tombstone.seen.isEmpty || !tombstone.seenCounts.isEmpty { flags.insert(.seen) }
        return flags
    }

    private static func append(
        _ state: RowState, to bytes: inout [UInt8], _ runs: inout RunTable,
        _ shown: (Int) -> CellContent?
    ) {
        var bits: [UInt8] = []
        var others: [(cell: Cell, isShown: Bool)] = []
        for cell in state.cells {
            let isShown = shown(cell.field) == cell.content
            guard isShown, cell.author == state.birth else {
                others.append((cell, isShown))
                continue
            }
            while bits.count <= cell.field / 8 { bits.append(0) }
            bits[cell.field / 8] |= 1 << UInt8(cell.field % 8)
        }
        bytes.append(counted: bits)
        bytes.append(number: UInt64(others.count))
        for (cell, isShown) in others {
            bytes.append(number: UInt64(cell.field) << 1 | (isShown ? 0 : 1))
            let base = state.birth?.stamp.bits ?? 0
            bytes.append(signed: Int128(cell.author.stamp.bits) - Int128(base))
            bytes.append(run: cell.author.run, &runs)
            if !isShown { bytes.append(cell.content) }
        }
    }

    private static func append(
        _ tombstone: Tombstone, to bytes: inout [UInt8], _ runs: inout RunTable
    ) {
        bytes.append(number: UInt64(tombstone.batches.count))
        for batch in tombstone.batches {
            bytes.append(run: batch.run, &runs)
            bytes.append(number: batch.number)
        }
        guard !tombstone.seen.isEmpty || !tombstone.seenCounts.isEmpty else { return }
        bytes.append(number: UInt64(tombstone.seen.count))
        for seen in tombstone.seen {
            bytes.append(number: UInt64(seen.field))
            bytes.append(fixed: seen.author.stamp.bits)
            bytes.append(run: seen.author.run, &runs)
        }
        bytes.append(number: UInt64(tombstone.seenCounts.count))
        for seen in tombstone.seenCounts {
            bytes.append(number: UInt64(seen.field))
            bytes.append(run: seen.run, &runs)
            bytes.append(number: seen.count)
        }
    }
}

extension [UInt8] {
    fileprivate mutating func append(run: Run, _ runs: inout RunTable) {
        append(number: UInt64(runs.number(noting: run)))
    }

    /// Small numbers of either sign take few bytes: the sign is the lowest bit, then seven bits a byte.
    fileprivate mutating func append(signed number: Int128) {
        var rest = UInt128(bitPattern: number << 1 ^ number >> 127)
        while rest >= 0x80 {
            append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        append(UInt8(rest))
    }
}
