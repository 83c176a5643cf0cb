/// One line of the journal: where something changed, and when.
package struct Note: Sendable, Hashable {
    package enum Kind: Int, Sendable, Hashable {
        /// A row has been inserted under this key.
        case insert
        /// Columns of the row have other values.
        case update
        /// The row with this key has been deleted, or has another key now.
        case delete
        /// REPLACE may have deleted the row: it is to be looked at.
        case look
        /// A counter has another value: the mask is the difference.
        case counter
    }

    /// How many columns one mask has, so that its number is never negative.
    package static let columnsPerMask = 62
    private static let kindBits = 4
    private static let wordBits = 12

    package var table: Int
    package var kind: Kind
    /// Of an update, which 62 columns the mask has; of a counter, its column.
    package var word: Int
    /// One bit for each column; of a counter, the difference.
    package var mask: Int64
    /// Milliseconds since 1970 by the clock of the device, uncorrected.
    package var time: Int64
    package var key: [CapturedValue]

    /// A note without a mask.
    init(table: Int, key: [CapturedValue], kind: Kind, time: Int64) {
        self.table = table
        self.key = key
        self.kind = kind
        self.time = time
        word = 0
        mask = 0
    }

    /// What one number in the journal says: the table, the kind and the word.
    package static func code(_ kind: Kind, table: Int, word: Int = 0) -> Int64 {
        Int64(((table << wordBits | word) << kindBits) | kind.rawValue)
    }

    package var code: Int64 { Self.code(kind, table: table, word: word) }

    /// Takes such a number apart; nil for one of a later version.
    package init?(code: Int64, mask: Int64, time: Int64, key: [CapturedValue]) {
        guard let number = Int(exactly: code), number >= 0,
            let kind = Kind(rawValue: number & (1 << Self.kindBits - 1))
        else { return nil }
        self.kind = kind
        word = number >> Self.kindBits & (1 << Self.wordBits - 1)
        table = number >> (Self.kindBits + Self.wordBits)
        self.mask = mask
        self.time = time
        self.key = key
    }

    /// The positions of the columns of an update.
    package var positions: [Int] {
        (0..<Self.columnsPerMask).filter { mask >> $0 & 1 == 1 }
            .map { word * Self.columnsPerMask + $0 }
    }
}

/// The time of notes: a Julian day, which every SQLite since version 3 gives.
///
/// `unixepoch('subsec')` would need version 3.42 of whatever program writes.
package enum NoteTime {
    package static let sql = "julianday()"

    /// Milliseconds since 1970; 0 for a clock that gives nothing sensible.
    package static func milliseconds(julianDay: Double) -> Int64 {
        let time = ((julianDay - 2_440_587.5) * 86_400_000).rounded()
        return abs(time) < 1e15 ? Int64(time) : 0
    }

    package static func julianDay(milliseconds: Int64) -> Double {
        Double(milliseconds) / 86_400_000 + 2_440_587.5
    }
}

/// What tells two notes of a counter apart that say the same: a copy of the file has the notes of the file, and takes
/// others of its own.
package enum NoteToken {
    package static let sql = "random()"
}
