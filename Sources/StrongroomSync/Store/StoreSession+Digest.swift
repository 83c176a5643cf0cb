internal import StrongroomCore

extension StoreSession {
    /// Whether the author of a unit had the same state as this device, when both had merged the same; nil if they had not.
    func agrees(with unit: FetchedUnit) -> Bool? {
        guard let theirs = unit.digest, runs.vector == unit.seen, let own = settledDigest else {
            return nil
        }
        return own.bytes == theirs
    }

    /// The digest of all rows, computed anew.
    func computedDigest() throws -> StateDigest {
        let decoder = StateDecoder(db, space, runs.numbers)
        var keeper = try DigestKeeper()
        for table in schema.tables.indices {
            var last: RowKey?
            while true {
                let rows = try decoder.rows(in: table, after: last, limit: 1000)
                guard let end = rows.last else { break }
                for row in rows {
                    try keeper.follow(row.row, in: schema[table], from: nil, to: row.state)
                }
                last = end.row.key
            }
        }
        return keeper.digest
    }
}
