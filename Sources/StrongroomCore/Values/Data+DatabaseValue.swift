public import StrongroomEssentials

extension Data: DatabaseValueConvertible, StatementColumnConvertible {
    @inlinable public static var _isStoredByStrategy: Bool { true }

    public var databaseValue: DatabaseValue { DatabaseValue(storage: .blob(self)) }

    /// Blobs, and the UTF-8 bytes of texts.
    public static func fromDatabaseValue(_ dbValue: DatabaseValue) -> Data? {
        switch dbValue.storage {
        case .blob(let data): data
        case .string(let string): Data(string.utf8)
        default: nil
        }
    }

    public init(sqliteStatement: SQLiteStatement, index: CInt) {
        self.init(BorrowedStatement(sqliteStatement).value(index).utf8Bytes)
    }
}
