public import StrongroomCore
public import StrongroomEssentials

/// Reads the arguments of a function that SQL calls, from left to right.
///
/// A storage class must fit what is asked for; SQLite's conversions are not used.
public struct FunctionDecoder: QueryDecoder {
    private let arguments: FunctionArguments
    private let name: String
    private var next = 0
    /// The number of the parameter that is read, from 1, and its first column.
    private var parameter = 0
    private var first = 0

    init(_ arguments: FunctionArguments, _ name: String) {
        self.arguments = arguments
        self.name = name
    }

    /// Reads the next parameter. Macros call it.
    ///
    /// - Throws: `QueryBuildingError`, which names the argument, when it does not fit the type.
    @inlinable
    public mutating func argument<Value: QueryRepresentable>(
        _ type: Value.Type
    ) throws -> Value.QueryOutput {
        begin()
        do {
            return try Value(decoder: &self).queryOutput
        } catch let error as QueryDecodingError {
            throw failure(error, type)
        }
    }

    @usableFromInline
    mutating func begin() {
        parameter += 1
        first = next
    }

    @usableFromInline
    func failure(
        _ error: QueryDecodingError, _ type: (some QueryRepresentable).Type
    ) -> QueryBuildingError {
        var place = "argument \(parameter)"
        let columns = (type.Unwrapped as? any _ColumnGroup.Type)?._layout.columns ?? []
        if columns.indices.contains(error.column - first) {
            place += " (\"\(columns[error.column - first].name)\")"
        }
        place += " of \(name)()"
        switch error.reason {
        case .null: return QueryBuildingError("\(place) is NULL")
        case .storageClass(let found): return QueryBuildingError("\(place) is \(found)")
        case .value(let message): return QueryBuildingError("\(place): \(message)")
        }
    }

    private mutating func advance() -> LiveValue {
        defer { next += 1 }
        return arguments[next]
    }

    public mutating func int64() throws -> Int64? {
        let value = advance()
        switch value.storage {
        case .integer: return value.int64
        case .null: return nil
        case let found: throw error(.storageClass(found.word))
        }
    }

    public mutating func double() throws -> Double? {
        let value = advance()
        switch value.storage {
        case .real, .integer: return value.double
        case .null: return nil
        case let found: throw error(.storageClass(found.word))
        }
    }

    public mutating func text() throws -> String? {
        let value = advance()
        switch value.storage {
        case .text: return value.string
        case .null: return nil
        case let found: throw error(.storageClass(found.word))
        }
    }

    public mutating func data() throws -> Data? {
        let value = advance()
        switch value.storage {
        case .blob: return Data(value.blobBytes)
        case .null: return nil
        case let found: throw error(.storageClass(found.word))
        }
    }

    /// Reads the next argument, whatever it is; nil when it is NULL.
    ///
    /// - Throws: Nothing.
    public mutating func cell() throws -> DatabaseValue? {
        let value = DatabaseValue(advance())
        return value.isNull ? nil : value
    }

    public mutating func skip(_ count: Int) { next += count }

    public func isNull(ahead count: Int) -> Bool { arguments[next + count].storage == .null }

    public func error(_ reason: QueryDecodingError.Reason) -> QueryDecodingError {
        QueryDecodingError(column: next - 1, reason: reason)
    }
}

extension LiveValue.Storage {
    fileprivate var word: String {
        switch self {
        case .integer: "INTEGER"
        case .real: "REAL"
        case .text: "TEXT"
        case .blob: "BLOB"
        case .null: "NULL"
        }
    }
}

extension FunctionResult {
    func set(_ binding: QueryBinding) throws {
        switch binding {
        case .null: setNull()
        case .int(let value): set(value)
        case .double(let value): set(value)
        case .text(let value): set(value)
        case .blob(let value): value.withUnsafeBytes { set($0) }
        case .invalid(let error): throw error
        }
    }
}
