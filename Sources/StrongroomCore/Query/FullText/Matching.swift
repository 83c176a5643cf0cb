// Searching full-text tables.

extension ColumnExpression {
    /// Whether the column matches a pattern; of FTS3 and FTS4 tables. No row matches nil.
    ///
    /// Under the name of the table, it is all its columns.
    ///
    ///     let request = Book.filter(Column("title").match(FTS3Pattern(matchingAnyTokenIn: "sea")))
    public func match(_ pattern: FTS3Pattern?) -> SQLExpression {
        SQLExpression(BinaryOperation(self, "MATCH", pattern))
    }

    /// Whether the column matches a pattern; of FTS5 tables.
    ///
    /// Under the name of the table, it is all its columns.
    public func match(_ pattern: FTS5Pattern) -> SQLExpression {
        SQLExpression(BinaryOperation(self, "MATCH", pattern))
    }
}

extension FilteredRequest where Self: TableRequest {
    /// Keeps the rows that match a pattern, none for nil; of FTS3 and FTS4 tables.
    ///
    ///     // SELECT * FROM "book" WHERE "book" MATCH 'sea storm'
    ///     Book.all().matching(FTS3Pattern(matchingAllTokensIn: "sea storm"))
    public func matching(_ pattern: FTS3Pattern?) -> Self {
        guard let pattern else { return none() }
        return filter(Column(databaseTableName).match(pattern))
    }

    /// Keeps the rows that match a pattern, none for nil; of FTS5 tables.
    ///
    ///     // SELECT * FROM "book" WHERE "book" MATCH 'sea storm' ORDER BY "rank"
    ///     Book.all().matching(FTS5Pattern(matchingAllTokensIn: "sea storm")).order(Column.rank)
    public func matching(_ pattern: FTS5Pattern?) -> Self {
        guard let pattern else { return none() }
        return filter(Column(databaseTableName).match(pattern))
    }
}

extension TableRecord {
    /// A request for the rows that match a pattern, none for nil; of FTS3 and FTS4 tables.
    ///
    ///     let pattern = FTS5Pattern(matchingAllTokensIn: "sea")
    ///     let request = Book.matching(pattern)
    public static func matching(_ pattern: FTS3Pattern?) -> QueryInterfaceRequest<Self> {
        all().matching(pattern)
    }

    /// A request for the rows that match a pattern, none for nil; of FTS5 tables.
    public static func matching(_ pattern: FTS5Pattern?) -> QueryInterfaceRequest<Self> {
        all().matching(pattern)
    }
}

extension Table {
    /// A request for the rows that match a pattern, none for nil; of FTS3 and FTS4 tables.
    public func matching(_ pattern: FTS3Pattern?) -> QueryInterfaceRequest<RowDecoder> {
        all().matching(pattern)
    }

    /// A request for the rows that match a pattern, none for nil; of FTS5 tables.
    public func matching(_ pattern: FTS5Pattern?) -> QueryInterfaceRequest<RowDecoder> {
        all().matching(pattern)
    }
}
