// What is done with the rows of a table at once, or with those of certain keys.

extension Table {
    /// Counts the rows of the table.
    ///
    ///     let count = try Table("player").fetchCount(db)
    ///
    /// - Throws: `DatabaseError` when the statement cannot be made or fails.
    public func fetchCount(_ db: Database) throws -> Int {
        try all().fetchCount(db)
    }

    /// Whether there is a row of a primary key, which must be of one column.
    ///
    ///     let isThere = try Table("player").exists(db, key: 1)
    ///
    /// - Throws: `DatabaseError` when the statement cannot be made or fails.
    public func exists(_ db: Database, key: some DatabaseValueConvertible) throws -> Bool {
        try !filter(key: key).isEmpty(db)
    }

    /// Whether there is a row whose columns have these values, among which is a unique key.
    ///
    /// - Throws: `DatabaseError` when the statement cannot be made or fails.
    public func exists(
        _ db: Database, key: [String: (any DatabaseValueConvertible)?]
    ) throws -> Bool {
        try !filter(key: key).isEmpty(db)
    }

    /// Deletes all rows, and returns their number.
    ///
    ///     try Table("player").deleteAll(db)
    ///
    /// - Throws: `DatabaseError` when the statement cannot be made or fails.
    @discardableResult
    public func deleteAll(_ db: Database) throws -> Int {
        try all().deleteAll(db)
    }

    /// Deletes the rows of primary keys, which must be of one column, and returns their number.
    ///
    /// - Throws: `DatabaseError` when the statement cannot be made or fails.
    @discardableResult
    public func deleteAll(
        _ db: Database, keys: some Sequence<some DatabaseValueConvertible>
    ) throws -> Int {
        try filter(keys: keys).deleteAll(db)
    }

    /// Deletes the rows whose columns have these values, and returns their number.
    ///
    /// - Throws: `DatabaseError` when the statement cannot be made or fails.
    @discardableResult
    public func deleteAll(
        _ db: Database, keys: [[String: (any DatabaseValueConvertible)?]]
    ) throws -> Int {
        try filter(keys: keys).deleteAll(db)
    }

    /// Deletes the row of a primary key, which must be of one column; false if there is none.
    ///
    ///     let isDeleted = try Table("player").deleteOne(db, key: 1)
    ///
    /// - Throws: `DatabaseError` when the statement cannot be made or fails.
    @discardableResult
    public func deleteOne(_ db: Database, key: some DatabaseValueConvertible) throws -> Bool {
        try filter(key: key).deleteAll(db) > 0
    }

    /// Deletes the row whose columns have these values; false if there is none.
    ///
    /// - Throws: `DatabaseError` when the statement cannot be made or fails.
    @discardableResult
    public func deleteOne(
        _ db: Database, key: [String: (any DatabaseValueConvertible)?]
    ) throws -> Bool {
        try filter(key: key).deleteAll(db) > 0
    }

    /// Updates all rows, and returns their number; no assignment runs no SQL.
    ///
    ///     try Table("player").updateAll(db, [Column("score").set(to: 0)])
    ///
    /// - Throws: `DatabaseError` when the statement cannot be made or fails.
    @discardableResult
    public func updateAll(
        _ db: Database, onConflict resolution: Database.ConflictResolution? = nil,
        _ assignments: [ColumnAssignment]
    ) throws -> Int {
        try all().updateAll(db, onConflict: resolution, assignments)
    }

    /// Updates all rows, and returns their number.
    ///
    /// - Throws: `DatabaseError` when the statement cannot be made or fails.
    @discardableResult
    public func updateAll(
        _ db: Database, onConflict resolution: Database.ConflictResolution? = nil,
        _ assignments: ColumnAssignment...
    ) throws -> Int {
        try all().updateAll(db, onConflict: resolution, assignments)
    }
}

extension Table where RowDecoder: TableRecord {
    /// Updates all rows, and returns their number: `updateAll(db) { [$0.score.set(to: 0)] }`.
    ///
    /// - Throws: `DatabaseError` when the statement cannot be made or fails.
    @discardableResult
    public func updateAll(
        _ db: Database, onConflict resolution: Database.ConflictResolution? = nil,
        assignments: (RowDecoder.DatabaseComponents) throws -> [ColumnAssignment]
    ) throws -> Int {
        try all().updateAll(db, onConflict: resolution, assignments: assignments)
    }

    /// Updates a column of all rows, and returns their number: `updateAll(db) { $0.score += 10 }`.
    ///
    /// - Throws: `DatabaseError` when the statement cannot be made or fails.
    @discardableResult
    public func updateAll(
        _ db: Database, onConflict resolution: Database.ConflictResolution? = nil,
        assignment: (RowDecoder.DatabaseComponents) throws -> ColumnAssignment
    ) throws -> Int {
        try all().updateAll(db, onConflict: resolution, assignment: assignment)
    }
}

extension Table where RowDecoder: Identifiable, RowDecoder.ID: DatabaseValueConvertible {
    /// Whether there is a row of a primary key.
    ///
    /// - Throws: `DatabaseError` when the statement cannot be made or fails.
    public func exists(_ db: Database, id: RowDecoder.ID) throws -> Bool {
        try exists(db, key: id)
    }

    /// Deletes the rows of primary keys, and returns their number.
    ///
    /// - Throws: `DatabaseError` when the statement cannot be made or fails.
    @discardableResult
    public func deleteAll(_ db: Database, ids: some Collection<RowDecoder.ID>) throws -> Int {
        try deleteAll(db, keys: ids)
    }

    /// Deletes the row of a primary key; false if there is none.
    ///
    /// - Throws: `DatabaseError` when the statement cannot be made or fails.
    @discardableResult
    public func deleteOne(_ db: Database, id: RowDecoder.ID) throws -> Bool {
        try deleteOne(db, key: id)
    }
}
