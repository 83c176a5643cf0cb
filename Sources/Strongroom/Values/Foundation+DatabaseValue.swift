public import Foundation

extension String: DatabaseValueConvertible, StatementColumnConvertible {
    public var databaseValue: DatabaseValue { DatabaseValue(storage: .string(self)) }

    /// Texts, and blobs that are valid UTF-8.
    public static func fromDatabaseValue(_ dbValue: DatabaseValue) -> String? {
        switch dbValue.storage {
        case .string(let string): string
        case .blob(let data): String(data: data, encoding: .utf8)
        default: nil
        }
    }

    public func bind(to sqliteStatement: SQLiteStatement, at index: CInt) -> CInt {
        StatementBindings.string(sqliteStatement, index, self)
    }

    @inlinable
    public init?(sqliteStatement: SQLiteStatement, index: CInt) {
        self = StatementColumns.string(sqliteStatement, index)
    }

    @inlinable
    public static func fromStatement(
        _ sqliteStatement: SQLiteStatement, atUncheckedIndex index: CInt
    ) -> String? {
        StatementColumns.stringOrNull(sqliteStatement, index)
    }
}

extension Data: DatabaseValueConvertible, StatementColumnConvertible {
    public var databaseValue: DatabaseValue { DatabaseValue(storage: .blob(self)) }

    /// Blobs, and the UTF-8 bytes of texts.
    public static func fromDatabaseValue(_ dbValue: DatabaseValue) -> Data? {
        switch dbValue.storage {
        case .blob(let data): data
        case .string(let string): Data(string.utf8)
        default: nil
        }
    }

    public init?(sqliteStatement: SQLiteStatement, index: CInt) {
        self.init(StatementColumns.blobBytes(sqliteStatement, index))
    }
}

extension UUID: DatabaseValueConvertible, StatementColumnConvertible {
    /// A blob of 16 bytes.
    public var databaseValue: DatabaseValue {
        withUnsafeBytes(of: uuid) { Data($0) }.databaseValue
    }

    /// Blobs of 16 bytes, and texts with dashes in either case.
    public static func fromDatabaseValue(_ dbValue: DatabaseValue) -> UUID? {
        switch dbValue.storage {
        case .blob(let data): data.withUnsafeBytes { UUID(bytes: $0) }
        case .string(let string): UUID(uuidString: string)
        default: nil
        }
    }

    public init?(sqliteStatement: SQLiteStatement, index: CInt) {
        switch StatementColumns.storage(sqliteStatement, index) {
        case .text:
            self.init(uuidString: StatementColumns.string(sqliteStatement, index))
        case .blob:
            self.init(bytes: StatementColumns.blobBytes(sqliteStatement, index))
        default:
            return nil
        }
    }

    private init?(bytes: UnsafeRawBufferPointer) {
        guard bytes.count == 16 else { return nil }
        self.init(uuid: bytes.loadUnaligned(as: uuid_t.self))
    }
}

extension URL: DatabaseValueConvertible {
    /// The absolute form, as text.
    public var databaseValue: DatabaseValue { absoluteString.databaseValue }

    public static func fromDatabaseValue(_ dbValue: DatabaseValue) -> URL? {
        String.fromDatabaseValue(dbValue).flatMap { URL(string: $0) }
    }
}

extension Decimal: DatabaseValueConvertible, StatementColumnConvertible {
    /// All digits, as text, with a point.
    public var databaseValue: DatabaseValue { description.databaseValue }

    public static func fromDatabaseValue(_ dbValue: DatabaseValue) -> Decimal? {
        switch dbValue.storage {
        case .int64(let int64): Decimal(int64)
        case .double(let double): Decimal(double)
        case .string(let string): Decimal(string: string, locale: Locale(identifier: "en_US_POSIX"))
        default: nil
        }
    }

    public init?(sqliteStatement: SQLiteStatement, index: CInt) {
        let dbValue = DatabaseValue(sqliteStatement: sqliteStatement, index: index)
        guard let decimal = Decimal.fromDatabaseValue(dbValue) else { return nil }
        self = decimal
    }
}

extension NSNull: DatabaseValueConvertible {
    public var databaseValue: DatabaseValue { .null }

    public static func fromDatabaseValue(_ dbValue: DatabaseValue) -> Self? {
        dbValue.isNull ? NSNull() as? Self : nil
    }
}
