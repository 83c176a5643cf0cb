/// What a batch of this device counted from, and what it added: the entries of its own counters before it, and the
/// additions that it has.
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
    var additions: [CounterAddition] = []

    init() {}

    /// What a batch says of them.
    var tokens: CounterTokens {
        var tokens = CounterTokens()
        for addition in additions.prefix(CounterTokens.limit) {
            if addition.isMoved {
                tokens.moved.append(addition.token)
            } else {
                tokens.added.append(addition.token)
            }
        }
        return tokens
    }

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
        bytes.append(number: UInt64(additions.count))
        for addition in additions {
            bytes.append(fixed: addition.token)
            bytes.append(fixed: addition.amount)
            bytes.append(addition.isMoved ? 1 : 0)
            Self.append(addition.place, to: &bytes)
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
        // Earlier versions wrote none.
        guard !reader.isAtEnd else { return }
        for _ in 0..<(try reader.count()) {
            let (token, amount) = (try reader.fixed(UInt64.self), try reader.fixed(Int64.self))
            let isMoved = try reader.byte() == 1
            additions.append(
                CounterAddition(
                    token: token, amount: amount, place: try Self.place(&reader),
                    isMoved: isMoved))
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

/// What was added to a counter at once.
struct CounterAddition: Sendable, Equatable {
    /// The same in each file that has it: see ``CounterTokens``.
    var token: UInt64
    var amount: Int64
    var place: CounterBases.Place
    /// Whether it was added under another run, of which the file is a copy.
    var isMoved = false
}
