// The same for more columns.

extension WrittenColumnsBuilder {
    public static func buildExpression<
        A: WritableTableColumnExpression, B: WritableTableColumnExpression,
        C:
            WritableTableColumnExpression, D: WritableTableColumnExpression,
        E:
            WritableTableColumnExpression, F: WritableTableColumnExpression,
        G:
            WritableTableColumnExpression
    >(
        _ columns: (A, B, C, D, E, F, G)
    ) -> WrittenColumns<
        Tuple7<
            A.QueryValue, B.QueryValue, C.QueryValue, D.QueryValue, E.QueryValue, F.QueryValue,
            G.QueryValue
        >
    > {
        let names = [
            columns.0._columnNames, columns.1._columnNames, columns.2._columnNames,
            columns.3._columnNames, columns.4._columnNames, columns.5._columnNames,
            columns.6._columnNames,
        ]
        return WrittenColumns(names: names.flatMap { $0 })
    }
    public static func buildExpression<
        A: WritableTableColumnExpression, B: WritableTableColumnExpression,
        C:
            WritableTableColumnExpression, D: WritableTableColumnExpression,
        E:
            WritableTableColumnExpression, F: WritableTableColumnExpression,
        G:
            WritableTableColumnExpression, H: WritableTableColumnExpression
    >(
        _ columns: (A, B, C, D, E, F, G, H)
    ) -> WrittenColumns<
        Tuple8<
            A.QueryValue, B.QueryValue, C.QueryValue, D.QueryValue, E.QueryValue, F.QueryValue,
            G.QueryValue, H.QueryValue
        >
    > {
        let names = [
            columns.0._columnNames, columns.1._columnNames, columns.2._columnNames,
            columns.3._columnNames, columns.4._columnNames, columns.5._columnNames,
            columns.6._columnNames, columns.7._columnNames,
        ]
        return WrittenColumns(names: names.flatMap { $0 })
    }
    public static func buildExpression<
        A: WritableTableColumnExpression, B: WritableTableColumnExpression,
        C:
            WritableTableColumnExpression, D: WritableTableColumnExpression,
        E:
            WritableTableColumnExpression, F: WritableTableColumnExpression,
        G:
            WritableTableColumnExpression, H: WritableTableColumnExpression,
        I:
            WritableTableColumnExpression
    >(
        _ columns: (A, B, C, D, E, F, G, H, I)
    ) -> WrittenColumns<
        Tuple9<
            A.QueryValue, B.QueryValue, C.QueryValue, D.QueryValue, E.QueryValue, F.QueryValue,
            G.QueryValue, H.QueryValue, I.QueryValue
        >
    > {
        let names = [
            columns.0._columnNames, columns.1._columnNames, columns.2._columnNames,
            columns.3._columnNames, columns.4._columnNames, columns.5._columnNames,
            columns.6._columnNames, columns.7._columnNames, columns.8._columnNames,
        ]
        return WrittenColumns(names: names.flatMap { $0 })
    }
    public static func buildExpression<
        A: WritableTableColumnExpression, B: WritableTableColumnExpression,
        C:
            WritableTableColumnExpression, D: WritableTableColumnExpression,
        E:
            WritableTableColumnExpression, F: WritableTableColumnExpression,
        G:
            WritableTableColumnExpression, H: WritableTableColumnExpression,
        I:
            WritableTableColumnExpression, J: WritableTableColumnExpression
    >(
        _ columns: (A, B, C, D, E, F, G, H, I, J)
    ) -> WrittenColumns<
        Tuple10<
            A.QueryValue, B.QueryValue, C.QueryValue, D.QueryValue, E.QueryValue, F.QueryValue,
            G.QueryValue, H.QueryValue, I.QueryValue, J.QueryValue
        >
    > {
        let names = [
            columns.0._columnNames, columns.1._columnNames, columns.2._columnNames,
            columns.3._columnNames, columns.4._columnNames, columns.5._columnNames,
            columns.6._columnNames, columns.7._columnNames, columns.8._columnNames,
            columns.9._columnNames,
        ]
        return WrittenColumns(names: names.flatMap { $0 })
    }
    public static func buildExpression<
        A: WritableTableColumnExpression, B: WritableTableColumnExpression,
        C:
            WritableTableColumnExpression, D: WritableTableColumnExpression,
        E:
            WritableTableColumnExpression, F: WritableTableColumnExpression,
        G:
            WritableTableColumnExpression, H: WritableTableColumnExpression,
        I:
            WritableTableColumnExpression, J: WritableTableColumnExpression,
        K:
            WritableTableColumnExpression
    >(
        _ columns: (A, B, C, D, E, F, G, H, I, J, K)
    ) -> WrittenColumns<
        Tuple11<
            A.QueryValue, B.QueryValue, C.QueryValue, D.QueryValue, E.QueryValue, F.QueryValue,
            G.QueryValue, H.QueryValue, I.QueryValue, J.QueryValue, K.QueryValue
        >
    > {
        let names = [
            columns.0._columnNames, columns.1._columnNames, columns.2._columnNames,
            columns.3._columnNames, columns.4._columnNames, columns.5._columnNames,
            columns.6._columnNames, columns.7._columnNames, columns.8._columnNames,
            columns.9._columnNames, columns.10._columnNames,
        ]
        return WrittenColumns(names: names.flatMap { $0 })
    }
    public static func buildExpression<
        A: WritableTableColumnExpression, B: WritableTableColumnExpression,
        C:
            WritableTableColumnExpression, D: WritableTableColumnExpression,
        E:
            WritableTableColumnExpression, F: WritableTableColumnExpression,
        G:
            WritableTableColumnExpression, H: WritableTableColumnExpression,
        I:
            WritableTableColumnExpression, J: WritableTableColumnExpression,
        K:
            WritableTableColumnExpression, L: WritableTableColumnExpression
    >(
        _ columns: (A, B, C, D, E, F, G, H, I, J, K, L)
    ) -> WrittenColumns<
        Tuple12<
            A.QueryValue, B.QueryValue, C.QueryValue, D.QueryValue, E.QueryValue, F.QueryValue,
            G.QueryValue, H.QueryValue, I.QueryValue, J.QueryValue, K.QueryValue, L.QueryValue
        >
    > {
        let names = [
            columns.0._columnNames, columns.1._columnNames, columns.2._columnNames,
            columns.3._columnNames, columns.4._columnNames, columns.5._columnNames,
            columns.6._columnNames, columns.7._columnNames, columns.8._columnNames,
            columns.9._columnNames, columns.10._columnNames, columns.11._columnNames,
        ]
        return WrittenColumns(names: names.flatMap { $0 })
    }
}
