/// One column of a table, with its name in the file.
public protocol NamedColumnExpression<QueryValue>: TableColumnExpression {
    /// The name in the file.
    var name: String { get }
}

extension TableColumn: NamedColumnExpression {}
extension GeneratedColumn: NamedColumnExpression {}

extension TableColumnsProtocol {
    /// All columns in declared order, those of groups in their place, for generic code.
    ///
    /// ```swift
    /// let names = Item.TableColumns.allColumns.map(\.name)
    /// ```
    public static var allColumns: [any NamedColumnExpression] { QueryValue._layout.namedColumns }

    /// The columns that are written: all but those that the database computes.
    public static var writableColumns: [any NamedColumnExpression & WritableTableColumnExpression] {
        allColumns.compactMap { $0 as? any NamedColumnExpression & WritableTableColumnExpression }
    }
}

extension TableLayout {
    fileprivate var namedColumns: [any NamedColumnExpression] {
        zip(columns, valueTypes).map { column, type in type.named(column, of: table) }
    }
}

extension QueryBindable {
    fileprivate static func named(
        _ column: ColumnDescription, of table: TableReference
    ) -> any NamedColumnExpression {
        switch (column.isOptional && !_isOptional, column.isWritable) {
        case (false, true): TableColumn<Self>(table, column.name)
        case (true, true): TableColumn<Self?>(table, column.name)
        case (false, false): GeneratedColumn<Self>(table, column.name)
        case (true, false): GeneratedColumn<Self?>(table, column.name)
        }
    }
}
