// Names are made of the association's key: those of `books` are `bookCount`, `hasNoBook`,
// `minBookYear`, `maxBookYear`, `averageBookYear` and `bookYearSum`.

extension AssociationToMany {
    /// The number of associated rows, under the name `bookCount`.
    ///
    /// Each row counts once, whatever else is joined.
    public var count: AssociationAggregate<OriginRowDecoder> {
        aggregate(key: "\(singular)Count") { SQLExpression(RowCount(alias: $0)) }
    }

    /// Whether there is no associated row, under the name `hasNoBook`.
    public var isEmpty: AssociationAggregate<OriginRowDecoder> {
        aggregate(key: "hasNo\(capital)") { alias in
            SQLExpression(
                BinaryOperation(SQLExpression(RowCount(alias: alias)), "=", Constant.number(0)))
        }
    }

    /// The average of the values that are not NULL, under the name `averageBookYear`.
    ///
    ///     let request = Team.annotated(with: Team.players.average(Column("score")))
    public func average(
        _ expression: some SQLSpecificExpressible
    ) -> AssociationAggregate<OriginRowDecoder> {
        aggregate("AVG", expression) { "average\(capital)\($0)" }
    }

    /// The highest value, under the name `maxBookYear`.
    ///
    ///     let request = Team.annotated(with: Team.players.max(Column("score")))
    public func max(
        _ expression: some SQLSpecificExpressible
    ) -> AssociationAggregate<OriginRowDecoder> {
        aggregate("MAX", expression) { "max\(capital)\($0)" }
    }

    /// The lowest value that is not NULL, under the name `minBookYear`.
    ///
    ///     let request = Team.annotated(with: Team.players.min(Column("score")))
    public func min(
        _ expression: some SQLSpecificExpressible
    ) -> AssociationAggregate<OriginRowDecoder> {
        aggregate("MIN", expression) { "min\(capital)\($0)" }
    }

    /// The sum of the values that are not NULL, or NULL of none, under the name `bookYearSum`.
    ///
    /// Tables that are joined besides make it higher: a row counts once for each of theirs.
    ///
    ///     let request = Team.annotated(with: Team.players.sum(Column("score")))
    public func sum(
        _ expression: some SQLSpecificExpressible
    ) -> AssociationAggregate<OriginRowDecoder> {
        aggregate("SUM", expression) { "\(singular)\($0)Sum" }
    }

    /// The sum as a floating-point number, 0.0 of no values, under the name `bookYearSum`.
    ///
    ///     let request = Team.annotated(with: Team.players.total(Column("score")))
    public func total(
        _ expression: some SQLSpecificExpressible
    ) -> AssociationAggregate<OriginRowDecoder> {
        aggregate("TOTAL", expression) { "\(singular)\($0)Sum" }
    }

    private var singular: String { _path.key.singular }

    private var capital: String { singular.capitalizedFirstLetter }

    private func aggregate(
        _ function: String, _ expression: some SQLSpecificExpressible,
        name: (String) -> String
    ) -> AssociationAggregate<OriginRowDecoder> {
        let expression = expression.sqlExpression
        // What is computed has no name that could be part of another.
        let column = expression.node(as: ColumnName.self)?.name
        return aggregate(key: column.map { name($0.capitalizedFirstLetter) }) { alias in
            SQLExpression(AggregateCall(name: function, argument: alias[expression]))
        }
    }

    private func aggregate(
        key: String?, _ value: @escaping @Sendable (TableAliasBase) -> SQLExpression
    ) -> AssociationAggregate<OriginRowDecoder> {
        let association = self
        return AssociationAggregate(key: key) { query in
            let alias = TableAlias<Void>()
            var association = association
            association._query.aliases.append(alias)
            association._query.removeOrdering()
            query.join(association, .optional)
            return value(alias)
        }
    }
}

extension AssociationToMany where RowDecoder: TableRecord {
    /// The average of the values that are not NULL: `Team.players.average { $0.score }`.
    public func average(
        _ expression: (RowDecoder.DatabaseComponents) throws -> some SQLSpecificExpressible
    ) rethrows -> AssociationAggregate<OriginRowDecoder> {
        try average(expression(RowDecoder.databaseComponents))
    }

    /// The highest value: `Team.players.max { $0.score }`.
    public func max(
        _ expression: (RowDecoder.DatabaseComponents) throws -> some SQLSpecificExpressible
    ) rethrows -> AssociationAggregate<OriginRowDecoder> {
        try max(expression(RowDecoder.databaseComponents))
    }

    /// The lowest value that is not NULL: `Team.players.min { $0.score }`.
    public func min(
        _ expression: (RowDecoder.DatabaseComponents) throws -> some SQLSpecificExpressible
    ) rethrows -> AssociationAggregate<OriginRowDecoder> {
        try min(expression(RowDecoder.databaseComponents))
    }

    /// The sum of the values that are not NULL, or NULL of none: `Team.players.sum { $0.score }`.
    public func sum(
        _ expression: (RowDecoder.DatabaseComponents) throws -> some SQLSpecificExpressible
    ) rethrows -> AssociationAggregate<OriginRowDecoder> {
        try sum(expression(RowDecoder.databaseComponents))
    }

    /// The sum as a floating-point number, 0.0 of no values.
    public func total(
        _ expression: (RowDecoder.DatabaseComponents) throws -> some SQLSpecificExpressible
    ) rethrows -> AssociationAggregate<OriginRowDecoder> {
        try total(expression(RowDecoder.databaseComponents))
    }
}

/// The number of different rows of a joined table, as their primary keys tell.
private struct RowCount: SQLNode {
    let alias: TableAliasBase

    var depth: Int { 0 }

    func write(to sql: inout SQLGenerationContext) throws {
        let table = try sql.table(of: alias)
        let key = try sql.database.primaryKey(table.name)
        let identity: SQLExpression =
            if key.columns.count == 1 {
                Column(key.columns[0]).sqlExpression
            } else if key.tableHasRowID {
                Column.rowID.sqlExpression
            } else {
                Self.text(of: key.columns)
            }
        try AggregateCall(name: "COUNT", argument: alias[identity], isDistinct: true)
            .write(to: &sql)
    }

    /// A text that differs when a column does, as literals do; NULL where no row is joined.
    private static func text(of columns: [String]) -> SQLExpression {
        let texts = columns.map { column in
            let literal = FunctionCall("QUOTE", Column(column))
            return SQLExpression(
                FunctionCall("NULLIF", SQLExpression(literal), Constant.text("NULL")))
        }
        let list = texts.dropFirst().reduce(into: [texts[0]]) { $0 += [Constant.text(","), $1] }
        return list.joined(operator: .concat)
    }
}
