internal import StrongroomTablesRuntime

/// Reads and writes the properties of a record as `Codable` would, and faster.
///
///     @Record struct Player: FetchableRecord, PersistableRecord {
///         let id: Int64
///         var name: String
///         var scores: [Int] = []
///     }
///
///     let sql = "SELECT 1 AS id, 'Ada' AS name, '[7, 9]' AS scores"
///     try Player.fetchOne(db, sql: sql)!.scores  // [7, 9]
///     try Player(id: 2, name: "Bob").databaseDictionary["scores"]!  // "[]"
///     Player.filter { $0.name == "Ada" }
///
/// It writes `init(row:)`, `encode(to:)`, and an enum `Columns` with a `Column` for each stored
/// property. The type keeps what it declares itself. It need not be `Codable`; where it is, the
/// database does not ask its `init(from:)` and `encode(to:)`.
///
/// Columns are named and values stored as in a `Codable` record: by `CodingKeys` that the struct
/// itself declares, by the strategies of `FetchableRecord` and `EncodableRecord`, and as JSON where
/// a value is none of the database. A constant with a value is written and not read. A property may
/// be an associated record, or an array of them.
///
/// A declaration that names `FetchableRecord` alone is only read, and one that names only protocols of
/// written records is only written. One that names neither is both; other declarations may add
/// `PersistableRecord`.
@attached(
    extension, conformances: FetchableRecord, EncodableRecord,
    names: named(init(row:)), named(encode(to:)), named(Columns))
public macro Record() = #externalMacro(module: "StrongroomTablesMacros", type: "RecordMacro")
