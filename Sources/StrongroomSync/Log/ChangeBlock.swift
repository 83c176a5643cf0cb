/// Changes of rows as bytes, column by column. `Documentation/SyncFormat.md` describes it under "Block".
package enum ChangeBlock {
    /// More changes do not stand in one block.
    package static let largestCount = 10_000
    /// A longer one holds a single row.
    package static let largestByteCount = 1 << 20
    /// No row is longer.
    package static let largestRowByteCount = 64 << 20
    /// More tables do not stand in one block, and more names of columns and groups not in one of its tables.
    static let largestTableCount = 1000
    static let largestNameCount = 8000
    static let largestColumnCount = 4000

    /// What the rows of a table have in common: which pieces they are made of.
    struct Shape: Hashable {
        enum Content: Hashable {
            case value
            case group([Int])
        }

        struct CellShape: Hashable {
            let field: Int
            let content: Content
        }

        struct ExtremeShape: Hashable {
            let field: Int
            let isMaximum: Bool
        }

        var isAlive = true
        var hasBirth = false
        /// Whether one author wrote the birth and all cells.
        var hasOneAuthor = false
        var cells: [CellShape] = []
        var counters: [Int] = []
        var extremes: [ExtremeShape] = []

        static let aliveBit: UInt8 = 1
        static let birthBit: UInt8 = 2
        static let oneAuthorBit: UInt8 = 4
    }

    /// How a column of numbers begins.
    enum Mode: UInt8 {
        /// One number for all rows.
        case same = 0
        /// A number for each.
        case each = 1
    }

    /// Stamps, each as its difference to the one before.
    ///
    /// The difference of milliseconds, as a number with a sign, doubled; plus 1, followed by the count, if the count is not
    /// the expected one: that of the stamp before plus 1 in the same millisecond, and 0 in another.
    struct Stamps {
        private var last = Stamp(bits: 0)

        private func expectedCount(_ milliseconds: Int64) -> UInt64 {
            milliseconds == last.milliseconds ? (last.bits & 0xffff) &+ 1 : 0
        }

        mutating func append(_ stamp: Stamp, to bytes: inout [UInt8]) {
            let difference = stamp.milliseconds - last.milliseconds
            let count = stamp.bits & 0xffff
            let isExpected = count == expectedCount(stamp.milliseconds)
            let zigzag = UInt64(bitPattern: difference << 1 ^ difference >> 63)
            bytes.append(number: zigzag << 1 | (isExpected ? 0 : 1))
            if !isExpected { bytes.append(number: count) }
            last = stamp
        }

        mutating func read(_ reader: inout ObjectReader) throws(Refusal) -> Stamp {
            let number = try reader.number(atMost: 1 << 52)
            let zigzag = number >> 1
            let difference = Int64(bitPattern: zigzag >> 1) ^ -Int64(bitPattern: zigzag & 1)
            let milliseconds = last.milliseconds + difference
            guard (0..<(1 << 48)).contains(milliseconds) else {
                throw .malformed("a stamp is out of range")
            }
            let expected = expectedCount(milliseconds)
            let count = number & 1 == 0 ? expected : try reader.number(atMost: 0xffff)
            guard count <= 0xffff, number & 1 == 0 || count != expected else {
                throw .malformed("a stamp is out of range")
            }
            last = Stamp(bits: UInt64(milliseconds) << 16 | count)
            return last
        }
    }
}
