/// The value of a function that returns nothing: NULL.
public struct NoValue: QueryRepresentable {
    public typealias QueryOutput = Void
    public init(queryOutput: Void) {}
    public var queryOutput: Void { () }
    /// Skips the column of the result.
    ///
    /// - Throws: Nothing.
    public init(decoder: inout some QueryDecoder) throws { decoder.skip(1) }
    public func _encode(_ row: inout RowEncoder) { row.appendNulls(1) }
    public static func _describe(
        _ columns: inout ColumnDescriptions, _ column: ColumnDescription
    ) {
        // A column of a row, never one of a table: nobody asks for its type.
        columns.append(column, Int.self)
    }
    public static func _isMissing(_ decoder: borrowing some QueryDecoder) -> Bool { false }
    public static var _columnCount: Int { 1 }
}

/// A call of an aggregate function that is no window function.
public struct OwnAggregateExpression<QueryValue: QueryRepresentable>: QueryExpression, Sendable {
    public typealias TermBase = QueryValue.Unwrapped
    public typealias TermValue = QueryValue
    private let aggregate: AggregateExpression<QueryValue>

    init(_ aggregate: AggregateExpression<QueryValue>) { self.aggregate = aggregate }

    /// The SQL.
    public var queryFragment: QueryFragment { aggregate.queryFragment }
    public var _resultColumns: [ResultColumn] { aggregate._resultColumns }
}

/// The columns of an argument as a function gets them. Macros call it.
public func _argument(_ value: some QueryTerm) -> [QueryFragment] {
    value._resultColumns.map { column in
        column.reading?.applied(to: column.fragment) ?? column.fragment
    }
}

/// Calls a function. Macros call it.
public func _call<Result: QueryRepresentable>(
    _ traits: FunctionTraits, _ arguments: [QueryFragment]..., as type: Result.Type
) -> SQLQueryExpression<Result> {
    let call = QueryFragment.call(traits.name.quotedIdentifier, arguments.flatMap { $0 })
    guard let function = Result.Unwrapped.bindingFunction else { return SQLQueryExpression(call) }
    return SQLQueryExpression(.call(function, [call]))
}

/// Whether an aggregate sees equal values once; only one column can be told apart.
public struct DistinctFlag<Value: QueryRepresentable>: Sendable {
    let isDistinct: Bool

    /// All values are seen.
    public static var all: DistinctFlag { DistinctFlag(isDistinct: false) }
}

extension DistinctFlag: ExpressibleByBooleanLiteral where Value.Unwrapped: QueryBindable {
    /// Takes a flag that is known when the query is built.
    public init(_ isDistinct: Bool) { self.init(isDistinct: isDistinct) }

    public init(booleanLiteral value: Bool) { self.init(isDistinct: value) }
}

/// What stands in the call of an aggregate beside its arguments. Macros make it.
public struct AggregateClauses {
    let isDistinct: Bool
    let order: [OrderingTerm]
    let filter: QueryFragment?

    /// Makes the clauses of a call.
    public init(order: (any OrderingExpression)?, filter: (any QueryExpression)?) {
        isDistinct = false
        self.order = order?._orderingTerms ?? []
        self.filter = filter?.queryFragment
    }

    /// Makes the clauses of a call with one argument.
    public init<Value>(
        distinct: DistinctFlag<Value>, order: (any OrderingExpression)?,
        filter: (any QueryExpression)?
    ) {
        isDistinct = distinct.isDistinct
        self.order = order?._orderingTerms ?? []
        self.filter = filter?.queryFragment
    }
}

/// Calls a window function, which gives one value for all rows unless it gets a window. Macros call
/// it.
public func _windowCall<Result: QueryRepresentable>(
    _ traits: FunctionTraits, _ arguments: [QueryFragment]..., as type: Result.Type,
    _ clauses: AggregateClauses
) -> AggregateExpression<Result> {
    AggregateExpression(
        traits.name.quotedIdentifier, distinct: clauses.isDistinct, arguments.flatMap { $0 },
        order: clauses.order, filter: clauses.filter)
}

/// Calls an aggregate function. Macros call it.
public func _aggregateCall<Result: QueryRepresentable>(
    _ traits: FunctionTraits, _ arguments: [QueryFragment]..., as type: Result.Type,
    _ clauses: AggregateClauses
) -> OwnAggregateExpression<Result> {
    OwnAggregateExpression(
        AggregateExpression(
            traits.name.quotedIdentifier, distinct: clauses.isDistinct, arguments.flatMap { $0 },
            order: clauses.order, filter: clauses.filter))
}

/// The result of a function as it is bound. Macros call it.
@inlinable
public func _result<Value: QueryBindable>(
    _ value: Value.QueryOutput, as type: Value.Type
) -> QueryBinding {
    Value(queryOutput: value).queryBinding
}

/// The result of a function as it is bound; nil is NULL. Macros call it.
@inlinable
public func _result<Value: QueryBindable>(
    _ value: Value.QueryOutput?, as type: Value?.Type
) -> QueryBinding {
    value.map { Value(queryOutput: $0).queryBinding } ?? .null
}

/// The result of a function that gives none. Macros call it.
@inlinable
public func _result(_ value: Void, as type: NoValue.Type) -> QueryBinding { .null }

extension QueryRepresentable {
    fileprivate static var bindingFunction: String? {
        (Self.self as? any QueryBindable.Type)?._bindingFunction
    }
}
