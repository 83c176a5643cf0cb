// The kinds of associations differ by what can be done with them, which the compiler checks.

/// An association to the one row that a foreign key names.
public struct BelongsToAssociation<Origin, Destination>: AssociationToOne {
    public typealias OriginRowDecoder = Origin
    public typealias RowDecoder = Destination

    public var _query: SelectQuery
    public var _path: AssociationPath
}

/// An association to the one row whose foreign key names this row.
public struct HasOneAssociation<Origin, Destination>: AssociationToOne {
    public typealias OriginRowDecoder = Origin
    public typealias RowDecoder = Destination

    public var _query: SelectQuery
    public var _path: AssociationPath
}

/// An association to the rows whose foreign key names this row.
public struct HasManyAssociation<Origin, Destination>: AssociationToMany {
    public typealias OriginRowDecoder = Origin
    public typealias RowDecoder = Destination

    public var _query: SelectQuery
    public var _path: AssociationPath
}

/// An association to one row, over a row of another table.
public struct HasOneThroughAssociation<Origin, Destination>: AssociationToOne {
    public typealias OriginRowDecoder = Origin
    public typealias RowDecoder = Destination

    public var _query: SelectQuery
    public var _path: AssociationPath
}

/// An association to rows, over rows of another table.
public struct HasManyThroughAssociation<Origin, Destination>: AssociationToMany {
    public typealias OriginRowDecoder = Origin
    public typealias RowDecoder = Destination

    public var _query: SelectQuery
    public var _path: AssociationPath
}

/// An association of a common table expression.
public struct JoinAssociation<Origin, Destination>: AssociationToOne {
    public typealias OriginRowDecoder = Origin
    public typealias RowDecoder = Destination

    public var _query: SelectQuery
    public var _path: AssociationPath
}
