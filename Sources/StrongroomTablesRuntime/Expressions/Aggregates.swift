/// A call of an aggregate function.
public struct AggregateExpression<QueryValue: QueryRepresentable>: QueryExpression, Sendable {
    public typealias TermBase = QueryValue.Unwrapped
    public typealias TermValue = QueryValue
    /// The SQL.
    public let queryFragment: QueryFragment

    init(
        _ name: String, distinct: Bool = false, _ arguments: [QueryFragment],
        order: [OrderingTerm] = [], filter: QueryFragment? = nil
    ) {
        var call = QueryFragment(text: name + (distinct ? "(DISTINCT " : "("))
        call += arguments.commaSeparated
        if !order.isEmpty {
            call.append(text: " ORDER BY ")
            call += order.flatMap(\.terms).map(\.fragment).commaSeparated
        }
        call.append(text: ")")
        if let filter {
            call.append(text: " FILTER (WHERE ")
            call += filter
            call.append(text: ")")
        }
        call.shape = .bare
        queryFragment = call
    }
}

extension AggregateExpression {
    public var _resultColumns: [ResultColumn] {
        let reading = ReadingForm(QueryValue.self)
        return [ResultColumn(fragment: queryFragment, reading: reading, isAggregate: true)]
    }
}

extension QueryExpression {
    func aggregate<Result>(
        _ name: String, _ distinct: Bool, _ filter: (any QueryExpression)?
    ) -> AggregateExpression<Result> {
        AggregateExpression(
            name, distinct: distinct, [queryFragment], filter: filter?.queryFragment)
    }
}

extension QueryExpression where QueryValue.Unwrapped: QueryBindable {
    /// The number of values that are not NULL.
    ///
    ///     // How many items have a note, and how many different folders there are.
    ///     try Item.select { ($0.note.count(), $0.folderID.count(distinct: true)) }.fetchAll(db)
    ///     // [(2, 2)]
    public func count(
        distinct: Bool = false, filter: (any QueryExpression)? = nil
    ) -> AggregateExpression<Int> {
        aggregate("count", distinct, filter)
    }

    /// The smallest value; NULL when there is none.
    ///
    ///     try Item.select { $0.due.min() }.fetchOne(db) != nil  // true
    public func min(
        distinct: Bool = false, filter: (any QueryExpression)? = nil
    ) -> AggregateExpression<QueryValue.Unwrapped?> {
        aggregate("min", distinct, filter)
    }

    /// The largest value; NULL when there is none.
    ///
    ///     try Item.select { $0.stars.max(filter: !$0.isDone) }.fetchOne(db)  // 5
    public func max(
        distinct: Bool = false, filter: (any QueryExpression)? = nil
    ) -> AggregateExpression<QueryValue.Unwrapped?> {
        aggregate("max", distinct, filter)
    }
}

extension QueryExpression where QueryValue.Unwrapped: _BindableNumber {
    /// The sum; NULL when there is no value.
    ///
    ///     try Item.where { $0.stars > 9 }.select { $0.price.sum() }.fetchAll(db)  // [nil]
    public func sum(
        distinct: Bool = false, filter: (any QueryExpression)? = nil
    ) -> AggregateExpression<QueryValue.Unwrapped?> {
        aggregate("sum", distinct, filter)
    }

    /// The sum; 0 when there is no value.
    ///
    ///     try Item.where { $0.stars > 9 }.select { $0.price.total() }.fetchAll(db)  // [0.0]
    public func total(
        distinct: Bool = false, filter: (any QueryExpression)? = nil
    ) -> AggregateExpression<Double> {
        aggregate("total", distinct, filter)
    }

    /// The mean; NULL when there is no value.
    ///
    ///     Item.group(by: \.folderID).select { ($0.folderID, $0.price.avg()) }
    ///     // SELECT "items"."folderID", avg("items"."price") FROM "items" GROUP BY
    ///     // "items"."folderID"
    public func avg(
        distinct: Bool = false, filter: (any QueryExpression)? = nil
    ) -> AggregateExpression<Double?> {
        aggregate("avg", distinct, filter)
    }
}

extension QueryExpression where QueryValue.Unwrapped == String {
    /// The texts with commas between them; NULL when there is none.
    public func groupConcat(
        distinct: Bool = false, filter: (any QueryExpression)? = nil
    ) -> AggregateExpression<String?> {
        aggregate("group_concat", distinct, filter)
    }

    /// The texts with another between them, in an order; NULL when there is none.
    ///
    ///     Item.group(by: \.year).select { $0.title.groupConcat(", ", order: $0.title) }
    ///     // SELECT group_concat("items"."title", ', ' ORDER BY "items"."title") FROM "items"
    ///     // GROUP BY "items"."year"
    public func groupConcat(
        _ separator: some QueryExpression<String>, order: (any OrderingExpression)? = nil,
        filter: (any QueryExpression)? = nil
    ) -> AggregateExpression<String?> {
        AggregateExpression(
            "group_concat", [queryFragment, separator.queryFragment],
            order: order?._orderingTerms ?? [], filter: filter?.queryFragment)
    }
}

extension QueryTerm where Self == AggregateExpression<Int> {
    /// The number of all rows, which needs no column.
    ///
    ///     Item.group(by: \.year).select { ($0.year, .count()) }
    ///     // SELECT "items"."year", count(*) FROM "items" GROUP BY "items"."year"
    public static func count(filter: (any QueryExpression)? = nil) -> AggregateExpression<Int> {
        AggregateExpression("count", [QueryFragment(text: "*")], filter: filter?.queryFragment)
    }
}

extension TableColumnsProtocol where QueryValue: Table {
    /// The number of rows that the table has in the query.
    ///
    ///     let sizes = Folder.group(by: \.id).join(Item.all) { $0.id.eq($1.folderID) }
    ///     try sizes.select { ($0.title, $1.count()) }.fetchAll(db)
    ///     // [("home", 2), ("garden", 1)]
    public func count(
        distinct: Bool = false, filter: (any QueryExpression)? = nil
    ) -> AggregateExpression<Int> {
        let keys = QueryValue._layout.keyFragments(_table)
        let counted = keys.count == 1 ? keys[0] : QueryFragment(text: "*")
        return AggregateExpression(
            "count", distinct: distinct, [counted], filter: filter?.queryFragment)
    }
}

extension OuterColumnsProtocol where QueryValue.Unwrapped: Table {
    /// The number of rows that the table has in the query; a missing one counts nothing.
    ///
    ///     // A folder without items that are done is counted as 0.
    ///     let done = Item.where(\.isDone)
    ///     let sizes = Folder.group(by: \.id).leftJoin(done) { $0.id.eq($1.folderID) }
    ///     let counts = sizes.select { ($0.title, $1.count()) }
    ///     try counts.fetchAll(db)  // [("home", 1), ("garden", 0)]
    public func count(
        distinct: Bool = false, filter: (any QueryExpression)? = nil
    ) -> AggregateExpression<Int> {
        let layout = QueryValue.Unwrapped._layout
        let key = layout.keyFragments(_table).first
        let first = layout.columns[layout.telling[0]].name
        let counted = key ?? QueryFragment([.column(_table, first)], shape: .bare)
        return AggregateExpression(
            "count", distinct: distinct, [counted], filter: filter?.queryFragment)
    }
}

extension TableLayout {
    /// The columns of the key.
    func keyFragments(_ table: TableReference) -> [QueryFragment] {
        keyNames.map { QueryFragment([.column(table, $0)], shape: .bare) }
    }
}
