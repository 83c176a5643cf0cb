// Functions that SQLite has built in.

extension QueryExpression {
    func call<Result>(
        _ name: String, _ arguments: QueryFragment...
    ) -> SQLQueryExpression<Result> {
        SQLQueryExpression(.call(name, [queryFragment] + arguments))
    }

    /// The name of the storage class.
    ///
    ///     // Finds numbers that another program stored as text.
    ///     Item.where { $0.price.typeof().eq("text") }.select(\.id)
    ///     // SELECT "items"."id" FROM "items" WHERE typeof("items"."price") = 'text'
    public func typeof() -> SQLQueryExpression<String> { call("typeof") }
    /// The value as SQL.
    ///
    ///     try User.find(1).select { $0.name.quote() }.fetchOne(db)  // "'Ada'"
    public func quote() -> SQLQueryExpression<String> { call("quote") }
    /// The bytes as hexadecimal digits.
    ///
    ///     try Item.find(1).select { $0.title.hex() }.fetchOne(db)  // "4D696C6B"
    public func hex() -> SQLQueryExpression<String> { call("hex") }

    /// The value as another type.
    ///
    ///     // 13 / 2 is 6 for integers: a cast keeps the fraction.
    ///     try Item.select { $0.stars.sum().cast(as: Double?.self) / 2 }.fetchOne(db)  // 6.5
    public func cast<Target: QueryRepresentable>(
        as type: Target.Type = Target.self
    ) -> SQLQueryExpression<Target> where QueryValue.Unwrapped == QueryValue {
        SQLQueryExpression(castFragment(Target.self))
    }

    /// The value as another type, NULL staying NULL.
    @_disfavoredOverload
    public func cast<Target: QueryRepresentable>(
        as type: Target.Type = Target.self
    ) -> SQLQueryExpression<Target.Unwrapped?> {
        SQLQueryExpression(castFragment(Target.self))
    }

    /// The value as the type that the context has, NULL staying NULL.
    @_disfavoredOverload
    public func cast<Target: QueryRepresentable>() -> SQLQueryExpression<Target?>
    where Target.Unwrapped == Target {
        SQLQueryExpression(castFragment(Target.self))
    }

    private func castFragment<Target: QueryRepresentable>(_ type: Target.Type) -> QueryFragment {
        var result = QueryFragment(text: "CAST(") + queryFragment
        result += QueryFragment(text: " AS \(Target._affinity.rawValue))")
        result.shape = .bare
        return result
    }

    /// This value, or the other one when this is NULL.
    public static func ?? (
        lhs: Self, rhs: QueryValue.Unwrapped.QueryOutput
    ) -> SQLQueryExpression<QueryValue.Unwrapped> {
        SQLQueryExpression(.coalesce(lhs.queryFragment, QueryValue.fragment(rhs)))
    }

    /// This value, or the other one when this is NULL.
    @_disfavoredOverload
    public static func ?? <Other: QueryExpression>(
        lhs: Self, rhs: Other
    ) -> SQLQueryExpression<Other.QueryValue>
    where Other.QueryValue.Unwrapped == QueryValue.Unwrapped {
        SQLQueryExpression(.coalesce(lhs.queryFragment, rhs.queryFragment))
    }

    /// This value, or what SQL gives when this is NULL.
    @_disfavoredOverload
    public static func ?? (
        lhs: Self, rhs: SQLStatement
    ) -> SQLQueryExpression<QueryValue.Unwrapped> {
        SQLQueryExpression(.coalesce(lhs.queryFragment, rhs.queryFragment))
    }

    /// This value, or the other one when this is NULL.
    ///
    ///     try Item.select { $0.note.ifnull("-") }.fetchAll(db)
    ///     // ["-", "rye", "-", "before noon"]
    public func ifnull(
        _ other: QueryValue.Unwrapped.QueryOutput
    ) -> SQLQueryExpression<QueryValue.Unwrapped> {
        call("ifnull", QueryValue.fragment(other))
    }

    /// This value, or the other one when this is NULL.
    @_disfavoredOverload
    public func ifnull<Other: QueryExpression>(
        _ other: Other
    ) -> SQLQueryExpression<Other.QueryValue>
    where Other.QueryValue.Unwrapped == QueryValue.Unwrapped {
        call("ifnull", other.queryFragment)
    }

    /// This value, or NULL when it equals the other one.
    ///
    ///     // The mean of the years, years of 2025 left out.
    ///     Item.select { $0.year.nullif(2025).avg() }
    ///     // SELECT avg(nullif("items"."year", 2025)) FROM "items"
    public func nullif(
        _ other: QueryValue.Unwrapped.QueryOutput
    ) -> SQLQueryExpression<QueryValue.Unwrapped?> {
        call("nullif", QueryValue.fragment(other))
    }
}

extension QueryFragment {
    /// `coalesce`, of which nested calls become further arguments.
    static func coalesce(_ lhs: QueryFragment, _ rhs: QueryFragment) -> QueryFragment {
        let arguments = lhs.coalesced + [.text(", ")] + rhs.coalesced
        return QueryFragment([.text("coalesce(")] + arguments + [.text(")")], shape: .bare)
    }

    /// The arguments of a call of `coalesce`, or the fragment itself.
    private var coalesced: [Segment] {
        let isCall = segments.first == .text("coalesce(") && shape == .bare
        return isCall ? Array(segments.dropFirst().dropLast()) : segments
    }
}

extension QueryExpression where QueryValue.Unwrapped: _BindableNumber {
    /// The number without sign.
    ///
    ///     Item.order { ($0.stars - 3).abs() }.select(\.id)
    ///     // SELECT "items"."id" FROM "items" ORDER BY abs("items"."stars" - 3)
    public func abs() -> SQLQueryExpression<QueryValue> { call("abs") }
    /// The number with the opposite sign.
    public static prefix func - (operand: Self) -> SQLQueryExpression<QueryValue> {
        SQLQueryExpression(.prefix("-", operand.queryFragment))
    }
    /// The number itself.
    public static prefix func + (operand: Self) -> SQLQueryExpression<QueryValue> {
        SQLQueryExpression(.prefix("+", operand.queryFragment))
    }
}

extension QueryExpression where QueryValue: _BindableNumber {
    /// -1, 0 or 1.
    ///
    ///     try Item.where { $0.id < 4 }.select { ($0.stars - 4).sign() }.fetchAll(db)
    ///     // [-1, 0, 1]
    public func sign() -> SQLQueryExpression<Int> { call("sign") }
    /// The nearest whole number.
    public func round() -> SQLQueryExpression<Double> { call("round") }
    /// The nearest number with this many digits after the decimal point.
    ///
    ///     try Item.find(2).select { ($0.price / 3).round(2) }.fetchOne(db)  // 0.83
    public func round(_ digits: Int) -> SQLQueryExpression<Double> {
        call("round", digits.queryFragment)
    }
    /// The square root.
    ///
    ///     Item.select { $0.stars.sqrt() }  // SELECT sqrt("items"."stars") FROM "items"
    public func sqrt() -> SQLQueryExpression<Double> { call("sqrt") }
    /// e to the power of the number.
    ///
    ///     Item.select { $0.stars.exp() }  // SELECT exp("items"."stars") FROM "items"
    public func exp() -> SQLQueryExpression<Double> { call("exp") }
    /// The natural logarithm.
    ///
    ///     // Prices by their order of magnitude.
    ///     Item.order { $0.price.ln() }.select(\.id)
    ///     // SELECT "items"."id" FROM "items" ORDER BY ln("items"."price")
    public func ln() -> SQLQueryExpression<Double> { call("ln") }
    /// The logarithm to base 10.
    ///
    ///     try Item.find(1).select { ($0.year - 1025).log() }.fetchOne(db)  // 3.0
    public func log() -> SQLQueryExpression<Double> { call("log") }
    /// The number to a power.
    ///
    ///     // The price after three years of 2 percent.
    ///     Item.select { $0.price * #bind(1.02, as: Double.self).pow(3) }
    ///     // SELECT "items"."price" * pow(1.02, 3.0) FROM "items"
    public func pow(_ exponent: Double) -> SQLQueryExpression<Double> {
        call("pow", exponent.queryFragment)
    }
}

extension QueryExpression where QueryValue.Unwrapped == Double {
    /// The largest whole number that is not larger.
    ///
    ///     try Item.find(2).select { $0.price.floor() }.fetchOne(db)  // 2.0
    public func floor() -> SQLQueryExpression<QueryValue> { call("floor") }
    /// The smallest whole number that is not smaller.
    ///
    ///     try Item.find(2).select { $0.price.ceil() }.fetchOne(db)  // 3.0
    public func ceil() -> SQLQueryExpression<QueryValue> { call("ceil") }
}

extension QueryExpression where QueryValue.Unwrapped: _BindableInteger {
    /// All bits inverted.
    public static prefix func ~ (operand: Self) -> SQLQueryExpression<QueryValue> {
        SQLQueryExpression(.prefix("~", operand.queryFragment))
    }
}

/// One of two values.
///
///     Item.select { iif($0.isDone, $0.stars, $0.stars * 2) }
///     // SELECT iif("items"."isDone", "items"."stars", "items"."stars" * 2) FROM "items"
public func iif<Value: QueryExpression>(
    _ condition: some QueryExpression<Bool>, _ value: Value,
    _ other: some QueryExpression<Value.QueryValue>
) -> SQLQueryExpression<Value.QueryValue> {
    let arguments = [condition.queryFragment, value.queryFragment, other.queryFragment]
    return SQLQueryExpression(.call("iif", arguments))
}

/// The smallest of several values.
///
///     Item.select { least(of: $0.stars, $0.year, $0.id) }
///     // SELECT min("items"."stars", "items"."year", "items"."id") FROM "items"
public func least<Value: QueryExpression>(
    of first: Value, _ others: any QueryExpression<Value.QueryValue>...
) -> SQLQueryExpression<Value.QueryValue> {
    SQLQueryExpression(.call("min", [first.queryFragment] + others.map { $0.queryFragment }))
}

/// The largest of several values.
///
///     Item.select { greatest(of: $0.stars, $0.id) }
///     // SELECT max("items"."stars", "items"."id") FROM "items"
public func greatest<Value: QueryExpression>(
    of first: Value, _ others: any QueryExpression<Value.QueryValue>...
) -> SQLQueryExpression<Value.QueryValue> {
    SQLQueryExpression(.call("max", [first.queryFragment] + others.map { $0.queryFragment }))
}

/// The smallest of values, of which some may be NULL; NULL when one is.
@_disfavoredOverload
public func least<First: QueryExpression, Second: QueryExpression>(
    of first: First, _ second: Second
) -> SQLQueryExpression<First.QueryValue.Unwrapped?>
where First.QueryValue.Unwrapped == Second.QueryValue.Unwrapped {
    SQLQueryExpression(.call("min", [first.queryFragment, second.queryFragment]))
}

/// The smallest of values, of which some may be NULL; NULL when one is.
@_disfavoredOverload
public func least<First: QueryExpression, Second: QueryExpression, Third: QueryExpression>(
    of first: First, _ second: Second, _ third: Third
) -> SQLQueryExpression<First.QueryValue.Unwrapped?>
where
    First.QueryValue.Unwrapped == Second.QueryValue.Unwrapped,
    First.QueryValue.Unwrapped == Third.QueryValue.Unwrapped
{
    SQLQueryExpression(
        .call("min", [first.queryFragment, second.queryFragment, third.queryFragment]))
}

/// The largest of values, of which some may be NULL; NULL when one is.
@_disfavoredOverload
public func greatest<First: QueryExpression, Second: QueryExpression>(
    of first: First, _ second: Second
) -> SQLQueryExpression<First.QueryValue.Unwrapped?>
where First.QueryValue.Unwrapped == Second.QueryValue.Unwrapped {
    SQLQueryExpression(.call("max", [first.queryFragment, second.queryFragment]))
}

/// The largest of values, of which some may be NULL; NULL when one is.
@_disfavoredOverload
public func greatest<First: QueryExpression, Second: QueryExpression, Third: QueryExpression>(
    of first: First, _ second: Second, _ third: Third
) -> SQLQueryExpression<First.QueryValue.Unwrapped?>
where
    First.QueryValue.Unwrapped == Second.QueryValue.Unwrapped,
    First.QueryValue.Unwrapped == Third.QueryValue.Unwrapped
{
    SQLQueryExpression(
        .call("max", [first.queryFragment, second.queryFragment, third.queryFragment]))
}
