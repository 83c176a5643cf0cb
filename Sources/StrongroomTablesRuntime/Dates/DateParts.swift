// Parts of dates. Optional dates give optional numbers.

extension QueryExpression where QueryValue: _DateValue, QueryValue.Unwrapped == QueryValue {
    /// The year.
    public var year: SQLQueryExpression<Int> { part("%Y") }
    /// The month, from 1.
    public var month: SQLQueryExpression<Int> { part("%m") }
    /// The day of the month, from 1.
    public var day: SQLQueryExpression<Int> { part("%d") }
    /// The hour, from 0.
    public var hour: SQLQueryExpression<Int> { part("%H") }
    /// The minute.
    public var minute: SQLQueryExpression<Int> { part("%M") }
    /// The second.
    public var second: SQLQueryExpression<Int> { part("%S") }
    /// The day of the week, 0 being Sunday.
    public var weekday: SQLQueryExpression<Int> { part("%w") }
    /// The day of the year, from 1.
    public var dayOfYear: SQLQueryExpression<Int> { part("%j") }
    /// The second with its fraction.
    public var fractionalSecond: SQLQueryExpression<Double> { part("%f") }
}

extension QueryExpression where QueryValue.Unwrapped: _DateValue {
    /// The year.
    @_disfavoredOverload
    public var year: SQLQueryExpression<Int?> { part("%Y") }
    /// The month, from 1.
    @_disfavoredOverload
    public var month: SQLQueryExpression<Int?> { part("%m") }
    /// The day of the month, from 1.
    @_disfavoredOverload
    public var day: SQLQueryExpression<Int?> { part("%d") }
    /// The hour, from 0.
    @_disfavoredOverload
    public var hour: SQLQueryExpression<Int?> { part("%H") }
    /// The minute.
    @_disfavoredOverload
    public var minute: SQLQueryExpression<Int?> { part("%M") }
    /// The second.
    @_disfavoredOverload
    public var second: SQLQueryExpression<Int?> { part("%S") }
    /// The day of the week, 0 being Sunday.
    @_disfavoredOverload
    public var weekday: SQLQueryExpression<Int?> { part("%w") }
    /// The day of the year, from 1.
    @_disfavoredOverload
    public var dayOfYear: SQLQueryExpression<Int?> { part("%j") }
    /// The second with its fraction.
    @_disfavoredOverload
    public var fractionalSecond: SQLQueryExpression<Double?> { part("%f") }
}
