/// Rows to insert into some columns: values, or expressions, on lines.
@resultBuilder
public enum WrittenRowsBuilder<Shape: WrittenShape> {
    public static func buildExpression(_ row: Shape.Row) -> [[QueryFragment]] {
        [Shape.fragments(row)]
    }
    public static func buildExpression<Value: QueryRepresentable>(
        _ value: some AssignedExpression<Value>
    ) -> [[QueryFragment]] where Shape == WrittenValue<Value> {
        [value.insertedFragments]
    }
    /// A column that takes NULL takes what is never NULL, too.
    public static func buildExpression<Value: QueryBindable>(
        _ value: some AssignedExpression<Value>
    ) -> [[QueryFragment]] where Shape == WrittenValue<Value?> {
        [value.insertedFragments]
    }
    public static func buildExpression<Rows: Sequence<Shape.Row>>(
        _ rows: Rows
    ) -> [[QueryFragment]] {
        rows.map(Shape.fragments)
    }
    public static func buildBlock(_ parts: [[QueryFragment]]...) -> [[QueryFragment]] {
        parts.flatMap { $0 }
    }
    public static func buildOptional(_ part: [[QueryFragment]]?) -> [[QueryFragment]] {
        part ?? []
    }
    public static func buildEither(first part: [[QueryFragment]]) -> [[QueryFragment]] { part }
    public static func buildEither(second part: [[QueryFragment]]) -> [[QueryFragment]] { part }
    public static func buildArray(_ parts: [[[QueryFragment]]]) -> [[QueryFragment]] {
        parts.flatMap { $0 }
    }
}
