// Rows without duplicates, for which rows are fetched by the key of a table that is only joined: SQLite
// takes two of them for different when this key is.

extension AssociatedRows {
    /// How rows become one that differ in columns only which they don't show.
    struct Merging {
        let visibleCount: Int
        /// Which of the merged rows are wanted.
        let limit: SelectQuery.Limit?

        /// The places of the rows that become one, in the order of the first of each.
        fileprivate func groups(_ rows: [Row]) -> ArraySlice<[Int]> {
            var places: [PrefetchKey: Int] = [:]
            var groups: [[Int]] = []
            for (index, row) in rows.enumerated() {
                let key = PrefetchKey(row, 0..<visibleCount)
                if let place = places[key] {
                    groups[place].append(index)
                } else {
                    places[key] = groups.count
                    groups.append([index])
                }
            }
            guard let limit else { return groups[...] }
            let rest = groups.dropFirst(max(0, limit.offset ?? 0))
            // As in SQLite, a negative number is no limit.
            return limit.count < 0 ? rest : rest.prefix(limit.count)
        }
    }

    /// Fetches the rows, each with what was fetched for all that became it.
    func fetchAll(_ db: Database, _ merging: Merging) throws -> [Row] {
        let fetched = try fetchRows(db)
        let groups = merging.groups(fetched)
        var rows = groups.map { fetched[$0[0]] }
        for prefetch in prefetches {
            let keys = groups.map { group in
                var isNew: Set<PrefetchKey> = []
                return group.map { prefetch.key(of: fetched[$0]) }
                    .filter { isNew.insert($0).inserted }
            }
            let found = try fetch(prefetch, keys.flatMap(\.self), db)
            for (index, keys) in keys.enumerated() {
                rows[index].setPrefetchedRows(
                    keys.flatMap { found[$0] }, forKey: prefetch.join.name,
                    inScope: prefetch.scopes)
            }
        }
        return rows
    }
}

extension JoinedQuery {
    /// How rows become one, if some are fetched for a table that is only joined.
    func merging(
        _ query: SelectQuery, _ visibleCount: Int, _ limit: SelectQuery.Limit?
    ) -> AssociatedRows.Merging? {
        let isNeeded = nodes.dropFirst().contains { node in
            !node.isSelected && node.query.joins.contains(where: \.isPrefetched)
        }
        guard query.isDistinct, isNeeded, visibleCount > 0 else { return nil }
        return AssociatedRows.Merging(visibleCount: visibleCount, limit: limit)
    }
}
