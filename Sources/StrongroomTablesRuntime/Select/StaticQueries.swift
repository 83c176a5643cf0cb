// Static queries of a type, as members of other queries on it: `Item.order(by: \.title).open`.

extension Where {
    /// The rows that a query of the type has, too.
    ///
    ///     extension Item { static let open = Self.where { !$0.isDone } }
    ///
    ///     Item.where { $0.stars > 2 }.open.select(\.id)
    ///     // SELECT "items"."id" FROM "items" WHERE "items"."stars" > 2 AND NOT "items"."isDone"
    public subscript(dynamicMember path: KeyPath<From.Type, Where<From>>) -> Where<From> {
        and(From.self[keyPath: path])
    }
}

extension Select where Tables.First: QuerySource {
    /// The clauses of a query of the first table, after those so far.
    public subscript(
        dynamicMember path: KeyPath<Tables.First.Type, Where<Tables.First>>
    ) -> Select<Shape, Tables> {
        changed { $0.concatenate(Tables.First.self[keyPath: path]._clauses) }
    }
}

// Static queries with columns, orders, groups or joins.

extension Where {
    /// The clauses of a query of the type, with its columns.
    ///
    /// Not of several tables: with such a query, a call of a member that is not there, such as
    /// `Item.all.execute(db)`, crashes the compiler (Swift 6.3).
    public subscript<Shape: RowShape>(
        dynamicMember path: KeyPath<From.Type, Select<Shape, Tables1<From>>>
    ) -> Select<Shape, Tables1<From>> {
        .init(_clauses.followed(by: From.self[keyPath: path]._clauses))
    }
}

extension Select where Tables.First: QuerySource {
    private typealias First = Tables.First

    /// The clauses of a query of the first table that selects nothing, after those so far.
    public subscript(
        dynamicMember path: KeyPath<
            Tables.First.Type, Select<WholeRows<Tables1<Tables.First>>, Tables1<Tables.First>>
        >
    ) -> Select<Shape, Tables> {
        .init(_clauses.followed(by: First.self[keyPath: path]._clauses))
    }

    /// The clauses of a query of the first table that selects nothing, after those so far.
    public subscript(
        dynamicMember path: KeyPath<
            Tables.First.Type, Select<LimitedRows<Tables1<Tables.First>>, Tables1<Tables.First>>
        >
    ) -> Select<Shape.Limited, Tables> {
        .init(_clauses.followed(by: First.self[keyPath: path]._clauses))
    }

    /// The columns of a query of the first table.
    public subscript<Other: SelectedShape>(
        dynamicMember path: KeyPath<Tables.First.Type, Select<Other, Tables1<Tables.First>>>
    ) -> Select<Other, Tables> where Shape: UnselectedShape {
        .init(_clauses.followed(by: First.self[keyPath: path]._clauses))
    }

    /// The column of a query of the first table, after the one so far.
    public subscript<Other: QueryRepresentable>(
        dynamicMember path: KeyPath<Tables.First.Type, Select<Other, Tables1<Tables.First>>>
    ) -> Select<Tuple2<Shape, Other>, Tables> where Shape: QueryRepresentable {
        .init(_clauses.followed(by: First.self[keyPath: path]._clauses))
    }

    /// The column of a query of the first table, after those so far.
    public subscript<A, B, Other: QueryRepresentable>(
        dynamicMember path: KeyPath<Tables.First.Type, Select<Other, Tables1<Tables.First>>>
    ) -> Select<Tuple3<A, B, Other>, Tables> where Shape == Tuple2<A, B> {
        .init(_clauses.followed(by: First.self[keyPath: path]._clauses))
    }
}

extension Select {
    /// The joined tables and columns of a query of the table.
    public subscript<From: QuerySource, Other: RowShape, Joined: SeveralTables>(
        dynamicMember path: KeyPath<From.Type, Select<Other, Joined>>
    ) -> Select<Other, Joined>
    where Shape: UnselectedShape, Tables == Tables1<From>, Joined.First == From {
        .init(_clauses.followed(by: From.self[keyPath: path]._clauses))
    }

    /// The joined tables of a query of the table that selects nothing.
    public subscript<From: QuerySource, Joined: SeveralTables>(
        dynamicMember path: KeyPath<From.Type, Select<WholeRows<Joined>, Joined>>
    ) -> Select<Shape, Joined>
    where Shape: SelectedShape, Tables == Tables1<From>, Joined.First == From {
        .init(_clauses.followed(by: From.self[keyPath: path]._clauses))
    }

    /// The joined tables of a query of the table that selects nothing.
    public subscript<From: QuerySource, Joined: SeveralTables>(
        dynamicMember path: KeyPath<From.Type, Select<LimitedRows<Joined>, Joined>>
    ) -> Select<Shape, Joined>
    where Shape: SelectedShape, Tables == Tables1<From>, Joined.First == From {
        .init(_clauses.followed(by: From.self[keyPath: path]._clauses))
    }

    /// The joined tables and the column of a query of the table, after the one so far.
    public subscript<From: QuerySource, Other: QueryRepresentable, Joined: SeveralTables>(
        dynamicMember path: KeyPath<From.Type, Select<Other, Joined>>
    ) -> Select<Tuple2<Shape, Other>, Joined>
    where Shape: QueryRepresentable, Tables == Tables1<From>, Joined.First == From {
        .init(_clauses.followed(by: From.self[keyPath: path]._clauses))
    }

    /// The joined tables and the columns of a query of the table, after the one so far.
    public subscript<From: QuerySource, B, C, Joined: SeveralTables>(
        dynamicMember path: KeyPath<From.Type, Select<Tuple2<B, C>, Joined>>
    ) -> Select<Tuple3<Shape, B, C>, Joined>
    where Shape: QueryRepresentable, Tables == Tables1<From>, Joined.First == From {
        .init(_clauses.followed(by: From.self[keyPath: path]._clauses))
    }

    /// The joined tables and the column of a query of the table, after those so far.
    public subscript<
        From: QuerySource, A, B, Other: QueryRepresentable, Joined: SeveralTables
    >(
        dynamicMember path: KeyPath<From.Type, Select<Other, Joined>>
    ) -> Select<Tuple3<A, B, Other>, Joined>
    where Shape == Tuple2<A, B>, Tables == Tables1<From>, Joined.First == From {
        .init(_clauses.followed(by: From.self[keyPath: path]._clauses))
    }
}

extension SelectClauses {
    /// The clauses with those of a query of the first table after them, which may have joins.
    fileprivate func followed(by other: SelectClauses) -> SelectClauses {
        var result = self
        let (table, own) = (other.from.tables[0], from.tables[0])
        let next = table.alias == own.alias ? other : other.renamed(own.alias ?? "")
        if !next.from.joins.isEmpty { result.from = next.from }
        result.concatenate(next)
        return result
    }
}

extension TableDraft {
    /// The rows of a query of the table, as drafts.
    public static subscript(
        dynamicMember path: KeyPath<DraftedTable.Type, Where<DraftedTable>>
    ) -> Where<Self> {
        Where(DraftedTable.self[keyPath: path]._clauses)
    }
}

extension Where where From: TableDraft {
    /// The rows that a query of the table has, too.
    public subscript(
        dynamicMember path: KeyPath<From.DraftedTable.Type, Where<From.DraftedTable>>
    ) -> Where<From> {
        and(Where(From.DraftedTable.self[keyPath: path]._clauses))
    }
}
