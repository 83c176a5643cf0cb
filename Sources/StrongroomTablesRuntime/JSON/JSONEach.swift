/// An element of a JSON array or object, as a row.
public struct JSONElement<Key: QueryBindable, Value: QueryBindable> {
    /// The position in the array, or the name in the object.
    public var key: Key
    /// The value.
    public var value: Value
}

extension JSONElement: SelectionTable {
    public static var _layout: TableLayout { TableLayout(Self.self, name: "json_each") }

    public static func _describe(_ columns: inout ColumnDescriptions) {
        columns.add("key", Key.self)
        columns.add("value", Value.self)
    }

    /// Reads the key and the value.
    ///
    /// - Throws: `QueryDecodingError` when one of them does not fit its type.
    public init(decoder: inout some QueryDecoder) throws {
        key = try Key(decoder: &decoder)
        value = try Value(decoder: &decoder)
    }

    public func _encode(_ row: inout RowEncoder) {
        key._encode(&row)
        value._encode(&row)
    }

    /// The columns of an element; members of elements that are objects stand next to them.
    @dynamicMemberLookup
    public struct TableColumns: TableColumnsProtocol {
        public typealias QueryValue = JSONElement
        public let _table: TableReference
        public init(_ table: TableReference, _ name: String) { _table = table }
        /// The position in the array, or the name in the object.
        public var key: TableColumn<Key> { .init(_table, "key") }
        /// The value.
        public var value: TableColumn<Value> { .init(_table, "value") }
    }

    /// The columns of an element on the outer side of a join.
    @dynamicMemberLookup
    public struct OuterColumns: OuterColumnsProtocol {
        public typealias QueryValue = JSONElement?
        public typealias Inner = TableColumns
        public let _table: TableReference
        public init(_ table: TableReference, _ name: String) { _table = table }
        /// The position in the array, or the name in the object.
        public var key: TableColumn<Key?> { .init(_table, "key") }
        /// The value.
        public var value: TableColumn<Value?> { .init(_table, "value") }
    }
}

extension JSONElement.TableColumns {
    /// A member of an element that is an object.
    public subscript<Group: _ColumnGroup, Member: QueryBindable>(
        dynamicMember path: KeyPath<JSONPath<Group>, JSONPath<Member>>
    ) -> SQLQueryExpression<Member> where Value == JSONOf<Group> {
        value.jsonExtract(path)
    }

    /// A member of an element that is an object; NULL where there is none.
    public subscript<Group: _ColumnGroup, Member: QueryBindable>(
        dynamicMember path: KeyPath<JSONPath<Group>, JSONPath<Member?>>
    ) -> SQLQueryExpression<Member?> where Value == JSONOf<Group> {
        value.jsonExtract(path)
    }
}

extension QueryExpression where QueryValue: _JSONColumn {
    func rows<Row: QuerySource>(
        _ function: String, _ path: QueryFragment? = nil
    ) -> Where<Row> {
        let call = QueryFragment.call(function, [queryFragment] + (path.map { [$0] } ?? []))
        let table = TableReference(
            function, schema: nil, alias: nil, fragment: call, type: Row.self)
        var clauses = SelectClauses(unscoped: Row.self)
        clauses.from = FromClause(Row._layout, table)
        return Where(clauses)
    }

    /// All values in the document, at any depth, as rows.
    public func jsonTree() -> Where<JSONNode> { rows("json_tree") }
}
