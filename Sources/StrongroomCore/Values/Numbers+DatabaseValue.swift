// Numbers are INTEGER or REAL. A real read as an integer loses its fraction; a number that does not
// fit the type asked for is unsuitable, never cut.
//
// The conformances name Codable because these types are, and a Codable type has another default.

extension DatabaseValueConvertible where Self: FixedWidthInteger & Codable {
    /// An integer of 64 bits.
    @inlinable
    public var databaseValue: DatabaseValue {
        DatabaseValue(storage: .int64(storedInt64))
    }

    /// A stored number without its fraction, if the type can hold it.
    @inlinable
    public static func fromDatabaseValue(_ dbValue: DatabaseValue) -> Self? {
        switch dbValue.storage {
        case .int64(let int64): Self(exactly: int64)
        // What SQLite could not store as an integer is not read as one either.
        case .double(let double):
            Int64(exactly: double.rounded(.towardZero)).flatMap { Self(exactly: $0) }
        default: nil
        }
    }

    public func bind(to sqliteStatement: SQLiteStatement, at index: CInt) -> CInt {
        BorrowedStatement(sqliteStatement).bindInt64(index, storedInt64)
    }

    @inlinable var storedInt64: Int64 {
        guard let int64 = Int64(exactly: self) else {
            fatalError("could not convert \(self) to Int64: SQLite stores no larger integers")
        }
        return int64
    }
}

extension StatementColumnConvertible where Self: FixedWidthInteger {
    @inlinable
    public init?(sqliteStatement: SQLiteStatement, index: CInt) {
        self.init(exactly: BorrowedStatement(sqliteStatement).int64(index))
    }

    // SQLite converts NULL to 0: only zeros need a second look.
    @inlinable
    public static func fromStatement(
        _ sqliteStatement: SQLiteStatement, atUncheckedIndex index: CInt
    ) -> Self? {
        let int64 = BorrowedStatement(sqliteStatement).int64(index)
        if int64 == 0, BorrowedStatement(sqliteStatement).isNull(index) { return nil }
        return Self(exactly: int64)
    }
}

extension Int: DatabaseValueConvertible, StatementColumnConvertible {}
extension Int8: DatabaseValueConvertible, StatementColumnConvertible {}
extension Int16: DatabaseValueConvertible, StatementColumnConvertible {}
extension Int32: DatabaseValueConvertible, StatementColumnConvertible {}
extension Int64: DatabaseValueConvertible, StatementColumnConvertible {
    @inlinable
    public init(sqliteStatement: SQLiteStatement, index: CInt) {
        self = BorrowedStatement(sqliteStatement).int64(index)
    }
}
extension UInt: DatabaseValueConvertible, StatementColumnConvertible {}
extension UInt8: DatabaseValueConvertible, StatementColumnConvertible {}
extension UInt16: DatabaseValueConvertible, StatementColumnConvertible {}
extension UInt32: DatabaseValueConvertible, StatementColumnConvertible {}
extension UInt64: DatabaseValueConvertible, StatementColumnConvertible {}

extension DatabaseValueConvertible where Self: BinaryFloatingPoint & Codable {
    /// A real number; NULL where it is no number.
    @inlinable
    public var databaseValue: DatabaseValue {
        // SQLite has no NaN: it stores NULL. <https://www.sqlite.org/floatingpoint.html>
        isNaN ? .null : DatabaseValue(storage: .double(Double(self)))
    }

    /// A stored number, rounded to the precision of the type.
    @inlinable
    public static func fromDatabaseValue(_ dbValue: DatabaseValue) -> Self? {
        switch dbValue.storage {
        case .int64(let int64): Self(int64)
        case .double(let double): Self(double)
        default: nil
        }
    }

    public func bind(to sqliteStatement: SQLiteStatement, at index: CInt) -> CInt {
        BorrowedStatement(sqliteStatement).bindDouble(index, Double(self))
    }
}

extension StatementColumnConvertible where Self: BinaryFloatingPoint {
    @inlinable
    public init(sqliteStatement: SQLiteStatement, index: CInt) {
        self.init(BorrowedStatement(sqliteStatement).double(index))
    }

    // SQLite converts NULL to 0: only zeros need a second look.
    @inlinable
    public static func fromStatement(
        _ sqliteStatement: SQLiteStatement, atUncheckedIndex index: CInt
    ) -> Self? {
        let double = BorrowedStatement(sqliteStatement).double(index)
        if double == 0, BorrowedStatement(sqliteStatement).isNull(index) { return nil }
        return Self(double)
    }
}

extension Double: DatabaseValueConvertible, StatementColumnConvertible {}
extension Float: DatabaseValueConvertible, StatementColumnConvertible {}

extension Bool: DatabaseValueConvertible, StatementColumnConvertible {
    /// 0 or 1.
    @inlinable public var databaseValue: DatabaseValue { (self ? 1 : 0).databaseValue }

    /// Zero is false, other numbers are true, nothing else is suitable.
    @inlinable
    public static func fromDatabaseValue(_ dbValue: DatabaseValue) -> Bool? {
        switch dbValue.storage {
        case .int64(let int64): int64 != 0
        case .double(let double): double != 0
        default: nil
        }
    }

    @inlinable
    public init(sqliteStatement: SQLiteStatement, index: CInt) {
        self = BorrowedStatement(sqliteStatement).int64(index) != 0
    }
}
