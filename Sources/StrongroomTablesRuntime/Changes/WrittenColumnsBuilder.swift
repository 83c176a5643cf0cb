/// The columns that rows are inserted into.
public struct WrittenColumns<Shape: WrittenShape> {
    let names: [String]
}

/// Columns of a table that can be written: one, a group, or a tuple of up to twelve.
@resultBuilder
public enum WrittenColumnsBuilder {
    public static func buildBlock<Shape>(
        _ columns: WrittenColumns<Shape>
    ) -> WrittenColumns<Shape> {
        columns
    }
    public static func buildExpression<Column: WritableTableColumnExpression>(
        _ column: Column
    ) -> WrittenColumns<WrittenValue<Column.QueryValue>> {
        WrittenColumns(names: column._columnNames)
    }
}
