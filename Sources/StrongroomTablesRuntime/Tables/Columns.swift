/// A column, or a group of columns, of a table in a query.
public protocol ColumnReference<QueryValue>: QueryExpression {
    /// Makes the reference; a group has no name of its own.
    init(_ table: TableReference, _ name: String)
}

/// A column that can be written.
public protocol WritableTableColumnExpression<QueryValue>: TableColumnExpression {}

/// A column, or a group of columns.
public protocol TableColumnExpression<QueryValue>: QueryExpression {
    /// The names of the columns in the file.
    var _columnNames: [String] { get }
}

/// A column of a table.
public struct TableColumn<QueryValue: QueryRepresentable>: ColumnReference,
    WritableTableColumnExpression
{
    public typealias TermBase = QueryValue.Unwrapped
    public typealias TermValue = QueryValue
    let table: TableReference
    /// The name in the file.
    public let name: String

    /// Makes a reference to a column.
    public init(_ table: TableReference, _ name: String) {
        self.table = table
        self.name = name
    }

    /// The column with the prefix of its table.
    public var queryFragment: QueryFragment { QueryFragment([.column(table, name)], shape: .bare) }
    public var _columnNames: [String] { [name] }
    // Without the form in which a result has the column, which orders nothing.
    public var _orderingTerms: [OrderingTerm] {
        [OrderingTerm(terms: [OrderTerm(term: queryFragment)])]
    }
}

/// A column that the database computes: it is read, never written.
public struct GeneratedColumn<QueryValue: QueryRepresentable>: ColumnReference,
    TableColumnExpression
{
    public typealias TermBase = QueryValue.Unwrapped
    public typealias TermValue = QueryValue
    let table: TableReference
    /// The name in the file.
    public let name: String

    /// Makes a reference to a column.
    public init(_ table: TableReference, _ name: String) {
        self.table = table
        self.name = name
    }

    /// The column with the prefix of its table.
    public var queryFragment: QueryFragment { QueryFragment([.column(table, name)], shape: .bare) }
    public var _columnNames: [String] { [name] }
}

/// All columns of a table or of a group.
public protocol TableColumnsProtocol: ColumnReference, WritableTableColumnExpression
where QueryValue: _ColumnGroup {
    /// The table to which the columns belong.
    var _table: TableReference { get }
}

/// The columns of a table that has a key.
public protocol PrimaryKeyedColumns: TableColumnsProtocol {
    /// The type of the key's column or columns.
    associatedtype Key: ColumnReference
    /// The key.
    var primaryKey: Key { get }
}

/// The columns of an enum whose cases have columns.
public protocol CaseColumns: TableColumnsProtocol {}

/// All columns of a table on the outer side of a join, or of an optional group.
@dynamicMemberLookup
public protocol OuterColumnsProtocol: ColumnReference, WritableTableColumnExpression {
    /// The columns of a row that is there.
    associatedtype Inner: TableColumnsProtocol where Inner.QueryValue == QueryValue.Unwrapped
    /// The table to which the columns belong.
    var _table: TableReference { get }
}

extension OuterColumnsProtocol {
    /// A member of an extension of the table's columns, which a missing row makes NULL.
    public subscript<Member: QueryExpression>(
        dynamicMember path: KeyPath<Inner, Member>
    ) -> SQLQueryExpression<Member.QueryValue.Unwrapped?> {
        SQLQueryExpression(Inner(_table, "")[keyPath: path].queryFragment)
    }
}

extension TableColumnsProtocol {
    /// All columns, separated by commas.
    public var queryFragment: QueryFragment { QueryValue._layout.fragment(_table) }
    public var _columnNames: [String] { QueryValue._layout.columns.map(\.name) }
    public var _resultColumns: [ResultColumn] { QueryValue._layout.resultColumns(_table) }
}

extension OuterColumnsProtocol {
    /// All columns, separated by commas.
    public var queryFragment: QueryFragment { Inner(_table, "").queryFragment }
    public var _columnNames: [String] { Inner(_table, "")._columnNames }
    public var _resultColumns: [ResultColumn] { Inner(_table, "")._resultColumns }
}

/// Makes a column of which only the default tells the type.
public func _column<Value: QueryRepresentable<Value>>(
    _ value: () -> Value, _ name: String
) -> Value.ColumnTerm where Value.ColumnTerm: ColumnReference {
    .init(TableReference(""), name)
}

/// The same on the outer side of a join.
public func _outerColumn<Value: QueryRepresentable<Value>>(
    _ value: () -> Value, _ name: String
) -> Value.OptionalColumnTerm
where Value.OptionalColumnTerm: ColumnReference {
    .init(TableReference(""), name)
}
