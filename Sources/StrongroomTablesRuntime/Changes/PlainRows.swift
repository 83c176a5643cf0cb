/// Rows that write plain values into the same columns, one after the other.
///
/// Invariants:
/// 1. While `isUniform`, `values` has `count` rows of as many values as `written` has columns.
/// 2. Once a row writes anything else, `isUniform` is false for good, and the values mean nothing.
struct PlainRows: Sendable {
    /// Which columns the database does not compute.
    private let isWritable: [Bool]
    /// Which columns the rows write: those that the first row writes.
    private(set) var written: [Bool] = []
    private(set) var values: [QueryBinding] = []
    /// Which columns have values that are dates or UUIDs.
    private var isMoment: [Bool] = []
    private(set) var count = 0
    private(set) var isUniform = true
    private var column = 0

    /// Makes room for so many rows of a type.
    init(_ isWritable: [Bool] = [], count: Int = 0) {
        self.isWritable = isWritable
        values.reserveCapacity(isWritable.count * count)
    }

    var hasMoments: Bool { isMoment.contains(true) }

    /// Adds what a row writes into its next column; nil where the database gives the value.
    mutating func append(_ value: EncodedValue?) {
        guard isUniform, column < isWritable.count else { return isUniform = false }
        let isGiven = value != nil && isWritable[column]
        if count == 0 {
            written.append(isGiven)
            isMoment.append(false)
        } else if written[column] != isGiven {
            return isUniform = false
        }
        if isGiven, let value {
            guard value.isPlain else { return isUniform = false }
            values.append(value.binding)
            if value.isMoment { isMoment[column] = true }
        }
        column += 1
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
                let isMoment = isMoment[column] && binding != .null
                return EncodedValue(binding: binding, isMoment: isMoment)
            }
        }
    }
}
