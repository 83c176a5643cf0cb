public import StrongroomEssentials

extension UUID: DatabaseValueConvertible, StatementColumnConvertible {
    @inlinable public static var _isStoredByStrategy: Bool { true }

    /// A blob of 16 bytes.
    public var databaseValue: DatabaseValue {
        withUnsafeBytes(of: uuid) { Data($0) }.databaseValue
    }

    /// Blobs of 16 bytes, and texts with dashes in either case.
    public static func fromDatabaseValue(_ dbValue: DatabaseValue) -> UUID? {
        switch dbValue.storage {
        case .blob(let data): data.withUnsafeBytes { UUID(bytes: $0) }
        case .string(let string): UUID(text: string)
        default: nil
        }
    }

    public init?(sqliteStatement: SQLiteStatement, index: CInt) {
        let value = BorrowedStatement(sqliteStatement).value(index)
        switch value.storage {
        case .text:
            self.init(text: String(decoding: value.textBytes, as: UTF8.self))
        case .blob:
            self.init(bytes: value.blobBytes)
        default:
            return nil
        }
    }

    // Foundation stops at a NUL, and would not see what follows it.
    private init?(text: String) {
        guard text.utf8.count == 36 else { return nil }
        self.init(uuidString: text)
    }

    private init?(bytes: UnsafeRawBufferPointer) {
        guard bytes.count == 16 else { return nil }
        self.init(uuid: bytes.loadUnaligned(as: uuid_t.self))
    }
}
