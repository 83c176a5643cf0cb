extension StoredState {
    /// The state that bytes stand for.
    ///
    /// - Parameters:
    ///   - runs: The numbers of the database.
    ///   - shown: What the visible row holds in a field; nil if there is no row.
    /// - Throws: ``ByteReader/Damage``, also where the row does not show what it should.
    package static func decode(
        _ bytes: [UInt8], runs: RunTable, shown: (_ field: Int) -> CellContent?
    ) throws(ByteReader.Damage) -> RowState {
        var reader = ByteReader(bytes)
        let flags = Flags(rawValue: try reader.byte())
        var state = RowState(life: try reader.number())
        guard state.isAlive == flags.contains(.alive) else { throw reader.damage }
        if state.isAlive {
            if flags.contains(.birth) {
                let stamp = Stamp(bits: try reader.fixed(UInt64.self))
                state.birth = Author(stamp, try reader.run(of: runs))
            }
            if flags.contains(.cells) { try readCells(&state, &reader, runs, shown) }
            if flags.contains(.counters) { try readCounters(&state, &reader, runs) }
            if flags.contains(.extremes) { try readExtremes(&state, &reader, shown) }
        } else {
            try readTombstone(&state.tombstone, &reader, runs, flags.contains(.seen))
        }
        guard reader.isAtEnd else { throw reader.damage }
        return state
    }

    private static func readCells(
        _ state: inout RowState, _ reader: inout ByteReader, _ runs: RunTable,
        _ shown: (Int) -> CellContent?
    ) throws(ByteReader.Damage) {
        let bits = Array(try reader.counted())
        for (index, byte) in bits.enumerated() where byte != 0 {
            for bit in 0..<8 where byte >> UInt8(bit) & 1 == 1 {
                let field = index * 8 + bit
                guard let birth = state.birth, let content = shown(field) else {
                    throw reader.damage
                }
                state.cells.append(Cell(field, birth, content))
            }
        }
        for _ in 0..<(try reader.count()) {
            let place = try reader.number()
            let stamp = Int128(state.birth?.stamp.bits ?? 0) + (try reader.signed())
            guard let bits = UInt64(exactly: stamp) else { throw reader.damage }
            let author = Author(Stamp(bits: bits), try reader.run(of: runs))
            let field = Int(place >> 1)
            let content = place & 1 == 1 ? try reader.content() : shown(field)
            guard let content else { throw reader.damage }
            state.cells.put(Cell(field, author, content))
        }
    }

    private static func readCounters(
        _ state: inout RowState, _ reader: inout ByteReader, _ runs: RunTable
    ) throws(ByteReader.Damage) {
        for _ in 0..<(try reader.count()) {
            let field = Int(try reader.number())
            let run = try reader.run(of: runs)
            let count = try reader.number()
            state.counters.append(CounterEntry(field, run, count: count, sum: try reader.signed()))
        }
    }

    private static func readExtremes(
        _ state: inout RowState, _ reader: inout ByteReader, _ shown: (Int) -> CellContent?
    ) throws(ByteReader.Damage) {
        for _ in 0..<(try reader.count()) {
            let place = try reader.number()
            let field = Int(place >> 2)
            var value: CellValue?
            if place & 1 == 1 {
                value = try reader.value()
            } else if case .value(let only)? = shown(field) {
                value = only
            }
            guard let value else { throw reader.damage }
            state.extremes.append(Extreme(field, isMaximum: place & 2 == 2, value))
        }
    }

    private static func readTombstone(
        _ tombstone: inout Tombstone, _ reader: inout ByteReader, _ runs: RunTable, _ hasSeen: Bool
    ) throws(ByteReader.Damage) {
        for _ in 0..<(try reader.count()) {
            let run = try reader.run(of: runs)
            tombstone.batches.append(.init(run, try reader.number()))
        }
        guard hasSeen else { return }
        for _ in 0..<(try reader.count()) {
            let field = Int(try reader.number())
            let stamp = Stamp(bits: try reader.fixed(UInt64.self))
            tombstone.seen.append(.init(field, Author(stamp, try reader.run(of: runs))))
        }
        for _ in 0..<(try reader.count()) {
            let field = Int(try reader.number())
            let run = try reader.run(of: runs)
            tombstone.seenCounts.append(.init(field, run, try reader.number()))
        }
    }
}

extension ByteReader {
    fileprivate mutating func run(of runs: RunTable) throws(Damage) -> Run {
        let number = try number()
        guard number < UInt64(runs.runs.count) else { throw damage }
        return runs.runs[Int(number)]
    }
}
