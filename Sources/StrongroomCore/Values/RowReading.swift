/// How rows of a result become elements. Three ways, each for one kind of type; apps add none.
public protocol RowReading {
    /// What a row becomes.
    associatedtype Element

    /// Makes an element of a row.
    ///
    /// - Throws: `RowDecodingError` when the row's content is unsuitable.
    static func decode(_ row: Row) throws -> Element

    /// Makes an element of the only row that is looked at; nil when the row stands for no value.
    ///
    /// - Throws: As ``decode(_:)``.
    static func decodeOnly(_ row: Row) throws -> Element?

    /// Makes an element of the row at which a statement stands, without a `Row` between.
    ///
    /// - Returns: nil when it takes a `Row`, be it only to say what is wrong.
    static func decodeStanding(_ sqliteStatement: SQLiteStatement) -> Element?
}

/// Makes records and rows of whole rows.
public enum RowReader<Element: RowDecodable>: RowReading {
    @inlinable
    public static func decode(_ row: Row) throws -> Element { try Element._decode(row) }

    @inlinable
    public static func decodeOnly(_ row: Row) throws -> Element? { try Element._decode(row) }

    @inlinable
    public static func decodeStanding(_ sqliteStatement: SQLiteStatement) -> Element? { nil }
}

/// Makes values of the first column, through `DatabaseValueConvertible.fromDatabaseValue(_:)`.
public enum ValueReader<Element: DatabaseValueConvertible>: RowReading {
    @inlinable
    public static func decode(_ row: Row) throws -> Element {
        try row.decode(Element.self, atIndex: 0)
    }

    /// A NULL stands for no value, unless the type itself can hold one.
    ///
    /// - Throws: As ``decode(_:)``.
    @inlinable
    public static func decodeOnly(_ row: Row) throws -> Element? {
        guard row.columnCount > 0 else { return try decode(row) }
        if let value = row.convertedValue(Element.self, at: 0) { return value }
        if row.hasNull(atIndex: 0) { return nil }
        return try decode(row)
    }

    @inlinable
    public static func decodeStanding(_ sqliteStatement: SQLiteStatement) -> Element? {
        Element.fromDatabaseValue(DatabaseValue(sqliteStatement: sqliteStatement, index: 0))
    }
}

/// Makes values of the first column, straight from the statement.
public enum FastValueReader<
    Element: DatabaseValueConvertible & StatementColumnConvertible
>: RowReading {
    @inlinable
    public static func decode(_ row: Row) throws -> Element {
        try row.decode(Element.self, atIndex: 0)
    }

    /// A NULL stands for no value, unless the type itself can hold one.
    ///
    /// - Throws: As ``decode(_:)``.
    @inlinable
    public static func decodeOnly(_ row: Row) throws -> Element? {
        guard row.columnCount > 0 else { return try decode(row) }
        if let value = row.value(Element.self, at: 0) { return value }
        if row.hasNull(atIndex: 0) { return nil }
        return try decode(row)
    }

    @inlinable
    public static func decodeStanding(_ sqliteStatement: SQLiteStatement) -> Element? {
        Element.fromStatement(sqliteStatement, atUncheckedIndex: 0)
    }
}
