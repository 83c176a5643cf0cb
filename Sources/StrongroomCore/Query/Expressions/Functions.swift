// SQL functions as Swift functions, under their Swift names. <https://www.sqlite.org/lang_corefunc.html>

/// The absolute value: `ABS`.
public func abs(_ value: some SQLSpecificExpressible) -> SQLExpression {
    SQLExpression(FunctionCall("ABS", value))
}

/// The number of characters of a text, or of bytes: `LENGTH`.
public func length(_ value: some SQLSpecificExpressible) -> SQLExpression {
    SQLExpression(FunctionCall("LENGTH", value))
}

/// The first of the values that is not NULL: `COALESCE`; NULL of no values.
///
/// Values of several types want the type of the list spelled out:
/// `coalesce([Column("nickname"), "unknown".databaseValue] as [any SQLSpecificExpressible])`.
public func coalesce(_ values: some Collection<any SQLSpecificExpressible>) -> SQLExpression {
    let values = values.map(\.sqlExpression)
    switch values.count {
    case 0: return SQLExpression(value: .null)
    case 1: return values[0]
    default:
        return SQLExpression(FunctionCall(name: "COALESCE", arguments: values, isScalar: true))
    }
}

/// The highest of several values of a row; NULL when one is. With one value, see `max(_:filter:)`.
public func max(
    _ first: some SQLSpecificExpressible, _ second: any SQLExpressible,
    _ others: any SQLExpressible...
) -> SQLExpression {
    let arguments = [first.sqlExpression, second.sqlExpression] + others.map(\.sqlExpression)
    return SQLExpression(FunctionCall(name: "MAX", arguments: arguments, isScalar: true))
}

/// The lowest of several values of a row; NULL when one is. With one value, see `min(_:filter:)`.
public func min(
    _ first: some SQLSpecificExpressible, _ second: any SQLExpressible,
    _ others: any SQLExpressible...
) -> SQLExpression {
    let arguments = [first.sqlExpression, second.sqlExpression] + others.map(\.sqlExpression)
    return SQLExpression(FunctionCall(name: "MIN", arguments: arguments, isScalar: true))
}
