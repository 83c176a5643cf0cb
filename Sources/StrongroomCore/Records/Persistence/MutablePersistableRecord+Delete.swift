extension MutablePersistableRecord {
    /// Deletes the row of the record.
    ///
    ///     // DELETE FROM "player" WHERE "id"=1
    ///     try player.delete(db)
    ///
    /// - Returns: Whether there was one; false when the primary key is NULL.
    /// - Throws: `DatabaseError`, and what callbacks throw.
    @discardableResult
    public func delete(_ db: Database) throws -> Bool {
        try deleteWithCallbacks(db)
    }

    /// Whether the record has a row; false when the primary key is NULL.
    ///
    ///     let isThere = try player.exists(db)
    ///
    /// - Throws: `DatabaseError` when the statement fails.
    public func exists(_ db: Database) throws -> Bool {
        try RecordRow(self, db).exists()
    }
}
