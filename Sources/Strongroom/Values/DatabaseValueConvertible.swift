/// A value that a cell of a database can hold.
///
/// Its type gets the fetching functions (`Int.fetchAll(db, sql: …)`), can be bound to statements and
/// be read from rows. A `RawRepresentable` type whose raw value conforms needs no code.
public protocol DatabaseValueConvertible: StatementBinding, RowDecodable {
    /// What the database stores for the value.
    var databaseValue: DatabaseValue { get }

    /// Reads a stored value; nil when it is unsuitable, which fetching turns into an error.
    static func fromDatabaseValue(_ dbValue: DatabaseValue) -> Self?

    /// What stands for a column that a row does not have: nil, but for optionals. Not to be customised.
    static func fromMissingColumn() -> Self?

    /// Reads a column of the row at which a statement stands. Not to be customised.
    static func _fromStatement(_ sqliteStatement: SQLiteStatement, at index: CInt) -> Self?
}

extension DatabaseValueConvertible {
    public static func fromMissingColumn() -> Self? { nil }

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

extension DatabaseValueConvertible
where Self: RawRepresentable, RawValue: DatabaseValueConvertible {
    public var databaseValue: DatabaseValue { rawValue.databaseValue }

    public static func fromDatabaseValue(_ dbValue: DatabaseValue) -> Self? {
        RawValue.fromDatabaseValue(dbValue).flatMap(Self.init(rawValue:))
    }
}

extension StatementColumnConvertible
where Self: RawRepresentable, RawValue: StatementColumnConvertible {
    public init?(sqliteStatement: SQLiteStatement, index: CInt) {
        guard let rawValue = RawValue(sqliteStatement: sqliteStatement, index: index) else {
            return nil
        }
        self.init(rawValue: rawValue)
    }
}
