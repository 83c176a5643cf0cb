// SQL functions of dates. <https://www.sqlite.org/lang_datefunc.html>

/// The Julian day of a date, after modifiers: `JULIANDAY`.
///
/// <https://www.sqlite.org/lang_datefunc.html>
///
///     let request = Player.select(julianDay(Column("joined")))
public func julianDay(
    _ date: some SQLSpecificExpressible, _ modifiers: SQLDateModifier...
) -> SQLExpression {
    dateFunction("JULIANDAY", date, modifiers)
}

/// The text of a date and time, after modifiers: `DATETIME`.
///
/// <https://www.sqlite.org/lang_datefunc.html>
///
///     let request = Player.select(dateTime(Column("joined")))
public func dateTime(
    _ date: some SQLSpecificExpressible, _ modifiers: SQLDateModifier...
) -> SQLExpression {
    dateFunction("DATETIME", date, modifiers)
}

/// The text of a date without its time, after modifiers: `DATE`.
///
///     // SELECT * FROM "player" WHERE DATE("joined") = DATE('now', '-1 days')
///     Player.filter { date($0.joined) == date(.now, .day(-1)) }
public func date(
    _ date: some SQLSpecificExpressible, _ modifiers: SQLDateModifier...
) -> SQLExpression {
    dateFunction("DATE", date, modifiers)
}

/// The text of the time of a date, after modifiers: `TIME`.
public func timeOfDay(
    _ date: some SQLSpecificExpressible, _ modifiers: SQLDateModifier...
) -> SQLExpression {
    dateFunction("TIME", date, modifiers)
}

/// The seconds between 1970 and a date, after modifiers: `UNIXEPOCH`.
///
///     let request = Player.select(unixEpoch(Column("joined")))
public func unixEpoch(
    _ date: some SQLSpecificExpressible, _ modifiers: SQLDateModifier...
) -> SQLExpression {
    dateFunction("UNIXEPOCH", date, modifiers)
}

/// The text of a date in a format, after modifiers: `STRFTIME`.
///
///     // SELECT STRFTIME('%Y-%m', "joined"), COUNT(*) FROM "player" GROUP BY 1
///     let month = strftime("%Y-%m", Column("joined"))
///
/// <https://www.sqlite.org/lang_datefunc.html>
public func strftime(
    _ format: String, _ date: some SQLSpecificExpressible, _ modifiers: SQLDateModifier...
) -> SQLExpression {
    let arguments = [format.sqlExpression, date.sqlExpression] + modifiers.map(\.sqlExpression)
    return SQLExpression(FunctionCall(name: "STRFTIME", arguments: arguments, isScalar: true))
}

extension SQLSpecificExpressible where Self == SQLExpression {
    /// The date and time of the statement, in UTC, as an argument of date functions.
    public static var now: SQLExpression { "now".sqlExpression }
}

private func dateFunction(
    _ name: String, _ date: some SQLSpecificExpressible, _ modifiers: [SQLDateModifier]
) -> SQLExpression {
    let arguments = [date.sqlExpression] + modifiers.map(\.sqlExpression)
    return SQLExpression(FunctionCall(name: name, arguments: arguments, isScalar: true))
}
