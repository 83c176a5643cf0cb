extension FetchableRecord where Self: Decodable {
    /// Decodes the record from the columns of a row.
    ///
    /// - Throws: `RowDecodingError` for a column that is missing, NULL or unsuitable;
    ///   `DecodingError` for unsuitable JSON.
    public init(row: Row) throws {
        try self.init(from: RecordDecoder(row: row, record: Self.self))
    }
}

/// Decodes records, as the fetching functions do.
///
/// It serves types that write `init(row:)` themselves, and begin with what would be ready-made.
public class FetchableRecordDecoder {
    /// Makes a decoder.
    public init() {}

    /// Decodes a record from the columns of a row.
    ///
    ///     let row = try Row.fetchOne(db, sql: "SELECT * FROM player")!
    ///     let player = try FetchableRecordDecoder().decode(Player.self, from: row)
    ///
    /// - Throws: `RowDecodingError` for a column that is missing, NULL or unsuitable;
    ///   `DecodingError` for unsuitable JSON.
    public func decode<T: FetchableRecord & Decodable>(
        _ type: T.Type, from row: Row
    ) throws -> T {
        try T(from: RecordDecoder(row: row, record: type))
    }
}
