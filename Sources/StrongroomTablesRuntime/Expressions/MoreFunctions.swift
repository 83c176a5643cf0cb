public import StrongroomCore

// Functions that a few types have, and aggregates by name.

extension QueryExpression where QueryValue.Unwrapped: _BindableInteger {
    /// This many random bytes.
    ///
    ///     // A key of 16 random bytes, which SQLite makes.
    ///     Item.select { _ in #bind(16, as: Int.self).randomblob() }
    ///     // SELECT randomblob(16) FROM "items"
    public func randomblob() -> SQLQueryExpression<[UInt8]> { call("randomblob") }
    /// This many bytes that are 0.
    public func zeroblob() -> SQLQueryExpression<[UInt8]> { call("zeroblob") }
}

/// An aggregate function that has no method here; its name is quoted.
public struct AggregateFunctionExpression<QueryValue: QueryRepresentable>: QueryExpression, Sendable
{
    public typealias TermBase = QueryValue.Unwrapped
    public typealias TermValue = QueryValue
    private let call: AggregateExpression<QueryValue>
    /// The SQL.
    public var queryFragment: QueryFragment { call.queryFragment }
    public var _resultColumns: [ResultColumn] { call._resultColumns }

    /// Makes a call of the function.
    ///
    ///     let titles = Item.select {
    ///         AggregateFunctionExpression<String?>("string_agg", $0.title, ", ", order: $0.id)
    ///     }
    ///
    /// - Parameters:
    ///   - name: The name of the function.
    ///   - distinct: Whether equal values count once.
    ///   - arguments: The arguments.
    ///   - order: The order in which the function sees the rows.
    ///   - filter: The rows that count.
    public init(
        _ name: String, distinct: Bool = false, _ arguments: any QueryExpression...,
        order: (any OrderingExpression)? = nil, filter: (any QueryExpression)? = nil
    ) {
        call = AggregateExpression(
            name.quotedIdentifier, distinct: distinct, arguments.map { $0.queryFragment },
            order: order?._orderingTerms ?? [], filter: filter?.queryFragment)
    }

    /// The aggregate over all rows, or over those of a window, for each row.
    public func over(_ window: WindowSpec? = nil) -> SQLQueryExpression<QueryValue> {
        call.over(window)
    }
}

// Functions of numbers that may be NULL.

extension QueryExpression where QueryValue.Unwrapped: _BindableNumber {
    /// -1, 0 or 1.
    @_disfavoredOverload
    public func sign() -> SQLQueryExpression<Int?> { call("sign") }
    /// The nearest whole number.
    @_disfavoredOverload
    public func round() -> SQLQueryExpression<Double?> { call("round") }
    /// The nearest number with this many digits after the decimal point.
    @_disfavoredOverload
    public func round(_ digits: Int) -> SQLQueryExpression<Double?> {
        call("round", digits.queryFragment)
    }
    /// The square root.
    @_disfavoredOverload
    public func sqrt() -> SQLQueryExpression<Double?> { call("sqrt") }
    /// e to the power of the number.
    @_disfavoredOverload
    public func exp() -> SQLQueryExpression<Double?> { call("exp") }
    /// The natural logarithm.
    @_disfavoredOverload
    public func ln() -> SQLQueryExpression<Double?> { call("ln") }
    /// The logarithm to base 10.
    @_disfavoredOverload
    public func log() -> SQLQueryExpression<Double?> { call("log") }
    /// The number to a power.
    @_disfavoredOverload
    public func pow(_ exponent: Double) -> SQLQueryExpression<Double?> {
        call("pow", exponent.queryFragment)
    }
}

extension QueryExpression
where
    QueryValue.Unwrapped: RawRepresentable & QueryBindable,
    QueryValue.Unwrapped.RawValue == String
{
    /// The texts with commas between them; NULL when there is none.
    public func groupConcat(
        distinct: Bool = false, filter: (any QueryExpression)? = nil
    ) -> AggregateExpression<String?> {
        aggregate("group_concat", distinct, filter)
    }
}

extension QueryExpression where QueryValue.Unwrapped == String {
    /// The texts with commas between them, in an order; NULL when there is none.
    public func groupConcat(
        order: any OrderingExpression, filter: (any QueryExpression)? = nil
    ) -> AggregateExpression<String?> {
        AggregateExpression(
            "group_concat", [queryFragment], order: order._orderingTerms,
            filter: filter?.queryFragment)
    }

    /// The text, compared by a collation that the connection has.
    public func collate(_ collation: DatabaseCollation) -> SQLQueryExpression<QueryValue> {
        collate(Collation(rawValue: collation.name))
    }
}

extension QueryExpression where QueryValue.Unwrapped == Bool {
    /// The number of rows for which it is true; NULL when there is no value.
    public func sum(filter: (any QueryExpression)? = nil) -> AggregateExpression<Int?> {
        aggregate("sum", false, filter)
    }
}
