/// What a select, or RETURNING, gives: the columns of one term or of several.
public struct ChosenColumns<Shape: RowShape> {
    var columns: [ResultColumn]
}

/// The columns of a result: one term, or a tuple of up to twelve.
@resultBuilder
public enum SelectionBuilder {
    public static func buildBlock<Shape>(
        _ chosen: ChosenColumns<Shape>
    ) -> ChosenColumns<Shape> {
        chosen
    }
    public static func buildExpression<A: QueryTerm>(
        _ term: A
    ) -> ChosenColumns<A.TermValue> {
        ChosenColumns(columns: term._resultColumns)
    }
    public static func buildExpression<
        A: QueryTerm, B: QueryTerm
    >(
        _ terms: (A, B)
    ) -> ChosenColumns<
        Tuple2<
            A.TermValue, B.TermValue
        >
    > {
        let columns = [terms.0._resultColumns, terms.1._resultColumns]
        return ChosenColumns(columns: columns.flatMap { $0 })
    }
    public static func buildExpression<
        A: QueryTerm, B: QueryTerm, C: QueryTerm
    >(
        _ terms: (A, B, C)
    ) -> ChosenColumns<
        Tuple3<
            A.TermValue, B.TermValue, C.TermValue
        >
    > {
        let columns = [terms.0._resultColumns, terms.1._resultColumns, terms.2._resultColumns]
        return ChosenColumns(columns: columns.flatMap { $0 })
    }
    public static func buildExpression<
        A: QueryTerm, B: QueryTerm, C: QueryTerm, D: QueryTerm
    >(
        _ terms: (A, B, C, D)
    ) -> ChosenColumns<
        Tuple4<
            A.TermValue, B.TermValue, C.TermValue, D.TermValue
        >
    > {
        let columns = [
            terms.0._resultColumns, terms.1._resultColumns, terms.2._resultColumns,
            terms.3._resultColumns,
        ]
        return ChosenColumns(columns: columns.flatMap { $0 })
    }
    public static func buildExpression<
        A: QueryTerm, B: QueryTerm, C: QueryTerm, D: QueryTerm, E: QueryTerm
    >(
        _ terms: (A, B, C, D, E)
    ) -> ChosenColumns<
        Tuple5<
            A.TermValue, B.TermValue, C.TermValue, D.TermValue, E.TermValue
        >
    > {
        let columns = [
            terms.0._resultColumns, terms.1._resultColumns, terms.2._resultColumns,
            terms.3._resultColumns, terms.4._resultColumns,
        ]
        return ChosenColumns(columns: columns.flatMap { $0 })
    }
    public static func buildExpression<
        A: QueryTerm, B: QueryTerm, C: QueryTerm, D: QueryTerm, E: QueryTerm, F: QueryTerm
    >(
        _ terms: (A, B, C, D, E, F)
    ) -> ChosenColumns<
        Tuple6<
            A.TermValue, B.TermValue, C.TermValue, D.TermValue, E.TermValue, F.TermValue
        >
    > {
        let columns = [
            terms.0._resultColumns, terms.1._resultColumns, terms.2._resultColumns,
            terms.3._resultColumns, terms.4._resultColumns, terms.5._resultColumns,
        ]
        return ChosenColumns(columns: columns.flatMap { $0 })
    }
    public static func buildExpression<
        A: QueryTerm, B: QueryTerm, C: QueryTerm, D: QueryTerm, E: QueryTerm, F: QueryTerm,
        G: QueryTerm
    >(
        _ terms: (A, B, C, D, E, F, G)
    ) -> ChosenColumns<
        Tuple7<
            A.TermValue, B.TermValue, C.TermValue, D.TermValue, E.TermValue, F.TermValue,
            G.TermValue
        >
    > {
        let columns = [
            terms.0._resultColumns, terms.1._resultColumns, terms.2._resultColumns,
            terms.3._resultColumns, terms.4._resultColumns, terms.5._resultColumns,
            terms.6._resultColumns,
        ]
        return ChosenColumns(columns: columns.flatMap { $0 })
    }
    public static func buildExpression<
        A: QueryTerm, B: QueryTerm, C: QueryTerm, D: QueryTerm, E: QueryTerm, F: QueryTerm,
        G: QueryTerm, H: QueryTerm
    >(
        _ terms: (A, B, C, D, E, F, G, H)
    ) -> ChosenColumns<
        Tuple8<
            A.TermValue, B.TermValue, C.TermValue, D.TermValue, E.TermValue, F.TermValue,
            G.TermValue, H.TermValue
        >
    > {
        let columns = [
            terms.0._resultColumns, terms.1._resultColumns, terms.2._resultColumns,
            terms.3._resultColumns, terms.4._resultColumns, terms.5._resultColumns,
            terms.6._resultColumns, terms.7._resultColumns,
        ]
        return ChosenColumns(columns: columns.flatMap { $0 })
    }
    public static func buildExpression<
        A: QueryTerm, B: QueryTerm, C: QueryTerm, D: QueryTerm, E: QueryTerm, F: QueryTerm,
        G: QueryTerm, H: QueryTerm, I: QueryTerm
    >(
        _ terms: (A, B, C, D, E, F, G, H, I)
    ) -> ChosenColumns<
        Tuple9<
            A.TermValue, B.TermValue, C.TermValue, D.TermValue, E.TermValue, F.TermValue,
            G.TermValue, H.TermValue, I.TermValue
        >
    > {
        let columns = [
            terms.0._resultColumns, terms.1._resultColumns, terms.2._resultColumns,
            terms.3._resultColumns, terms.4._resultColumns, terms.5._resultColumns,
            terms.6._resultColumns, terms.7._resultColumns, terms.8._resultColumns,
        ]
        return ChosenColumns(columns: columns.flatMap { $0 })
    }
    public static func buildExpression<
        A: QueryTerm, B: QueryTerm, C: QueryTerm, D: QueryTerm, E: QueryTerm, F: QueryTerm,
        G: QueryTerm, H: QueryTerm, I: QueryTerm, J: QueryTerm
    >(
        _ terms: (A, B, C, D, E, F, G, H, I, J)
    ) -> ChosenColumns<
        Tuple10<
            A.TermValue, B.TermValue, C.TermValue, D.TermValue, E.TermValue, F.TermValue,
            G.TermValue, H.TermValue, I.TermValue, J.TermValue
        >
    > {
        let columns = [
            terms.0._resultColumns, terms.1._resultColumns, terms.2._resultColumns,
            terms.3._resultColumns, terms.4._resultColumns, terms.5._resultColumns,
            terms.6._resultColumns, terms.7._resultColumns, terms.8._resultColumns,
            terms.9._resultColumns,
        ]
        return ChosenColumns(columns: columns.flatMap { $0 })
    }
    public static func buildExpression<
        A: QueryTerm, B: QueryTerm, C: QueryTerm, D: QueryTerm, E: QueryTerm, F: QueryTerm,
        G: QueryTerm, H: QueryTerm, I: QueryTerm, J: QueryTerm, K: QueryTerm
    >(
        _ terms: (A, B, C, D, E, F, G, H, I, J, K)
    ) -> ChosenColumns<
        Tuple11<
            A.TermValue, B.TermValue, C.TermValue, D.TermValue, E.TermValue, F.TermValue,
            G.TermValue, H.TermValue, I.TermValue, J.TermValue, K.TermValue
        >
    > {
        let columns = [
            terms.0._resultColumns, terms.1._resultColumns, terms.2._resultColumns,
            terms.3._resultColumns, terms.4._resultColumns, terms.5._resultColumns,
            terms.6._resultColumns, terms.7._resultColumns, terms.8._resultColumns,
            terms.9._resultColumns, terms.10._resultColumns,
        ]
        return ChosenColumns(columns: columns.flatMap { $0 })
    }
    public static func buildExpression<
        A: QueryTerm, B: QueryTerm, C: QueryTerm, D: QueryTerm, E: QueryTerm, F: QueryTerm,
        G: QueryTerm, H: QueryTerm, I: QueryTerm, J: QueryTerm, K: QueryTerm, L: QueryTerm
    >(
        _ terms: (A, B, C, D, E, F, G, H, I, J, K, L)
    ) -> ChosenColumns<
        Tuple12<
            A.TermValue, B.TermValue, C.TermValue, D.TermValue, E.TermValue, F.TermValue,
            G.TermValue, H.TermValue, I.TermValue, J.TermValue, K.TermValue, L.TermValue
        >
    > {
        let columns = [
            terms.0._resultColumns, terms.1._resultColumns, terms.2._resultColumns,
            terms.3._resultColumns, terms.4._resultColumns, terms.5._resultColumns,
            terms.6._resultColumns, terms.7._resultColumns, terms.8._resultColumns,
            terms.9._resultColumns, terms.10._resultColumns, terms.11._resultColumns,
        ]
        return ChosenColumns(columns: columns.flatMap { $0 })
    }
}
