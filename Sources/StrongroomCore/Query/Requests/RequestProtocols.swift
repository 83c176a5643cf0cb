// What requests and associations are made of. Apps extend these protocols, and conform to none.

/// A type that holds a query, and can be made again with another.
public protocol RefinableRequest: Sendable {
    /// The query. Not for apps.
    var _query: SelectQuery { get set }
}

extension RefinableRequest {
    func refined(_ change: (inout SelectQuery) throws -> Void) rethrows -> Self {
        var request = self
        try change(&request._query)
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
public protocol TableRequest: RefinableRequest {
    /// The name of the table.
    var databaseTableName: String { get }

    /// The same request, whose table can be named by an alias of any type.
    func aliased(_ alias: TableAlias<Void>) -> Self
}

/// A request whose columns can be chosen.
public protocol SelectionRequest: RefinableRequest {}

/// A request whose rows can be filtered.
public protocol FilteredRequest: RefinableRequest {}

/// A request whose rows can be grouped.
public protocol AggregatingRequest: RefinableRequest {}

/// A request whose rows can be ordered.
public protocol OrderedRequest: RefinableRequest {}

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
{}

extension TableRequest {
    public var databaseTableName: String { _query.tableName }

    public func aliased(_ alias: TableAlias<Void>) -> Self {
        refined { $0.aliases.append(alias) }
    }
}

extension TableRequest where Self: TypedRequest {
    /// The same request, whose table can be named by an alias.
    public func aliased(_ alias: TableAlias<RowDecoder>) -> Self {
        refined { $0.aliases.append(alias) }
    }
}
