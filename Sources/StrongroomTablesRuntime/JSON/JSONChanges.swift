// Changes of JSON documents. Each gives the changed document, which an update assigns.

extension QueryExpression where QueryValue: _JSONColumn {
    private func changed(
        _ name: String, _ prefix: String, _ arguments: [QueryFragment]
    ) -> SQLQueryExpression<QueryValue> {
        SQLQueryExpression(.fused("\(prefix)_\(name)", queryFragment, arguments))
    }

    /// The document with a value at a place. A case of an enum takes the place of the one before.
    private func set<Value>(
        _ path: PathTo<Value>, _ prefix: String, _ value: QueryFragment
    ) -> SQLQueryExpression<QueryValue> {
        let place = JSONPath<QueryValue.JSONRoot>("")[keyPath: path]
        guard let step = place.caseStep else {
            return changed("set", prefix, [place.fragment, value])
        }
        guard case .last(let owner, let name) = step else { return Self.wholeCase }
        let key = QueryFragment(text: name.quotedText, shape: .bare)
        if owner.isEmpty { return SQLQueryExpression(.call("\(prefix)_object", [key, value])) }
        let object = QueryFragment.call("json_object", [key, value])
        return changed("set", prefix, [JSONPath<Value>(owner).fragment, object])
    }

    /// The document with a value at a place where there was none.
    private func inserted<Value>(
        _ path: PathTo<Value>, _ prefix: String, _ value: QueryFragment
    ) -> SQLQueryExpression<QueryValue> {
        let place = JSONPath<QueryValue.JSONRoot>("")[keyPath: path]
        guard place.caseStep == nil else { return Self.wholeCase }
        return changed("insert", prefix, [place.fragment, value])
    }

    /// A second case next to the one that is there would make a document that nothing reads.
    private static var wholeCase: SQLQueryExpression<QueryValue> {
        SQLQueryExpression(QueryFragment(failure: "set the whole case, with 'jsonSet'"))
    }

    private func appended(
        _ prefix: String, _ path: QueryFragment, _ value: QueryFragment
    ) -> SQLQueryExpression<QueryValue> {
        var segments = path.segments
        if case .text(let text)? = segments.first {
            segments = [.text(String(text.dropLast()) + "[#]'")]
        }
        let end = QueryFragment(segments, shape: .bare)
        return changed("insert", prefix, [end, value])
    }

    /// The document with a value at a place, whether one was there or not.
    public func jsonSet<Value: QueryRepresentable>(
        _ path: PathTo<Value>, _ value: Value.QueryOutput
    ) -> SQLQueryExpression<QueryValue> {
        set(path, QueryValue._jsonFunctions, .json(value, as: Value.self))
    }

    /// The document with a value at a place, whether one was there or not.
    @_disfavoredOverload
    public func jsonSet<Value>(
        _ path: PathTo<Value>, _ value: Value
    ) -> SQLQueryExpression<QueryValue> {
        set(path, QueryValue._jsonFunctions, .json(value))
    }

    /// The document with a value at a place, whether one was there or not.
    public func jsonbSet<Value: QueryRepresentable>(
        _ path: PathTo<Value>, _ value: Value.QueryOutput
    ) -> SQLQueryExpression<QueryValue> {
        set(path, "jsonb", .json(value, as: Value.self))
    }

    /// The document with a value at a place, whether one was there or not.
    @_disfavoredOverload
    public func jsonbSet<Value>(
        _ path: PathTo<Value>, _ value: Value
    ) -> SQLQueryExpression<QueryValue> {
        set(path, "jsonb", .json(value))
    }

    /// The document with a value at a place where there was none.
    public func jsonInsert<Value: QueryRepresentable>(
        _ path: PathTo<Value>, _ value: Value.QueryOutput
    ) -> SQLQueryExpression<QueryValue> {
        inserted(path, QueryValue._jsonFunctions, .json(value, as: Value.self))
    }

    /// The document with a value at a place where there was none.
    @_disfavoredOverload
    public func jsonInsert<Value>(
        _ path: PathTo<Value>, _ value: Value
    ) -> SQLQueryExpression<QueryValue> {
        inserted(path, QueryValue._jsonFunctions, .json(value))
    }

    /// The document with a value at a place where there was none.
    public func jsonbInsert<Value: QueryRepresentable>(
        _ path: PathTo<Value>, _ value: Value.QueryOutput
    ) -> SQLQueryExpression<QueryValue> {
        inserted(path, "jsonb", .json(value, as: Value.self))
    }

    /// The document with a value at a place where there was none.
    @_disfavoredOverload
    public func jsonbInsert<Value>(
        _ path: PathTo<Value>, _ value: Value
    ) -> SQLQueryExpression<QueryValue> {
        inserted(path, "jsonb", .json(value))
    }

    /// The document with another value at a place where there was one.
    public func jsonReplace<Value: QueryRepresentable>(
        _ path: PathTo<Value>, _ value: Value.QueryOutput
    ) -> SQLQueryExpression<QueryValue> {
        changed(
            "replace", QueryValue._jsonFunctions, [fragment(path), .json(value, as: Value.self)])
    }

    /// The document with another value at a place where there was one.
    @_disfavoredOverload
    public func jsonReplace<Value>(
        _ path: PathTo<Value>, _ value: Value
    ) -> SQLQueryExpression<QueryValue> {
        changed("replace", QueryValue._jsonFunctions, [fragment(path), .json(value)])
    }

    /// The document with another value at a place where there was one.
    public func jsonbReplace<Value: QueryRepresentable>(
        _ path: PathTo<Value>, _ value: Value.QueryOutput
    ) -> SQLQueryExpression<QueryValue> {
        changed("replace", "jsonb", [fragment(path), .json(value, as: Value.self)])
    }

    /// The document with another value at a place where there was one.
    @_disfavoredOverload
    public func jsonbReplace<Value>(
        _ path: PathTo<Value>, _ value: Value
    ) -> SQLQueryExpression<QueryValue> {
        changed("replace", "jsonb", [fragment(path), .json(value)])
    }

    /// The document without what is at a place.
    public func jsonRemove<Value>(_ path: PathTo<Value>) -> SQLQueryExpression<QueryValue> {
        changed("remove", QueryValue._jsonFunctions, [fragment(path)])
    }

    /// The array with one more element at its end.
    public func jsonAppend<Element>(_ value: Element) -> SQLQueryExpression<QueryValue>
    where QueryValue.JSONRoot == [Element] {
        appended(QueryValue._jsonFunctions, QueryFragment(text: "'$'"), .json(value))
    }

    /// The document with one more element at the end of an array in it.
    public func jsonAppend<Element>(
        _ path: PathTo<[Element]>, _ value: Element
    ) -> SQLQueryExpression<QueryValue> {
        appended(QueryValue._jsonFunctions, fragment(path), .json(value))
    }

    /// The document with one more element at the end of an array in it.
    public func jsonAppend<Element>(
        _ path: PathTo<[Element]?>, _ value: Element
    ) -> SQLQueryExpression<QueryValue> {
        appended(QueryValue._jsonFunctions, fragment(path), .json(value))
    }

    /// The document without what is at a place.
    public func jsonbRemove<Value>(_ path: PathTo<Value>) -> SQLQueryExpression<QueryValue> {
        changed("remove", "jsonb", [fragment(path)])
    }

    /// The array with one more element at its end.
    public func jsonbAppend<Element>(_ value: Element) -> SQLQueryExpression<QueryValue>
    where QueryValue.JSONRoot == [Element] {
        appended("jsonb", QueryFragment(text: "'$'"), .json(value))
    }

    /// The document with one more element at the end of an array in it.
    public func jsonbAppend<Element>(
        _ path: PathTo<[Element]>, _ value: Element
    ) -> SQLQueryExpression<QueryValue> {
        appended("jsonb", fragment(path), .json(value))
    }

    /// The document with one more element at the end of an array in it.
    public func jsonbAppend<Element>(
        _ path: PathTo<[Element]?>, _ value: Element
    ) -> SQLQueryExpression<QueryValue> {
        appended("jsonb", fragment(path), .json(value))
    }

    /// The document with the members of another in place of its own.
    public func jsonPatch(_ value: QueryValue.JSONRoot) -> SQLQueryExpression<QueryValue> {
        SQLQueryExpression(
            .call("\(QueryValue._jsonFunctions)_patch", [queryFragment, .json(value)]))
    }
}
