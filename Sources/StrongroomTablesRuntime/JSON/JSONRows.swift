public import StrongroomCore
internal import StrongroomEssentials

/// Documents that hold rows of a table as `jsonObject()` writes them.
protocol JSONRowsDecodable {
    /// The rows of a parsed document; nil where its form is that of `Codable`.
    static func rows(of document: JSONDocument) throws -> Any?
}

extension Array: JSONRowsDecodable {
    static func rows(of document: JSONDocument) throws -> Any? {
        guard let group = Element.self as? any _ColumnGroup.Type,
            !(Element.self is any Decodable.Type), case .array(let rows) = document
        else { return nil }
        return try rows.map { row -> Element in
            let row = try group.row(of: row)
            guard let row = row as? Element else { throw QueryBuildingError("no \(Element.self)") }
            return row
        }
    }
}

/// Reads one row of a parsed document; nil where the type reads itself.
func jsonRow<Document>(_ type: Document.Type, of document: JSONDocument) throws -> Document? {
    guard let group = type as? any _ColumnGroup.Type, !(type is any Decodable.Type) else {
        return nil
    }
    return try group.row(of: document) as? Document
}

extension _ColumnGroup {
    static func row(of document: JSONDocument) throws -> Self {
        var decoder = CellDecoder(try _layout.cells(of: document))
        return try Self(decoder: &decoder)
    }
}

extension TableLayout {
    /// The columns of a row that is a JSON object, whose groups are objects themselves.
    fileprivate func cells(of document: JSONDocument) throws -> [DatabaseValue] {
        try columns.map { column in
            var value: JSONDocument? = document
            let path = column.property.split(separator: ".").map(String.init)
            for name in path.dropLast() { value = value?[name] }
            return try column.cell(of: value?[column.name] ?? .null)
        }
    }
}

extension ColumnDescription {
    /// A value of JSON as the column stores it.
    fileprivate func cell(of value: JSONDocument) throws -> DatabaseValue {
        if json == .document, value != .null { return try value.text.databaseValue }
        switch value {
        case .null: return .null
        case .bool(let bool): return bool.databaseValue
        case .integer(let integer):
            return affinity == .real ? Double(integer).databaseValue : integer.databaseValue
        case .real(let real): return real.databaseValue
        case .decimal(let decimal): return QueryBinding(decimal.databaseValue).databaseValue
        case .text(let text):
            if affinity == .blob, bindingFunction == nil {
                guard let data = Data(hex: text) else {
                    throw QueryBuildingError("\"\(text)\" is no hexadecimal number")
                }
                return data.databaseValue
            }
            return text.databaseValue
        case .array, .object:
            return try value.text.databaseValue
        }
    }
}

/// Reads columns that are in memory.
struct CellDecoder: QueryDecoder {
    private let cells: [DatabaseValue]
    private var next = 0

    init(_ cells: [DatabaseValue]) { self.cells = cells }

    mutating func cell() throws -> DatabaseValue? {
        defer { next += 1 }
        guard cells.indices.contains(next) else { return nil }
        return cells[next].isNull ? nil : cells[next]
    }

    private mutating func read<Value>(_ value: (DatabaseValue.Storage) -> Value?) throws -> Value? {
        guard let cell = try cell() else { return nil }
        guard let value = value(cell.storage) else { throw error(.storageClass("\(cell)")) }
        return value
    }

    mutating func int64() throws -> Int64? {
        try read { if case .int64(let value) = $0 { value } else { nil } }
    }

    mutating func double() throws -> Double? {
        try read {
            switch $0 {
            case .double(let value): value
            case .int64(let value): Double(value)
            default: nil
            }
        }
    }

    mutating func text() throws -> String? {
        try read { if case .string(let value) = $0 { value } else { nil } }
    }

    mutating func data() throws -> Data? {
        try read { if case .blob(let value) = $0 { value } else { nil } }
    }

    mutating func skip(_ count: Int) { next += count }

    func isNull(ahead count: Int) -> Bool {
        !cells.indices.contains(next + count) || cells[next + count].isNull
    }

    func error(_ reason: QueryDecodingError.Reason) -> QueryDecodingError {
        QueryDecodingError(column: next - 1, reason: reason)
    }
}

extension _ColumnGroup {
    /// Reads a row of Strongroom by the names of its columns.
    ///
    /// - Throws: `QueryBuildingError` when the result lacks a column of the type,
    ///   `QueryDecodingError` when a column does not fit its type.
    public static func decode(_ row: StrongroomCore.Row) throws -> Self {
        let cells = try _layout.columns.map { column -> DatabaseValue in
            guard row.hasColumn(column.name) else {
                throw QueryBuildingError(
                    "the result has no column \"\(column.name)\" for "
                        + "\(_layout.typeName).\(column.property)")
            }
            return (row[column.name] as DatabaseValue?) ?? .null
        }
        var decoder = CellDecoder(cells)
        return try Self(decoder: &decoder)
    }
}
