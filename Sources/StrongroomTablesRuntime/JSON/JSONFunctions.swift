internal import StrongroomEssentials

// Functions of JSON documents. A place in them is a key path: `\.links[0].homepage`.

extension QueryExpression where QueryValue: _JSONColumn {
    /// A path into the document.
    public typealias PathTo<Value> = KeyPath<JSONPath<QueryValue.JSONRoot>, JSONPath<Value>>

    func fragment<Value>(_ path: PathTo<Value>) -> QueryFragment {
        JSONPath<QueryValue.JSONRoot>("")[keyPath: path].fragment
    }

    /// A value in the document.
    ///
    ///     try User.find(1).select { $0.address.jsonExtract(\.city) }.fetchAll(db)  // ["London"]
    public func jsonExtract<Value: QueryBindable>(
        _ path: PathTo<Value>
    ) -> SQLQueryExpression<Value> {
        call("json_extract", fragment(path))
    }

    /// A value in the document; NULL where there is none.
    public func jsonExtract<Value: QueryBindable>(
        _ path: PathTo<Value?>
    ) -> SQLQueryExpression<Value?> {
        call("json_extract", fragment(path))
    }

    /// A part of the document.
    @_disfavoredOverload
    public func jsonExtract<Value>(
        _ path: PathTo<Value>
    ) -> SQLQueryExpression<JSONOf<Value>> {
        call("json_extract", fragment(path))
    }

    /// A value in the document.
    ///
    ///     User.select { $0.address.jsonbExtract(\.lines) }
    ///     // SELECT json(jsonb_extract("users"."address", '$."lines"')) FROM "users"
    public func jsonbExtract<Value: QueryBindable>(
        _ path: PathTo<Value>
    ) -> SQLQueryExpression<Value> {
        call("jsonb_extract", fragment(path))
    }

    /// A value in the document; NULL where there is none.
    public func jsonbExtract<Value: QueryBindable>(
        _ path: PathTo<Value?>
    ) -> SQLQueryExpression<Value?> {
        call("jsonb_extract", fragment(path))
    }

    /// A document in the document, in the binary form of SQLite.
    public func jsonbExtract<Value: QueryBindable & _JSONDocument>(
        _ path: PathTo<Value>
    ) -> SQLQueryExpression<JSONBOf<Value.QueryOutput>> {
        call("jsonb_extract", fragment(path))
    }

    /// A document in the document, in the binary form of SQLite; NULL where there is none.
    public func jsonbExtract<Value: QueryBindable & _JSONDocument>(
        _ path: PathTo<Value?>
    ) -> SQLQueryExpression<JSONBOf<Value.QueryOutput?>> {
        call("jsonb_extract", fragment(path))
    }

    /// A part of the document, in the binary form of SQLite.
    @_disfavoredOverload
    public func jsonbExtract<Value>(
        _ path: PathTo<Value>
    ) -> SQLQueryExpression<JSONBOf<Value>> {
        call("jsonb_extract", fragment(path))
    }

    /// The number of elements of the array; NULL where there is no document.
    ///
    ///     try Item.find(2).select { $0.tags.jsonArrayLength() }.fetchOne(db)  // 2
    public func jsonArrayLength() -> SQLQueryExpression<Int>
    where QueryValue.JSONRoot: Sequence {
        call("json_array_length")
    }

    /// The number of elements of the array; NULL where there is no document.
    @_disfavoredOverload
    public func jsonArrayLength() -> SQLQueryExpression<Int?> { call("json_array_length") }

    /// The number of elements of an array in the document.
    public func jsonArrayLength<Element>(
        _ path: PathTo<[Element]>
    ) -> SQLQueryExpression<Int> {
        call("json_array_length", fragment(path))
    }

    /// The number of elements of an array in the document; NULL where there is none.
    public func jsonArrayLength<Element>(
        _ path: PathTo<[Element]?>
    ) -> SQLQueryExpression<Int?> {
        call("json_array_length", fragment(path))
    }
}

extension QueryFragment {
    /// A call of a function; where the document is such a call, the arguments are added to it.
    static func fused(
        _ name: String, _ document: QueryFragment, _ arguments: [QueryFragment]
    ) -> QueryFragment {
        guard document.shape == .bare, document.segments.first == .text(name + "("),
            document.segments.last == .text(")")
        else { return .call(name, [document] + arguments) }
        var segments = document.segments
        segments.removeLast()
        let list = arguments.commaSeparated.segments
        return QueryFragment(segments + [.text(", ")] + list + [.text(")")], shape: .bare)
    }

    /// A value as it stands in a document.
    static func json<Value: QueryRepresentable>(
        _ value: Value.QueryOutput, as type: Value.Type
    ) -> QueryFragment {
        json(Value(queryOutput: value))
    }

    static func json(_ value: Any) -> QueryFragment {
        if let optional = value as? any OptionalValue {
            return optional.some.map { json($0) } ?? QueryFragment(text: "NULL", shape: .bare)
        }
        switch value {
        case let value as Bool: return QueryFragment(text: "json('\(value)')", shape: .bare)
        case let document as any _JSONDocument:
            return .call("json", [QueryFragment(document.queryBinding)])
        case let value as any QueryBindable:
            guard case .blob(let data) = value.queryBinding else {
                return QueryFragment(value.queryBinding)
            }
            return data.map(JSONText.hex).joined().queryFragment
        default: return .call("json", [QueryFragment(JSONCoding.binding(value))])
        }
    }
}
