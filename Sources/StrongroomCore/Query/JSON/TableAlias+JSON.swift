extension TableAliasBase {
    /// JSON, whose columns are those of the table.
    public final subscript(_ expression: some SQLJSONExpressible) -> AnySQLJSONExpressible {
        self[expression.sqlExpression].asJSON
    }
}

extension TableAlias where RowDecoder: TableRecord {
    /// JSON that the record type declares, as that of this table.
    public subscript<Expression: SQLJSONExpressible>(
        dynamicMember keyPath: KeyPath<RowDecoder.DatabaseComponents, Expression>
    ) -> AnySQLJSONExpressible {
        self[RowDecoder.databaseComponents[keyPath: keyPath]]
    }
}
