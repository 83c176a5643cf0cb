extension Row {
    /// The rows that were fetched together with a row and its scopes, by key: the outermost wins.
    public struct PrefetchedRowsView {
        let row: Row

        /// Whether there are none, not even empty ones.
        public var isEmpty: Bool { keys.isEmpty }

        /// The keys for which rows were fetched, even if there are none.
        public var keys: Set<String> {
            row.breadthFirst.reduce(into: []) { keys, row in
                keys.formUnion(row.ownPrefetchedRows.keys)
            }
        }

        /// The rows of a key, in the order in which they were fetched; nil without such a key.
        public subscript(_ key: String) -> [Row]? {
            for row in row.breadthFirst {
                if let rows = row.ownPrefetchedRows[key] { return rows }
            }
            return nil
        }
    }
}
