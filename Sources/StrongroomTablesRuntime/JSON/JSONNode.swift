public import StrongroomCore

/// A value in a JSON document, at any depth, as a row.
public struct JSONNode: Sendable {
    /// The position in its array, or the name in its object.
    public var key: DatabaseValue?
    /// The value; of an object or array, its text.
    public var value: DatabaseValue?
    /// The type of JSON: `integer`, `text`, `array` and so on.
    public var type: String
    /// The path of what the value is in.
    public var path: String
    /// The number of what the value is in.
    public var parent: Int?
}

extension DatabaseValue: QueryBindable {
    /// The value.
    public var queryBinding: QueryBinding { QueryBinding(self) }

    /// Reads the next column, whatever it holds.
    ///
    /// - Throws: What the decoder throws. The decoders of this library read any cell.
    public init(decoder: inout some QueryDecoder) throws {
        self = try decoder.cell() ?? .null
    }
}

extension JSONNode: SelectionTable {
    public static let _layout = TableLayout(JSONNode.self, name: "json_tree")

    public static func _describe(_ columns: inout ColumnDescriptions) {
        columns.add("key", DatabaseValue?.self)
        columns.add("value", DatabaseValue?.self)
        columns.add("type", String.self)
        columns.add("path", String.self)
        columns.add("parent", Int?.self)
    }

    /// Reads the five columns of a node.
    ///
    /// - Throws: `QueryDecodingError` when a column does not fit its type.
    public init(decoder: inout some QueryDecoder) throws {
        key = try decoder.decode(DatabaseValue?.self)
        value = try decoder.decode(DatabaseValue?.self)
        type = try decoder.decode(String.self)
        path = try decoder.decode(String.self)
        parent = try decoder.decode(Int?.self)
    }

    public func _encode(_ row: inout RowEncoder) {
        row.add(key, as: DatabaseValue?.self)
        row.add(value, as: DatabaseValue?.self)
        row.add(type, as: String.self)
        row.add(path, as: String.self)
        row.add(parent, as: Int?.self)
    }

    /// The columns of a node.
    public struct TableColumns: TableColumnsProtocol {
        public typealias QueryValue = JSONNode
        public let _table: TableReference
        public init(_ table: TableReference, _ name: String) { _table = table }
        /// The position in its array, or the name in its object.
        public var key: TableColumn<DatabaseValue?> { .init(_table, "key") }
        /// The value; of an object or array, its text.
        public var value: TableColumn<DatabaseValue?> { .init(_table, "value") }
        /// The type of JSON.
        public var type: TableColumn<String> { .init(_table, "type") }
        /// The path of what the value is in.
        public var path: TableColumn<String> { .init(_table, "path") }
        /// The number of what the value is in.
        public var parent: TableColumn<Int?> { .init(_table, "parent") }
    }

    /// The columns of a node on the outer side of a join.
    @dynamicMemberLookup
    public struct OuterColumns: OuterColumnsProtocol {
        public typealias QueryValue = JSONNode?
        public typealias Inner = TableColumns
        public let _table: TableReference
        public init(_ table: TableReference, _ name: String) { _table = table }
        /// The position in its array, or the name in its object.
        public var key: TableColumn<DatabaseValue?> { .init(_table, "key") }
        /// The value; of an object or array, its text.
        public var value: TableColumn<DatabaseValue?> { .init(_table, "value") }
        /// The type of JSON.
        public var type: TableColumn<String?> { .init(_table, "type") }
        /// The path of what the value is in.
        public var path: TableColumn<String?> { .init(_table, "path") }
        /// The number of what the value is in.
        public var parent: TableColumn<Int?> { .init(_table, "parent") }
    }
}
