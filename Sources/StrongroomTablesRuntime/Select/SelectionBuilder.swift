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
}
