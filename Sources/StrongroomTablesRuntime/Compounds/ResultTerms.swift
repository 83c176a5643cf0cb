/// A column of the result of a compound, by its number: it can order, and nothing else.
public struct ResultTerm<Value>: OrderingExpression, Sendable {
    let ordinals: Range<Int>
    var collation: String = ""

    public var _orderingTerms: [OrderingTerm] { [term(nil, nil)] }

    private func term(
        _ direction: OrderTerm.Direction?, _ nulls: NullOrdering?
    ) -> OrderingTerm {
        OrderingTerm(
            terms: ordinals.map {
                OrderTerm(
                    term: QueryFragment(text: String($0) + collation), direction: direction,
                    nulls: nulls)
            })
    }

    /// From the smallest to the largest.
    public func asc(nulls: NullOrdering? = nil) -> OrderingTerm { term(.ascending, nulls) }
    /// From the largest to the smallest.
    ///
    ///     Item.select(\.title).union(Folder.select(\.title)).order { $0.desc() }
    ///     // SELECT "items"."title" FROM "items" UNION SELECT "folders"."title" FROM "folders"
    ///     // ORDER BY 1 DESC
    public func desc(nulls: NullOrdering? = nil) -> OrderingTerm { term(.descending, nulls) }
    /// The texts, compared in another way.
    ///
    ///     Item.select(\.title).union(Folder.select(\.title)).order { $0.collate(.nocase) }
    ///     // SELECT "items"."title" FROM "items" UNION SELECT "folders"."title" FROM "folders"
    ///     // ORDER BY 1 COLLATE "NOCASE"
    public func collate(_ collation: Collation) -> ResultTerm {
        ResultTerm(
            ordinals: ordinals, collation: " COLLATE " + collation.rawValue.quotedIdentifier)
    }
}

/// The columns of rows that a compound gives, by the names of their properties.
@dynamicMemberLookup
public struct ResultTerms<Group: _ColumnGroup>: OrderingExpression, Sendable {
    public var _orderingTerms: [OrderingTerm] {
        ResultTerm<Group>(ordinals: 1..<Group._columnCount + 1)._orderingTerms
    }

    /// A column of the result.
    public subscript<Column: TableColumnExpression>(
        dynamicMember path: KeyPath<Group.TableColumns, Column>
    ) -> ResultTerm<Column.QueryValue> {
        let names = Group.columns[keyPath: path]._columnNames
        let all = Group._layout.columns.map(\.name)
        let first = (names.first.flatMap { all.firstIndex(of: $0) } ?? 0) + 1
        return ResultTerm(ordinals: first..<first + names.count)
    }
}

extension Compound {
    private func ordered(_ terms: [OrderingTerm]) -> Compound {
        var copy = self
        copy.orders += terms.flatMap(\.terms)
        return copy
    }

    /// Gives at most this many rows; nil changes nothing.
    ///
    ///     let names = Item.select(\.title).union(all: true, Folder.select(\.title))
    ///     try names.order { $0.desc() }.limit(2).fetchAll(db)  // ["home", "garden"]
    public func limit(_ count: Int?) -> Compound {
        var copy = self
        if let count { copy.limit = count.queryFragment }
        return copy
    }

    /// Skips this many rows; nil changes nothing.
    ///
    ///     let names = Item.select(\.title).union(Folder.select(\.title)).order { $0 }
    ///     try names.limit(2).offset(4).fetchAll(db)  // ["garden", "home"]
    public func offset(_ count: Int?) -> Compound {
        var copy = self
        if let count { copy.offset = count.queryFragment }
        return copy
    }

    /// Orders the rows by their columns.
    ///
    ///     let dones = Item.where(\.isDone).select { Done.Columns(id: $0.id, title: $0.title) }
    ///     let others = Folder.select { Done.Columns(id: $0.id, title: $0.title) }
    ///     try dones.union(others).order { $0.title }.fetchAll(db).map(\.title)
    ///     // ["Bread", "garden", "home"]
    public func order(
        @TermBuilder _ terms: (ResultTerms<Shape>) -> [OrderingTerm]
    ) -> Compound where Shape: _ColumnGroup {
        ordered(terms(ResultTerms()))
    }

    /// Orders the values.
    @_disfavoredOverload
    public func order(
        @TermBuilder _ terms: (ResultTerm<Shape>) -> [OrderingTerm]
    ) -> Compound where Shape: QueryRepresentable {
        ordered(terms(ResultTerm(ordinals: 1..<Shape._columnCount + 1)))
    }

    /// Orders the rows by their columns.
    public func order<A, B>(
        @TermBuilder _ terms: ((ResultTerm<A>, ResultTerm<B>)) -> [OrderingTerm]
    ) -> Compound where Shape == Tuple2<A, B> {
        var next = OrdinalCounter()
        return ordered(terms((next.term(A.self), next.term(B.self))))
    }

    /// Orders the rows by their columns.
    public func order<A, B, C>(
        @TermBuilder _ terms: ((ResultTerm<A>, ResultTerm<B>, ResultTerm<C>)) -> [OrderingTerm]
    ) -> Compound where Shape == Tuple3<A, B, C> {
        var next = OrdinalCounter()
        return ordered(terms((next.term(A.self), next.term(B.self), next.term(C.self))))
    }

    /// Orders the rows by their columns.
    public func order<A, B, C, D>(
        @TermBuilder _ terms: (
            (ResultTerm<A>, ResultTerm<B>, ResultTerm<C>, ResultTerm<D>)
        ) -> [OrderingTerm]
    ) -> Compound where Shape == Tuple4<A, B, C, D> {
        var next = OrdinalCounter()
        return ordered(
            terms((next.term(A.self), next.term(B.self), next.term(C.self), next.term(D.self))))
    }
}

/// Numbers the columns of a result from 1.
private struct OrdinalCounter {
    private var next = 1

    mutating func term<Value: QueryRepresentable>(_ type: Value.Type) -> ResultTerm<Value> {
        defer { next += type._columnCount }
        return ResultTerm(ordinals: next..<next + type._columnCount)
    }
}
