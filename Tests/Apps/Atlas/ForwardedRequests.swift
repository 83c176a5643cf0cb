import Foundation
import Strongroom

// Requests of the app's own, which forward to one of the library.

/// What the app may ask of its places, and how it shows them.
struct PlaceSearch<RowDecoder>: DerivableRequest, FetchRequest {
    var base: QueryInterfaceRequest<RowDecoder>
    var title: String

    private func with(base: QueryInterfaceRequest<RowDecoder>) -> Self {
        PlaceSearch(base: base, title: title)
    }

    // TableRequest
    var databaseTableName: String { base.databaseTableName }
    func aliased(_ alias: TableAlias<Void>) -> Self { with(base: base.aliased(alias)) }

    // SelectionRequest
    func selectWhenConnected(
        _ selection: @escaping @Sendable (Database) throws -> [any SQLSelectable]
    ) -> Self {
        with(base: base.selectWhenConnected(selection))
    }

    func annotatedWhenConnected(
        with selection: @escaping @Sendable (Database) throws -> [any SQLSelectable]
    ) -> Self {
        with(base: base.annotatedWhenConnected(with: selection))
    }

    // FilteredRequest
    func filterWhenConnected(
        _ predicate: @escaping @Sendable (Database) throws -> any SQLExpressible
    ) -> Self {
        with(base: base.filterWhenConnected(predicate))
    }

    // AggregatingRequest
    func groupWhenConnected(
        _ expressions: @escaping @Sendable (Database) throws -> [any SQLExpressible]
    ) -> Self {
        with(base: base.groupWhenConnected(expressions))
    }

    func havingWhenConnected(
        _ predicate: @escaping @Sendable (Database) throws -> any SQLExpressible
    ) -> Self {
        with(base: base.havingWhenConnected(predicate))
    }

    // OrderedRequest
    func orderWhenConnected(
        _ orderings: @escaping @Sendable (Database) throws -> [any SQLOrderingTerm]
    ) -> Self {
        with(base: base.orderWhenConnected(orderings))
    }

    func reversed() -> Self { with(base: base.reversed()) }
    func unordered() -> Self { with(base: base.unordered()) }
    func withStableOrder() -> Self { with(base: base.withStableOrder()) }

    // JoinableRequest
    func including<A: AssociationToMany>(all association: A) -> Self
    where A.OriginRowDecoder == RowDecoder {
        with(base: base.including(all: association))
    }

    func including<A: Association>(optional association: A) -> Self
    where A.OriginRowDecoder == RowDecoder {
        with(base: base.including(optional: association))
    }

    func including<A: Association>(required association: A) -> Self
    where A.OriginRowDecoder == RowDecoder {
        with(base: base.including(required: association))
    }

    func joining<A: Association>(optional association: A) -> Self
    where A.OriginRowDecoder == RowDecoder {
        with(base: base.joining(optional: association))
    }

    func joining<A: Association>(required association: A) -> Self
    where A.OriginRowDecoder == RowDecoder {
        with(base: base.joining(required: association))
    }

    // DerivableRequest
    func distinct() -> Self { with(base: base.distinct()) }

    func with<T>(_ cte: CommonTableExpression<T>) -> Self { with(base: base.with(cte)) }

    func annotated(with aggregates: [AssociationAggregate<RowDecoder>]) -> Self {
        with(base: base.annotated(with: aggregates))
    }

    func having(_ predicate: AssociationAggregate<RowDecoder>) -> Self {
        with(base: base.having(predicate))
    }

    // FetchRequest
    var sqlSubquery: SQLSubquery { base.sqlSubquery }

    func makePreparedRequest(
        _ db: Database, forSingleResult singleResult: Bool
    ) throws -> PreparedRequest {
        try base.makePreparedRequest(db, forSingleResult: singleResult)
    }
}

/// A request that can be filtered, and nothing else.
struct NarrowSearch: FilteredRequest, TypedRequest {
    typealias RowDecoder = Player
    var base = Player.all()

    func filterWhenConnected(
        _ predicate: @escaping @Sendable (Database) throws -> any SQLExpressible
    ) -> Self {
        NarrowSearch(base: base.filterWhenConnected(predicate))
    }
}

extension FilteredRequest where Self: TypedRequest, RowDecoder == Player {
    func scored(_ least: Int) -> Self { filter(Column("score") >= least) }
}

/// What a generic function of the app asks of a request.
private func best<R: DerivableRequest & FetchRequest>(_ request: R, _ count: Int) -> R
where R.RowDecoder == Player {
    request.scored(count).order(Column("score").desc).withStableOrder()
}

func runForwardedRequests(in folder: String, passphrase: String) throws {
    var config = Configuration()
    config.prepareDatabase { db in try db.usePassphrase(passphrase) }
    let dbQueue = try DatabaseQueue(path: folder + "/forwarded.sqlite", configuration: config)
    try makeMigrator().migrate(dbQueue)
    try makePlayers(dbQueue)
    try dbQueue.read(useForwardedRequests)
}

/// Each method that takes what is known changes the request as it does one of the library.
func useForwardedRequests(_ db: Database) throws {
    let own = PlaceSearch(base: Player.all(), title: "players")
    let library = Player.all()
    func compare<R: FetchRequest>(_ made: R, _ wanted: some FetchRequest) throws {
        let sql = try made.makePreparedRequest(db, forSingleResult: false).statement
        let other = try wanted.makePreparedRequest(db, forSingleResult: false).statement
        try check(
            sql.sql == other.sql && sql.arguments == other.arguments,
            "\(sql.sql) \(sql.arguments) is not \(other.sql) \(other.arguments)")
    }
    try compare(best(own, 10), best(library, 10))
    try compare(own.filter(key: 1), library.filter(key: 1))
    try compare(
        own.filter(sql: "score > ?", arguments: [1]),
        library.filter(sql: "score > ?", arguments: [1]))
    try compare(own.none(), library.none())
    try compare(own.select(Column("name")).distinct(), library.select(Column("name")).distinct())
    let long = length(Column("name"))
    try compare(own.annotated(with: long), library.annotated(with: long))
    try compare(
        own.group(Column("teamId")).having(sql: "COUNT(*) > ?", arguments: [1]),
        library.group(Column("teamId")).having(sql: "COUNT(*) > ?", arguments: [1]))
    try compare(own.groupByPrimaryKey(), library.groupByPrimaryKey())
    try compare(own.orderByPrimaryKey().reversed(), library.orderByPrimaryKey().reversed())
    try compare(own.order(sql: "score").unordered(), library)
    try compare(own.including(required: Player.team), library.including(required: Player.team))
    try compare(
        own.annotated(withOptional: Player.team), library.annotated(withOptional: Player.team))
    try compare(own.joining(optional: Player.team), library.joining(optional: Player.team))
    let alias = TableAlias<Player>(name: "p")
    try compare(
        own.aliased(alias).filter(alias[Column("score")] > 0),
        library.aliased(alias).filter(alias[Column("score")] > 0))
    let teams = PlaceSearch(base: Team.all(), title: "teams")
    try compare(teams.having(Team.players.count > 1), Team.having(Team.players.count > 1))
    try compare(
        teams.annotated(with: Team.players.count), Team.annotated(with: Team.players.count))
    try check(try own.fetchCount(db) == 3 && own.fetchAll(db).count == 3, "counted")
    try check(try best(own, 700).fetchOne(db)?.name == "Barbara", "the best")
    try check(own.title == "players" && best(own, 0).title == "players", "the app's own")
    let narrow = NarrowSearch().scored(10).filter { _ in Column("name") != "Nobody" }
    try compare(narrow.base, library.scored(10).filter(Column("name") != "Nobody"))
}
