// Comparisons. A plain value is bound through the representation of the column beside it; an expression
// must have the same type, optional or not.

extension QueryRepresentable {
    /// A value of the type as SQL: a row of values for a group.
    static func fragment(_ value: Unwrapped.QueryOutput) -> QueryFragment {
        let value = Unwrapped(queryOutput: value)
        if let bound = value._boundValue { return QueryFragment(bound) }
        if let single = value.singleEncodedValue { return single.fragment }
        let values = value.encodedValues.map(\.fragment)
        if values.count == 1 { return values[0] }
        var row = values.commaSeparated.parenthesized
        row.shape = .bare
        return row
    }

    /// NULL in each column.
    static var nulls: QueryFragment {
        if _columnCount == 1 { return QueryFragment(text: "NULL", shape: .bare) }
        let row = [String](repeating: "NULL", count: _columnCount).joined(separator: ", ")
        return QueryFragment(text: "(\(row))", shape: .bare)
    }
}

extension QueryExpression {
    /// The expression as one operand: a row value for a group.
    var operandFragment: QueryFragment {
        QueryValue._columnCount == 1 ? queryFragment : queryFragment.parenthesized
    }

    func compare<Result>(_ infix: String, _ other: QueryFragment) -> SQLQueryExpression<Result> {
        SQLQueryExpression(.comparison(operandFragment, infix, other))
    }

    private var equal: String { QueryValue.Unwrapped._hasOptionalColumn ? "IS" : "=" }
    private var unequal: String { QueryValue.Unwrapped._hasOptionalColumn ? "IS NOT" : "<>" }

    /// Whether both are equal; NULL when one is NULL.
    ///
    ///     Item.where { $0.title.eq("Milk") }.select(\.id)
    ///     // SELECT "items"."id" FROM "items" WHERE "items"."title" = 'Milk'
    public func eq(
        _ other: QueryValue.Unwrapped.QueryOutput
    ) -> SQLQueryExpression<QueryValue.ConditionValue> {
        compare(equal, QueryValue.fragment(other))
    }

    /// Whether both are equal; NULL when one is NULL.
    @_disfavoredOverload
    public func eq<Other: QueryExpression>(
        _ other: Other
    ) -> SQLQueryExpression<QueryValue.ConditionValue> where Other.QueryValue == QueryValue {
        compare(equal, other.operandFragment)
    }

    /// Whether both are equal; NULL when one is NULL.
    @_disfavoredOverload
    public func eq<Other: QueryExpression>(
        _ other: Other
    ) -> SQLQueryExpression<Bool?>
    where Other.QueryValue.Unwrapped == QueryValue.Unwrapped {
        compare(equal, other.operandFragment)
    }

    /// Whether both differ. NULL, which leaves the row out, when one is NULL.
    ///
    ///     Item.where { $0.stars.neq(0) }.select(\.id)
    ///     // SELECT "items"."id" FROM "items" WHERE "items"."stars" <> 0
    public func neq(
        _ other: QueryValue.Unwrapped.QueryOutput
    ) -> SQLQueryExpression<QueryValue.ConditionValue> {
        compare(unequal, QueryValue.fragment(other))
    }

    /// Whether both differ. NULL, which leaves the row out, when one is NULL.
    @_disfavoredOverload
    public func neq<Other: QueryExpression>(
        _ other: Other
    ) -> SQLQueryExpression<QueryValue.ConditionValue> where Other.QueryValue == QueryValue {
        compare(unequal, other.operandFragment)
    }

    /// Whether both differ. NULL, which leaves the row out, when one is NULL.
    @_disfavoredOverload
    public func neq<Other: QueryExpression>(
        _ other: Other
    ) -> SQLQueryExpression<Bool?>
    where Other.QueryValue.Unwrapped == QueryValue.Unwrapped {
        compare(unequal, other.operandFragment)
    }

    /// Whether both are equal, NULL being a value like any other.
    ///
    ///     // In SQL, NULL equals nothing: 'is' finds what has no folder.
    ///     try Item.where { $0.folderID.is(nil) }.select(\.title).fetchAll(db)  // ["Call Ada"]
    public func `is`(_ other: QueryValue.Unwrapped.QueryOutput?) -> SQLQueryExpression<Bool> {
        compare("IS", other.map(QueryValue.fragment) ?? QueryValue.nulls)
    }

    /// Whether both are equal, NULL being a value like any other.
    @_disfavoredOverload
    public func `is`<Other: QueryExpression>(
        _ other: Other
    ) -> SQLQueryExpression<Bool> where Other.QueryValue.Unwrapped == QueryValue.Unwrapped {
        compare("IS", other.operandFragment)
    }

    /// Whether both differ, NULL being a value like any other.
    ///
    ///     try Item.where { $0.note.isNot(nil) }.select(\.title).fetchAll(db)
    ///     // ["Bread", "Call Ada"]
    public func isNot(_ other: QueryValue.Unwrapped.QueryOutput?) -> SQLQueryExpression<Bool> {
        compare("IS NOT", other.map(QueryValue.fragment) ?? QueryValue.nulls)
    }

    /// Whether both differ, NULL being a value like any other.
    @_disfavoredOverload
    public func isNot<Other: QueryExpression>(
        _ other: Other
    ) -> SQLQueryExpression<Bool> where Other.QueryValue.Unwrapped == QueryValue.Unwrapped {
        compare("IS NOT", other.operandFragment)
    }
}

// SQL without a type, whose type is that of the value beside it.

extension QueryExpression {
    /// Whether this equals what SQL gives, NULL being a value like any other.
    public func `is`(_ other: SQLStatement) -> SQLQueryExpression<Bool> {
        compare("IS", other.queryFragment)
    }

    /// Whether this differs from what SQL gives, NULL being a value like any other.
    public func isNot(_ other: SQLStatement) -> SQLQueryExpression<Bool> {
        compare("IS NOT", other.queryFragment)
    }

    /// This value, or what SQL gives when this is NULL.
    public func ifnull(_ other: SQLStatement) -> SQLQueryExpression<QueryValue.Unwrapped> {
        call("ifnull", other.queryFragment)
    }

    /// Whether the value lies between two that SQL gives, or is one of them.
    public func between(
        _ lower: SQLStatement, and upper: SQLStatement
    ) -> SQLQueryExpression<QueryValue.ConditionValue> {
        between(lower.queryFragment, upper.queryFragment)
    }
}

/// `=` and `<>` of SQL have names here: these operators would change what Swift's own mean.
extension QueryExpression {
    @available(*, unavailable, message: "use 'eq' or 'is'")
    public static func == (lhs: Self, rhs: some QueryExpression) -> SQLQueryExpression<Bool> {
        lhs.compare("=", rhs.queryFragment)
    }
    /// Not available: `neq` and `isNot` compare columns.
    @available(*, unavailable, message: "use 'neq' or 'isNot'")
    public static func != (lhs: Self, rhs: some QueryExpression) -> SQLQueryExpression<Bool> {
        lhs.compare("<>", rhs.queryFragment)
    }
}
