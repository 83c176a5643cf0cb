public import StrongroomEssentials

/// Rows as a JSON array of objects, whose keys come in the order of the columns.
///
///     [{"id":1,"name":"Arthur"},
///     {"id":2,"name":"Barbara"}]
///
/// Blobs are in base64, unless the encoder says otherwise.
public struct JSONDumpFormat: DumpFormat, Sendable {
    /// The encoder of names and values. Its `.prettyPrinted` is honoured, its `.sortedKeys` is not.
    public var encoder: JSONEncoder

    private var isAtFirstRow = true

    /// An encoder that escapes no slashes, and writes infinity as `"inf"`.
    public static var defaultEncoder: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        return encoder
    }

    /// Makes a format.
    public init(encoder: JSONEncoder = JSONDumpFormat.defaultEncoder) {
        self.encoder = encoder
    }

    public mutating func writeRow(
        _ db: Database, statement: Statement, to stream: inout DumpStream
    ) throws {
        let layout = layout
        let names = statement.columnNames
        let members = try zip(names, statement.dumpedValues).map { name, value in
            try layout.memberIndent + encode(name) + layout.colon + encode(value)
        }
        stream.write(isAtFirstRow ? layout.start : layout.rowSeparator)
        stream.write(
            layout.objectStart + members.joined(separator: layout.memberSeparator)
                + layout.objectEnd)
        isAtFirstRow = false
    }

    public mutating func finalize(
        _ db: Database, statement: Statement, to stream: inout DumpStream
    ) {
        // A statement that can give no rows has no array either.
        guard statement.columnCount > 0 else { return }
        stream.write(isAtFirstRow ? "[]\n" : layout.end)
        isAtFirstRow = true
    }

    private func encode(_ dbValue: DatabaseValue) throws -> String {
        switch dbValue.storage {
        case .null: "null"
        case .int64(let int64): String(int64)
        case .double(let double): try encode(double)
        case .string(let string): try encode(string)
        case .blob(let data): try encode(data)
        }
    }

    private func encode(_ value: some Encodable) throws -> String {
        String(decoding: try encoder.encode(value), as: UTF8.self)
    }
}

extension JSONDumpFormat {
    /// What stands between names and values.
    private struct Layout {
        var start = "["
        var objectStart = "{"
        var memberIndent = ""
        var colon = ":"
        var memberSeparator = ","
        var objectEnd = "}"
        var rowSeparator = ",\n"
        var end = "]\n"

        static let compact = Layout()
        static let pretty = Layout(
            start: "[\n", objectStart: "  {\n", memberIndent: "    ", colon: " : ",
            memberSeparator: ",\n", objectEnd: "\n  }", end: "\n]\n")
    }

    private var layout: Layout {
        encoder.outputFormatting.contains(.prettyPrinted) ? .pretty : .compact
    }
}

extension DumpFormat where Self == JSONDumpFormat {
    /// Rows as a JSON array of objects, whose keys come in the order of the columns.
    ///
    ///     try dbQueue.dumpRequest(Player.all(), format: .json())
    ///
    /// - Parameter encoder: Encodes names and values. Its `.prettyPrinted` is honoured.
    public static func json(encoder: JSONEncoder = JSONDumpFormat.defaultEncoder) -> Self {
        JSONDumpFormat(encoder: encoder)
    }
}
