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
public protocol JoinableRequest<RowDecoder>: RefinableRequest, TypedRequest {}

extension JoinableRequest {
    /// Fetches with each row all those that an association leads to, by one more query.
    ///
    ///     let request = Author.including(all: Author.books)
    public func including<A: AssociationToMany>(all association: A) -> Self
    where A.OriginRowDecoder == RowDecoder {
        refined { $0.join(association, .all) }
    }

    /// Fetches with each row the one that an association leads to; rows without it stay.
    ///
    ///     // SELECT "book".*, "author".* FROM "book" LEFT JOIN "author" ON …
    ///     let request = Book.including(optional: Book.author)
    public func including<A: Association>(optional association: A) -> Self
    where A.OriginRowDecoder == RowDecoder {
        refined { $0.join(association, .optional, isIncluded: true) }
    }

    /// Fetches with each row the one that an association leads to; rows without it are left out.
    ///
    ///     // SELECT "book".*, "author".* FROM "book" JOIN "author" ON …
    ///     let request = Book.including(required: Book.author)
    public func including<A: Association>(required association: A) -> Self
    where A.OriginRowDecoder == RowDecoder {
        refined { $0.join(association, .required, isIncluded: true) }
    }

    /// Joins the rows that an association leads to, to order by them say; rows without them stay.
    public func joining<A: Association>(optional association: A) -> Self
    where A.OriginRowDecoder == RowDecoder {
        refined { $0.join(association, .optional) }
    }

    /// Joins the rows that an association leads to; rows without them are left out.
    public func joining<A: Association>(required association: A) -> Self
    where A.OriginRowDecoder == RowDecoder {
        refined { $0.join(association, .required) }
    }
}

extension JoinableRequest where Self: SelectionRequest {
    /// Adds the columns of the row that an association leads to; rows without it stay.
    public func annotated<A: Association>(withOptional association: A) -> Self
    where A.OriginRowDecoder == RowDecoder {
        refined { $0.annotate(association, .optional) }
    }

    /// Adds the columns of the row that an association leads to; rows without it are left out.
    public func annotated<A: Association>(withRequired association: A) -> Self
    where A.OriginRowDecoder == RowDecoder {
        refined { $0.annotate(association, .required) }
    }
}
