extension Row {
    /// The rows that were fetched together with a row and its scopes, by key: the outermost wins.
    public struct PrefetchedRowsView: Equatable {
        let row: Row

        /// Whether there are none, not even empty ones.
        public var isEmpty: Bool { keys.isEmpty }

        /// The keys for which rows were fetched, even if there are none.
        public var keys: Set<String> {
            let prefetched = row.storage.prefetchedRows
            guard !prefetched.isEmpty else { return [] }
            return row.layout.breadthFirst.reduce(into: []) { keys, layout in
                keys.formUnion(prefetched.rows(of: layout).keys)
            }
        }

        /// The rows of a key, in the order in which they were fetched; nil without such a key.
        public subscript(_ key: String) -> [Row]? {
            let prefetched = row.storage.prefetchedRows
            guard !prefetched.isEmpty else { return nil }
            if let rows = prefetched.rows(forKey: key, of: row.layout) { return rows }
            for layout in row.layout.breadthFirst.dropFirst() {
                if let rows = prefetched.rows(forKey: key, of: layout) { return rows }
            }
            return nil
        }

        /// Whether both have equal rows, in the same order, for the same keys.
        public static func == (lhs: Self, rhs: Self) -> Bool {
            let keys = lhs.keys
            return keys == rhs.keys && keys.allSatisfy { lhs[$0] == rhs[$0] }
        }
    }
}
