// IN and BETWEEN.

extension QueryExpression {
    /// Whether the value is one of these; one value makes `=`, none is false.
    ///
    ///     Item.where { $0.id.in([1, 3]) }.select(\.title)
    ///     // SELECT "items"."title" FROM "items" WHERE "items"."id" IN (1, 3)
    public func `in`(
        _ values: some Sequence<QueryValue.Unwrapped.QueryOutput>
    ) -> SQLQueryExpression<QueryValue.ConditionValue> {
        SQLQueryExpression(membership(Array(values), isNegated: false))
    }

    /// Whether the value is none of these. NULL, which leaves the row out, when it is NULL.
    ///
    ///     Item.where { $0.year.notIn([2024, 2025]) }.select(\.title)
    ///     // SELECT "items"."title" FROM "items" WHERE "items"."year" NOT IN (2024, 2025)
    public func notIn(
        _ values: some Sequence<QueryValue.Unwrapped.QueryOutput>
    ) -> SQLQueryExpression<QueryValue.ConditionValue> {
        SQLQueryExpression(membership(Array(values), isNegated: true))
    }

    func membership(
        _ values: [QueryValue.Unwrapped.QueryOutput], isNegated: Bool
    ) -> QueryFragment {
        let operand = operandFragment.operand
        guard values.count > 1 else {
            guard let value = values.first else {
                return QueryFragment(text: isNegated ? "1" : "0", shape: .bare)
            }
            return .comparison(operand, isNegated ? "<>" : "=", QueryValue.fragment(value))
        }
        if QueryValue.Unwrapped._hasOptionalColumn {
            let terms = values.map {
                QueryFragment.comparison(operand, "IS", QueryValue.fragment($0))
            }
            let any = terms.disjunction ?? QueryFragment()
            return isNegated ? .prefix("NOT ", any) : any
        }
        var list = values.map(QueryValue.fragment).commaSeparated
        if QueryValue._columnCount > 1 { list = QueryFragment(text: "VALUES ") + list }
        if values.count > 32_000, QueryValue._columnCount == 1 {
            list = QueryValue.Unwrapped.jsonList(values)
        }
        return membership(of: list, isNegated: isNegated)
    }

    private func membership(of list: QueryFragment, isNegated: Bool) -> QueryFragment {
        let list = QueryFragment([.text("(")] + list.segments + [.text(")")], shape: .bare)
        return .comparison(operandFragment, isNegated ? "NOT IN" : "IN", list)
    }

    /// Whether the value is one of those that a query gives.
    public func `in`<Query: Statement>(
        _ query: Query
    ) -> SQLQueryExpression<QueryValue.ConditionValue>
    where
        Query.Shape: ScalarShape,
        Query.Shape.SubqueryValue.Unwrapped == QueryValue.Unwrapped
    {
        SQLQueryExpression(membership(in: query, isNegated: false))
    }

    /// Whether the value is none of those that a query gives; never true when one of them is NULL.
    public func notIn<Query: Statement>(
        _ query: Query
    ) -> SQLQueryExpression<QueryValue.ConditionValue>
    where
        Query.Shape: ScalarShape,
        Query.Shape.SubqueryValue.Unwrapped == QueryValue.Unwrapped
    {
        SQLQueryExpression(membership(in: query, isNegated: true))
    }

    /// Whether the value is one of those that SQL gives: a list, or a query.
    ///
    ///     Item.where { $0.id.in(#sql("SELECT 1 UNION SELECT 3")) }
    ///     // SELECT … FROM "items" WHERE "items"."id" IN (SELECT 1 UNION SELECT 3)
    @_disfavoredOverload
    public func `in`(_ list: SQLStatement) -> SQLQueryExpression<QueryValue.ConditionValue> {
        SQLQueryExpression(membership(in: list, isNegated: false))
    }

    /// Whether the value is none of those that SQL gives: a list, or a query.
    @_disfavoredOverload
    public func notIn(_ list: SQLStatement) -> SQLQueryExpression<QueryValue.ConditionValue> {
        SQLQueryExpression(membership(in: list, isNegated: true))
    }

    /// Whether the value is one of those that expressions give.
    ///
    ///     Item.where { $0.year.in([$0.stars, $0.id]) }
    ///     // SELECT … FROM "items" WHERE "items"."year" IN ("items"."stars", "items"."id")
    @_disfavoredOverload
    public func `in`<Value: QueryExpression>(
        _ values: [Value]
    ) -> SQLQueryExpression<QueryValue.ConditionValue>
    where Value.QueryValue == QueryValue.Unwrapped {
        SQLQueryExpression(membership(of: values.map(\.queryFragment), isNegated: false))
    }

    /// Whether the value is none of those that expressions give.
    @_disfavoredOverload
    public func notIn<Value: QueryExpression>(
        _ values: [Value]
    ) -> SQLQueryExpression<QueryValue.ConditionValue>
    where Value.QueryValue == QueryValue.Unwrapped {
        SQLQueryExpression(membership(of: values.map(\.queryFragment), isNegated: true))
    }

    private func membership(of values: [QueryFragment], isNegated: Bool) -> QueryFragment {
        if values.isEmpty { return QueryFragment(text: isNegated ? "1" : "0", shape: .bare) }
        return membership(of: values.commaSeparated, isNegated: isNegated)
    }

    func membership(in query: some Statement, isNegated: Bool) -> QueryFragment {
        let inner = query.query
        if inner.isEmpty { return QueryFragment(text: isNegated ? "1" : "0", shape: .bare) }
        return membership(of: inner, isNegated: isNegated)
    }

    /// Whether the value lies between two others, or is one of them.
    ///
    ///     try Item.where { $0.price.between(1, and: 2) }.select(\.title).fetchAll(db)  // ["Milk"]
    public func between(
        _ lower: QueryValue.Unwrapped.QueryOutput, and upper: QueryValue.Unwrapped.QueryOutput
    ) -> SQLQueryExpression<QueryValue.ConditionValue> {
        between(QueryValue.fragment(lower), QueryValue.fragment(upper))
    }

    /// Whether the value lies between two others, or is one of them.
    @_disfavoredOverload
    public func between<Lower: QueryExpression, Upper: QueryExpression>(
        _ lower: Lower, and upper: Upper
    ) -> SQLQueryExpression<QueryValue.ConditionValue>
    where
        Lower.QueryValue.Unwrapped == QueryValue.Unwrapped,
        Upper.QueryValue.Unwrapped == QueryValue.Unwrapped
    {
        between(lower.operandFragment, upper.operandFragment)
    }

    func between<Result>(
        _ lower: QueryFragment, _ upper: QueryFragment
    ) -> SQLQueryExpression<Result> {
        var result = operandFragment.operand + QueryFragment(text: " BETWEEN ") + lower.operand
        result += QueryFragment(text: " AND ") + upper.operand
        result.shape = .other
        return SQLQueryExpression(result)
    }
}

extension QueryExpression where QueryValue.Unwrapped.QueryOutput: Comparable {
    /// Whether the value is in a range with both ends.
    ///
    ///     Item.where { $0.stars.in(3...4) }.select(\.title)
    ///     // SELECT "items"."title" FROM "items" WHERE "items"."stars" BETWEEN 3 AND 4
    public func `in`(
        _ range: ClosedRange<QueryValue.Unwrapped.QueryOutput>
    ) -> SQLQueryExpression<QueryValue.ConditionValue> {
        between(range.lowerBound, and: range.upperBound)
    }

    /// Whether the value is in a range without its upper end.
    public func `in`(
        _ range: Range<QueryValue.Unwrapped.QueryOutput>
    ) -> SQLQueryExpression<QueryValue.ConditionValue> {
        let lower = QueryFragment.comparison(
            operandFragment, ">=", QueryValue.fragment(range.lowerBound))
        let upper = QueryFragment.comparison(
            operandFragment, "<", QueryValue.fragment(range.upperBound))
        return SQLQueryExpression(.and(lower, upper))
    }

    /// Whether the value is at least the lower end.
    public func `in`(
        _ range: PartialRangeFrom<QueryValue.Unwrapped.QueryOutput>
    ) -> SQLQueryExpression<QueryValue.ConditionValue> {
        compare(">=", QueryValue.fragment(range.lowerBound))
    }

    /// Whether the value is smaller than the upper end.
    public func `in`(
        _ range: PartialRangeUpTo<QueryValue.Unwrapped.QueryOutput>
    ) -> SQLQueryExpression<QueryValue.ConditionValue> {
        compare("<", QueryValue.fragment(range.upperBound))
    }

    /// Whether the value is smaller than the upper end, or is it.
    public func `in`(
        _ range: PartialRangeThrough<QueryValue.Unwrapped.QueryOutput>
    ) -> SQLQueryExpression<QueryValue.ConditionValue> {
        compare("<=", QueryValue.fragment(range.upperBound))
    }
}

extension QueryRepresentable {
    /// The values as one JSON array, for lists beyond the number of parameters of a statement.
    static func jsonList(_ values: [QueryOutput]) -> QueryFragment {
        var isBlob = false
        let items = values.map { value -> String in
            switch Self(queryOutput: value).encodedValues[0].binding {
            case .int(let value): return String(value)
            case .double(let value): return value.isFinite ? String(value) : "null"
            case .text(let value): return JSONText.quoted(value)
            case .blob(let value):
                isBlob = true
                return "\"" + value.map { JSONText.hex($0) }.joined() + "\""
            case .null, .invalid: return "null"
            }
        }
        let value = isBlob ? "unhex(\"value\")" : "\"value\""
        var result = QueryFragment(text: "SELECT \(value) FROM json_each(")
        result.append(QueryFragment(.text("[" + items.joined(separator: ",") + "]")))
        result.append(text: ")")
        return result
    }
}

enum JSONText {
    static func hex(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 16)
        return digits.count == 1 ? "0" + digits : digits
    }

    /// The text as a string of JSON.
    static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\u{0}"..."\u{1f}":
                result += "\\u00" + hex(UInt8(scalar.value))
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
