// The clauses as methods of the type itself.

extension QuerySource {
    /// All rows, whatever the default scope says.
    public static var unscoped: Where<Self> { Where(SelectClauses(unscoped: Self.self)) }

    /// No row.
    public static var none: Where<Self> {
        var clauses = SelectClauses(unscoped: Self.self)
        clauses.isEmpty = true
        return Where(clauses)
    }

    /// Keeps the rows that fulfil conditions.
    public static func `where`(
        @ConditionBuilder _ conditions: (SideColumns) -> [QueryFragment]
    ) -> Where<Self> {
        Where().where(conditions)
    }

    /// Keeps the rows that fulfil a condition.
    public static func `where`<Condition: QueryExpression>(
        _ path: KeyPath<SideColumns, Condition>
    ) -> Where<Self> where Condition.QueryValue.Unwrapped == Bool {
        Where().where(path)
    }

    /// Keeps the rows that fulfil one of several conditions.
    public static func any(
        @ConditionBuilder _ conditions: (SideColumns) -> [QueryFragment]
    ) -> Where<Self> {
        Where().any(conditions)
    }

    /// Selects columns.
    public static func select<Shape: RowShape>(
        @SelectionBuilder _ columns: (SideColumns) -> ChosenColumns<Shape>
    ) -> Select<Shape, Tables1<Self>> {
        Where().select(columns)
    }

    /// Selects a column.
    public static func select<Column: QueryExpression>(
        _ path: KeyPath<SideColumns, Column>
    ) -> Select<Column.QueryValue, Tables1<Self>> {
        Where().select(path)
    }

    /// Puts rows together that are equal in these terms.
    public static func group(
        @TermBuilder _ terms: (SideColumns) -> [OrderingTerm]
    ) -> Select<LimitedRows<Tables1<Self>>, Tables1<Self>> {
        Where().group(terms)
    }

    /// Puts rows together that are equal in a column.
    public static func group(
        by path: KeyPath<SideColumns, some QueryExpression>
    ) -> Select<LimitedRows<Tables1<Self>>, Tables1<Self>> {
        Where().group(by: path)
    }

    /// Keeps the groups that fulfil conditions.
    public static func having(
        @ConditionBuilder _ conditions: (SideColumns) -> [QueryFragment]
    ) -> Select<LimitedRows<Tables1<Self>>, Tables1<Self>> {
        Where().having(conditions)
    }

    /// Orders the rows.
    public static func order(
        @TermBuilder _ terms: (SideColumns) -> [OrderingTerm]
    ) -> Select<WholeRows<Tables1<Self>>, Tables1<Self>> {
        Where().order(terms)
    }

    /// Orders the rows by a column.
    public static func order(
        by path: KeyPath<SideColumns, some OrderingExpression>
    ) -> Select<WholeRows<Tables1<Self>>, Tables1<Self>> {
        Where().order(by: path)
    }

    /// Orders the rows.
    public static func order(
        _ term: OrderingTerm
    ) -> Select<WholeRows<Tables1<Self>>, Tables1<Self>> {
        Where().order(term)
    }

    /// Leaves out rows that are equal to one before.
    public static func distinct(
        _ isDistinct: Bool = true
    ) -> Select<LimitedRows<Tables1<Self>>, Tables1<Self>> {
        Where().distinct(isDistinct)
    }

    /// Gives no more rows than so many; nil changes nothing.
    public static func limit(
        _ count: Int?
    ) -> Select<LimitedRows<Tables1<Self>>, Tables1<Self>> {
        Where().limit(count)
    }

    /// Selects the number of rows.
    public static func count() -> Select<CertainValue<Int>, Tables1<Self>> { Where().count() }

    /// Selects the number of rows that fulfil a condition.
    public static func count<Condition: QueryExpression>(
        _ condition: (SideColumns) -> Condition
    ) -> Select<CertainValue<Int>, Tables1<Self>> where Condition.QueryValue.Unwrapped == Bool {
        Where().count(condition)
    }

    /// Whether there is a row.
    public static func exists() -> SQLQueryExpression<Bool> { Where<Self>().exists() }
}
