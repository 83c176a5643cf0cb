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
    public static func buildExpression<
        A: QueryRepresentable, B: QueryRepresentable
    >(
        _ row: (
            some AssignedExpression<A>, some AssignedExpression<B>
        )
    ) -> [[QueryFragment]] where Shape == Tuple2<A, B> {
        let fragments = [
            row.0.insertedFragments, row.1.insertedFragments,
        ]
        return [fragments.flatMap { $0 }]
    }
    public static func buildExpression<
        A: QueryRepresentable, B: QueryRepresentable, C: QueryRepresentable
    >(
        _ row: (
            some AssignedExpression<A>, some AssignedExpression<B>, some AssignedExpression<C>
        )
    ) -> [[QueryFragment]] where Shape == Tuple3<A, B, C> {
        let fragments = [
            row.0.insertedFragments, row.1.insertedFragments, row.2.insertedFragments,
        ]
        return [fragments.flatMap { $0 }]
    }
    public static func buildExpression<
        A: QueryRepresentable, B: QueryRepresentable, C: QueryRepresentable,
        D:
            QueryRepresentable
    >(
        _ row: (
            some AssignedExpression<A>, some AssignedExpression<B>, some AssignedExpression<C>,
            some AssignedExpression<D>
        )
    ) -> [[QueryFragment]] where Shape == Tuple4<A, B, C, D> {
        let fragments = [
            row.0.insertedFragments, row.1.insertedFragments, row.2.insertedFragments,
            row.3.insertedFragments,
        ]
        return [fragments.flatMap { $0 }]
    }
    public static func buildExpression<
        A: QueryRepresentable, B: QueryRepresentable, C: QueryRepresentable,
        D:
            QueryRepresentable, E: QueryRepresentable
    >(
        _ row: (
            some AssignedExpression<A>, some AssignedExpression<B>, some AssignedExpression<C>,
            some AssignedExpression<D>, some AssignedExpression<E>
        )
    ) -> [[QueryFragment]] where Shape == Tuple5<A, B, C, D, E> {
        let fragments = [
            row.0.insertedFragments, row.1.insertedFragments, row.2.insertedFragments,
            row.3.insertedFragments, row.4.insertedFragments,
        ]
        return [fragments.flatMap { $0 }]
    }
}
