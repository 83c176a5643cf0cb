extension QueryInterfaceRequest {
    /// Deletes the rows of the request.
    ///
    ///     // DELETE FROM "player" WHERE "score" < 100
    ///     try Player.filter { $0.score < 100 }.deleteAll(db)
    ///
    /// With a limit, they are the first ones in the request's order; else the order does not count.
    ///
    /// - Returns: The number of deleted rows.
    /// - Throws: `DatabaseError` when the statement cannot be made or fails.
    @discardableResult
    public func deleteAll(_ db: Database) throws -> Int {
        try run(.delete, db)
    }

    /// Updates the rows of the request; no assignment runs no SQL.
    ///
    ///     // UPDATE "player" SET "score" = "score" + 10 WHERE "team" = 'red'
    ///     try Player.filter { $0.team == "red" }.updateAll(db, [Column("score") += 10])
    ///
    /// - Returns: The number of updated rows.
    /// - Throws: `DatabaseError` when the statement cannot be made or fails.
    @discardableResult
    public func updateAll(
        _ db: Database, onConflict resolution: Database.ConflictResolution? = nil,
        _ assignments: [ColumnAssignment]
    ) throws -> Int {
        let assignments = assignments.filter { $0.value != nil }
        guard !assignments.isEmpty else { return 0 }
        return try run(.update(assignments, self.resolution(resolution)), db)
    }

    /// Updates the rows of the request.
    ///
    /// - Returns: The number of updated rows.
    /// - Throws: `DatabaseError` when the statement cannot be made or fails.
    @discardableResult
    public func updateAll(
        _ db: Database, onConflict resolution: Database.ConflictResolution? = nil,
        _ assignments: ColumnAssignment...
    ) throws -> Int {
        try updateAll(db, onConflict: resolution, assignments)
    }

    /// What was asked for, or what the record type says of its rows.
    fileprivate func resolution(
        _ resolution: Database.ConflictResolution?
    ) -> Database.ConflictResolution? {
        resolution ?? (RowDecoder.self as? any TableRecord.Type)?._updateConflictResolution
    }

    private func run(_ change: SelectQuery.Change, _ db: Database) throws -> Int {
        var sql = SQLGenerationContext(connection: db)
        try _query.write(change, to: &sql)
        let before = db.totalChangesCount
        try db.execute(sql: sql.sql, arguments: sql.arguments)
        // What a trigger does instead of a change is not counted as one.
        let count = db.changesCount
        return count > 0 ? count : db.totalChangesCount - before
    }

    private func makeStatement(
        _ change: SelectQuery.Change, _ selection: [any SQLSelectable], _ db: Database
    ) throws -> Statement {
        guard !selection.isEmpty else { throw DatabaseError.emptySelection(of: _query.tableName) }
        var sql = SQLGenerationContext(connection: db)
        try _query.write(change, returning: selection, to: &sql)
        let statement = try db.makeStatement(sql: sql.sql)
        try statement.setArguments(sql.arguments)
        return statement
    }
}

// MARK: - RETURNING

extension QueryInterfaceRequest {
    /// Prepares the statement that deletes the rows of the request, and gives columns of them.
    ///
    /// <https://www.sqlite.org/lang_returning.html>
    ///
    /// - Throws: `SQLITE_MISUSE` when nothing is selected.
    public func deleteAndFetchStatement(
        _ db: Database, selection: [any SQLSelectable]
    ) throws -> Statement {
        try makeStatement(.delete, selection, db)
    }

    /// Prepares the statement that updates the rows of the request, and gives columns of them.
    ///
    /// - Throws: `SQLITE_MISUSE` unless something is assigned, and something selected.
    public func updateAndFetchStatement(
        _ db: Database, onConflict resolution: Database.ConflictResolution? = nil,
        _ assignments: [ColumnAssignment], selection: [any SQLSelectable]
    ) throws -> Statement {
        let assignments = assignments.filter { $0.value != nil }
        guard !assignments.isEmpty else {
            throw DatabaseError(
                code: .SQLITE_MISUSE,
                message:
                    "can't generate an update without assignments: of table \(_query.tableName)")
        }
        return try makeStatement(
            .update(assignments, self.resolution(resolution)), selection, db)
    }
}

extension QueryInterfaceRequest where RowDecoder: TableRecord {
    /// Updates the rows of the request.
    ///
    ///     try Player.filter { $0.team == "red" }.updateAll(db) { [$0.score += 10, $0.bonus.set(to: 0)] }
    ///
    /// - Returns: The number of updated rows.
    /// - Throws: `DatabaseError` when the statement cannot be made or fails.
    @discardableResult
    public func updateAll(
        _ db: Database, onConflict resolution: Database.ConflictResolution? = nil,
        assignments: (DatabaseComponents) throws -> [ColumnAssignment]
    ) throws -> Int {
        try updateAll(db, onConflict: resolution, assignments(RowDecoder.databaseComponents))
    }

    /// Updates a column of the rows of the request: `updateAll(db) { $0.score += 10 }`.
    ///
    /// - Returns: The number of updated rows.
    /// - Throws: `DatabaseError` when the statement cannot be made or fails.
    @discardableResult
    public func updateAll(
        _ db: Database, onConflict resolution: Database.ConflictResolution? = nil,
        assignment: (DatabaseComponents) throws -> ColumnAssignment
    ) throws -> Int {
        try updateAll(db, onConflict: resolution, [assignment(RowDecoder.databaseComponents)])
    }

    /// Prepares the statement that deletes the rows of the request, and gives columns of them.
    ///
    /// - Throws: `DatabaseError` when the statement cannot be made or fails.
    public func deleteAndFetchStatement(
        _ db: Database, select selection: (DatabaseComponents) throws -> [any SQLSelectable]
    ) throws -> Statement {
        try deleteAndFetchStatement(db, selection: selection(RowDecoder.databaseComponents))
    }

    /// Prepares the statement that updates the rows of the request, and gives columns of them.
    ///
    /// - Throws: `DatabaseError` when the statement cannot be made or fails.
    public func updateAndFetchStatement(
        _ db: Database, onConflict resolution: Database.ConflictResolution? = nil,
        assignments: (DatabaseComponents) throws -> [ColumnAssignment],
        select selection: (DatabaseComponents) throws -> [any SQLSelectable]
    ) throws -> Statement {
        let components = RowDecoder.databaseComponents
        return try updateAndFetchStatement(
            db, onConflict: resolution, assignments(components), selection: selection(components))
    }
}

extension QueryInterfaceRequest where RowDecoder: TableRecord & RowDecodable {
    /// Deletes the rows of the request, and gives what they were, one after the other.
    ///
    /// Rows that are not looked at are deleted too, but only when the first one is asked for.
    ///
    ///     let deleted = try Player.all().deleteAndFetchCursor(db)
    ///     while let player = try deleted.next() { print(player.name) }
    ///
    /// - Throws: `DatabaseError` when the statement cannot be made or fails; what decoding a row
    ///   throws.
    public func deleteAndFetchCursor(_ db: Database) throws -> DecodingCursor<RowReader<RowDecoder>>
    {
        try RowDecoder.fetchCursor(
            deleteAndFetchStatement(db, selection: RowDecoder.databaseSelection))
    }

    /// Deletes the rows of the request, and gives what they were.
    ///
    ///     let deleted = try Player.filter(Column("score") == 0).deleteAndFetchAll(db)
    ///
    /// - Throws: `DatabaseError` when the statement cannot be made or fails; what decoding a row
    ///   throws.
    public func deleteAndFetchAll(_ db: Database) throws -> [RowDecoder] {
        try Array(deleteAndFetchCursor(db))
    }

    /// Updates the rows of the request, and gives what they became, one after the other.
    ///
    /// Nothing is updated before the first one is asked for.
    ///
    /// - Throws: `DatabaseError` when the statement cannot be made or fails; what decoding a row
    ///   throws.
    public func updateAndFetchCursor(
        _ db: Database, onConflict resolution: Database.ConflictResolution? = nil,
        _ assignments: [ColumnAssignment]
    ) throws -> DecodingCursor<RowReader<RowDecoder>> {
        try RowDecoder.fetchCursor(
            updateAndFetchStatement(
                db, onConflict: resolution, assignments, selection: RowDecoder.databaseSelection))
    }

    /// Updates the rows of the request, and gives what they became; no assignment gives nothing.
    ///
    ///     let changed = try Player.all().updateAndFetchAll(db, [Column("score").set(to: 0)])
    ///
    /// - Throws: `DatabaseError` when the statement cannot be made or fails; what decoding a row
    ///   throws.
    public func updateAndFetchAll(
        _ db: Database, onConflict resolution: Database.ConflictResolution? = nil,
        _ assignments: [ColumnAssignment]
    ) throws -> [RowDecoder] {
        guard assignments.contains(where: { $0.value != nil }) else { return [] }
        return try Array(updateAndFetchCursor(db, onConflict: resolution, assignments))
    }

    /// Updates the rows of the request, and gives what they became, one after the other.
    ///
    /// - Throws: `DatabaseError` when the statement cannot be made or fails; what decoding a row
    ///   throws.
    public func updateAndFetchCursor(
        _ db: Database, onConflict resolution: Database.ConflictResolution? = nil,
        assignments: (DatabaseComponents) throws -> [ColumnAssignment]
    ) throws -> DecodingCursor<RowReader<RowDecoder>> {
        try updateAndFetchCursor(
            db, onConflict: resolution, assignments(RowDecoder.databaseComponents))
    }

    /// Updates the rows of the request, and gives what they became.
    ///
    /// - Throws: `DatabaseError` when the statement cannot be made or fails; what decoding a row
    ///   throws.
    public func updateAndFetchAll(
        _ db: Database, onConflict resolution: Database.ConflictResolution? = nil,
        assignments: (DatabaseComponents) throws -> [ColumnAssignment]
    ) throws -> [RowDecoder] {
        try updateAndFetchAll(
            db, onConflict: resolution, assignments(RowDecoder.databaseComponents))
    }
}

extension QueryInterfaceRequest where RowDecoder: TableRecord & RowDecodable & Hashable {
    /// Deletes the rows of the request, and gives what they were, each distinct one once.
    ///
    /// - Throws: `DatabaseError` when the statement cannot be made or fails; what decoding a row
    ///   throws.
    public func deleteAndFetchSet(_ db: Database) throws -> Set<RowDecoder> {
        try Set(deleteAndFetchCursor(db))
    }

    /// Updates the rows of the request, and gives what they became, each distinct one once.
    ///
    /// - Throws: `DatabaseError` when the statement cannot be made or fails; what decoding a row
    ///   throws.
    public func updateAndFetchSet(
        _ db: Database, onConflict resolution: Database.ConflictResolution? = nil,
        _ assignments: [ColumnAssignment]
    ) throws -> Set<RowDecoder> {
        try Set(updateAndFetchAll(db, onConflict: resolution, assignments))
    }

    /// Updates the rows of the request, and gives what they became, each distinct one once.
    ///
    /// - Throws: `DatabaseError` when the statement cannot be made or fails; what decoding a row
    ///   throws.
    public func updateAndFetchSet(
        _ db: Database, onConflict resolution: Database.ConflictResolution? = nil,
        assignments: (DatabaseComponents) throws -> [ColumnAssignment]
    ) throws -> Set<RowDecoder> {
        try Set(updateAndFetchAll(db, onConflict: resolution, assignments: assignments))
    }
}

extension QueryInterfaceRequest
where
    RowDecoder: TableRecord & Identifiable, RowDecoder.ID: DatabaseValueConvertible & Hashable
{
    /// Deletes the rows of the request, and gives their ids.
    ///
    ///     let ids = try Team.filter(Column("name") == "Reds").deleteAndFetchIds(db)
    ///
    /// - Throws: `DatabaseError` when the statement cannot be made or fails; what decoding a row
    ///   throws.
    public func deleteAndFetchIds(_ db: Database) throws -> Set<RowDecoder.ID> {
        let columns = try db.primaryKey(_query.tableName).columns.map { Column($0) }
        return try RowDecoder.ID.fetchSet(deleteAndFetchStatement(db, selection: columns))
    }
}
