internal import StrongroomCore

extension StoreSession {
    /// Whether another device had this digest when both had merged the same, and applied the same floor; nil if they had
    /// not.
    func agrees(with digest: [UInt8]?, at vector: Vector, floor number: UInt64) -> Bool? {
        guard let digest, runs.vector == vector, floor.number == number, let own = settledDigest
        else { return nil }
        return own.bytes == digest
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
