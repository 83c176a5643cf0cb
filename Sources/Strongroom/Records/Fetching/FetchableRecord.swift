/// A type that a row becomes.
///
///     struct Player: FetchableRecord {
///         var id: Int64
///         var name: String
///
///         init(row: Row) {
///             id = row["id"]
///             name = row["name"]
///         }
///     }
///
///     let players = try Player.fetchAll(db, sql: "SELECT * FROM player")
///
/// `Decodable` types get the initialiser ready-made, and need not write it.
///
/// The row may be kept: it stays what it is.
public protocol FetchableRecord: RowDecodable {
    /// Makes a record of a row.
    ///
    /// - Throws: What the type throws; the fetching functions pass it on. `row.decode` throws
    ///   where `row[…]` traps.
    init(row: Row) throws
}

extension FetchableRecord {
    @inlinable
    public static func _decode(_ row: Row) throws -> Self {
        try Self(row: row)
    }
}

/// A cursor of records.
///
///     let players = try Player.fetchCursor(db, sql: "SELECT * FROM player")
///     while let player = try players.next() {
///         print(player.name)
///     }
public typealias RecordCursor<Record: FetchableRecord> = DecodingCursor<Record>
