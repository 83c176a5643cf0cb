// What requests and associations are made of. Apps extend these protocols. A type of an app conforms to
// them by forwarding what they require to a request that it holds.

/// What the protocols of requests have in common. It asks nothing of the types of apps.
public protocol RefinableRequest {
    /// The same request with another query; nil for the types of apps. Not for apps.
    func _refined(_ change: (inout SelectQuery) -> Void) -> Self?
}

extension RefinableRequest {
    public func _refined(_ change: (inout SelectQuery) -> Void) -> Self? { nil }
}

/// A request that holds its query: `QueryInterfaceRequest` and associations. Not for apps.
public protocol QueryRequest: RefinableRequest, Sendable {
    /// The query. Not for apps.
    var _query: SelectQuery { get set }
}

extension QueryRequest {
    public func _refined(_ change: (inout SelectQuery) -> Void) -> Self? { refined(change) }

    func refined(_ change: (inout SelectQuery) -> Void) -> Self {
        var request = self
        change(&request._query)
        return request
    }
}

/// A request that knows the type of its rows.
public protocol TypedRequest<RowDecoder> {
    /// What each row becomes.
    associatedtype RowDecoder
}

extension TypedRequest where RowDecoder: TableRecord {
    /// What closures of requests name columns with: the columns of the record type.
    public typealias DatabaseComponents = RowDecoder.DatabaseComponents
}

/// A request of a table.
///
/// A type of an app conforms by forwarding both to a request that it holds.
public protocol TableRequest: RefinableRequest {
    /// The name of the table.
    var databaseTableName: String { get }

    /// The same request, whose table can be named by an alias of any type.
    func aliased(_ alias: TableAlias<Void>) -> Self
}

/// A request whose columns can be chosen.
///
/// A type of an app conforms by forwarding both to a request that it holds.
public protocol SelectionRequest: RefinableRequest {
    /// Selects what a closure says when the request is turned into SQL.
    func selectWhenConnected(
        _ selection: @escaping @Sendable (Database) throws -> [any SQLSelectable]
    ) -> Self

    /// Selects what a closure says when the request is turned into SQL, besides what was before.
    func annotatedWhenConnected(
        with selection: @escaping @Sendable (Database) throws -> [any SQLSelectable]
    ) -> Self
}

/// A request whose rows can be filtered.
///
/// A type of an app conforms by forwarding to a request that it holds:
///
///     struct PlayerRequest: FilteredRequest {
///         var players = Player.all()
///
///         func filterWhenConnected(
///             _ predicate: @escaping @Sendable (Database) throws -> any SQLExpressible
///         ) -> Self {
///             PlayerRequest(players: players.filterWhenConnected(predicate))
///         }
///     }
///
///     let request = PlayerRequest().filter(Column("score") > 1000)
public protocol FilteredRequest: RefinableRequest {
    /// Keeps the rows for which holds what a closure says when the request is turned into SQL.
    func filterWhenConnected(
        _ predicate: @escaping @Sendable (Database) throws -> any SQLExpressible
    ) -> Self
}

/// A request whose rows can be grouped.
///
/// A type of an app conforms by forwarding both to a request that it holds.
public protocol AggregatingRequest: RefinableRequest {
    /// Makes one row of those that have in common what a closure says when SQL is generated.
    func groupWhenConnected(
        _ expressions: @escaping @Sendable (Database) throws -> [any SQLExpressible]
    ) -> Self

    /// Keeps the groups for which holds what a closure says when the request is turned into SQL.
    func havingWhenConnected(
        _ predicate: @escaping @Sendable (Database) throws -> any SQLExpressible
    ) -> Self
}

/// A request whose rows can be ordered.
///
/// A type of an app conforms by forwarding all to a request that it holds.
public protocol OrderedRequest: RefinableRequest {
    /// Orders the rows by what a closure says when the request is turned into SQL.
    func orderWhenConnected(
        _ orderings: @escaping @Sendable (Database) throws -> [any SQLOrderingTerm]
    ) -> Self

    /// Turns the ordering around; without one it changes nothing.
    ///
    /// An ordering that is SQL can't be: the request throws `SQLITE_MISUSE` when its SQL is made.
    /// `SQL("…").sqlExpression` can be turned.
    ///
    ///     let worstFirst = Player.order(Column("score").desc).reversed()
    func reversed() -> Self

    /// Orders rows that the ordering leaves open by their primary key.
    ///
    ///     let request = Player.order(Column("score")).withStableOrder()
    func withStableOrder() -> Self

    /// Leaves the order of rows open.
    ///
    ///     let request = Player.order(Column("score")).unordered()
    func unordered() -> Self
}

/// A request that is made of Swift: `QueryInterfaceRequest` and associations.
///
/// Extend it to give requests for a type a vocabulary of their own:
///
///     extension DerivableRequest<Player> {
///         func ofTeam(_ id: Team.ID) -> Self {
///             filter { $0.teamId == id }
///         }
///     }
///
///     let players = try Player.all().ofTeam(3).limit(10).fetchAll(db)
public protocol DerivableRequest<RowDecoder>: AggregatingRequest, FilteredRequest, JoinableRequest,
    OrderedRequest, SelectionRequest, TableRequest, TypedRequest
{
    /// Gives equal rows once.
    ///
    ///     let names = Player.select(Column("name")).distinct()
    func distinct() -> Self

    /// Lets a common table expression stand like a table in the request; one of its name goes.
    func with(_ expression: CommonTableExpression<some Any>) -> Self

    /// Selects aggregates of associations besides the columns before, and groups by primary key.
    func annotated(with aggregates: [AssociationAggregate<RowDecoder>]) -> Self

    /// Keeps the rows for which a condition of associated rows holds, and groups by primary key.
    ///
    ///     let teams = Team.having(Team.players.count >= 2)
    func having(_ predicate: AssociationAggregate<RowDecoder>) -> Self
}

extension TableRequest where Self: QueryRequest {
    public var databaseTableName: String { _query.tableName }

    public func aliased(_ alias: TableAlias<Void>) -> Self {
        refined { $0.aliases.append(alias) }
    }
}

extension TableRequest where Self: TypedRequest {
    /// The same request, whose table can be named by an alias.
    public func aliased(_ alias: TableAlias<RowDecoder>) -> Self {
        aliased(TableAlias<Void>(standingFor: alias))
    }
}
