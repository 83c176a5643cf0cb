extension DatabaseFunction {
    /// A call of the function, as an expression.
    ///
    ///     let distance = DatabaseFunction("distance", argumentCount: 2) { values in … }
    ///     let near: SQLRequest<Row> = "SELECT * FROM place ORDER BY \(distance(Column("x"), 3))"
    public func callAsFunction(_ arguments: any SQLExpressible...) -> SQLExpression {
        SQLExpression(FunctionCall(name: name, arguments: arguments.map(\.sqlExpression)))
    }
}

// What SQLite does not do by itself: its UPPER and LOWER know the letters of ASCII only.
extension SQLSpecificExpressible {
    /// The text with its words capitalized, as Swift's `capitalized` does.
    public var capitalized: SQLExpression { DatabaseFunction.capitalize(sqlExpression) }

    /// The text in lower case, as Swift's `lowercased()` makes it.
    public var lowercased: SQLExpression { DatabaseFunction.lowercase(sqlExpression) }

    /// The text in upper case, as Swift's `uppercased()` makes it.
    public var uppercased: SQLExpression { DatabaseFunction.uppercase(sqlExpression) }
}
