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
    ///
    ///     let cheap = try Item.where { $0.price < 2 }.select(\.title).fetchAll(db)  // ["Milk"]
    ///     Item.where { !$0.isDone && $0.stars >= 3 }.select(\.id)
    ///     // SELECT "items"."id" FROM "items" WHERE NOT "items"."isDone" AND "items"."stars"
    ///     // >= 3
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
    ///
    ///     // Work that is finished, or that nobody has filed yet.
    ///     Item.any { $0.isDone; $0.folderID.is(nil) }.select(\.id)
    ///     // SELECT "items"."id" FROM "items" WHERE "items"."isDone" OR "items"."folderID" IS
    ///     // NULL
    public static func any(
        @ConditionBuilder _ conditions: (SideColumns) -> [QueryFragment]
    ) -> Where<Self> {
        Where().any(conditions)
    }

    /// Selects columns.
    ///
    ///     let rows = try Item.select { ($0.title, $0.price ?? 0) }.fetchAll(db)
    ///     for (title, price) in rows { print(title, price) }
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

    /// Groups the rows that are equal in these terms.
    ///
    ///     let sizes = Item.group(by: \.folderID).select { ($0.folderID, $0.id.count()) }
    ///     // SELECT "items"."folderID", count("items"."id") FROM "items" GROUP BY
    ///     // "items"."folderID"
    public static func group(
        @TermBuilder _ terms: (SideColumns) -> [OrderingTerm]
    ) -> Select<LimitedRows<Tables1<Self>>, Tables1<Self>> {
        Where().group(terms)
    }

    /// Groups the rows that are equal in a column.
    public static func group(
        by path: KeyPath<SideColumns, some QueryExpression>
    ) -> Select<LimitedRows<Tables1<Self>>, Tables1<Self>> {
        Where().group(by: path)
    }

    /// Keeps the groups that fulfil conditions.
    ///
    ///     // Names that two users share.
    ///     User.group(by: \.name).having { $0.id.count() > 1 }.select(\.name)
    ///     // SELECT "users"."name" FROM "users" GROUP BY "users"."name" HAVING
    ///     // count("users"."id") > 1
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
    ///
    ///     let titles = try Item.order(by: \.title).select(\.title).fetchAll(db)
    ///     // ["Bread", "Call Ada", "Milk", "Seeds"]
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

    /// Leaves out duplicate rows.
    ///
    ///     let years = try Item.distinct().order(by: \.year).select(\.year).fetchAll(db)
    ///     // [2025, 2026]
    public static func distinct(
        _ isDistinct: Bool = true
    ) -> Select<LimitedRows<Tables1<Self>>, Tables1<Self>> {
        Where().distinct(isDistinct)
    }

    /// Gives at most this many rows; nil changes nothing.
    ///
    ///     // The third page of 20 rows.
    ///     Item.order(by: \.id).limit(20).offset(40).select(\.title)
    ///     // SELECT "items"."title" FROM "items" ORDER BY "items"."id" LIMIT 20 OFFSET 40
    public static func limit(
        _ count: Int?
    ) -> Select<LimitedRows<Tables1<Self>>, Tables1<Self>> {
        Where().limit(count)
    }

    /// Gives at most this many rows after the first ones; nil changes nothing.
    ///
    ///     let second = try Item.limit(1, offset: 1).select(\.title).fetchOne(db)  // "Call Ada"
    public static func limit(
        _ count: Int?, offset: Int?
    ) -> Select<LimitedRows<Tables1<Self>>, Tables1<Self>> {
        Where().limit(count, offset: offset)
    }

    /// Selects the number of rows.
    public static func count() -> Select<CertainValue<Int>, Tables1<Self>> { Where().count() }

    /// Selects the number of rows that fulfil a condition.
    ///
    ///     let open = try Item.count { !$0.isDone }.fetchOne(db)  // 3
    public static func count<Condition: QueryExpression>(
        _ condition: (SideColumns) -> Condition
    ) -> Select<CertainValue<Int>, Tables1<Self>> where Condition.QueryValue.Unwrapped == Bool {
        Where().count(condition)
    }

    /// Whether there is a row.
    ///
    ///     let hasUsers = try User.where { $0.bossID.is(nil) }.exists(db)  // true
    public static func exists() -> SQLQueryExpression<Bool> { Where<Self>().exists() }
}
