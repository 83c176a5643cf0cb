/// An adapter that applies another one to the columns that a first one gives.
///
/// The first one's scopes do not go through: they are views of columns that the second may not see.
package struct ChainedRowAdapter: RowAdapter {
    private let first: any RowAdapter
    private let second: any RowAdapter

    /// Applies `first`, and `second` to what it gives.
    package init(first: any RowAdapter, second: any RowAdapter) {
        self.first = first
        self.second = second
    }

    package var _adaptation: RowAdaptation {
        RowAdaptation { [first, second] base throws(DatabaseError) in
            try second._adaptation(first._adaptation(base).unscoped)
        }
    }
}
