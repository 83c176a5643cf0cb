/// A request to which the tables of associations can be joined.
///
/// | | rows without associated row | columns of the associated row |
/// |---|---|---|
/// | `including(required:)` | are left out | in a scope of the row |
/// | `including(optional:)` | stay | in a scope of the row |
/// | `including(all:)` | stay | fetched afterwards, for all rows at once |
/// | `joining(required:)` | are left out | none |
/// | `joining(optional:)` | stay | none |
/// | `annotated(withRequired:)` | are left out | among those of the row itself |
/// | `annotated(withOptional:)` | stay | among those of the row itself |
///
/// A type of an app conforms by forwarding all to a request that it holds.
public protocol JoinableRequest<RowDecoder>: RefinableRequest, TypedRequest {
    /// Fetches with each row all those that an association leads to, by one more query.
    ///
    ///     let request = Author.including(all: Author.books)
    func including<A: AssociationToMany>(all association: A) -> Self
    where A.OriginRowDecoder == RowDecoder

    /// Fetches with each row the one that an association leads to; rows without it stay.
    ///
    ///     // SELECT "book".*, "author".* FROM "book" LEFT JOIN "author" ON …
    ///     let request = Book.including(optional: Book.author)
    func including<A: Association>(optional association: A) -> Self
    where A.OriginRowDecoder == RowDecoder

    /// Fetches with each row the one that an association leads to; rows without it are left out.
    ///
    ///     // SELECT "book".*, "author".* FROM "book" JOIN "author" ON …
    ///     let request = Book.including(required: Book.author)
    func including<A: Association>(required association: A) -> Self
    where A.OriginRowDecoder == RowDecoder

    /// Joins the rows that an association leads to, to order by them say; rows without them stay.
    ///
    ///     let request = Player.all().joining(optional: Player.team.order(Column("name")))
    func joining<A: Association>(optional association: A) -> Self
    where A.OriginRowDecoder == RowDecoder

    /// Joins the rows that an association leads to; rows without them are left out.
    ///
    ///     let request = Player.joining(required: Player.team.filter(Column("name") == "Reds"))
    func joining<A: Association>(required association: A) -> Self
    where A.OriginRowDecoder == RowDecoder
}

extension JoinableRequest where Self: QueryRequest {
    public func including<A: AssociationToMany>(all association: A) -> Self
    where A.OriginRowDecoder == RowDecoder {
        refined { $0.join(association, .all) }
    }

    public func including<A: Association>(optional association: A) -> Self
    where A.OriginRowDecoder == RowDecoder {
        refined { $0.join(association, .optional, isIncluded: true) }
    }

    public func including<A: Association>(required association: A) -> Self
    where A.OriginRowDecoder == RowDecoder {
        refined { $0.join(association, .required, isIncluded: true) }
    }

    public func joining<A: Association>(optional association: A) -> Self
    where A.OriginRowDecoder == RowDecoder {
        refined { $0.join(association, .optional) }
    }

    public func joining<A: Association>(required association: A) -> Self
    where A.OriginRowDecoder == RowDecoder {
        refined { $0.join(association, .required) }
    }
}

extension JoinableRequest where Self: SelectionRequest {
    /// Adds the columns of the row that an association leads to; rows without it stay.
    ///
    ///     let request = Player.all().annotated(withOptional: Player.team.select(Column("name")))
    public func annotated<A: Association>(withOptional association: A) -> Self
    where A.OriginRowDecoder == RowDecoder {
        _refined { $0.annotate(association, .optional) }
            ?? joined(association) { joining(optional: $0) }
    }

    /// Adds the columns of the row that an association leads to; rows without it are left out.
    ///
    ///     let request = Player.all().annotated(withRequired: Player.team.select(Column("name")))
    public func annotated<A: Association>(withRequired association: A) -> Self
    where A.OriginRowDecoder == RowDecoder {
        _refined { $0.annotate(association, .required) }
            ?? joined(association) { joining(required: $0) }
    }

    /// Joins an association, and adds its columns to those of the row.
    private func joined<A: Association>(_ association: A, by join: (A) -> Self) -> Self {
        let alias = TableAlias<Void>()
        let selection = association._query.selection
        return join(association.aliased(alias)).annotatedWhenConnected { db in
            try selection.value(in: SQLGenerationContext(connection: db)).map { alias[$0] }
        }
    }
}
