extension TableRecord {
    /// The association to the row that a foreign key of this table names.
    ///
    ///     let team = Player.belongsTo(Team.self)
    ///
    /// - Parameters:
    ///   - destination: The table, or the type of the records, that the association leads to.
    ///   - key: The key of what is found; the name of its table by default.
    ///   - foreignKey: The columns of the foreign key; those of the schema by default.
    public static func belongsTo<D: TableRecord>(
        _ destination: D.Type, key: String? = nil, using foreignKey: ForeignKey? = nil
    ) -> BelongsToAssociation<Self, D> {
        BelongsToAssociation(
            _query: D.all()._query,
            _path: AssociationPath(
                key: key.map { .one($0) } ?? .inflected(D.databaseTableName),
                condition: .foreignKey(foreignKey, isOfOrigin: true), isToOne: true))
    }

    /// The association to the row that a foreign key of this table names.
    ///
    /// - Parameters:
    ///   - destination: The table, or the type of the records, that the association leads to.
    ///   - key: The key of what is found; the name of its table by default.
    ///   - foreignKey: The columns of the foreign key; those of the schema by default.
    public static func belongsTo<D>(
        _ destination: Table<D>, key: String? = nil, using foreignKey: ForeignKey? = nil
    ) -> BelongsToAssociation<Self, D> {
        BelongsToAssociation(
            _query: destination.all()._query,
            _path: AssociationPath(
                key: key.map { .one($0) } ?? .inflected(destination.tableName),
                condition: .foreignKey(foreignKey, isOfOrigin: true), isToOne: true))
    }

    /// The association to the row of a table whose foreign key names the row here.
    ///
    ///     let captain = Team.hasOne(Player.self)
    ///
    /// - Parameters:
    ///   - destination: The table, or the type of the records, that the association leads to.
    ///   - key: The key of what is found; the name of its table by default.
    ///   - foreignKey: The columns of the foreign key; those of the schema by default.
    public static func hasOne<D: TableRecord>(
        _ destination: D.Type, key: String? = nil, using foreignKey: ForeignKey? = nil
    ) -> HasOneAssociation<Self, D> {
        HasOneAssociation(
            _query: D.all()._query,
            _path: AssociationPath(
                key: key.map { .one($0) } ?? .inflected(D.databaseTableName),
                condition: .foreignKey(foreignKey, isOfOrigin: false), isToOne: true))
    }

    /// The association to the row of a table whose foreign key names the row here.
    ///
    /// - Parameters:
    ///   - destination: The table, or the type of the records, that the association leads to.
    ///   - key: The key of what is found; the name of its table by default.
    ///   - foreignKey: The columns of the foreign key; those of the schema by default.
    public static func hasOne<D>(
        _ destination: Table<D>, key: String? = nil, using foreignKey: ForeignKey? = nil
    ) -> HasOneAssociation<Self, D> {
        HasOneAssociation(
            _query: destination.all()._query,
            _path: AssociationPath(
                key: key.map { .one($0) } ?? .inflected(destination.tableName),
                condition: .foreignKey(foreignKey, isOfOrigin: false), isToOne: true))
    }

    /// The association to the rows of a table whose foreign keys name the row here.
    ///
    ///     let players = Team.hasMany(Player.self)
    ///
    /// - Parameters:
    ///   - destination: The table, or the type of the records, that the association leads to.
    ///   - key: The key of what is found; the name of its table by default.
    ///   - foreignKey: The columns of the foreign key; those of the schema by default.
    public static func hasMany<D: TableRecord>(
        _ destination: D.Type, key: String? = nil, using foreignKey: ForeignKey? = nil
    ) -> HasManyAssociation<Self, D> {
        HasManyAssociation(
            _query: D.all()._query,
            _path: AssociationPath(
                key: key.map { .several($0) } ?? .inflected(D.databaseTableName),
                condition: .foreignKey(foreignKey, isOfOrigin: false), isToOne: false))
    }

    /// The association to the rows of a table whose foreign keys name the row here.
    ///
    /// - Parameters:
    ///   - destination: The table, or the type of the records, that the association leads to.
    ///   - key: The key of what is found; the name of its table by default.
    ///   - foreignKey: The columns of the foreign key; those of the schema by default.
    public static func hasMany<D>(
        _ destination: Table<D>, key: String? = nil, using foreignKey: ForeignKey? = nil
    ) -> HasManyAssociation<Self, D> {
        HasManyAssociation(
            _query: destination.all()._query,
            _path: AssociationPath(
                key: key.map { .several($0) } ?? .inflected(destination.tableName),
                condition: .foreignKey(foreignKey, isOfOrigin: false), isToOne: false))
    }

    /// The association to the rows of a table that two associations, one after the other, lead to.
    ///
    /// - Parameters:
    ///   - destination: The table, or the type of the records, that the association leads to.
    ///   - pivot: The association that leads to the table in between.
    ///   - target: The association that leads on from there.
    ///   - key: The key of what is found; that of `target` by default.
    public static func hasMany<Pivot: Association, Target: Association>(
        _ destination: Target.RowDecoder.Type, through pivot: Pivot, using target: Target,
        key: String? = nil
    ) -> HasManyThroughAssociation<Self, Target.RowDecoder>
    where Pivot.OriginRowDecoder == Self, Pivot.RowDecoder == Target.OriginRowDecoder {
        HasManyThroughAssociation(
            _query: target._query,
            _path: AssociationPath(pivot, target, key: key.map { .several($0) }))
    }

    /// The association to the row of a table that two associations, one after the other, lead to.
    ///
    /// - Parameters:
    ///   - destination: The table, or the type of the records, that the association leads to.
    ///   - pivot: The association that leads to the table in between.
    ///   - target: The association that leads on from there.
    ///   - key: The key of what is found; that of `target` by default.
    public static func hasOne<Pivot: AssociationToOne, Target: AssociationToOne>(
        _ destination: Target.RowDecoder.Type, through pivot: Pivot, using target: Target,
        key: String? = nil
    ) -> HasOneThroughAssociation<Self, Target.RowDecoder>
    where Pivot.OriginRowDecoder == Self, Pivot.RowDecoder == Target.OriginRowDecoder {
        HasOneThroughAssociation(
            _query: target._query, _path: AssociationPath(pivot, target, key: key.map { .one($0) }))
    }

    /// The association to the rows of a common table expression.
    ///
    /// - Parameters:
    ///   - destination: The table, or the type of the records, that the association leads to.
    ///   - condition: What rows of both have in common; nothing by default.
    public static func association<D>(
        to destination: CommonTableExpression<D>,
        on condition: (
            @Sendable (_ left: TableAlias<Self>, _ right: TableAlias<D>) -> any SQLExpressible
        )? = nil
    ) -> JoinAssociation<Self, D> {
        JoinAssociation(
            _query: destination.all()._query, key: destination.tableName, condition: condition)
    }

    /// The association to the rows of another table, by any condition.
    ///
    ///     static let olderPlayers = association(to: Player.self) { $1.age > $0.age }
    ///
    /// Give it a key by `forKey(_:)` where the name of the table is another association's.
    ///
    /// - Parameters:
    ///   - destination: The table, or the type of the records, that the association leads to.
    ///   - condition: What rows of both have in common.
    public static func association<D: TableRecord>(
        to destination: D.Type,
        on condition:
            @escaping @Sendable (_ left: TableAlias<Self>, _ right: TableAlias<D>) ->
            any SQLExpressible
    ) -> JoinAssociation<Self, D> {
        JoinAssociation(_query: D.all()._query, key: D.databaseTableName, condition: condition)
    }

    /// The association to the rows of another table, by any condition.
    ///
    /// - Parameters:
    ///   - destination: The table, or the type of the records, that the association leads to.
    ///   - condition: What rows of both have in common.
    public static func association<D>(
        to destination: Table<D>,
        on condition:
            @escaping @Sendable (_ left: TableAlias<Self>, _ right: TableAlias<D>) ->
            any SQLExpressible
    ) -> JoinAssociation<Self, D> {
        JoinAssociation(
            _query: destination.all()._query, key: destination.tableName, condition: condition)
    }
}
