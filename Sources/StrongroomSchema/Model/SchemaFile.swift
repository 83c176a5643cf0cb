public import StrongroomEssentials

/// Why a file cannot be read as `tables.json`.
public struct SchemaFileError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The reason, without the name of the file.
    public let description: String

    package init(_ description: String) { self.description = description }
}

/// What `tables.json` holds: tables as Swift types declare them.
package struct SchemaFile: Codable {
    /// The newest version that this library reads.
    ///
    /// 2: policies. A file without them is still written as version 1, which older libraries read.
    package static let version = 2

    package let tables: [TableSchema]

    package init(tables: [TableSchema]) {
        self.tables = tables.sorted {
            ($0.schemaName ?? "", $0.name) < ($1.schemaName ?? "", $1.name)
        }
    }

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: FieldName.self)
        let version: Int = try fields.value("version")
        guard version <= Self.version else {
            throw SchemaFileError(
                "it has version \(version); this strongroom reads up to version \(Self.version)")
        }
        guard version >= 1 else { throw SchemaFileError("version \(version) never was") }
        try fields.refuseFields(besides: ["version", "tables"])
        tables = try fields.value("tables")
    }

    package func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: FieldName.self)
        try fields.write(tables.contains(where: \.hasPolicies) ? 2 : 1, "version")
        try fields.write(tables, "tables")
    }

    /// The file's text: sorted, and the same for the same tables.
    package func data() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(self) + Data("\n".utf8)
    }

    /// - Throws: `SchemaFileError`.
    package static func read(_ data: Data) throws(SchemaFileError) -> SchemaFile {
        do {
            return try JSONDecoder().decode(SchemaFile.self, from: data)
        } catch let error as SchemaFileError {
            throw error
        } catch let error as DecodingError {
            throw SchemaFileError(error.reason)
        } catch {
            throw SchemaFileError("it is not JSON")
        }
    }
}

extension TableSchema {
    fileprivate var hasPolicies: Bool {
        policies != TablePolicies() || columns.contains { $0.policies != ColumnPolicies() }
    }
}

extension DecodingError {
    fileprivate var reason: String {
        switch self {
        case .keyNotFound(let key, let context):
            "\(Self.place(context)) has no field \"\(key.stringValue)\""
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            "\(Self.place(context)) has a value of another type"
        case .dataCorrupted(let context):
            context.codingPath.isEmpty
                ? "it is not JSON" : "\(Self.place(context)) has a value that is not known"
        @unknown default: "it is not JSON"
        }
    }

    private static func place(_ context: Context) -> String {
        let path = context.codingPath.reduce(into: "") { text, key in
            if let index = key.intValue {
                text += "[\(index)]"
            } else {
                text += (text.isEmpty ? "" : ".") + key.stringValue
            }
        }
        return path.isEmpty ? "it" : path
    }
}

extension TableSchema {
    /// Writes schemas to a file, sorted and stable.
    ///
    /// - Throws: When the file cannot be written.
    public static func write(_ schemas: [TableSchema], to url: URL) throws {
        try SchemaFile(tables: schemas).data().write(to: url, options: .atomic)
    }

    /// Reads the schemas that a file holds.
    ///
    /// - Throws: `SchemaFileError` when it is not such a file, or one of a newer version.
    public static func read(from url: URL) throws -> [TableSchema] {
        try SchemaFile.read(Data(contentsOf: url)).tables
    }
}
