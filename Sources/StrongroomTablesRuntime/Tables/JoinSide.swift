/// A table as a query has it: `Item`, or `Item?` on the outer side of a join.
public protocol JoinSide {
    /// The columns that closures are given.
    associatedtype SideColumns: ColumnReference
    /// What a row of the table becomes.
    associatedtype SideValue: QueryRepresentable = Self
    /// The same table on the outer side of a join.
    associatedtype AsOuter: JoinSide = Self?
    /// The columns under the name that the query has for the table.
    static func _sideColumns(_ table: TableReference) -> SideColumns
    static var _sideLayout: TableLayout { get }
}

extension QuerySource {
    public static func _sideColumns(_ table: TableReference) -> TableColumns {
        TableColumns(table, "")
    }
    public static var _sideLayout: TableLayout { _layout }
}

extension Optional: JoinSide where Wrapped: QuerySource {
    public typealias SideColumns = Wrapped.OuterColumns
    public typealias SideValue = Wrapped.SideValue?
    public typealias AsOuter = Wrapped?
    public static func _sideColumns(_ table: TableReference) -> Wrapped.OuterColumns {
        Wrapped.OuterColumns(table, "")
    }
    public static var _sideLayout: TableLayout { Wrapped._layout }
}

/// What rows become: a value, a table, or a tuple of them.
public protocol RowShape {
    /// The Swift type of one row.
    associatedtype Row
    /// The same after a clause that makes `count()` mean something else.
    associatedtype Limited: RowShape = Self where Limited.Row == Row
    static func _row(_ decoder: inout some QueryDecoder) throws -> Row
    static var _typeName: String? { get }
}

extension QueryRepresentable {
    @inlinable
    public static func _row(_ decoder: inout some QueryDecoder) throws -> QueryOutput {
        try Self(decoder: &decoder).queryOutput
    }
    public static var _typeName: String? { nil }
}

/// The tables of a query, in order.
public protocol TableList {
    /// What closures are given: the columns of each table.
    associatedtype Arguments
    /// The table that key paths start at.
    associatedtype First: JoinSide
    /// A row of each table.
    associatedtype Rows: RowShape
    /// The same tables on the outer side of a join.
    associatedtype AsOuter: TableList
    static func _arguments(_ tables: [TableReference]) -> Arguments
    static var _layouts: [TableLayout] { get }
}

/// Tables of which there are several: closures may take the first one alone.
public protocol SeveralTables: TableList {}

/// All columns of all tables of a query, as long as none were selected.
public protocol UnselectedShape: RowShape where Limited: UnselectedShape {}

/// Rows of all tables.
public enum WholeRows<Tables: TableList>: UnselectedShape {
    public typealias Row = Tables.Rows.Row
    public typealias Limited = LimitedRows<Tables>
    @inlinable
    public static func _row(_ decoder: inout some QueryDecoder) throws -> Row {
        try Tables.Rows._row(&decoder)
    }
    public static var _typeName: String? { nil }
}

/// Rows of all tables, some of which the query leaves out or puts together.
public enum LimitedRows<Tables: TableList>: UnselectedShape {
    public typealias Row = Tables.Rows.Row
    public typealias Limited = Self
    @inlinable
    public static func _row(_ decoder: inout some QueryDecoder) throws -> Row {
        try Tables.Rows._row(&decoder)
    }
    public static var _typeName: String? { nil }
}
