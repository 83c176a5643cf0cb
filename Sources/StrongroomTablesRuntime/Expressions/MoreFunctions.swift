// Functions that a few types have, and aggregates by name.

extension QueryExpression where QueryValue.Unwrapped: _BindableInteger {
    /// So many random bytes.
    public func randomblob() -> SQLQueryExpression<[UInt8]> { call("randomblob") }
    /// So many bytes that are 0.
    public func zeroblob() -> SQLQueryExpression<[UInt8]> { call("zeroblob") }
}

/// An aggregate function that has no method here; its name is quoted.
public struct AggregateFunctionExpression<QueryValue: QueryRepresentable>: QueryExpression, Sendable
{
    public typealias Base = QueryValue.Unwrapped
    public typealias TermValue = QueryValue
    private let call: AggregateExpression<QueryValue>
    /// The SQL.
    public var queryFragment: QueryFragment { call.queryFragment }
    public var _resultColumns: [ResultColumn] { call._resultColumns }

    /// Makes a call of the function.
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
