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

    public init(decoder: inout some QueryDecoder) throws {
        key = try Key(decoder: &decoder)
        value = try Value(decoder: &decoder)
    }

    public func _encode(_ row: inout RowEncoder) {
        key._encode(&row)
        value._encode(&row)
    }

    /// The columns of an element.
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

    /// The elements of an array as rows; none where there is no document.
    public func jsonEach<E: QueryBindable>() -> Where<JSONElement<Int, E>>
    where QueryValue.JSONRoot == [E] {
        rows("json_each")
    }
    /// The elements of an array as rows; none where there is no document.
    public func jsonEach<E: QueryBindable>() -> Where<JSONElement<Int, E>>
    where QueryValue.JSONRoot == [E]? {
        rows("json_each")
    }
    /// The elements of an array as rows, of which each is a document.
    public func jsonEach<E: _ColumnGroup>() -> Where<JSONElement<Int, JSONOf<E>>>
    where QueryValue.JSONRoot == [E] {
        rows("json_each")
    }
    /// The values of an object as rows.
    public func jsonEach<E: QueryBindable>() -> Where<JSONElement<String, E>>
    where QueryValue.JSONRoot == [String: E] {
        rows("json_each")
    }
    /// The elements of an array in the document as rows.
    public func jsonEach<E: QueryBindable>(
        _ path: PathTo<[E]>
    ) -> Where<JSONElement<Int, E>> {
        rows("json_each", fragment(path))
    }
    /// The elements of an array in the document as rows; none where there is none.
    public func jsonEach<E: QueryBindable>(
        _ path: PathTo<[E]?>
    ) -> Where<JSONElement<Int, E>> {
        rows("json_each", fragment(path))
    }
    /// The same as `jsonEach`, which reads the binary form of SQLite too.
    public func jsonbEach<E: QueryBindable>() -> Where<JSONElement<Int, E>>
    where QueryValue.JSONRoot == [E] {
        jsonEach()
    }
    /// The same as `jsonEach`, which reads the binary form of SQLite too.
    public func jsonbEach<E: QueryBindable>(
        _ path: PathTo<[E]>
    ) -> Where<JSONElement<Int, E>> {
        jsonEach(path)
    }
    /// The same as `jsonEach`, which reads the binary form of SQLite too.
    public func jsonbEach<E: QueryBindable>(
        _ path: PathTo<[E]?>
    ) -> Where<JSONElement<Int, E>> {
        jsonEach(path)
    }

    /// All values in the document, at any depth, as rows.
    public func jsonTree() -> Where<JSONNode> { rows("json_tree") }
}
