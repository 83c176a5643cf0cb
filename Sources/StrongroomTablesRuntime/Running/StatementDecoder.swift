public import StrongroomCore
public import StrongroomEssentials

/// Reads the row at which a statement stands.
///
/// A column's storage class must fit what is asked for; SQLite's conversions are not used.
public struct StatementDecoder: QueryDecoder {
    @usableFromInline let statement: SQLiteStatement
    @usableFromInline var next: CInt = 0
    @usableFromInline let isCoercing: Bool

    @inlinable
    init(_ statement: SQLiteStatement, isCoercing: Bool) {
        self.statement = statement
        self.isCoercing = isCoercing
    }

    @inlinable
    mutating func advance() -> CInt {
        let index = next
        next = index + 1
        return index
    }

    @inlinable
    public mutating func int64() throws -> Int64? {
        let index = advance()
        switch StorageClass.of(statement, index) {
        case .integer: return Int64(sqliteStatement: statement, index: index)
        case .null: return nil
        case let found: return try other(found) { Int64(sqliteStatement: statement, index: index) }
        }
    }

    @inlinable
    public mutating func double() throws -> Double? {
        let index = advance()
        switch StorageClass.of(statement, index) {
        case .real, .integer: return Double(sqliteStatement: statement, index: index)
        case .null: return nil
        case let found: return try other(found) { Double(sqliteStatement: statement, index: index) }
        }
    }

    @inlinable
    public mutating func text() throws -> String? {
        let index = advance()
        switch StorageClass.of(statement, index) {
        case .text: return String(sqliteStatement: statement, index: index)
        case .null: return nil
        case let found: return try other(found) { String(sqliteStatement: statement, index: index) }
        }
    }

    @inlinable
    public mutating func data() throws -> Data? {
        let index = advance()
        switch StorageClass.of(statement, index) {
        case .blob: return Data(sqliteStatement: statement, index: index)
        case .null: return nil
        case let found: return try other(found) { Data(sqliteStatement: statement, index: index) }
        }
    }

    public mutating func cell() throws -> DatabaseValue? {
        let value = DatabaseValue(sqliteStatement: statement, index: advance())
        return value.isNull ? nil : value
    }

    @inlinable
    func other<Value>(_ found: StorageClass, _ value: () -> Value?) throws -> Value? {
        guard isCoercing else { throw error(.storageClass(found.word)) }
        return value()
    }

    @inlinable
    public mutating func skip(_ count: Int) { next += CInt(count) }

    @inlinable
    public func isNull(ahead count: Int) -> Bool {
        StorageClass.of(statement, next + CInt(count)) == .null
    }

    public func error(_ reason: QueryDecodingError.Reason) -> QueryDecodingError {
        QueryDecodingError(column: Int(next) - 1, reason: reason)
    }
}

/// Reads the row at which a statement stands, whose columns have another order than the type's.
struct OrderedDecoder: QueryDecoder {
    /// Where each column of the type stands in the result.
    let order: [Int]
    var statement: StatementDecoder
    private var next = 0

    init(order: [Int], statement: StatementDecoder) {
        self.order = order
        self.statement = statement
    }

    private mutating func advance() {
        statement.next = CInt(order[next])
        next += 1
    }

    mutating func int64() throws -> Int64? {
        advance()
        return try statement.int64()
    }

    mutating func double() throws -> Double? {
        advance()
        return try statement.double()
    }

    mutating func text() throws -> String? {
        advance()
        return try statement.text()
    }

    mutating func data() throws -> Data? {
        advance()
        return try statement.data()
    }

    mutating func cell() throws -> DatabaseValue? {
        advance()
        return try statement.cell()
    }

    mutating func skip(_ count: Int) { next += count }

    func isNull(ahead count: Int) -> Bool {
        StorageClass.of(statement.statement, CInt(order[next + count])) == .null
    }

    func error(_ reason: QueryDecodingError.Reason) -> QueryDecodingError {
        QueryDecodingError(column: next - 1, reason: reason)
    }
}

/// SQLite's five storage classes.
@usableFromInline
enum StorageClass: CInt, Sendable {
    case integer = 1
    case real, text, blob, null

    @inlinable
    static func of(_ statement: SQLiteStatement, _ index: CInt) -> StorageClass {
        StorageClass(rawValue: statementStorageClass(statement, index)) ?? .null
    }

    @usableFromInline var word: String {
        switch self {
        case .integer: "INTEGER"
        case .real: "REAL"
        case .text: "TEXT"
        case .blob: "BLOB"
        case .null: "NULL"
        }
    }
}

@usableFromInline
func statementStorageClass(_ statement: SQLiteStatement, _ index: CInt) -> CInt {
    BorrowedStatement(statement).storageClass(index)
}
