// SQL functions of many rows. <https://www.sqlite.org/lang_aggfunc.html>

/// The number of rows in which the value is not NULL: `COUNT`.
///
///     let request = Player.select(count(Column("teamId")))
public func count(_ value: some SQLSpecificExpressible) -> SQLExpression {
    SQLExpression(AggregateCall(name: "COUNT", argument: value.sqlExpression))
}

/// The number of different values that are not NULL: `COUNT(DISTINCT …)`.
public func count(distinct value: some SQLSpecificExpressible) -> SQLExpression {
    SQLExpression(AggregateCall(name: "COUNT", argument: value.sqlExpression, isDistinct: true))
}

/// The number of rows: `COUNT(*)`.
public func count(_ all: AllColumns) -> SQLExpression {
    SQLExpression(AggregateCall(name: "COUNT", argument: nil))
}

/// The average of the values that are not NULL: `AVG`.
///
///     let request = Player.select(average(Column("score")))
public func average(
    _ value: some SQLSpecificExpressible, filter: (any SQLSpecificExpressible)? = nil
) -> SQLExpression {
    aggregate("AVG", value, filter: filter)
}

/// The highest value: `MAX`.
///
///     let request = Player.select(max(Column("score")))
public func max(
    _ value: some SQLSpecificExpressible, filter: (any SQLSpecificExpressible)? = nil
) -> SQLExpression {
    aggregate("MAX", value, filter: filter)
}

/// The lowest value that is not NULL: `MIN`.
///
///     let request = Player.select(min(Column("score")))
public func min(
    _ value: some SQLSpecificExpressible, filter: (any SQLSpecificExpressible)? = nil
) -> SQLExpression {
    aggregate("MIN", value, filter: filter)
}

/// The sum of the values that are not NULL, or NULL of none: `SUM`.
///
/// - Parameters:
///   - value: The expression to add up.
///   - ordering: In which order they are added, which may change a floating-point sum. It needs
///     SQLite 3.44.
///   - filter: If given, only rows for which it is true count.
public func sum(
    _ value: some SQLSpecificExpressible, orderBy ordering: (any SQLOrderingTerm)? = nil,
    filter: (any SQLSpecificExpressible)? = nil
) -> SQLExpression {
    aggregate("SUM", value, ordering: ordering, filter: filter)
}

/// The sum of the values that are not NULL as a floating-point number, 0.0 of none: `TOTAL`.
///
///     let request = Player.select(total(Column("score")))
///
/// - Parameters:
///   - value: The expression to add up.
///   - ordering: In which order they are added, which may change the sum. It needs SQLite 3.44.
///   - filter: If given, only rows for which it is true count.
public func total(
    _ value: some SQLSpecificExpressible, orderBy ordering: (any SQLOrderingTerm)? = nil,
    filter: (any SQLSpecificExpressible)? = nil
) -> SQLExpression {
    aggregate("TOTAL", value, ordering: ordering, filter: filter)
}

private func aggregate(
    _ name: String, _ value: some SQLSpecificExpressible, ordering: (any SQLOrderingTerm)? = nil,
    filter: (any SQLSpecificExpressible)?
) -> SQLExpression {
    SQLExpression(
        AggregateCall(
            name: name, argument: value.sqlExpression, ordering: ordering?.sqlOrdering,
            filter: filter?.sqlExpression))
}
