internal import StrongroomCore
public import StrongroomEssentials
public import StrongroomSchema

/// A text of the standard library.
public protocol _BindableText: QueryBindable {}

extension String: _BindableText {
    /// The text.
    @inlinable public var queryBinding: QueryBinding { .text(self) }
    @inlinable public var _boundValue: QueryBinding? { queryBinding }

    /// Reads a text.
    ///
    /// - Throws: `QueryDecodingError` when the column is NULL, or is no text.
    @inlinable
    public init(decoder: inout some QueryDecoder) throws {
        guard let text = try decoder.text() else { throw decoder.error(.null) }
        self = text
    }
}

extension Substring: QueryBindable {
    /// The text.
    public var queryBinding: QueryBinding { .text(String(self)) }

    /// Reads a text.
    ///
    /// - Throws: `QueryDecodingError` when the column is NULL, or is no text.
    public init(decoder: inout some QueryDecoder) throws {
        self = Substring(try String(decoder: &decoder))
    }
}

extension Data: QueryBindable {
    /// The bytes.
    public var queryBinding: QueryBinding { .blob(self) }

    /// Reads a blob.
    ///
    /// - Throws: `QueryDecodingError` when the column is NULL, or is no blob.
    public init(decoder: inout some QueryDecoder) throws {
        guard let data = try decoder.data() else { throw decoder.error(.null) }
        self = data
    }

    public static var _affinity: SQLiteTypeAffinity { .blob }
}

extension [UInt8]: QueryExpression, QueryTerm, OrderingExpression, AssignedExpression,
    QueryDecodable, QueryRepresentable, RowShape, SelectedShape, ScalarShape, QueryBindable
{
    public typealias QueryValue = Self
    public typealias QueryOutput = Self

    /// The bytes.
    public var queryBinding: QueryBinding { .blob(Data(self)) }

    /// Reads the bytes of a blob.
    ///
    /// - Throws: `QueryDecodingError` when the column is NULL, or is no blob.
    public init(decoder: inout some QueryDecoder) throws {
        self = Array(try Data(decoder: &decoder))
    }

    public static var _affinity: SQLiteTypeAffinity { .blob }
}

extension URL: QueryBindable {
    /// The address as text.
    public var queryBinding: QueryBinding { .text(absoluteString) }

    /// Reads an address from text.
    ///
    /// - Throws: `QueryDecodingError` when the column is NULL, is no text, or is no URL.
    public init(decoder: inout some QueryDecoder) throws {
        let text = try String(decoder: &decoder)
        guard let url = URL(string: text) else {
            throw decoder.error(.value("\"\(text)\" is no URL"))
        }
        self = url
    }
}

extension Decimal: QueryBindable {
    /// The number, as Strongroom stores it.
    public var queryBinding: QueryBinding { QueryBinding(databaseValue) }

    /// Reads a number from text.
    ///
    /// - Throws: `QueryDecodingError` when the column is NULL, is no text, or is no number.
    public init(decoder: inout some QueryDecoder) throws {
        let text = try String(decoder: &decoder)
        // The same text as in records: all of it is the number.
        guard let decimal = Decimal.fromDatabaseValue(text.databaseValue) else {
            throw decoder.error(.value("\"\(text)\" is no decimal number"))
        }
        self = decimal
    }
}

extension UUID: QueryBindable {
    /// The text in lower case.
    public var queryBinding: QueryBinding { .text(uuidString.lowercased()) }

    /// Reads a UUID from text in either case.
    ///
    /// - Throws: `QueryDecodingError` when the column is NULL, is no text, or is no UUID.
    public init(decoder: inout some QueryDecoder) throws {
        let text = try String(decoder: &decoder)
        guard let uuid = UUID(uuidString: text) else {
            throw decoder.error(.value("\"\(text)\" is no UUID"))
        }
        self = uuid
    }

    /// A UUID as text in upper case.
    public struct UppercasedRepresentation: ValueRepresentation {
        public var queryOutput: UUID
        public init(queryOutput: UUID) { self.queryOutput = queryOutput }
        public var queryBinding: QueryBinding { .text(queryOutput.uuidString) }
        /// Reads a UUID from text in either case.
        ///
        /// - Throws: `QueryDecodingError` when the column is NULL, is no text, or is no UUID.
        public init(decoder: inout some QueryDecoder) throws {
            queryOutput = try UUID(decoder: &decoder)
        }
    }

    /// A UUID as 16 bytes, as records store it.
    public struct BytesRepresentation: ValueRepresentation {
        public var queryOutput: UUID
        public init(queryOutput: UUID) { self.queryOutput = queryOutput }
        public var queryBinding: QueryBinding {
            .blob(withUnsafeBytes(of: queryOutput.uuid) { Data($0) })
        }
        /// Reads a UUID from its bytes.
        ///
        /// - Throws: `QueryDecodingError` when the column is NULL, is no blob, or has not 16 bytes.
        public init(decoder: inout some QueryDecoder) throws {
            let data = try Data(decoder: &decoder)
            guard data.count == 16 else {
                throw decoder.error(.value("\(data.count) bytes are no UUID"))
            }
            let uuid = data.withUnsafeBytes { $0.loadUnaligned(as: uuid_t.self) }
            queryOutput = UUID(uuid: uuid)
        }
        public static var _affinity: SQLiteTypeAffinity { .blob }
    }
}

/// Another way to store a Swift value in one column.
public protocol ValueRepresentation: QueryBindable {}

extension QueryBinding {
    init(_ value: DatabaseValue) {
        self =
            switch value.storage {
            case .null: .null
            case .int64(let value): .int(value)
            case .double(let value): .double(value)
            case .string(let value): .text(value)
            case .blob(let value): .blob(value)
            }
    }
}
