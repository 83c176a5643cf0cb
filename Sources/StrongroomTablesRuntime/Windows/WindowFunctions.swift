/// A function that is computed over a window: it is an expression once it is given one.
public struct WindowFunction<QueryValue: QueryRepresentable>: Sendable {
    let call: QueryFragment

    init(_ name: String, _ arguments: [QueryFragment] = []) { call = .call(name, arguments) }

    /// The function over all rows, or over those of a window.
    public func over(_ window: WindowSpec? = nil) -> SQLQueryExpression<QueryValue> {
        SQLQueryExpression(call.over(window))
    }

    /// The function over a window with a name.
    public func over(
        _ name: KeyPath<WindowNames, WindowName>
    ) -> SQLQueryExpression<QueryValue> {
        SQLQueryExpression(call.over(name))
    }
}

extension AggregateExpression {
    /// The aggregate over all rows, or over those of a window, for each row.
    public func over(_ window: WindowSpec? = nil) -> SQLQueryExpression<QueryValue> {
        SQLQueryExpression(queryFragment.over(window))
    }

    /// The aggregate over a window with a name.
    public func over(
        _ name: KeyPath<WindowNames, WindowName>
    ) -> SQLQueryExpression<QueryValue> {
        SQLQueryExpression(queryFragment.over(name))
    }
}

extension QueryFragment {
    fileprivate func over(_ window: WindowSpec?) -> QueryFragment {
        over((window ?? WindowSpec()).fragment)
    }

    fileprivate func over(_ name: KeyPath<WindowNames, WindowName>) -> QueryFragment {
        over(QueryFragment(text: WindowNames()[keyPath: name].name.quotedIdentifier))
    }

    private func over(_ window: QueryFragment) -> QueryFragment {
        var result = self + QueryFragment(text: " OVER ") + window
        result.shape = .bare
        return result
    }
}

/// Any name, for windows: `\.w`.
@dynamicMemberLookup
public struct WindowNames: Sendable {
    /// A name.
    public subscript(dynamicMember name: String) -> WindowName { WindowName(name: name) }
}

/// The name of a window.
public struct WindowName: Sendable, Hashable {
    let name: String
}

extension SelectStatement {
    /// Gives a window a name, by which several expressions share it.
    public func window(
        _ name: KeyPath<WindowNames, WindowName>, _ window: (Tables.Arguments) -> WindowSpec
    ) -> Select<Shape, Tables> {
        changed {
            $0.windows.append((WindowNames()[keyPath: name].name, window(arguments).fragment))
        }
    }
}

extension QuerySource {
    /// Gives a window a name, by which several expressions share it.
    public static func window(
        _ name: KeyPath<WindowNames, WindowName>, _ window: (SideColumns) -> WindowSpec
    ) -> Select<WholeRows<Tables1<Self>>, Tables1<Self>> {
        Where().window(name, window)
    }
}

/// The number of the row in its window, from 1.
public func rowNumber() -> WindowFunction<Int> { WindowFunction("row_number") }
/// The number of the row, equal rows having that of the first of them.
public func rank() -> WindowFunction<Int> { WindowFunction("rank") }
/// The number of the row, equal rows being counted once.
public func denseRank() -> WindowFunction<Int> { WindowFunction("dense_rank") }
/// The rank as a share, from 0 to 1.
public func percentRank() -> WindowFunction<Double> { WindowFunction("percent_rank") }
/// The share of rows up to this one and those that are equal to it.
public func cumeDist() -> WindowFunction<Double> { WindowFunction("cume_dist") }
/// The number of the part in which the row is when its window is divided into so many.
public func ntile(_ parts: Int) -> WindowFunction<Int> {
    WindowFunction("ntile", [QueryFragment(text: String(parts))])
}

extension QueryExpression {
    private func beside<Value>(
        _ name: String, _ distance: Int, _ value: [QueryFragment] = []
    ) -> WindowFunction<Value> {
        WindowFunction(name, [queryFragment, QueryFragment(text: String(distance))] + value)
    }

    /// The value so many rows before; NULL when there is no such row.
    public func lag(_ distance: Int = 1) -> WindowFunction<QueryValue.Unwrapped?> {
        beside("lag", distance)
    }
    /// The value so many rows before, or another one when there is no such row.
    public func lag(
        _ distance: Int = 1, default value: QueryValue.Unwrapped.QueryOutput
    ) -> WindowFunction<QueryValue> {
        beside("lag", distance, [QueryValue.fragment(value)])
    }
    /// The value so many rows after; NULL when there is no such row.
    public func lead(_ distance: Int = 1) -> WindowFunction<QueryValue.Unwrapped?> {
        beside("lead", distance)
    }
    /// The value so many rows after, or another one when there is no such row.
    public func lead(
        _ distance: Int = 1, default value: QueryValue.Unwrapped.QueryOutput
    ) -> WindowFunction<QueryValue> {
        beside("lead", distance, [QueryValue.fragment(value)])
    }
    /// The value of the first row of the frame; NULL when the frame is empty.
    public func firstValue() -> WindowFunction<QueryValue.Unwrapped?> {
        WindowFunction("first_value", [queryFragment])
    }
    /// The value of the last row of the frame; NULL when the frame is empty.
    public func lastValue() -> WindowFunction<QueryValue.Unwrapped?> {
        WindowFunction("last_value", [queryFragment])
    }
    /// The value of a row of the frame, counted from 1; NULL when there are fewer.
    public func nthValue(_ number: Int) -> WindowFunction<QueryValue.Unwrapped?> {
        beside("nth_value", number)
    }
}
