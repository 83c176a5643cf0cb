extension TableRecord {
    /// The number of columns that requests for the type select: useful to split rows of joins.
    ///
    ///     let adapters = splittingRowAdapters(columnCounts: [
    ///         try Player.numberOfSelectedColumns(db),
    ///         try Team.numberOfSelectedColumns(db),
    ///     ])
    ///
    /// - Throws: `DatabaseError` when the statement cannot be made or fails.
    public static func numberOfSelectedColumns(_ db: Database) throws -> Int {
        let (sql, arguments) = try SQL("\(all())").build(db)
        let statement = try db.cachedStatement(sql: sql)
        try statement.setArguments(arguments)
        return statement.columnCount
    }
}
