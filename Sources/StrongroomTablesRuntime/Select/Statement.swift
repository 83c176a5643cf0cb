public import StrongroomCore

/// A statement of SQL that knows what its rows become.
public protocol Statement<Row>: Sendable, CustomStringConvertible {
    /// The Swift type of one row; Void for a statement that gives none.
    associatedtype Row
    /// How a row is read.
    associatedtype Shape: RowShape where Shape.RowValue == Row
    /// The SQL, with bound values apart.
    var query: QueryFragment { get }
    /// The SQL as it is fetched: with what representations put around their columns.
    var _fetchedQuery: QueryFragment { get }
    /// The SQL for the first row alone.
    var _singleQuery: QueryFragment { get }
    /// Whether the names of the result are compared with those of the row's type.
    var _checksNames: Bool { get }
    /// Fetches all rows.
    ///
    /// - Throws: `DatabaseError`; `QueryBuildingError` when the query cannot be built;
    ///   `QueryDecodingError` when a row does not fit its type.
    func fetchAll(_ db: Database) throws -> [Row]
    /// Fetches the first row; nil when there is none.
    ///
    /// - Throws: `DatabaseError`; `QueryBuildingError` when the query cannot be built;
    ///   `QueryDecodingError` when a row does not fit its type.
    func fetchOne(_ db: Database) throws -> Row?
}

extension Statement {
    public var _fetchedQuery: QueryFragment { query }
    public var _checksNames: Bool { false }
    /// The canonical SQL, with values as literals.
    public var debugSQL: String { _fetchedQuery.description }
    /// The canonical SQL, with values as literals.
    public var description: String { debugSQL }
}

/// A statement that selects rows, to which clauses can be added.
public protocol SelectStatement<Row>: ResultStatement {
    /// The tables of the query.
    associatedtype Tables: TableList
    var _clauses: SelectClauses { get }
    /// The clauses of a query that ends here.
    consuming func _takenClauses() -> SelectClauses
}

/// A select with any clauses, by the type of its rows.
public typealias SelectOf<Row> = any SelectStatement<Row>

extension SelectStatement {
    /// The clauses, which nobody else may have: then they are changed in place.
    public consuming func _takenClauses() -> SelectClauses { _clauses }

    /// The SQL, with bound values apart.
    public var query: QueryFragment { _clauses.resolvedForText.fragment(isFetched: false) }
    public var _fetchedQuery: QueryFragment { _clauses.resolvedForText.fragment(isFetched: true) }
}

/// A query on one table with conditions alone, which becomes a select, an update or a delete.
@dynamicMemberLookup
public struct Where<From: QuerySource>: SelectStatement {
    public typealias Tables = Tables1<From>
    public typealias Shape = WholeRows<Tables1<From>>
    public typealias Row = From.SideValue.QueryOutput
    public var _clauses: SelectClauses

    init() { _clauses = SelectClauses(scope: From.self) }
    @usableFromInline init(_ clauses: SelectClauses) { _clauses = clauses }

    /// The clauses, which nobody else may have: then they are changed in place.
    public consuming func _takenClauses() -> SelectClauses { _clauses }
}

/// A select.
@dynamicMemberLookup
public struct Select<Shape: RowShape, Tables: TableList>: SelectStatement {
    public typealias Row = Shape.RowValue
    public var _clauses: SelectClauses

    init(_ clauses: SelectClauses) { _clauses = clauses }

    /// The clauses, which nobody else may have: then they are changed in place.
    public consuming func _takenClauses() -> SelectClauses { _clauses }
}
