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
    public static func buildExpression<
        A: WritableTableColumnExpression, B: WritableTableColumnExpression
    >(
        _ columns: (A, B)
    ) -> WrittenColumns<
        Tuple2<
            A.QueryValue, B.QueryValue
        >
    > {
        let names = [
            columns.0._columnNames, columns.1._columnNames,
        ]
        return WrittenColumns(names: names.flatMap { $0 })
    }
    public static func buildExpression<
        A: WritableTableColumnExpression, B: WritableTableColumnExpression,
        C:
            WritableTableColumnExpression
    >(
        _ columns: (A, B, C)
    ) -> WrittenColumns<
        Tuple3<
            A.QueryValue, B.QueryValue, C.QueryValue
        >
    > {
        let names = [
            columns.0._columnNames, columns.1._columnNames, columns.2._columnNames,
        ]
        return WrittenColumns(names: names.flatMap { $0 })
    }
    public static func buildExpression<
        A: WritableTableColumnExpression, B: WritableTableColumnExpression,
        C:
            WritableTableColumnExpression, D: WritableTableColumnExpression
    >(
        _ columns: (A, B, C, D)
    ) -> WrittenColumns<
        Tuple4<
            A.QueryValue, B.QueryValue, C.QueryValue, D.QueryValue
        >
    > {
        let names = [
            columns.0._columnNames, columns.1._columnNames, columns.2._columnNames,
            columns.3._columnNames,
        ]
        return WrittenColumns(names: names.flatMap { $0 })
    }
    public static func buildExpression<
        A: WritableTableColumnExpression, B: WritableTableColumnExpression,
        C:
            WritableTableColumnExpression, D: WritableTableColumnExpression,
        E:
            WritableTableColumnExpression
    >(
        _ columns: (A, B, C, D, E)
    ) -> WrittenColumns<
        Tuple5<
            A.QueryValue, B.QueryValue, C.QueryValue, D.QueryValue, E.QueryValue
        >
    > {
        let names = [
            columns.0._columnNames, columns.1._columnNames, columns.2._columnNames,
            columns.3._columnNames, columns.4._columnNames,
        ]
        return WrittenColumns(names: names.flatMap { $0 })
    }
    public static func buildExpression<
        A: WritableTableColumnExpression, B: WritableTableColumnExpression,
        C:
            WritableTableColumnExpression, D: WritableTableColumnExpression,
        E:
            WritableTableColumnExpression, F: WritableTableColumnExpression
    >(
        _ columns: (A, B, C, D, E, F)
    ) -> WrittenColumns<
        Tuple6<
            A.QueryValue, B.QueryValue, C.QueryValue, D.QueryValue, E.QueryValue, F.QueryValue
        >
    > {
        let names = [
            columns.0._columnNames, columns.1._columnNames, columns.2._columnNames,
            columns.3._columnNames, columns.4._columnNames, columns.5._columnNames,
        ]
        return WrittenColumns(names: names.flatMap { $0 })
    }
}
