/// An adapter that exposes a range of columns, counted from 0.
///
///     // [b:2 c:3] out of SELECT 1 AS a, 2 AS b, 3 AS c, 4 AS d
///     let adapter = RangeRowAdapter(1..<3)
///
/// Fetching throws `SQLITE_MISUSE` when the range reaches past the statement's columns.
public struct RangeRowAdapter: RowAdapter {
    private let range: Range<Int>

    /// Exposes a half-open range.
    ///
    ///     let row = try Row.fetchOne(db, sql: "SELECT 1, 2, 3", adapter: RangeRowAdapter(0..<2))
    public init(_ range: Range<Int>) {
        self.range = range
    }

    /// Exposes a closed range.
    public init(_ range: ClosedRange<Int>) {
        // No statement has that many columns, and the end must be a number.
        let last = min(range.upperBound, .max - 1)
        self.range = min(range.lowerBound, last)..<(last + 1)
    }

    public var _adaptation: RowAdaptation {
        RowAdaptation { [range] base throws(DatabaseError) in
            try base.columns(range)
        }
    }
}

extension RowLayout {
    /// A range of the columns, under their names.
    func columns(_ range: Range<Int>) throws(DatabaseError) -> RowLayout {
        guard range.lowerBound >= 0, range.upperBound <= names.count else {
            throw DatabaseError(
                code: .SQLITE_MISUSE,
                message: """
                    Range \(range) of a row adapter is out of the statement's columns, of which \
                    there are \(names.count)
                    """,
                sql: sql)
        }
        return RowLayout(self, columns: Array(range), names: Array(names[range]))
    }
}
