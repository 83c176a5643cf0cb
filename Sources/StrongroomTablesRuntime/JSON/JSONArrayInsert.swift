// An element put between others. SQLCipher 4.6.1 has no function for that: the array is made anew.

extension QueryExpression where QueryValue: _JSONColumn {
    /// The array with a value before one of its elements.
    ///
    ///     try Item.find(2).update { $0.tags = $0.tags.jsonArrayInsert(\.[0], "new") }.execute(db)
    ///     try Item.find(2).select(\.tags).fetchOne(db)  // ["new", "food", "daily"]
    public func jsonArrayInsert<Element>(
        _ path: PathTo<Element?>, _ value: Element
    ) -> SQLQueryExpression<QueryValue> {
        let text = JSONPath<QueryValue.JSONRoot>("")[keyPath: path].text
        guard text.hasSuffix("]"), let bracket = text.lastIndex(of: "["),
            let index = Int(text[text.index(after: bracket)...].dropLast())
        else {
            let message = "jsonArrayInsert needs the path of an element, counted from 0"
            return SQLQueryExpression(QueryFragment(failure: message))
        }
        let inner = String(text[..<bracket])
        let array = inserted(at: index, .json(value), into: inner)
        if inner.isEmpty { return SQLQueryExpression(array) }
        let place = QueryFragment(text: ("$" + inner).quotedText, shape: .bare)
        return SQLQueryExpression(
            .fused("\(QueryValue._jsonFunctions)_set", queryFragment, [place, array]))
    }

    private func inserted(
        at index: Int, _ value: QueryFragment, into path: String
    ) -> QueryFragment {
        let place = QueryFragment(text: ("$" + path).quotedText, shape: .bare)
        let source = QueryFragment.call(
            "json_each", path.isEmpty ? [queryFragment] : [queryFragment, place])
        var rows = QueryFragment(text: #"SELECT "json_each"."key" AS "key", "#)
        rows += queryFragment.operand
        rows.append(text: #" -> "json_each"."fullkey" AS "value" FROM "#)
        rows += source
        rows.append(text: " UNION ALL SELECT \(Double(index) - 0.5), ")
        rows += .call("json_quote", [value])
        var result = QueryFragment(
            text: #"SELECT json_group_array(json("e"."value") ORDER BY "e"."key") FROM "#)
        result += QueryFragment([.subquery(rows.segments)])
        result.append(text: #" AS "e""#)
        return QueryFragment([.subquery(result.segments)], shape: .bare)
    }
}
