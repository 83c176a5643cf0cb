// The columns of a table as SQLite knows them: `pragma_table_info`.

/// A column of a table in the file.
///
///     PragmaTableInfo<Item>.where { $0.isNotNull }.select(\.name)
public struct PragmaTableInfo<Base: Table>: Table, Sendable {
    /// The position in the table, from 0.
    public let position: Int
    /// The name.
    public let name: String
    /// The declared type.
    public let type: String
    /// Whether the column is declared NOT NULL.
    public let isNotNull: Bool
    /// The default, as SQL.
    public let defaultSQL: String?
    /// The position in the key, from 1; 0 where the column is no part of it.
    public let keyPosition: Int

    public static var _layout: TableLayout {
        let name = "'" + Base.tableName.replacing("'", with: "''") + "'"
        let schema = Base.schemaName.map { ", '" + $0.replacing("'", with: "''") + "'" } ?? ""
        return TableLayout(
            Self.self, name: "pragma_table_info", alias: Base.tableName + "Info",
            fragment: QueryFragment(text: "pragma_table_info(\(name)\(schema))"), kind: .view)
    }

    public static func _describe(_ columns: inout ColumnDescriptions) {
        columns.add("cid", Int.self, property: "position")
        columns.add("name", String.self)
        columns.add("type", String.self)
        columns.add("notnull", Bool.self, property: "isNotNull")
        columns.add("dflt_value", String?.self, property: "defaultSQL")
        columns.add("pk", Int.self, property: "keyPosition")
    }

    /// Reads the six columns of a row.
    ///
    /// - Throws: `QueryDecodingError` when a column does not fit its type.
    public init(decoder: inout some QueryDecoder) throws {
        position = try decoder.decode(Int.self)
        name = try decoder.decode(String.self)
        type = try decoder.decode(String.self)
        isNotNull = try decoder.decode(Bool.self)
        defaultSQL = try decoder.decode(String?.self)
        keyPosition = try decoder.decode(Int.self)
    }

    public func _encode(_ row: inout RowEncoder) {
        row.add(position, as: Int.self)
        row.add(name, as: String.self)
        row.add(type, as: String.self)
        row.add(isNotNull, as: Bool.self)
        row.add(defaultSQL, as: String?.self)
        row.add(keyPosition, as: Int.self)
    }

    /// The columns of the columns.
    public struct TableColumns: TableColumnsProtocol {
        public typealias QueryValue = PragmaTableInfo<Base>
        public let _table: TableReference
        public init(_ table: TableReference, _ name: String) { _table = table }

        /// The position in the table, from 0.
        public var position: GeneratedColumn<Int> { .init(_table, "cid") }
        /// The name.
        public var name: GeneratedColumn<String> { .init(_table, "name") }
        /// The declared type.
        public var type: GeneratedColumn<String> { .init(_table, "type") }
        /// Whether the column is declared NOT NULL.
        public var isNotNull: GeneratedColumn<Bool> { .init(_table, "notnull") }
        /// The default, as SQL.
        public var defaultSQL: GeneratedColumn<String?> { .init(_table, "dflt_value") }
        /// The position in the key, from 1; 0 where the column is no part of it.
        public var keyPosition: GeneratedColumn<Int> { .init(_table, "pk") }
    }

    /// The columns on the outer side of a join.
    @dynamicMemberLookup
    public struct OuterColumns: OuterColumnsProtocol {
        public typealias QueryValue = PragmaTableInfo<Base>?
        public typealias Inner = TableColumns
        public let _table: TableReference
        public init(_ table: TableReference, _ name: String) { _table = table }
    }
}
