extension Association {
    /// Whether the association leads from a row to another: a condition on rows of its origin.
    ///
    ///     // SELECT * FROM "author" WHERE EXISTS
    ///     //     (SELECT 1 FROM "book" WHERE "book"."authorId" = "author"."id")
    ///     let writers = Author.filter(Author.books.exists)
    ///
    ///     let novelists = Author.filter(Author.books.filter { $0.genre == "novel" }.exists)
    ///     let orphans = Book.filter(!Book.author.exists)
    ///
    /// It is about the rows of the table in view: of a joined table by `alias[Author.books.exists]`.
    /// Each row counts once, whatever else is joined, and nothing is grouped.
    public var exists: SQLExpression {
        SQLExpression(AssociatedRowCheck(join: joinedBack()))
    }

    /// The destination, to which the tables between are joined on the way back to the origin.
    func joinedBack() -> SelectQuery.Join {
        var join = SelectQuery.Join(
            key: _path.key, condition: _path.condition, kind: .all, isIncluded: true,
            query: _query)
        join.leadBack(over: _path.pivots)
        return join.limited
    }
}

/// Whether there is a row to which an association leads from the row in view.
private struct AssociatedRowCheck: SQLNode {
    let join: SelectQuery.Join
    var isNegated = false

    var depth: Int { 1 + join.depth }

    func write(to sql: inout SQLGenerationContext) throws {
        guard let table = sql.table else {
            throw DatabaseError(
                resultCode: .SQLITE_MISUSE,
                message:
                    "Whether association \(join.name) leads to a row: from which one? Ask it in "
                    + "a filter or selection of the table that it begins at.")
        }
        let origin = AliasedTable(name: table.name, alias: TableAlias<Void>())
        var query = join.query
        query.selection = .known([SQLSelection(Constant.number(1))])
        query.removeOrdering()
        query.excludeJoinedColumns()
        try query.link(join, to: origin, sql)
        let outer = SQLGenerationContext.Table(
            name: table.name, qualifier: table.qualifier ?? table.name)
        try sql.naming([origin.alias.identity: outer]) { sql in
            try Exists(subquery: SQLSubquery(query), isNegated: isNegated).write(to: &sql)
        }
    }

    func writeOperand(to sql: inout SQLGenerationContext) throws {
        guard isNegated else { return try write(to: &sql) }
        try sql.parenthesize { try write(to: &$0) }
    }

    var isRowByRow: Bool { true }

    var negated: SQLExpression? {
        SQLExpression(Self(join: join, isNegated: !isNegated))
    }
}

extension SelectQuery {
    /// Keeps the rows to which a join leads from a row of a table around the query.
    mutating func link(
        _ join: Join, to origin: AliasedTable, _ sql: SQLGenerationContext
    ) throws {
        let end: AliasedTable
        if let pivot = join.pivot {
            end = AliasedTable(name: join.pivotName, alias: pivot)
        } else {
            end = AliasedTable(name: tableName, alias: TableAlias<Void>())
            aliases.append(end.alias)
        }
        guard let condition = try join.condition.expression(sql.database, from: origin, to: end)
        else { return }
        filters.insert(.known(condition), at: 0)
    }
}
