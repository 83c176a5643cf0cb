public import StrongroomEssentials

/// A type whose values are made from rows.
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
///     let players = try Player.fetchAll(
///         db, sql: "SELECT * FROM player")
///
/// You may keep the row after the initializer returns: its values do not change.
///
/// A `Decodable` type needs no initializer of its own: each coding key is a column. A property that
/// is no database value, such as an array, is decoded from JSON. The static members change how.
public protocol FetchableRecord: RowDecodable {
    /// Makes a record of a row.
    ///
    /// - Throws: What the type throws; the fetching functions pass it on. `row.decode` throws
    ///   where `row[…]` traps.
    init(row: Row) throws

    /// What `Decodable` types find in the `userInfo` of their decoder.
    ///
    /// Declare it as exactly this type, or it is not heeded.
    static var databaseDecodingUserInfo: [CodingUserInfoKey: Any] { get }

    /// Decodes what is stored as JSON.
    static func databaseJSONDecoder(for column: String) -> JSONDecoder

    /// How `Decodable` types read `Data`.
    static func databaseDataDecodingStrategy(for column: String) -> DatabaseDataDecodingStrategy

    /// How `Decodable` types read `Date`; by default, as `Date` reads itself.
    static func databaseDateDecodingStrategy(for column: String) -> DatabaseDateDecodingStrategy

    /// Which coding key a column is; the one of the same name by default.
    static var databaseColumnDecodingStrategy: DatabaseColumnDecodingStrategy { get }
}

extension FetchableRecord {
    @inlinable
    public static func _decode(_ row: Row) throws -> Self {
        try Self(row: row)
    }

    public static var databaseDecodingUserInfo: [CodingUserInfoKey: Any] { [:] }

    public static func databaseJSONDecoder(for column: String) -> JSONDecoder {
        let decoder = String.databaseJSONDecoder()
        decoder.userInfo = databaseDecodingUserInfo.asForJSON
        return decoder
    }

    public static func databaseDataDecodingStrategy(
        for column: String
    ) -> DatabaseDataDecodingStrategy { .deferredToData }

    public static func databaseDateDecodingStrategy(
        for column: String
    ) -> DatabaseDateDecodingStrategy { .deferredToDate }

    public static var databaseColumnDecodingStrategy: DatabaseColumnDecodingStrategy {
        .useDefaultKeys
    }
}

/// A cursor of records.
///
///     let players = try Player.fetchCursor(db, sql: "SELECT * FROM player")
///     while let player = try players.next() {
///         print(player.name)
///     }
public typealias RecordCursor<Record: FetchableRecord> = DecodingCursor<RowReader<Record>>
