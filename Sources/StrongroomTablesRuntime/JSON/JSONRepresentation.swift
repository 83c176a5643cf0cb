internal import StrongroomCore
internal import StrongroomEssentials
public import StrongroomSchema

/// A column of JSON documents, which may take NULL.
public protocol _JSONColumn: QueryRepresentable {
    /// The Swift type of the document.
    associatedtype JSONRoot
    /// What precedes the names of functions that keep the form of the document: `jsonb_set`.
    static var _jsonFunctions: String { get }
}

extension Optional: _JSONColumn where Wrapped: _JSONColumn {
    public typealias JSONRoot = Wrapped.JSONRoot?
    public static var _jsonFunctions: String { Wrapped._jsonFunctions }
}

/// A value that is stored as a JSON document.
public protocol _JSONDocument: ValueRepresentation, _JSONColumn {}

/// A value stored as the text of a JSON document.
public struct JSONOf<Document>: _JSONDocument {
    public typealias QueryOutput = Document
    public typealias JSONRoot = Document
    public var queryOutput: Document
    public init(queryOutput: Document) { self.queryOutput = queryOutput }
    /// The document.
    public var queryBinding: QueryBinding { JSONCoding.binding(queryOutput) }
    /// Reads a document from a column of text.
    ///
    /// - Throws: `QueryDecodingError` when the column is NULL, or is no JSON of this type.
    public init(decoder: inout some QueryDecoder) throws {
        queryOutput = try JSONCoding.decode(Document.self, from: &decoder)
    }
    public static var _jsonFunctions: String { "json" }
    public static var _isOptional: Bool { Document.self is any OptionalValue.Type }
}

/// A value stored as a JSON document in the binary form of SQLite.
public struct JSONBOf<Document>: _JSONDocument {
    public typealias QueryOutput = Document
    public typealias JSONRoot = Document
    public var queryOutput: Document
    public init(queryOutput: Document) { self.queryOutput = queryOutput }
    /// The document, of which SQL makes the binary form.
    public var queryBinding: QueryBinding { JSONCoding.binding(queryOutput) }
    /// Reads a document, as text that SQL made of the binary form.
    ///
    /// - Throws: `QueryDecodingError` when the column is NULL, or is no JSON of this type.
    public init(decoder: inout some QueryDecoder) throws {
        queryOutput = try JSONCoding.decode(Document.self, from: &decoder)
    }
    public static var _jsonFunctions: String { "jsonb" }
    public static var _isOptional: Bool { Document.self is any OptionalValue.Type }
    public static var _bindingFunction: String? { "jsonb" }
    /// A fetched statement reads the document as text.
    public static func queryFragment(decoding column: QueryFragment) -> QueryFragment {
        .call("json", [column])
    }
    public static var _affinity: SQLiteTypeAffinity { .blob }
}

extension Decodable where Self: Encodable {
    /// The value as the text of a JSON document.
    public typealias JSONRepresentation = JSONOf<Self>
    /// The value as a JSON document in the binary form of SQLite.
    public typealias JSONBRepresentation = JSONBOf<Self>
}

extension Array {
    /// The elements as the text of a JSON document; they are `Codable`, or rows of a table.
    public typealias JSONRepresentation = JSONOf<[Element]>
    /// The elements as a JSON document in the binary form of SQLite.
    public typealias JSONBRepresentation = JSONBOf<[Element]>
}

/// How this layer writes and reads JSON.
enum JSONCoding {
    /// A document as text; nil is NULL.
    static func binding(_ value: some Any) -> QueryBinding {
        if (value as? any OptionalValue)?.isNil == true { return .null }
        guard let value = value as? any Encodable else {
            return .invalid(QueryBuildingError("\(type(of: value)) is not Encodable"))
        }
        do {
            return .text(try JSONDocument(value).text)
        } catch {
            return .invalid(QueryBuildingError("\(error)"))
        }
    }

    /// Reads a document from the next column.
    static func decode<Document, Decoder: QueryDecoder>(
        _ type: Document.Type, from decoder: inout Decoder
    ) throws -> Document {
        guard let cell = try decoder.cell() else {
            guard let none = (type as? any OptionalValue.Type)?.nothing as? Document else {
                throw decoder.error(.null)
            }
            return none
        }
        let text: Data
        switch cell.storage {
        case .string(let string): text = Data(string.utf8)
        case .int64, .double: text = Data("\(cell)".utf8)
        default: throw decoder.error(.value("a BLOB is no JSON"))
        }
        do {
            if let document = try rows(type, in: text) { return document }
            guard let type = type as? any Decodable.Type else {
                throw QueryBuildingError("\(Document.self) is not Decodable")
            }
            guard let document = try makeDecoder().decode(type, from: text) as? Document else {
                throw QueryBuildingError("the document is no \(Document.self)")
            }
            return document
        } catch let error as QueryDecodingError {
            throw decoder.error(error.reason)
        } catch {
            throw decoder.error(.value("no \(Document.self) in the JSON: \(error)"))
        }
    }

    /// Reads one row of a table, or several; nil where the document's type reads itself.
    private static func rows<Document>(
        _ type: Document.Type, in text: Data
    ) throws -> Document? {
        let rows = type as? any JSONRowsDecodable.Type
        guard rows != nil || type is any _ColumnGroup.Type else { return nil }
        let parsed = try JSONDecoder().decode(JSONDocument.self, from: text)
        if let rows { return try rows.rows(of: parsed) as? Document }
        return try jsonRow(type, of: parsed)
    }

    private static func makeDecoder() -> JSONDecoder {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .custom { decoder in
            let text = try decoder.singleValueContainer().decode(String.self)
            var cells = CellDecoder([text.databaseValue])
            return try Date(decoder: &cells)
        }
        decoder.dataDecodingStrategy = .custom { decoder in
            let text = try decoder.singleValueContainer().decode(String.self)
            guard let data = Data(hex: text) else {
                throw QueryBuildingError("\"\(text)\" is no hexadecimal number")
            }
            return data
        }
        return decoder
    }
}

/// A value of a type that may be optional.
protocol OptionalValue {
    var isNil: Bool { get }
    var some: Any? { get }
    static var nothing: Any { get }
}

extension Optional: OptionalValue {
    var isNil: Bool { self == nil }
    var some: Any? { self.map { $0 } }
    static var nothing: Any { Self.none as Any }
}

extension Data {
    /// The bytes that hexadecimal digits stand for.
    init?(hex text: String) {
        let digits = text.compactMap(\.hexDigitValue)
        guard digits.count == text.count, digits.count.isMultiple(of: 2) else { return nil }
        self.init(
            stride(from: 0, to: digits.count, by: 2).map {
                UInt8(digits[$0] * 16 + digits[$0 + 1])
            })
    }
}
