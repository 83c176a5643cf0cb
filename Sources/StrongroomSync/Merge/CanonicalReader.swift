/// Reads rows from their canonical form, as snapshots have it. Names of tables and fields that the schema does not
/// have are noted in it.
package struct CanonicalReader {
    private var reader: ByteReader

    package init(_ bytes: [UInt8]) {
        reader = ByteReader(bytes)
    }

    package var isAtEnd: Bool { reader.isAtEnd }

    /// The next row.
    package mutating func row(noting schema: inout MergeSchema) throws(ByteReader.Damage)
        -> RowChange
    {
        let start = reader.position
        let table = schema.table(noting: try reader.text())
        let row = RowID(table, RowKey(bytes: Array(try reader.counted())))
        var state = RowState(life: try reader.number())
        if state.isAlive {
            try readLife(&state, table, &schema)
        } else {
            try readTombstone(&state.tombstone, table, &schema)
        }
        // One state has one form: entries in another order, or twice, are damage.
        guard state.isValid,
            reader.hasRead(state.canonicalBytes(of: row, in: schema[table]), from: start)
        else { throw reader.damage }
        return RowChange(row, state)
    }

    private mutating func readLife(
        _ state: inout RowState, _ table: Int, _ schema: inout MergeSchema
    ) throws(ByteReader.Damage) {
        if try reader.flag() { state.birth = try reader.author() }
        for _ in 0..<(try reader.count()) {
            let field = schema.field(noting: try reader.text(), in: table)
            state.cells.put(Cell(field, try reader.author(), try reader.content()))
        }
        for _ in 0..<(try reader.count()) {
            let field = schema.field(noting: try reader.text(), in: table)
            let (run, count) = (try reader.run(), try reader.number())
            let high = try reader.fixed(UInt64.self)
            let sum = Int128(Int64(bitPattern: high)) << 64 | Int128(try reader.fixed(UInt64.self))
            state.counters.put(CounterEntry(field, run, count: count, sum: sum))
        }
        for _ in 0..<(try reader.count()) {
            let field = schema.field(noting: try reader.text(), in: table)
            state.extremes.put(Extreme(field, isMaximum: try reader.flag(), try reader.value()))
        }
    }

    private mutating func readTombstone(
        _ tombstone: inout Tombstone, _ table: Int, _ schema: inout MergeSchema
    ) throws(ByteReader.Damage) {
        for _ in 0..<(try reader.count()) {
            tombstone.batches.put(.init(try reader.run(), try reader.number()))
        }
        for _ in 0..<(try reader.count()) {
            let field = schema.field(noting: try reader.text(), in: table)
            tombstone.seen.put(.init(field, try reader.author()))
        }
        for _ in 0..<(try reader.count()) {
            let field = schema.field(noting: try reader.text(), in: table)
            tombstone.seenCounts.put(.init(field, try reader.run(), try reader.number()))
        }
    }
}
