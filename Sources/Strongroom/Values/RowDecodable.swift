/// A type that a row of a result becomes: values, rows and records refine it.
///
/// It has no requirement that an app implements: adopt `DatabaseValueConvertible` instead.
public protocol RowDecodable {
    /// Makes an instance of a row; the fetching functions call it.
    ///
    /// - Throws: `RowDecodingError` when the row's content is unsuitable.
    static func _decode(_ row: Row) throws -> Self

    /// Makes an instance of the only row that is looked at; nil when the row stands for no value.
    static func _decodeOnly(_ row: Row) throws -> Self?

    /// Makes an instance of the row at which a statement stands, without a `Row` between.
    ///
    /// - Returns: nil when it takes a `Row`, be it only to say what is wrong.
    static func _decodeStanding(_ sqliteStatement: SQLiteStatement) -> Self?
}

extension RowDecodable {
    @inlinable
    public static func _decodeOnly(_ row: Row) throws -> Self? {
        try _decode(row)
    }

    @inlinable
    public static func _decodeStanding(_ sqliteStatement: SQLiteStatement) -> Self? { nil }
}

extension DatabaseValueConvertible {
    @inlinable
    public static func _decodeStanding(_ sqliteStatement: SQLiteStatement) -> Self? {
        _fromStatement(sqliteStatement, at: 0)
    }

    @inlinable
    public static func _decode(_ row: Row) throws -> Self {
        try row.decode(Self.self, atIndex: 0)
    }

    /// A NULL stands for no value, unless the type itself can hold one.
    @inlinable
    public static func _decodeOnly(_ row: Row) throws -> Self? {
        guard row.columnCount > 0 else { return try _decode(row) }
        if let value = row.value(Self.self, at: 0) { return value }
        if row.hasNull(atIndex: 0) { return nil }
        return try _decode(row)
    }
}

extension Row: RowDecodable {
    @inlinable
    public static func _decode(_ row: Row) -> Row { row }
}
