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
        Wrapped.OuterColumns(table.outer, "")
    }
    public static var _sideLayout: TableLayout { Wrapped._layout }
}

/// What rows become: a value, a table, or a tuple of them.
public protocol RowShape {
    /// The Swift type of one row.
    associatedtype RowValue
    /// The same after a clause that makes `count()` mean something else.
    associatedtype Limited: RowShape = Self where Limited.RowValue == RowValue
    static func _row(_ decoder: inout some QueryDecoder) throws -> RowValue
    /// The table or selection that a row is, if it is one.
    static var _group: (any _ColumnGroup.Type)? { get }
    /// The number of columns, where it is known without a table.
    static var _resultCount: Int? { get }
}

/// What columns that were selected become.
public protocol SelectedShape: RowShape {}

/// Rows of one value, which can stand in an expression.
public protocol ScalarShape: SelectedShape {
    /// The value as a subquery gives it: NULL when there is no row.
    associatedtype SubqueryValue: QueryRepresentable
}

/// A value that an aggregate gives for any number of rows.
public enum CertainValue<Value: QueryRepresentable>: ScalarShape {
    /// The value.
    public typealias Row = Value.QueryOutput
    public typealias Limited = Value
    public typealias SubqueryValue = Value
    @inlinable
    public static func _row(_ decoder: inout some QueryDecoder) throws -> Row {
        try decoder.decode(Value.self)
    }
}

extension QueryRepresentable {
    public static var _resultCount: Int? { _columnCount }

    @inlinable
    public static func _row(_ decoder: inout some QueryDecoder) throws -> QueryOutput {
        try Self(decoder: &decoder).queryOutput
    }
}

extension _ColumnGroup {
    /// The row itself, of which `queryOutput` would be a copy.
    @inlinable
    public static func _row(_ decoder: inout some QueryDecoder) throws -> QueryOutput {
        try Self(decoder: &decoder)
    }
}

/// The tables of a query, in order.
public protocol TableList {
    /// What closures are given: the columns of each table.
    associatedtype Arguments
    /// The table that key paths start at.
    associatedtype First: JoinSide
    /// A row of each table.
    associatedtype Rows: RowShape
    static func _arguments(_ tables: [TableReference]) -> Arguments
    static var _layouts: [TableLayout] { get }
}

/// Tables of which there are several: closures may take the first one alone.
public protocol SeveralTables: TableList {}

/// All columns of all tables of a query, as long as none were selected.
public protocol UnselectedShape: RowShape where Limited: UnselectedShape {}

/// Rows of all tables.
public enum WholeRows<Tables: TableList>: UnselectedShape {
    /// A row of each table: a tuple where there are several.
    public typealias Row = Tables.Rows.RowValue
    public typealias Limited = LimitedRows<Tables>
    @inlinable
    public static func _row(_ decoder: inout some QueryDecoder) throws -> Row {
        try Tables.Rows._row(&decoder)
    }
}

/// Rows of all tables, some of which the query leaves out or puts together.
public enum LimitedRows<Tables: TableList>: UnselectedShape {
    /// A row of each table: a tuple where there are several.
    public typealias Row = Tables.Rows.RowValue
    public typealias Limited = Self
    @inlinable
    public static func _row(_ decoder: inout some QueryDecoder) throws -> Row {
        try Tables.Rows._row(&decoder)
    }
}

extension RowShape {
    public static var _group: (any _ColumnGroup.Type)? { nil }
    public static var _resultCount: Int? { nil }
}

extension WholeRows {
    public static var _group: (any _ColumnGroup.Type)? { Tables.Rows._group }
}

extension LimitedRows {
    public static var _group: (any _ColumnGroup.Type)? { Tables.Rows._group }
}

extension _ColumnGroup {
    public static var _group: (any _ColumnGroup.Type)? { Self.self }
}
