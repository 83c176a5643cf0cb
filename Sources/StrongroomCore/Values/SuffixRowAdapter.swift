/// An adapter that hides leading columns.
///
///     // [b:2 c:3] out of SELECT 1 AS a, 2 AS b, 3 AS c
///     let adapter = SuffixRowAdapter(fromIndex: 1)
///
/// Fetching throws `SQLITE_MISUSE` when the statement has fewer columns than are to be hidden.
public struct SuffixRowAdapter: RowAdapter {
    private let index: Int

    /// Hides the columns before an index, counted from 0.
    public init(fromIndex index: Int) {
        self.index = index
    }

    public var _adaptation: RowAdaptation {
        RowAdaptation { [index] base throws(DatabaseError) in
            try base.columns(index..<max(index, base.names.count))
        }
    }
}
