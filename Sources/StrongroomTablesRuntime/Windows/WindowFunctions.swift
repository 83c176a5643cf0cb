/// A function that is computed over a window: it is an expression once it is given one.
public struct WindowFunction<QueryValue: QueryRepresentable>: Sendable {
    let call: QueryFragment

    init(_ name: String, _ arguments: [QueryFragment] = []) { call = .call(name, arguments) }

    /// The function over all rows, or over those of a window.
    ///
    ///     // Each item with the stars of all items so far.
    ///     Item.select { ($0.title, $0.stars.sum().over(.order($0.id))) }
    ///     // SELECT "items"."title", sum("items"."stars") OVER (ORDER BY "items"."id") FROM
    ///     // "items"
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
    ///
    ///     Item.where(\.isDone).window(\.w) { .order($0.stars) }.select { _ in rank().over(\.w) }
    ///     // SELECT rank() OVER "w" FROM "items" WHERE "items"."isDone" WINDOW "w" AS (ORDER
    ///     // BY "items"."stars")
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
    ///
    ///     Item.window(\.w) { .partition(by: $0.year).order($0.id) }.select {
    ///         (rowNumber().over(\.w), $0.price.total().over(\.w))
    ///     }
    ///     // SELECT row_number() OVER "w", total("items"."price") OVER "w" FROM "items"
    ///     // WINDOW "w" AS (PARTITION BY "items"."year" ORDER BY "items"."id")
    public static func window(
        _ name: KeyPath<WindowNames, WindowName>, _ window: (SideColumns) -> WindowSpec
    ) -> Select<WholeRows<Tables1<Self>>, Tables1<Self>> {
        Where().window(name, window)
    }
}

/// The number of the row in its window, from 1.
///
///     try Item.select { ($0.title, rowNumber().over(.order($0.stars.desc()))) }.fetchAll(db)
///     // [("Seeds", 1), ("Bread", 2), ("Milk", 3), ("Call Ada", 4)]
public func rowNumber() -> WindowFunction<Int> { WindowFunction("row_number") }
/// The number of the row, equal rows having that of the first of them.
///
///     Item.select { rank().over(.order($0.year)) }
///     // SELECT rank() OVER (ORDER BY "items"."year") FROM "items"
public func rank() -> WindowFunction<Int> { WindowFunction("rank") }
/// The number of the row, equal rows being counted once.
///
///     try Item.select { denseRank().over(.order($0.year)) }.fetchAll(db)  // [1, 2, 2, 2]
public func denseRank() -> WindowFunction<Int> { WindowFunction("dense_rank") }
/// The rank as a share, from 0 to 1.
///
///     try Item.select { percentRank().over(.order($0.stars)).round(2) }.fetchAll(db)
///     // [0.0, 0.33, 0.67, 1.0]
public func percentRank() -> WindowFunction<Double> { WindowFunction("percent_rank") }
/// The share of rows up to this one and those that are equal to it.
///
///     try Item.select { cumeDist().over(.order($0.stars)) }.fetchAll(db)
///     // [0.25, 0.5, 0.75, 1.0]
public func cumeDist() -> WindowFunction<Double> { WindowFunction("cume_dist") }
/// The part in which the row is when its window is divided into this many, from 1.
///
///     // Two halves: the better and the worse.
///     try Item.select { ($0.title, ntile(2).over(.order($0.stars.desc()))) }.fetchAll(db)
///     // [("Seeds", 1), ("Bread", 1), ("Milk", 2), ("Call Ada", 2)]
public func ntile(_ parts: Int) -> WindowFunction<Int> {
    WindowFunction("ntile", [QueryFragment(text: String(parts))])
}

extension QueryExpression {
    private func beside<Value>(
        _ name: String, _ distance: Int, _ value: [QueryFragment] = []
    ) -> WindowFunction<Value> {
        WindowFunction(name, [queryFragment, QueryFragment(text: String(distance))] + value)
    }

    /// The value this many rows before; NULL when there is no such row.
    ///
    ///     // Each user with the one before.
    ///     try User.select { ($0.name, $0.name.lag().over(.order($0.id))) }.fetchAll(db)
    ///     // [("Ada", nil), ("Grace", "Ada")]
    public func lag(_ distance: Int = 1) -> WindowFunction<QueryValue.Unwrapped?> {
        beside("lag", distance)
    }
    /// The value this many rows before, or another one when there is no such row.
    public func lag(
        _ distance: Int = 1, default value: QueryValue.Unwrapped.QueryOutput
    ) -> WindowFunction<QueryValue> {
        beside("lag", distance, [QueryValue.fragment(value)])
    }
    /// The value this many rows after; NULL when there is no such row.
    public func lead(_ distance: Int = 1) -> WindowFunction<QueryValue.Unwrapped?> {
        beside("lead", distance)
    }
    /// The value this many rows after, or another one when there is no such row.
    ///
    ///     try User.select { $0.name.lead(default: "the end").over(.order($0.id)) }.fetchAll(db)
    ///     // ["Grace", "the end"]
    public func lead(
        _ distance: Int = 1, default value: QueryValue.Unwrapped.QueryOutput
    ) -> WindowFunction<QueryValue> {
        beside("lead", distance, [QueryValue.fragment(value)])
    }
    /// The value of the first row of the frame; NULL when the frame is empty.
    ///
    ///     let best = WindowSpec.partition(by: Item.folderID).order(Item.stars.desc())
    ///     try Item.select { ($0.title, $0.title.firstValue().over(best)) }.fetchAll(db)
    ///     // [("Call Ada", "Call Ada"), ("Bread", "Bread"), ("Milk", "Bread"), ("Seeds",
    ///     // "Seeds")]
    public func firstValue() -> WindowFunction<QueryValue.Unwrapped?> {
        WindowFunction("first_value", [queryFragment])
    }
    /// The value of the last row of the frame; NULL when the frame is empty.
    ///
    ///     // The frame must reach the end: by itself, it ends with the current row.
    ///     let all = WindowSpec.order(Item.id).rows(from: .start, to: .end)
    ///     try Item.select { $0.title.lastValue().over(all) }.limit(1).fetchAll(db)
    ///     // ["Call Ada"]
    public func lastValue() -> WindowFunction<QueryValue.Unwrapped?> {
        WindowFunction("last_value", [queryFragment])
    }
    /// The value of a row of the frame, counted from 1; NULL when there are fewer.
    ///
    ///     Item.select { $0.title.nthValue(2).over(.order($0.id)) }
    ///     // SELECT nth_value("items"."title", 2) OVER (ORDER BY "items"."id") FROM "items"
    public func nthValue(_ number: Int) -> WindowFunction<QueryValue.Unwrapped?> {
        beside("nth_value", number)
    }
}
