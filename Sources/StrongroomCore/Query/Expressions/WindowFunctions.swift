// SQL functions of the rows around a row. <https://www.sqlite.org/windowfunctions.html#biwinfunc>

/// A function that has a value in a window only: call `over(_:)` to make an expression of it.
public struct SQLWindowFunction: Sendable {
    private let call: FunctionCall

    fileprivate init(_ name: String, _ arguments: [SQLExpression] = []) {
        call = FunctionCall(name: name, arguments: arguments)
    }

    /// The value of the function in a window.
    public func over(_ window: SQLWindow = .all) -> SQLExpression {
        SQLExpression(WindowCall(function: SQLExpression(call), window: window))
    }
}

extension SQLSpecificExpressible {
    /// The value of an aggregate function for the rows of a window, in each row.
    ///
    ///     // SELECT *, AVG("score") OVER (PARTITION BY "team") FROM "player"
    ///     Player.annotated { average($0.score).over(.partition(by: $0.team)) }
    ///
    /// Fetching throws `SQLITE_MISUSE` for what is no call of a function.
    public func over(_ window: SQLWindow = .all) -> SQLExpression {
        SQLExpression(WindowCall(function: sqlExpression, window: window))
    }
}

/// The number of the row in the order of its window, from 1 on: `ROW_NUMBER`.
///
///     let request = Player.annotated(with: rowNumber().over(.order(Column("score").desc)))
public func rowNumber() -> SQLWindowFunction { SQLWindowFunction("ROW_NUMBER") }

/// The number of the first row that is equal in the order, so that there are gaps: `RANK`.
///
///     let request = Player.annotated(with: rank().over(.order(Column("score").desc)))
public func rank() -> SQLWindowFunction { SQLWindowFunction("RANK") }

/// The number of the group of rows that are equal in the order: `DENSE_RANK`.
///
///     let request = Player.annotated(with: denseRank().over(.order(Column("score").desc)))
public func denseRank() -> SQLWindowFunction { SQLWindowFunction("DENSE_RANK") }

/// The rank between 0 and 1: `PERCENT_RANK`.
///
///     let request = Player.annotated(with: percentRank().over(.order(Column("score"))))
public func percentRank() -> SQLWindowFunction { SQLWindowFunction("PERCENT_RANK") }

/// The part of the rows that come no later in the order, between 0 and 1: `CUME_DIST`.
///
///     let request = Player.annotated(with: cumulativeDistribution().over(.order(Column("score"))))
public func cumulativeDistribution() -> SQLWindowFunction { SQLWindowFunction("CUME_DIST") }

/// In which of as many parts of equal size the row is, from 1 on: `NTILE`.
///
///     let request = Player.annotated(with: ntile(4).over(.order(Column("score"))))
public func ntile(_ count: Int) -> SQLWindowFunction {
    SQLWindowFunction("NTILE", [count.sqlExpression])
}

/// The value in a row before this one, or else a default: `LAG`.
///
///     let request = Player.annotated(with: lag(Column("score")).over(.order(Column("joined"))))
public func lag(
    _ value: some SQLSpecificExpressible, _ offset: Int = 1,
    default defaultValue: (any SQLExpressible)? = nil
) -> SQLWindowFunction {
    SQLWindowFunction("LAG", neighbour(value, offset, defaultValue))
}

/// The value in a row after this one, or else a default: `LEAD`.
///
///     let request = Player.annotated(with: lead(Column("score")).over(.order(Column("joined"))))
public func lead(
    _ value: some SQLSpecificExpressible, _ offset: Int = 1,
    default defaultValue: (any SQLExpressible)? = nil
) -> SQLWindowFunction {
    SQLWindowFunction("LEAD", neighbour(value, offset, defaultValue))
}

/// The value in the first row of the frame: `FIRST_VALUE`.
public func firstValue(_ value: some SQLSpecificExpressible) -> SQLWindowFunction {
    SQLWindowFunction("FIRST_VALUE", [value.sqlExpression])
}

/// The value in the last row of the frame: `LAST_VALUE`.
///
/// Without a frame, that is the current row or one that is equal in the order.
public func lastValue(_ value: some SQLSpecificExpressible) -> SQLWindowFunction {
    SQLWindowFunction("LAST_VALUE", [value.sqlExpression])
}

/// The value in a row of the frame, counted from 1; NULL where it has fewer: `NTH_VALUE`.
public func nthValue(_ value: some SQLSpecificExpressible, _ number: Int) -> SQLWindowFunction {
    SQLWindowFunction("NTH_VALUE", [value.sqlExpression, number.sqlExpression])
}

private func neighbour(
    _ value: some SQLSpecificExpressible, _ offset: Int, _ defaultValue: (any SQLExpressible)?
) -> [SQLExpression] {
    let arguments = [value.sqlExpression, offset.sqlExpression]
    return arguments + (defaultValue.map { [$0.sqlExpression] } ?? [])
}

/// A function, and the window that it looks through.
private struct WindowCall: SQLNode {
    let function: SQLExpression
    let window: SQLWindow

    var depth: Int { 1 + max(function.depth, window.depth) }

    func write(to sql: inout SQLGenerationContext) throws {
        guard function.isCall else {
            throw DatabaseError(
                resultCode: .SQLITE_MISUSE,
                message: "over(_:) of what is no call of a function: aggregate functions, as in "
                    + "sum(column).over(…), and functions like rank() have windows.")
        }
        try function.write(to: &sql)
        sql.append(sql: " OVER ")
        try window.write(to: &sql)
    }

    // Unlike an aggregate, it leaves the rows as they are.
    var isRowByRow: Bool { true }
}
