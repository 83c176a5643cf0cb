// Expressions for more columns.

extension WrittenRowsBuilder {
    public static func buildExpression<
        A: QueryRepresentable, B: QueryRepresentable, C: QueryRepresentable,
        D:
            QueryRepresentable, E: QueryRepresentable, F: QueryRepresentable
    >(
        _ row: (
            some AssignedExpression<A>, some AssignedExpression<B>, some AssignedExpression<C>,
            some AssignedExpression<D>, some AssignedExpression<E>, some AssignedExpression<F>
        )
    ) -> [[QueryFragment]] where Shape == Tuple6<A, B, C, D, E, F> {
        let fragments = [
            row.0.insertedFragments, row.1.insertedFragments, row.2.insertedFragments,
            row.3.insertedFragments, row.4.insertedFragments, row.5.insertedFragments,
        ]
        return [fragments.flatMap { $0 }]
    }
    public static func buildExpression<
        A: QueryRepresentable, B: QueryRepresentable, C: QueryRepresentable,
        D:
            QueryRepresentable, E: QueryRepresentable, F: QueryRepresentable,
        G:
            QueryRepresentable
    >(
        _ row: (
            some AssignedExpression<A>, some AssignedExpression<B>, some AssignedExpression<C>,
            some AssignedExpression<D>, some AssignedExpression<E>, some AssignedExpression<F>,
            some AssignedExpression<G>
        )
    ) -> [[QueryFragment]] where Shape == Tuple7<A, B, C, D, E, F, G> {
        let fragments = [
            row.0.insertedFragments, row.1.insertedFragments, row.2.insertedFragments,
            row.3.insertedFragments, row.4.insertedFragments, row.5.insertedFragments,
            row.6.insertedFragments,
        ]
        return [fragments.flatMap { $0 }]
    }
    public static func buildExpression<
        A: QueryRepresentable, B: QueryRepresentable, C: QueryRepresentable,
        D:
            QueryRepresentable, E: QueryRepresentable, F: QueryRepresentable,
        G:
            QueryRepresentable, H: QueryRepresentable
    >(
        _ row: (
            some AssignedExpression<A>, some AssignedExpression<B>, some AssignedExpression<C>,
            some AssignedExpression<D>, some AssignedExpression<E>, some AssignedExpression<F>,
            some AssignedExpression<G>, some AssignedExpression<H>
        )
    ) -> [[QueryFragment]] where Shape == Tuple8<A, B, C, D, E, F, G, H> {
        let fragments = [
            row.0.insertedFragments, row.1.insertedFragments, row.2.insertedFragments,
            row.3.insertedFragments, row.4.insertedFragments, row.5.insertedFragments,
            row.6.insertedFragments, row.7.insertedFragments,
        ]
        return [fragments.flatMap { $0 }]
    }
    public static func buildExpression<
        A: QueryRepresentable, B: QueryRepresentable, C: QueryRepresentable,
        D:
            QueryRepresentable, E: QueryRepresentable, F: QueryRepresentable,
        G:
            QueryRepresentable, H: QueryRepresentable, I: QueryRepresentable
    >(
        _ row: (
            some AssignedExpression<A>, some AssignedExpression<B>, some AssignedExpression<C>,
            some AssignedExpression<D>, some AssignedExpression<E>, some AssignedExpression<F>,
            some AssignedExpression<G>, some AssignedExpression<H>, some AssignedExpression<I>
        )
    ) -> [[QueryFragment]] where Shape == Tuple9<A, B, C, D, E, F, G, H, I> {
        let fragments = [
            row.0.insertedFragments, row.1.insertedFragments, row.2.insertedFragments,
            row.3.insertedFragments, row.4.insertedFragments, row.5.insertedFragments,
            row.6.insertedFragments, row.7.insertedFragments, row.8.insertedFragments,
        ]
        return [fragments.flatMap { $0 }]
    }
    public static func buildExpression<
        A: QueryRepresentable, B: QueryRepresentable, C: QueryRepresentable,
        D:
            QueryRepresentable, E: QueryRepresentable, F: QueryRepresentable,
        G:
            QueryRepresentable, H: QueryRepresentable, I: QueryRepresentable,
        J:
            QueryRepresentable
    >(
        _ row: (
            some AssignedExpression<A>, some AssignedExpression<B>, some AssignedExpression<C>,
            some AssignedExpression<D>, some AssignedExpression<E>, some AssignedExpression<F>,
            some AssignedExpression<G>, some AssignedExpression<H>, some AssignedExpression<I>,
            some AssignedExpression<J>
        )
    ) -> [[QueryFragment]] where Shape == Tuple10<A, B, C, D, E, F, G, H, I, J> {
        let fragments = [
            row.0.insertedFragments, row.1.insertedFragments, row.2.insertedFragments,
            row.3.insertedFragments, row.4.insertedFragments, row.5.insertedFragments,
            row.6.insertedFragments, row.7.insertedFragments, row.8.insertedFragments,
            row.9.insertedFragments,
        ]
        return [fragments.flatMap { $0 }]
    }
    public static func buildExpression<
        A: QueryRepresentable, B: QueryRepresentable, C: QueryRepresentable,
        D:
            QueryRepresentable, E: QueryRepresentable, F: QueryRepresentable,
        G:
            QueryRepresentable, H: QueryRepresentable, I: QueryRepresentable,
        J:
            QueryRepresentable, K: QueryRepresentable
    >(
        _ row: (
            some AssignedExpression<A>, some AssignedExpression<B>, some AssignedExpression<C>,
            some AssignedExpression<D>, some AssignedExpression<E>, some AssignedExpression<F>,
            some AssignedExpression<G>, some AssignedExpression<H>, some AssignedExpression<I>,
            some AssignedExpression<J>, some AssignedExpression<K>
        )
    ) -> [[QueryFragment]] where Shape == Tuple11<A, B, C, D, E, F, G, H, I, J, K> {
        let fragments = [
            row.0.insertedFragments, row.1.insertedFragments, row.2.insertedFragments,
            row.3.insertedFragments, row.4.insertedFragments, row.5.insertedFragments,
            row.6.insertedFragments, row.7.insertedFragments, row.8.insertedFragments,
            row.9.insertedFragments, row.10.insertedFragments,
        ]
        return [fragments.flatMap { $0 }]
    }
    public static func buildExpression<
        A: QueryRepresentable, B: QueryRepresentable, C: QueryRepresentable,
        D:
            QueryRepresentable, E: QueryRepresentable, F: QueryRepresentable,
        G:
            QueryRepresentable, H: QueryRepresentable, I: QueryRepresentable,
        J:
            QueryRepresentable, K: QueryRepresentable, L: QueryRepresentable
    >(
        _ row: (
            some AssignedExpression<A>, some AssignedExpression<B>, some AssignedExpression<C>,
            some AssignedExpression<D>, some AssignedExpression<E>, some AssignedExpression<F>,
            some AssignedExpression<G>, some AssignedExpression<H>, some AssignedExpression<I>,
            some AssignedExpression<J>, some AssignedExpression<K>, some AssignedExpression<L>
        )
    ) -> [[QueryFragment]] where Shape == Tuple12<A, B, C, D, E, F, G, H, I, J, K, L> {
        let fragments = [
            row.0.insertedFragments, row.1.insertedFragments, row.2.insertedFragments,
            row.3.insertedFragments, row.4.insertedFragments, row.5.insertedFragments,
            row.6.insertedFragments, row.7.insertedFragments, row.8.insertedFragments,
            row.9.insertedFragments, row.10.insertedFragments, row.11.insertedFragments,
        ]
        return [fragments.flatMap { $0 }]
    }
}
