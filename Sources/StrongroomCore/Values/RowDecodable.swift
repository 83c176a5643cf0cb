/// A type that a whole row of a result becomes: rows and records refine it.
///
/// It has no requirement that an app implements: adopt `FetchableRecord` instead.
public protocol RowDecodable {
    /// Makes an instance of a row; the fetching functions call it.
    ///
    /// - Throws: `RowDecodingError` when the row's content is unsuitable.
    static func _decode(_ row: Row) throws -> Self
}

extension Row: RowDecodable {
    @inlinable
    public static func _decode(_ row: Row) -> Row { row }
}
