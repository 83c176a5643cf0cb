/// Rows that write plain values into the same columns, one after the other.
///
/// Invariants:
/// 1. While `isUniform`, `values` has `count` rows of as many values as `written` has columns.
/// 2. Once a row writes anything else, `isUniform` is false for good, and the values mean nothing.
struct PlainRows: Sendable {
    /// Which columns the database does not compute.
    private let isWritable: [Bool]
    /// Which columns the rows write: those that the first row writes.
    private(set) var written: [Bool]
    private(set) var values: [QueryBinding] = []
    /// Which columns have values that are dates or UUIDs; nil where none has.
    private var isMoment: [Bool]?
    private(set) var count = 0
    private(set) var isUniform = true
    private var column = 0

    /// Reserves memory for so many rows of a type.
    init(_ isWritable: [Bool], count: Int) {
        self.isWritable = isWritable
        written = isWritable
        values.reserveCapacity(isWritable.count * count)
    }

    var hasMoments: Bool { isMoment != nil }

    /// Adds what a row writes into its next column.
    mutating func append(_ value: consuming QueryBinding, isPlain: Bool, isMoment: Bool) {
        guard isUniform, column < isWritable.count else { return isUniform = false }
        guard isWritable[column] else { return appendNothing() }
        guard isPlain, count == 0 || written[column] else { return isUniform = false }
        values.append(value)
        if isMoment { markMoment() }
        column += 1
    }

    /// Leaves the next column of a row to the database.
    mutating func appendNothing() {
        guard isUniform, column < isWritable.count else { return isUniform = false }
        if written[column] {
            guard count == 0 else { return isUniform = false }
            written[column] = false
        }
        column += 1
    }

    private mutating func markMoment() {
        if isMoment == nil { isMoment = isWritable.map { _ in false } }
        isMoment?[column] = true
    }

    /// Adds rows that write the same columns.
    mutating func append(_ other: PlainRows) {
        values += other.values
        count += other.count
        guard let others = other.isMoment else { return }
        isMoment = isMoment.map { zip($0, others).map { $0 || $1 } } ?? others
    }

    /// Ends a row, which has written something.
    mutating func endRow() {
        if column < isWritable.count || count == 0 && !written.contains(true) { isUniform = false }
        column = 0
        count += 1
    }

    /// What each row writes, column by column.
    var rows: [[EncodedValue?]] {
        var values = values[...]
        return (0..<count).map { _ in
            written.indices.map { column in
                guard written[column], let binding = values.popFirst() else { return nil }
                let isMoment = isMoment?[column] == true && binding != .null
                return EncodedValue(binding: binding, isMoment: isMoment)
            }
        }
    }
}
