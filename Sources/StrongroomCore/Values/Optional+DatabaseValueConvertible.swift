extension Optional: StatementBinding where Wrapped: StatementBinding {
    public func bind(to sqliteStatement: SQLiteStatement, at index: CInt) -> CInt {
        guard let self else { return BorrowedStatement(sqliteStatement).bindNull(index) }
        return self.bind(to: sqliteStatement, at: index)
    }
}

extension Optional: DatabaseValueConvertible where Wrapped: DatabaseValueConvertible {
    public var databaseValue: DatabaseValue { self?.databaseValue ?? .null }

    @inlinable
    public static func fromDatabaseValue(_ dbValue: DatabaseValue) -> Wrapped?? {
        if let wrapped = Wrapped.fromDatabaseValue(dbValue) { return .some(wrapped) }
        return dbValue.isNull ? .some(nil) : nil
    }

    public static func fromMissingColumn() -> Wrapped?? { .some(nil) }

    @inlinable public static var _isStoredByStrategy: Bool { Wrapped._isStoredByStrategy }

    @inlinable
    public static func _fromStatement(
        _ sqliteStatement: SQLiteStatement, at index: CInt
    ) -> Wrapped?? {
        if let wrapped = Wrapped._fromStatement(sqliteStatement, at: index) {
            return .some(wrapped)
        }
        return BorrowedStatement(sqliteStatement).isNull(index) ? .some(nil) : nil
    }
}

extension Optional: StatementColumnConvertible where Wrapped: StatementColumnConvertible {
    @inlinable
    public init?(sqliteStatement: SQLiteStatement, index: CInt) {
        guard let wrapped = Wrapped(sqliteStatement: sqliteStatement, index: index) else {
            return nil
        }
        self = .some(wrapped)
    }

    @inlinable
    public static func fromStatement(
        _ sqliteStatement: SQLiteStatement, atUncheckedIndex index: CInt
    ) -> Wrapped?? {
        if let wrapped = Wrapped.fromStatement(sqliteStatement, atUncheckedIndex: index) {
            return .some(wrapped)
        }
        return BorrowedStatement(sqliteStatement).isNull(index) ? .some(nil) : nil
    }
}
