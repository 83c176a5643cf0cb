/// A value made of all the rows that an association leads to from one row: their number, say.
///
///     // SELECT "author".*, COUNT(DISTINCT "book"."id") AS "bookCount" FROM "author"
///     // LEFT JOIN "book" ON "book"."authorId" = "author"."id" GROUP BY "author"."id"
///     let request = Author.annotated(with: Author.books.count)
///
///     let prolific = Author.having(Author.books.count > 10)
///
/// Aggregates of associations with the same key are of the same rows: give associations that are
/// filtered in different ways keys of their own.
public struct AssociationAggregate<RowDecoder>: Sendable {
    /// The name under which rows have the value, if it has one.
    var key: String?
    /// Joins to a query what the value is made of, and says what the value is.
    let join: @Sendable (inout SelectQuery) -> SQLExpression

    /// How many closures of aggregates call one another.
    private let depth: Int

    /// - Parameter depth: The depth of the aggregates that the closure asks.
    init(
        key: String?, after depth: Int = 0,
        _ join: @escaping @Sendable (inout SelectQuery) -> SQLExpression
    ) {
        self.key = key
        self.depth = min(depth + NestedNode.queryDepth, NestedNode.depthLimit)
        let isTooDeep = self.depth == NestedNode.depthLimit
        self.join = isTooDeep ? { @Sendable _ in SQLExpression(TooDeepNode()) } : join
    }

    /// The aggregate under another name.
    ///
    ///     let request = Team.annotated(with: Team.players.count.forKey("size"))
    public func forKey(_ key: String) -> Self {
        var aggregate = self
        aggregate.key = key
        return aggregate
    }

    /// The aggregate under the name of a coding key.
    public func forKey(_ key: some CodingKey) -> Self {
        forKey(key.stringValue)
    }

    /// What is made of the value, which has no name unless it keeps that of the value.
    func map(
        key: String? = nil, _ transform: @escaping @Sendable (SQLExpression) -> SQLExpression
    ) -> Self {
        let join = join
        return Self(key: key, after: depth) { transform(join(&$0)) }
    }

    /// What is made of two values.
    func combined(
        with other: Self,
        _ transform: @escaping @Sendable (SQLExpression, SQLExpression) -> SQLExpression
    ) -> Self {
        let (first, second) = (join, other.join)
        return Self(key: nil, after: max(depth, other.depth)) { query in
            let value = first(&query)
            return transform(value, second(&query))
        }
    }
}

extension SelectQuery {
    /// Joins what an aggregate is made of, and makes one row of those that are joined to each.
    mutating func add<R>(_ aggregate: AssociationAggregate<R>) -> SQLExpression {
        groups = rowIdentity()
        return aggregate.join(&self)
    }
}

// MARK: - Requests

extension DerivableRequest {
    /// Selects aggregates of associations besides the columns before, and groups by primary key.
    public func annotated(with aggregates: AssociationAggregate<RowDecoder>...) -> Self {
        annotated(with: aggregates)
    }
}

extension DerivableRequest where Self: QueryRequest {
    public func annotated(with aggregates: [AssociationAggregate<RowDecoder>]) -> Self {
        refined { query in
            let selection = aggregates.map { aggregate in
                let value = query.add(aggregate)
                return aggregate.key.map { value.forKey($0).sqlSelection } ?? value.sqlSelection
            }
            query.selection = query.selection.map { $0 + selection }
        }
    }

    public func having(_ predicate: AssociationAggregate<RowDecoder>) -> Self {
        refined { query in
            let condition = query.add(predicate)
            query.groupFilters.append(.known(condition))
        }
    }
}

extension TableRecord {
    /// A request for all rows, with aggregates of associations besides the columns of the type.
    ///
    ///     let request = Team.annotated(with: Team.players.count)
    public static func annotated(
        with aggregates: AssociationAggregate<Self>...
    ) -> QueryInterfaceRequest<Self> {
        all().annotated(with: aggregates)
    }

    /// A request for all rows, with aggregates of associations besides the columns of the type.
    public static func annotated(
        with aggregates: [AssociationAggregate<Self>]
    ) -> QueryInterfaceRequest<Self> {
        all().annotated(with: aggregates)
    }

    /// A request for the rows for which a condition of associated rows holds.
    ///
    ///     let request = Team.having(Team.players.count > 5)
    public static func having(
        _ predicate: AssociationAggregate<Self>
    ) -> QueryInterfaceRequest<Self> {
        all().having(predicate)
    }
}

extension Table {
    /// A request for all rows, with aggregates of associations besides the columns of the table.
    public func annotated(
        with aggregates: AssociationAggregate<RowDecoder>...
    ) -> QueryInterfaceRequest<RowDecoder> {
        all().annotated(with: aggregates)
    }

    /// A request for all rows, with aggregates of associations besides the columns of the table.
    public func annotated(
        with aggregates: [AssociationAggregate<RowDecoder>]
    ) -> QueryInterfaceRequest<RowDecoder> {
        all().annotated(with: aggregates)
    }

    /// A request for the rows for which a condition of associated rows holds.
    public func having(
        _ predicate: AssociationAggregate<RowDecoder>
    ) -> QueryInterfaceRequest<RowDecoder> {
        all().having(predicate)
    }
}
