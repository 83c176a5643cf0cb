public import StrongroomCore
public import StrongroomEssentials

/// A value that takes the place of a parameter.
public enum QueryBinding: Hashable, Sendable {
    /// No value.
    case null
    /// An integer, or a truth value as 1 or 0.
    case int(Int64)
    /// A real number.
    case double(Double)
    /// A text.
    case text(String)
    /// Bytes.
    case blob(Data)
    /// A value that cannot be bound: running the statement throws the error.
    case invalid(QueryBuildingError)

    @inlinable
    var isValid: Bool {
        if case .invalid = self { false } else { true }
    }

    /// The value, if it can be bound.
    @inlinable
    var valid: QueryBinding? { isValid ? self : nil }

    /// The value as a cell; what cannot be bound is NULL here.
    public var databaseValue: DatabaseValue {
        switch self {
        case .null, .invalid: .null
        case .int(let value): value.databaseValue
        case .double(let value): value.isNaN ? .null : value.databaseValue
        case .text(let value): value.databaseValue
        case .blob(let value): value.databaseValue
        }
    }
}

extension QueryBinding {
    /// Binds the value to a parameter, counted from 0; `result` becomes the code of a refusal.
    func bind(to statement: BorrowedStatement, at index: Int, _ result: inout CInt) {
        let parameter = CInt(truncatingIfNeeded: index + 1)
        let code =
            switch self {
            case .null, .invalid: statement.bindNull(parameter)
            case .int(let value): statement.bindInt64(parameter, value)
            // SQLite makes NULL of a NaN.
            case .double(let value): statement.bindDouble(parameter, value)
            case .text(let value): statement.bindString(parameter, value)
            case .blob(let data): data.withUnsafeBytes { statement.bindBlob(parameter, $0) }
            }
        if code != StatementHandle.ok { result = code }
    }
}

/// A mistake that was found when a query was built; running the query throws it.
public struct QueryBuildingError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong, in words.
    public let message: String
    /// Makes an error with a message.
    public init(_ message: String) { self.message = message }
    /// The message.
    public var description: String { message }
}
