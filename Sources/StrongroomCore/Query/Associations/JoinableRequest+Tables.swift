// The requests with which a chain begins: each is the method of the same name on `all()`.

extension TableRecord {
    /// All rows, each with those that an association leads to, fetched by one more query.
    public static func including<A: AssociationToMany>(
        all association: A
    ) -> QueryInterfaceRequest<Self> where A.OriginRowDecoder == Self {
        all().including(all: association)
    }

    /// All rows, each with the one that an association leads to, if there is one.
    public static func including<A: Association>(
        optional association: A
    ) -> QueryInterfaceRequest<Self> where A.OriginRowDecoder == Self {
        all().including(optional: association)
    }

    /// The rows that an association leads from to another, with that one.
    public static func including<A: Association>(
        required association: A
    ) -> QueryInterfaceRequest<Self> where A.OriginRowDecoder == Self {
        all().including(required: association)
    }

    /// All rows, joined to those that an association leads to, if there are some.
    ///
    ///     let request = Player.joining(optional: Player.team.order(Column("name")))
    public static func joining<A: Association>(
        optional association: A
    ) -> QueryInterfaceRequest<Self> where A.OriginRowDecoder == Self {
        all().joining(optional: association)
    }

    /// The rows that an association leads from to others.
    public static func joining<A: Association>(
        required association: A
    ) -> QueryInterfaceRequest<Self> where A.OriginRowDecoder == Self {
        all().joining(required: association)
    }

    /// All rows, with the columns of the one that an association leads to.
    public static func annotated<A: Association>(
        withOptional association: A
    ) -> QueryInterfaceRequest<Self> where A.OriginRowDecoder == Self {
        all().annotated(withOptional: association)
    }

    /// The rows that an association leads from, with the columns of the one it leads to.
    public static func annotated<A: Association>(
        withRequired association: A
    ) -> QueryInterfaceRequest<Self> where A.OriginRowDecoder == Self {
        all().annotated(withRequired: association)
    }
}

extension Table {
    /// All rows, each with those that an association leads to, fetched by one more query.
    public func including<A: AssociationToMany>(
        all association: A
    ) -> QueryInterfaceRequest<RowDecoder> where A.OriginRowDecoder == RowDecoder {
        all().including(all: association)
    }

    /// All rows, each with the one that an association leads to, if there is one.
    public func including<A: Association>(
        optional association: A
    ) -> QueryInterfaceRequest<RowDecoder> where A.OriginRowDecoder == RowDecoder {
        all().including(optional: association)
    }

    /// The rows that an association leads from to another, with that one.
    public func including<A: Association>(
        required association: A
    ) -> QueryInterfaceRequest<RowDecoder> where A.OriginRowDecoder == RowDecoder {
        all().including(required: association)
    }

    /// All rows, joined to those that an association leads to, if there are some.
    public func joining<A: Association>(
        optional association: A
    ) -> QueryInterfaceRequest<RowDecoder> where A.OriginRowDecoder == RowDecoder {
        all().joining(optional: association)
    }

    /// The rows that an association leads from to others.
    public func joining<A: Association>(
        required association: A
    ) -> QueryInterfaceRequest<RowDecoder> where A.OriginRowDecoder == RowDecoder {
        all().joining(required: association)
    }

    /// All rows, with the columns of the one that an association leads to.
    public func annotated<A: Association>(
        withOptional association: A
    ) -> QueryInterfaceRequest<RowDecoder> where A.OriginRowDecoder == RowDecoder {
        all().annotated(withOptional: association)
    }

    /// The rows that an association leads from, with the columns of the one it leads to.
    public func annotated<A: Association>(
        withRequired association: A
    ) -> QueryInterfaceRequest<RowDecoder> where A.OriginRowDecoder == RowDecoder {
        all().annotated(withRequired: association)
    }
}
