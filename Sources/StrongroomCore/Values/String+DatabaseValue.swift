extension String: DatabaseValueConvertible, StatementColumnConvertible {
    @inlinable public var databaseValue: DatabaseValue { DatabaseValue(storage: .string(self)) }

    /// Texts, and blobs that are valid UTF-8.
    @inlinable
    public static func fromDatabaseValue(_ dbValue: DatabaseValue) -> String? {
        switch dbValue.storage {
        case .string(let string): string
        // Not Foundation's conversion, which drops a byte order mark.
        case .blob(let data): String(validating: data, as: UTF8.self)
        default: nil
        }
    }

    public func bind(to sqliteStatement: SQLiteStatement, at index: CInt) -> CInt {
        BorrowedStatement(sqliteStatement).bindString(index, self)
    }

    @inlinable
    public init(sqliteStatement: SQLiteStatement, index: CInt) {
        self = BorrowedStatement(sqliteStatement).string(index) ?? ""
    }

    @inlinable
    public static func fromStatement(
        _ sqliteStatement: SQLiteStatement, atUncheckedIndex index: CInt
    ) -> String? {
        BorrowedStatement(sqliteStatement).string(index)
    }
}
