/// `CASE … END`: the value of the first condition that is true.
///
///     Case().when($0.stars > 3, then: "good").else("fair")
public struct Case<Operand: QueryRepresentable> {
    let operand: QueryFragment?
    /// A case that compares its operand with values.
    public init(_ operand: some QueryExpression<Operand>) {
        self.operand = operand.queryFragment
    }
    private init(none: Void) { operand = nil }
}

extension Case where Operand == Bool {
    /// A case of conditions.
    public init() { self.init(none: ()) }
    /// The value for the rows that fulfil a condition.
    public func when<Condition: QueryExpression, Value: QueryExpression>(
        _ condition: Condition, then value: Value
    ) -> CaseExpression<Operand, Value.QueryValue>
    where Condition.QueryValue.Unwrapped == Bool {
        CaseExpression(operand: operand, arms: []).adding(condition.queryFragment, value)
    }
}

extension Case {
    /// The value for the rows whose operand equals another value.
    @_disfavoredOverload
    public func when<Value: QueryExpression>(
        _ other: Operand.QueryOutput, then value: Value
    ) -> CaseExpression<Operand, Value.QueryValue> where Operand.Unwrapped == Operand {
        CaseExpression(operand: operand, arms: []).adding(Operand.fragment(other), value)
    }
}

/// A case without its end; as an expression it is NULL when no condition is true.
public struct CaseExpression<Operand: QueryRepresentable, Value: QueryRepresentable>:
    QueryExpression
{
    public typealias QueryValue = Value.Unwrapped?
    public typealias TermBase = Value.Unwrapped
    public typealias TermValue = Value.Unwrapped?
    let operand: QueryFragment?
    var arms: [(condition: QueryFragment, value: QueryFragment)]

    func adding(
        _ condition: QueryFragment, _ value: some QueryExpression
    ) -> CaseExpression {
        var copy = self
        copy.arms.append((condition, value.queryFragment))
        return copy
    }

    /// The SQL.
    public var queryFragment: QueryFragment { fragment(else: nil) }

    func fragment(else value: QueryFragment?) -> QueryFragment {
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

extension CaseExpression where Operand == Bool {
    /// The value for further rows that fulfil a condition.
    public func when<Condition: QueryExpression, Other: QueryExpression>(
        _ condition: Condition, then value: Other
    ) -> CaseExpression
    where Condition.QueryValue.Unwrapped == Bool, Other.QueryValue.Unwrapped == Value.Unwrapped {
        adding(condition.queryFragment, value)
    }
}

extension CaseExpression where Operand.Unwrapped == Operand {
    /// The value for further rows whose operand equals another value.
    @_disfavoredOverload
    public func when<Other: QueryExpression>(
        _ other: Operand.QueryOutput, then value: Other
    ) -> CaseExpression where Other.QueryValue.Unwrapped == Value.Unwrapped {
        adding(Operand.fragment(other), value)
    }
}
