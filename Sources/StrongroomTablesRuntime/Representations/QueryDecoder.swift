public import StrongroomCore
public import StrongroomEssentials

/// Reads the columns of a row from left to right.
public protocol QueryDecoder {
    /// Reads the next column; nil when it is NULL.
    ///
    /// - Throws: `QueryDecodingError` when the column holds another storage class.
    mutating func int64() throws -> Int64?
    /// Reads the next column; nil when it is NULL.
    ///
    /// - Throws: `QueryDecodingError` when the column holds another storage class.
    mutating func double() throws -> Double?
    /// Reads the next column; nil when it is NULL.
    ///
    /// - Throws: `QueryDecodingError` when the column holds another storage class.
    mutating func text() throws -> String?
    /// Reads the next column; nil when it is NULL.
    ///
    /// - Throws: `QueryDecodingError` when the column holds another storage class.
    mutating func data() throws -> Data?
    /// Reads the next column, a date in UTC as text; nil when it is NULL.
    ///
    /// - Throws: `QueryDecodingError` when the column is no text, or no date.
    mutating func date() throws -> Date?
    /// Reads the next column, whatever it holds; nil when it is NULL.
    ///
    /// - Throws: Nothing in the decoders of this library.
    mutating func cell() throws -> DatabaseValue?
    /// Skips columns.
    mutating func skip(_ count: Int)
    /// Whether a column ahead is NULL; 0 is the next one.
    func isNull(ahead count: Int) -> Bool
    /// The error for the column that was read last.
    func error(_ reason: QueryDecodingError.Reason) -> QueryDecodingError
}

extension QueryDecoder {
    /// Reads the next column, a date in UTC as text; nil when it is NULL.
    ///
    /// - Throws: `QueryDecodingError` when the column is no text, or no date.
    public mutating func date() throws -> Date? { try date(of: try text()) }

    func date(of text: String?) throws -> Date? {
        guard let text else { return nil }
        guard let date = Date.fromDatabaseValue(text.databaseValue) else {
            throw error(.value("\"\(text)\" is no date"))
        }
        return date
    }

    /// Reads a value through its representation.
    ///
    /// - Throws: `QueryDecodingError` when a column does not fit the type.
    @inlinable
    public mutating func decode<Value: QueryRepresentable>(
        _ type: Value.Type
    ) throws -> Value.QueryOutput {
        try Value(decoder: &self).queryOutput
    }

    /// Reads a value whose type the context knows.
    ///
    /// - Throws: `QueryDecodingError` when a column does not fit the type.
    @inlinable
    public mutating func decode<Value: QueryRepresentable<Value>>() throws -> Value {
        try Value(decoder: &self)
    }
}

/// A row that does not fit the type that it should become.
public struct QueryDecodingError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What is wrong with the column.
    public enum Reason: Sendable, Equatable {
        /// It is NULL.
        case null
        /// It holds another storage class.
        case storageClass(String)
        /// It holds a value that the type does not have, in words.
        case value(String)
    }
    /// The type of the row and the property, `Item.title`, where they are known.
    public var property: String?
    /// The number of the column in the result, counted from 0.
    public var column: Int
    /// The name of the column in the result.
    public var name: String?
    /// What is wrong.
    public var reason: Reason
    /// The statement.
    public var sql: String?

    @usableFromInline
    init(column: Int, reason: Reason) {
        self.column = column
        self.reason = reason
    }

    /// The error in words.
    public var description: String {
        var text = "could not decode "
        let place = "column \(column)" + (name.map { " \"\($0)\"" } ?? "")
        switch (property, reason) {
        case (let property?, .null): text += "\(property): \(place) is NULL"
        case (nil, .null): text += "column \(column): it is NULL, 'ifnull' gives a value"
        case (let property, .storageClass(let found)):
            text += "\(property ?? place): \(property == nil ? "it" : place) is \(found)"
        case (let property, .value(let message)): text += "\(property ?? place): \(message)"
        }
        if let sql { text += "; sql: \(sql)" }
        return text
    }
}
