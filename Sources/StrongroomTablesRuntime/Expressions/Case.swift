/// `CASE … END`: the value of the first condition that is true, NULL when none is.
///
///     Item.select { Case().when($0.stars > 3, then: "good").else("fair") }
public struct Case<Operand: QueryRepresentable, Value: QueryRepresentable>: QueryExpression {
    public typealias QueryValue = Value.Unwrapped?
    public typealias TermBase = Value.Unwrapped
    public typealias TermValue = Value.Unwrapped?
    private let operand: QueryFragment?
    private var arms: [(condition: QueryFragment, value: QueryFragment)] = []

    /// A case that compares its operand with values.
    ///
    ///     Item.select { Case($0.stars).when(5, then: "best").when(4, then: "good").else("other") }
    ///     // SELECT CASE "items"."stars" WHEN 5 THEN 'best' WHEN 4 THEN 'good' ELSE 'other'
    ///     // END FROM "items"
    public init(_ operand: some QueryExpression<Operand>) {
        self.operand = operand.queryFragment
    }

    /// A case of conditions.
    public init() where Operand == Bool { operand = nil }

    private func adding(_ condition: QueryFragment, _ value: QueryFragment) -> Case {
        var copy = self
        copy.arms.append((condition, value))
        return copy
    }

    /// The SQL.
    public var queryFragment: QueryFragment { fragment(else: nil) }

    private func fragment(else value: QueryFragment?) -> QueryFragment {
        if arms.isEmpty { return value ?? QueryFragment(.null) }
        var result = QueryFragment(text: "CASE")
        if let operand { result += QueryFragment(text: " ") + operand }
        for arm in arms {
            result += QueryFragment(text: " WHEN ") + arm.condition
            result += QueryFragment(text: " THEN ") + arm.value
        }
        if let value { result += QueryFragment(text: " ELSE ") + value }
        result.append(text: " END")
        result.shape = .bare
        return result
    }

    /// The value for all other rows.
    ///
    ///     Item.select { Case().when($0.isDone, then: 0).else($0.stars) }
    ///     // SELECT CASE WHEN "items"."isDone" THEN 0 ELSE "items"."stars" END FROM "items"
    public func `else`(_ value: Value.Unwrapped.QueryOutput) -> SQLQueryExpression<Value.Unwrapped>
    {
        SQLQueryExpression(fragment(else: Value.fragment(value)))
    }

    /// The value for all other rows.
    @_disfavoredOverload
    public func `else`<Other: QueryExpression>(
        _ value: Other
    ) -> SQLQueryExpression<Other.QueryValue>
    where Other.QueryValue.Unwrapped == Value.Unwrapped {
        SQLQueryExpression(fragment(else: value.queryFragment))
    }
}

extension Case where Operand == Bool {
    /// The value for all rows that no condition before applies to, or, with false, for none.
    public func when<Result: QueryExpression>(
        _ condition: Bool, then value: Result
    ) -> Case where Result.QueryValue == Value {
        adding(condition.queryFragment, value.queryFragment)
    }

    /// SQL for the rows that fulfil a condition.
    ///
    /// Its type is that of the other values, or of the column that the case is assigned to.
    @_disfavoredOverload
    public func when<Condition: QueryExpression>(
        _ condition: Condition, then value: SQLStatement
    ) -> Case where Condition.QueryValue.Unwrapped == Bool {
        adding(condition.queryFragment, value.queryFragment)
    }

    /// The value for the rows that fulfil a condition.
    ///
    ///     let grades = Item.order(by: \.id).select {
    ///         Case().when($0.stars > 4, then: "A").when($0.stars > 2, then: "B").else("C")
    ///     }
    ///     try grades.fetchAll(db)  // ["B", "B", "A", "C"]
    public func when<Condition: QueryExpression, Result: QueryExpression>(
        _ condition: Condition, then value: Result
    ) -> Case where Condition.QueryValue.Unwrapped == Bool, Result.QueryValue == Value {
        adding(condition.queryFragment, value.queryFragment)
    }
}

extension Case: AssignedCase {
    public typealias CaseValue = Value

    /// SQL for all other rows.
    @_disfavoredOverload
    public func `else`(_ value: SQLStatement) -> SQLQueryExpression<Value> {
        SQLQueryExpression(fragment(else: value.queryFragment))
    }
}

extension Case {
    /// The value for the rows that fulfil a condition in SQL, or whose operand equals what it gives.
    ///
    ///     Item.select { Case().when(#sql("random() > 0"), then: "a").else($0.title) }
    ///     // SELECT CASE WHEN random() > 0 THEN 'a' ELSE "items"."title" END FROM "items"
    public func when<Result: QueryExpression>(
        _ condition: SQLStatement, then value: Result
    ) -> Case where Result.QueryValue == Value {
        adding(condition.queryFragment, value.queryFragment)
    }

    /// SQL for the rows that fulfil a condition in SQL, or whose operand equals what it gives.
    @_disfavoredOverload
    public func when(_ condition: SQLStatement, then value: SQLStatement) -> Case {
        adding(condition.queryFragment, value.queryFragment)
    }

    /// The value for the rows whose operand equals an expression, such as a subquery.
    @_disfavoredOverload
    public func when<Other: QueryExpression, Result: QueryExpression>(
        _ other: Other, then value: Result
    ) -> Case
    where
        Other.QueryValue.Unwrapped == Operand.Unwrapped,
        Result.QueryValue.Unwrapped == Value.Unwrapped
    {
        adding(other.queryFragment, value.queryFragment)
    }

    /// SQL for the rows whose operand equals another value.
    @_disfavoredOverload
    public func when(
        _ other: Operand.Unwrapped.QueryOutput, then value: SQLStatement
    ) -> Case {
        adding(Operand.fragment(other), value.queryFragment)
    }
}

/// A case without `else` that is assigned to a column with NULLs, whose type it takes over.
public protocol AssignedCase<CaseValue>: AssignedExpression {
    /// The type of the values.
    associatedtype CaseValue
}

extension Case {
    /// The value for the rows whose operand equals another value.
    public func when<Result: QueryExpression>(
        _ other: Operand.Unwrapped.QueryOutput, then value: Result
    ) -> Case where Result.QueryValue == Value {
        adding(Operand.fragment(other), value.queryFragment)
    }

    /// The value for the rows whose operand equals another value, where another is optional.
    @_disfavoredOverload
    public func when<Result: QueryExpression>(
        _ other: Operand.Unwrapped.QueryOutput, then value: Result
    ) -> Case where Result.QueryValue.Unwrapped == Value.Unwrapped {
        adding(Operand.fragment(other), value.queryFragment)
    }
}
