/// A type that stands for several columns: a table, or a selection.
public protocol _ColumnGroup: QueryRepresentable, SendableMetatype
where
    Unwrapped == Self, QueryOutput == Self, ColumnTerm == TableColumns,
    OptionalColumnTerm == OuterColumns
{
    /// All columns.
    associatedtype TableColumns: TableColumnsProtocol
    /// All columns on the outer side of a join.
    associatedtype OuterColumns: OuterColumnsProtocol
    /// The columns in declared order.
    static var _layout: TableLayout { get }
    /// Tells which columns there are.
    static func _describe(_ columns: inout ColumnDescriptions)
}

extension _ColumnGroup {
    public static var _columnCount: Int { _layout.columns.count }
    public static var _hasOptionalColumn: Bool { _layout.hasOptionalColumn }

    public static func _describe(
        _ columns: inout ColumnDescriptions, _ column: ColumnDescription
    ) {
        columns.appendGroup(_layout, as: column)
    }

    /// Names the columns of a selection. Macros call it.
    public static func _name(_ members: [any QueryTerm]) -> [ResultColumn] {
        zip(members, _layout.memberNames).flatMap { member, property in
            let columns = _layout.columns.filter {
                $0.property.split(separator: ".")[0] == property
            }
            return zip(member._resultColumns, columns).map { result, column in
                ResultColumn(
                    fragment: result.fragment, name: column.name, path: column.property,
                    reading: result.reading, isNamed: true)
            }
        }
    }

    /// Names the columns of one case of a selection. Macros call it.
    public static func _name(case name: String, _ value: any QueryTerm) -> [ResultColumn] {
        let member = _layout.memberNames.firstIndex(of: name)
        var values = value._resultColumns[...]
        return _layout.columns.map { column in
            let isOwn = column.memberIndex == member
            let fragment = isOwn ? values.popFirst()?.fragment : nil
            return ResultColumn(
                fragment: fragment ?? QueryFragment(.null), name: column.name,
                path: column.property, reading: nil, isNamed: true)
        }
    }
}

/// Columns that stand in one place as one value: the row of a select, or a group in a table.
public protocol SelectionTable: _ColumnGroup, QuerySource {}

/// An enum of which each case has its own columns, of which those of one case are set.
public protocol CaseSelection: SelectionTable where TableColumns: CaseColumns {}

extension SelectionTable {
    @inlinable
    public static func _isMissing(_ decoder: borrowing some QueryDecoder) -> Bool {
        for index in 0..<_columnCount where !decoder.isNull(ahead: index) { return false }
        return true
    }
}

/// A table of the database, or one that a query makes.
public protocol Table: _ColumnGroup, QuerySource {
    /// Whether the rows have a number of their own: `$0.rowid`.
    associatedtype _Rows = _NumberedRows
    /// Whether a table that is a record decodes and encodes itself as one, by its own coding.
    static var _keepsRecordCoding: Bool { get }
}

extension Table {
    public static var _keepsRecordCoding: Bool { false }

    @inlinable
    public static func _isMissing(_ decoder: borrowing some QueryDecoder) -> Bool {
        for index in _layout.telling where !decoder.isNull(ahead: index) { return false }
        return true
    }
}

/// A table with a key.
public protocol PrimaryKeyedTable<PrimaryKey>: Table where TableColumns: PrimaryKeyedColumns {
    /// The type of the key.
    associatedtype PrimaryKey: QueryRepresentable
}

/// What a query takes rows from.
@dynamicMemberLookup
public protocol QuerySource: _ColumnGroup, JoinSide
where SideColumns == TableColumns, SideValue == Self {
    /// The query from which all others on this type start.
    associatedtype DefaultScope: SelectStatement
    /// All rows, or those of the default scope.
    static var all: DefaultScope { get }
}

extension QuerySource {
    /// All columns.
    public static var columns: TableColumns { TableColumns(_layout.table, "") }
    /// The name of the table.
    public static var tableName: String { _layout.table.name }
    /// The name of the schema, where one was given.
    public static var schemaName: String? { _layout.table.schema }
    /// All rows.
    public static var all: Where<Self> { Where() }

    /// A column, or a member of an extension of the table's columns.
    public static subscript<Member>(
        dynamicMember path: KeyPath<TableColumns, Member>
    ) -> Member {
        columns[keyPath: path]
    }
}

/// A row that is not in the table yet: what the database fills in may be left out.
public protocol TableDraft: Table
where TableColumns == DraftedTable.TableColumns, OuterColumns == DraftedTable.OuterColumns {
    /// The table.
    associatedtype DraftedTable: Table
    /// Makes a draft of a row.
    static func _copy(_ row: DraftedTable) -> Self
}

extension TableDraft {
    /// Makes a draft of a row.
    public init(_ row: DraftedTable) { self = Self._copy(row) }

    /// Reads a whole row, and makes a draft of it.
    ///
    /// - Throws: `QueryDecodingError` when a column does not fit its type.
    public init(decoder: inout some QueryDecoder) throws {
        self = Self._copy(try DraftedTable(decoder: &decoder))
    }

    public static var _layout: TableLayout { DraftedTable._layout }
    public static func _describe(_ columns: inout ColumnDescriptions) {
        DraftedTable._describe(&columns)
    }
}

extension TableDraft where DraftedTable: PrimaryKeyedTable {
    /// The row with a key, as a draft.
    public static func find(
        _ key: DraftedTable.PrimaryKey.Unwrapped.QueryOutput
    ) -> Where<Self> {
        find([key])
    }

    /// The rows with these keys, as drafts.
    public static func find(
        _ keys: some Sequence<DraftedTable.PrimaryKey.Unwrapped.QueryOutput>
    ) -> Where<Self> {
        var result = Where<Self>()
        result._clauses.find(Array(keys), DraftedTable.PrimaryKey.self, in: _layout)
        return result
    }

    /// The row whose key an expression gives, as a draft.
    @_disfavoredOverload
    public static func find<Key: QueryExpression>(_ key: Key) -> Where<Self>
    where Key.QueryValue.Unwrapped == DraftedTable.PrimaryKey.Unwrapped {
        var result = Where<Self>()
        result._clauses.find(
            key: key.operandFragment, DraftedTable.PrimaryKey.self, in: _layout)
        return result
    }

    /// The row whose key SQL gives, as the type of the key says, as a draft.
    @_disfavoredOverload
    public static func find(_ key: SQLQueryExpression<DraftedTable.PrimaryKey>) -> Where<Self> {
        var result = Where<Self>()
        result._clauses.find(
            key: key.operandFragment, DraftedTable.PrimaryKey.self, in: _layout)
        return result
    }

    /// The rows whose keys a query gives, as drafts.
    public static func find<Keys: Statement>(_ keys: Keys) -> Where<Self>
    where
        Keys.Shape: ScalarShape,
        Keys.Shape.SubqueryValue.Unwrapped == DraftedTable.PrimaryKey.Unwrapped
    {
        var result = Where<Self>()
        result._clauses.find(keys: keys, DraftedTable.PrimaryKey.self, in: _layout)
        return result
    }
}
