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
        let cell = integerCell(statement, index)
        if cell.storageClass == StorageClass.integer.rawValue { return cell.value }
        return try other(cell.storageClass) { Int64(sqliteStatement: statement, index: index) }
    }

    @inlinable
    public mutating func double() throws -> Double? {
        let index = advance()
        let cell = realCell(statement, index)
        if cell.storageClass <= StorageClass.real.rawValue { return cell.value }
        return try other(cell.storageClass) { Double(sqliteStatement: statement, index: index) }
    }

    @inlinable
    public mutating func text() throws -> String? {
        let index = advance()
        let cell = textCell(statement, index)
        if let text = cell.value { return text }
        return try other(cell.storageClass) { String(sqliteStatement: statement, index: index) }
    }

    /// Reads the next column, a date in UTC as text; nil when it is NULL.
    ///
    /// - Throws: `QueryDecodingError` when the column is no text, or no date.
    public mutating func date() throws -> Date? {
        let index = advance()
        if let date = Date(textAt: index, of: BorrowedStatement(statement)) { return date }
        // Once more, for what it is instead.
        next = index
        return try date(of: try text())
    }

    @inlinable
    public mutating func data() throws -> Data? {
        let index = advance()
        let found = statementStorageClass(statement, index)
        if found == StorageClass.blob.rawValue {
            return Data(sqliteStatement: statement, index: index)
        }
        return try other(found) { Data(sqliteStatement: statement, index: index) }
    }

    /// Reads the next column, whatever it holds; nil when it is NULL.
    ///
    /// - Throws: Nothing.
    public mutating func cell() throws -> DatabaseValue? {
        let value = DatabaseValue(sqliteStatement: statement, index: advance())
        return value.isNull ? nil : value
    }

    /// What a cell gives whose storage class does not fit: nil when it is NULL.
    @inlinable
    func other<Value>(_ number: CInt, _ value: () -> Value?) throws -> Value? {
        let found = StorageClass(rawValue: number) ?? .null
        if found == .null { return nil }
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

@usableFromInline
func integerCell(
    _ statement: SQLiteStatement, _ index: CInt
) -> (value: Int64, storageClass: CInt) {
    BorrowedStatement(statement).integerCell(index)
}

@usableFromInline
func realCell(
    _ statement: SQLiteStatement, _ index: CInt
) -> (value: Double, storageClass: CInt) {
    BorrowedStatement(statement).realCell(index)
}

@usableFromInline
func textCell(
    _ statement: SQLiteStatement, _ index: CInt
) -> (value: String?, storageClass: CInt) {
    BorrowedStatement(statement).textCell(index)
}
