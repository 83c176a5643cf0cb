extension MutablePersistableRecord {
    /// Updates the row of the record, or inserts one if there is none.
    ///
    /// A record whose primary key is NULL is inserted. No other write comes in between.
    ///
    /// - Parameters:
    ///   - db: The connection to use.
    ///   - resolution: What happens to a row that breaks a constraint; `persistenceConflictPolicy`
    ///     if nil.
    /// - Throws: `DatabaseError`, and what callbacks throw.
    @inlinable
    public mutating func save(
        _ db: Database, onConflict resolution: Database.ConflictResolution? = nil
    ) throws {
        try performSave(db, resolution)
    }

    /// Updates or inserts the record, and gives it as it is afterwards.
    ///
    ///     let stored = try Player(name: "Arthur").saved(db)
    ///
    /// - Throws: `DatabaseError`, and what callbacks throw.
    @inlinable
    public func saved(
        _ db: Database, onConflict resolution: Database.ConflictResolution? = nil
    ) throws -> Self {
        var record = self
        try record.performSave(db, resolution)
        return record
    }

    /// Updates or inserts the record, and fetches it with what the database has given it.
    ///
    ///     let stored = try player.saveAndFetch(db)
    ///
    /// - Throws: `DatabaseError`, and what callbacks throw; what decoding throws.
    public func saveAndFetch(
        _ db: Database, onConflict resolution: Database.ConflictResolution? = nil
    ) throws -> Self where Self: FetchableRecord {
        var record = self
        return try record.performSave(db, resolution, Self.databaseSelection) {
            try Self.fetchOne($0)
        }
    }

    /// Updates or inserts the record, and fetches the row as another type.
    ///
    /// - Throws: `DatabaseError`, and what callbacks throw; what decoding throws.
    public mutating func saveAndFetch<T: FetchableRecord & TableRecord>(
        _ db: Database, onConflict resolution: Database.ConflictResolution? = nil, as type: T.Type
    ) throws -> T {
        try performSave(db, resolution, T.databaseSelection) { try T.fetchOne($0) }
    }

    /// Updates or inserts the record, and fetches columns of the row.
    ///
    /// - Throws: `SQLITE_MISUSE` when nothing is selected.
    public mutating func saveAndFetch<T>(
        _ db: Database, onConflict resolution: Database.ConflictResolution? = nil,
        selection: [any SQLSelectable], fetch: (Statement) throws -> T
    ) throws -> T {
        try performSave(db, resolution, selection, fetch: fetch)
    }

    /// Updates or inserts the record, and fetches columns of the row.
    ///
    /// - Throws: `SQLITE_MISUSE` when nothing is selected.
    public mutating func saveAndFetch<T>(
        _ db: Database, onConflict resolution: Database.ConflictResolution? = nil,
        fetch: (Statement) throws -> T,
        select selection: (DatabaseComponents) throws -> [any SQLSelectable]
    ) throws -> T {
        try performSave(db, resolution, selection(Self.databaseComponents), fetch: fetch)
    }
}
