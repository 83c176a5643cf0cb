/// What a batch of this device counted from: the entries of its own counters before it.
///
/// A new run takes out of the old one what was not sent, and has to know what was (see ``NewRun``).
struct CounterBases: Sendable, Equatable {
    /// A counter of a life of a row.
    struct Place: Hashable, Sendable {
        var row: RowID
        var life: UInt64
        var field: Int
    }

    /// Nothing for a counter that had no entry.
    var entries: [Place: CounterEntry] = [:]
    /// For counters of a life that was brought back, those of the life before.
    var earlier: [Place: Place] = [:]

    init() {}

    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(number: UInt64(entries.count))
        for (place, entry) in entries {
            Self.append(place, to: &bytes)
            bytes.append(entry.run)
            bytes.append(number: entry.count)
            bytes.append(fixed: entry.sum)
        }
        bytes.append(number: UInt64(earlier.count))
        for (place, before) in earlier {
            Self.append(place, to: &bytes)
            Self.append(before, to: &bytes)
        }
        return bytes
    }

    init(_ bytes: [UInt8]) throws {
        var reader = ByteReader(bytes)
        for _ in 0..<(try reader.count()) {
            let place = try Self.place(&reader)
            let run = try reader.run()
            let count = try reader.number()
            entries[place] = CounterEntry(
                place.field, run, count: count, sum: try reader.fixed(Int128.self))
        }
        for _ in 0..<(try reader.count()) {
            let place = try Self.place(&reader)
            earlier[place] = try Self.place(&reader)
        }
    }

    private static func append(_ place: Place, to bytes: inout [UInt8]) {
        bytes.append(number: UInt64(place.row.table))
        bytes.append(counted: place.row.key.bytes)
        bytes.append(number: place.life)
        bytes.append(number: UInt64(place.field))
    }

    private static func place(_ reader: inout ByteReader) throws -> Place {
        let table = Int(try reader.number())
        let key = RowKey(bytes: Array(try reader.counted()))
        let life = try reader.number()
        return Place(row: RowID(table, key), life: life, field: Int(try reader.number()))
    }
}
