extension Row {
    /// The rows that were fetched together with a row and its scopes, by key: the outermost wins.
    public struct PrefetchedRowsView {
        let row: Row

        /// Whether there are none, not even empty ones.
        public var isEmpty: Bool { keys.isEmpty }

        /// The keys for which rows were fetched, even if there are none.
        public var keys: Set<String> {
            guard !row.storage.prefetchedRows.isEmpty else { return [] }
            return row.layout.breadthFirst.reduce(into: []) { keys, layout in
                keys.formUnion(row.storage.prefetchedRows(of: layout).keys)
            }
        }

        /// The rows of a key, in the order in which they were fetched; nil without such a key.
        public subscript(_ key: String) -> [Row]? {
            guard !row.storage.prefetchedRows.isEmpty else { return nil }
            if let rows = row.ownPrefetchedRows[key] { return rows }
            for layout in row.layout.breadthFirst.dropFirst() {
                if let rows = row.storage.prefetchedRows(of: layout)[key] { return rows }
            }
            return nil
        }
    }
}
