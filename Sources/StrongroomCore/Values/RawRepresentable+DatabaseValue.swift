// A type with a raw value is stored as that value; it needs no code to conform.

extension DatabaseValueConvertible
where Self: RawRepresentable, RawValue: DatabaseValueConvertible {
    /// The raw value.
    public var databaseValue: DatabaseValue { rawValue.databaseValue }

    /// The value of the raw value; nil when there is none.
    public static func fromDatabaseValue(_ dbValue: DatabaseValue) -> Self? {
        RawValue.fromDatabaseValue(dbValue).flatMap(Self.init(rawValue:))
    }
}

// Where a type is Codable too, its raw value comes first, as in JSON.

extension DatabaseValueConvertible
where Self: RawRepresentable & Encodable, RawValue: DatabaseValueConvertible {
    /// The raw value.
    public var databaseValue: DatabaseValue { rawValue.databaseValue }
}

extension DatabaseValueConvertible
where Self: RawRepresentable & Decodable, RawValue: DatabaseValueConvertible {
    /// The value of the raw value; nil when there is none.
    public static func fromDatabaseValue(_ dbValue: DatabaseValue) -> Self? {
        RawValue.fromDatabaseValue(dbValue).flatMap(Self.init(rawValue:))
    }
}

// A generic wrapper states each conformance on its own terms, so each has its own default.

extension SQLExpressible where Self: RawRepresentable, RawValue: SQLExpressible {
    public var sqlExpression: SQLExpression { rawValue.sqlExpression }
}

extension StatementBinding where Self: RawRepresentable, RawValue: StatementBinding {
    public func bind(to sqliteStatement: SQLiteStatement, at index: CInt) -> CInt {
        rawValue.bind(to: sqliteStatement, at: index)
    }
}

// A type may store another value than its raw one.

extension DatabaseValueConvertible where Self: RawRepresentable, RawValue: SQLExpressible {
    public var sqlExpression: SQLExpression { SQLExpression(value: databaseValue) }
}

extension DatabaseValueConvertible where Self: RawRepresentable, RawValue: StatementBinding {
    public func bind(to sqliteStatement: SQLiteStatement, at index: CInt) -> CInt {
        databaseValue.bind(to: sqliteStatement, at: index)
    }
}

extension StatementColumnConvertible
where Self: RawRepresentable, RawValue: StatementColumnConvertible {
    @inlinable
    public init?(sqliteStatement: SQLiteStatement, index: CInt) {
        guard let rawValue = RawValue(sqliteStatement: sqliteStatement, index: index) else {
            return nil
        }
        self.init(rawValue: rawValue)
    }

    @inlinable
    public static func fromStatement(
        _ sqliteStatement: SQLiteStatement, atUncheckedIndex index: CInt
    ) -> Self? {
        RawValue.fromStatement(sqliteStatement, atUncheckedIndex: index)
            .flatMap(Self.init(rawValue:))
    }
}
