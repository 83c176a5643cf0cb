public import StrongroomEssentials

/// A value that a cell of a database can hold.
///
/// Its type gets the fetching functions (`Int.fetchAll(db, sql: …)`), can be bound to statements and
/// be read from rows. A `RawRepresentable` type whose raw value conforms needs no code, nor does a
/// `Codable` type:
///
///     enum Grape: String, DatabaseValueConvertible { case chardonnay, merlot }  // TEXT
///     struct Color: Codable, DatabaseValueConvertible { var red, green, blue: Double }  // JSON
public protocol DatabaseValueConvertible: SQLExpressible, StatementBinding {
    /// What the database stores for the value.
    var databaseValue: DatabaseValue { get }

    /// Reads a stored value; nil when it is unsuitable, which fetching turns into an error.
    static func fromDatabaseValue(_ dbValue: DatabaseValue) -> Self?

    /// What stands for a column that a row does not have: nil, but for optionals. Not to be customised.
    static func fromMissingColumn() -> Self?

    /// Encodes a `Codable` type that is no single value, for the database to store as text.
    ///
    /// By default: keys sorted, `Data` as base64, `Date` in milliseconds since 1970. An encoder of
    /// one's own should sort the keys too.
    static func databaseJSONEncoder() -> JSONEncoder

    /// Decodes what `databaseJSONEncoder()` has encoded.
    static func databaseJSONDecoder() -> JSONDecoder

    /// Reads a column of the row at which a statement stands. Not to be customised.
    static func _fromStatement(_ sqliteStatement: SQLiteStatement, at index: CInt) -> Self?

    /// Whether a record type may say how its properties of this type are stored. Not to be customised.
    static var _isStoredByStrategy: Bool { get }
}

extension DatabaseValueConvertible {
    public static func fromMissingColumn() -> Self? { nil }

    @inlinable public static var _isStoredByStrategy: Bool { false }

    @inlinable
    public static func _fromStatement(
        _ sqliteStatement: SQLiteStatement, at index: CInt
    ) -> Self? {
        fromDatabaseValue(DatabaseValue(sqliteStatement: sqliteStatement, index: index))
    }

    public func bind(to sqliteStatement: SQLiteStatement, at index: CInt) -> CInt {
        databaseValue.bind(to: sqliteStatement, at: index)
    }
}

extension DatabaseValueConvertible where Self: StatementColumnConvertible {
    @inlinable
    public static func _fromStatement(
        _ sqliteStatement: SQLiteStatement, at index: CInt
    ) -> Self? {
        fromStatement(sqliteStatement, atUncheckedIndex: index)
    }
}
