// The chain has one branch: a file that imports this module alone sees the types of the runtime,
// which shadow those of Strongroom that have the same names.
@_exported public import StrongroomTablesRuntime

/// Makes a struct or an enum the row of a table.
///
///     @Table struct Item: Identifiable {
///         let id: Int
///         var title = ""
///     }
///
/// - Parameters:
///   - name: The name of the table. Without it, the plural of the type's name.
///   - schema: The schema of an attached database.
///   - naming: How the name is made from the type's.
///   - lazyColumns: Which properties a draft may leave to the database.
///   - coding: Whether the keys of JSON are the names of the columns.
///   - records: How the type is written as a record of Strongroom.
///   - withoutRowID: Whether the table is declared WITHOUT ROWID.
///   - onConflictingDelete: What holds for a row that is deleted in one place and changed in another.
///     ``TableSchema`` keeps it; nothing here acts on it.
///   - renamedFrom: The first name that the table had, which stays its stable name.
@attached(memberAttribute)
@attached(member, names: named(_Scope))
@attached(
    extension,
    conformances: Table, PrimaryKeyedTable, QuerySource, _ColumnGroup, JoinSide,
    QueryRepresentable,
    names: named(PrimaryKey), named(primaryKey), named(Columns), named(_layout), named(_describe),
    named(init(decoder:)), named(_encode), named(TableColumns), named(OuterColumns),
    named(Selection), named(Draft), named(CodingKeys), named(init(from:)),
    named(encode(to:)), named(_keepsRecordCoding), named(_Rows))
public macro Table(
    _ name: String? = nil, schema: String? = nil, naming: TableNaming = .plural,
    lazyColumns: LazyColumns = .none, coding: TableCoding = .byCompiler,
    records: TableRecords = .columns, withoutRowID: Bool = false,
    onConflictingDelete: ConflictingDeletePolicy? = nil, renamedFrom: String? = nil
) = #externalMacro(module: "StrongroomTablesMacros", type: "TableMacro")

/// Makes a struct the row of a view, which is named by the plural of the type's name.
///
///     @Table(.view) struct OverdueLoan { let id: Int; var days: Int }
@attached(memberAttribute)
@attached(member, names: named(_Scope))
@attached(
    extension,
    conformances: Table, PrimaryKeyedTable, QuerySource, _ColumnGroup, JoinSide,
    QueryRepresentable,
    names: named(PrimaryKey), named(primaryKey), named(Columns), named(_layout), named(_describe),
    named(init(decoder:)), named(_encode), named(TableColumns), named(OuterColumns),
    named(Selection), named(Draft), named(CodingKeys), named(init(from:)),
    named(encode(to:)), named(_keepsRecordCoding), named(_Rows))
public macro Table(
    _ kind: TableKind, schema: String? = nil, naming: TableNaming = .plural,
    coding: TableCoding = .byCompiler
) = #externalMacro(module: "StrongroomTablesMacros", type: "TableMacro")

/// Makes a struct the row of a view.
///
///     @Table("current_loans", .view) struct CurrentLoan { let id: Int; var reader: String }
@attached(memberAttribute)
@attached(member, names: named(_Scope))
@attached(
    extension,
    conformances: Table, PrimaryKeyedTable, QuerySource, _ColumnGroup, JoinSide,
    QueryRepresentable,
    names: named(PrimaryKey), named(primaryKey), named(Columns), named(_layout), named(_describe),
    named(init(decoder:)), named(_encode), named(TableColumns), named(OuterColumns),
    named(Selection), named(Draft), named(CodingKeys), named(init(from:)),
    named(encode(to:)), named(_keepsRecordCoding), named(_Rows))
public macro Table(
    _ name: String?, _ kind: TableKind, schema: String? = nil,
    naming: TableNaming = .plural, coding: TableCoding = .byCompiler
) = #externalMacro(module: "StrongroomTablesMacros", type: "TableMacro")

/// Makes a struct or an enum the row of a query, or a group of columns in a table.
///
///     @Selection struct Price {
///         let title: String
///         let price: Double
///     }
///
///     let prices = Item.select { Price.Columns(title: $0.title, price: $0.price ?? 0) }
///     try prices.fetchAll(db).count  // 4
@attached(memberAttribute)
@attached(member, names: named(_Scope))
@attached(
    extension,
    conformances: SelectionTable, CaseSelection, QuerySource, _ColumnGroup, JoinSide,
    QueryRepresentable,
    names: named(Columns), named(_layout), named(_describe), named(init(decoder:)),
    named(_encode), named(TableColumns), named(OuterColumns), named(Selection),
    named(CodingKeys), named(init(from:)), named(encode(to:)))
public macro Selection(
    _ name: String? = nil, coding: TableCoding = .columns
) = #externalMacro(module: "StrongroomTablesMacros", type: "SelectionMacro")

/// Says how a property is stored.
///
///     @Table struct Visit: Identifiable {
///         let id: Int
///         @Column("visited_at", as: Date.UnixTimeRepresentation.self) var date: Date
///         @Column(as: [String].JSONRepresentation.self) var guests: [String] = []
///     }
///
/// - Parameters:
///   - name: The name of the column, where it is not the property's.
///   - representation: The type by which the value is stored.
///   - primaryKey: Whether the column is the key.
///   - generated: How the database computes the column.
///   - lazyInitializable: Whether a draft may leave the value to the database.
///   - merge: How two changes of the column, made in two places, become one. ``TableSchema`` keeps
///     it; nothing here acts on it.
///   - owner: Whether the column names the owner of the row; kept likewise.
///   - renamedFrom: The first name that the column had, which stays its stable name.
@attached(peer)
public macro Column(
    _ name: String? = nil, as representation: (any QueryRepresentable.Type)? = nil,
    primaryKey: Bool = false, generated: GeneratedStorage? = nil,
    lazyInitializable: Bool = false, merge: MergePolicy? = nil, owner: Bool = false,
    renamedFrom: String? = nil
) = #externalMacro(module: "StrongroomTablesMacros", type: "ColumnMacro")

/// Says how a group of columns is stored.
@available(*, deprecated, renamed: "Column")
@attached(peer)
public macro Columns(
    primaryKey: Bool = false
) = #externalMacro(module: "StrongroomTablesMacros", type: "ColumnMacro")

/// Keeps a property out of the table: it has its default in every row that is read.
///
///     @Table struct Photo: Identifiable {
///         let id: Int
///         var name = ""
///         @Ephemeral var isSelected = false
///     }
@attached(peer)
public macro Ephemeral() =
    #externalMacro(module: "StrongroomTablesMacros", type: "ColumnMacro")

/// Makes an expression of SQL as it is written, with bound values in it.
///
///     #sql("\(Item.due) < date('now')", as: Bool.self)
@freestanding(expression)
public macro sql<Value: QueryRepresentable>(
    _ sql: QueryFragment, as type: Value.Type = Value.self
) -> SQLQueryExpression<Value> =
    #externalMacro(module: "StrongroomTablesMacros", type: "SQLMacro")

/// Binds a value through a representation.
///
///     // A date as the column stores it: in seconds.
///     let day = #bind(Date(timeIntervalSince1970: 0), as: Date.UnixTimeRepresentation.self)
///     Item.select { _ in day }  // SELECT 0 FROM "items"
@freestanding(expression)
public macro bind<Value: QueryRepresentable>(
    _ value: Value.QueryOutput, as type: Value.Type = Value.self
) -> SQLQueryExpression<Value> =
    #externalMacro(module: "StrongroomTablesMacros", type: "BindMacro")
