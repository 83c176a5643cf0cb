extension CommonTableExpression {
    /// The association to the rows of another table.
    ///
    /// - Parameters:
    ///   - destination: The table, or the type of the records, that the association leads to.
    ///   - condition: What rows of both have in common; nothing by default.
    public func association<D>(
        to destination: CommonTableExpression<D>,
        on condition: (
            @Sendable (_ left: TableAlias<RowDecoder>, _ right: TableAlias<D>) -> any SQLExpressible
        )? = nil
    ) -> JoinAssociation<RowDecoder, D> {
        JoinAssociation(
            _query: destination.all()._query, key: destination.tableName, condition: condition)
    }

    /// The association to the rows of another table.
    ///
    /// - Parameters:
    ///   - destination: The table, or the type of the records, that the association leads to.
    ///   - condition: What rows of both have in common; nothing by default.
    public func association<D: TableRecord>(
        to destination: D.Type,
        on condition: (
            @Sendable (_ left: TableAlias<RowDecoder>, _ right: TableAlias<D>) -> any SQLExpressible
        )? = nil
    ) -> JoinAssociation<RowDecoder, D> {
        JoinAssociation(_query: D.all()._query, key: D.databaseTableName, condition: condition)
    }

    /// The association to the rows of another table.
    ///
    /// - Parameters:
    ///   - destination: The table, or the type of the records, that the association leads to.
    ///   - condition: What rows of both have in common; nothing by default.
    public func association<D>(
        to destination: Table<D>,
        on condition: (
            @Sendable (_ left: TableAlias<RowDecoder>, _ right: TableAlias<D>) -> any SQLExpressible
        )? = nil
    ) -> JoinAssociation<RowDecoder, D> {
        JoinAssociation(
            _query: destination.all()._query, key: destination.tableName, condition: condition)
    }
}

extension JoinAssociation {
    init(
        _query: SelectQuery, key: String,
        condition: (
            @Sendable (_ left: TableAlias<Origin>, _ right: TableAlias<Destination>) ->
                any SQLExpressible
        )?
    ) {
        self._query = _query
        _path = AssociationPath(
            key: .inflected(key), condition: JoinCondition(condition), isToOne: true)
    }
}

extension JoinCondition {
    fileprivate init<Left, Right>(
        _ condition: (@Sendable (TableAlias<Left>, TableAlias<Right>) -> any SQLExpressible)?
    ) {
        guard let condition else {
            self = .none
            return
        }
        self = .expression { origin, destination in
            condition(TableAlias(standingFor: origin), TableAlias(standingFor: destination))
                .sqlExpression
        }
    }
}
