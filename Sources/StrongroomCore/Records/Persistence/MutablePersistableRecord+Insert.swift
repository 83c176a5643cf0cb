extension MutablePersistableRecord {
    /// Inserts the record.
    ///
    ///     // INSERT INTO "player" ("id", "name") VALUES (NULL, 'Arthur')
    ///     try player.insert(db)
    ///
    /// - Parameters:
    ///   - db: The connection to use.
    ///   - resolution: What happens to a row that breaks a constraint; `persistenceConflictPolicy`
    ///     if nil.
    /// - Throws: `DatabaseError`, and what callbacks throw.
    @inlinable
    public mutating func insert(
        _ db: Database, onConflict resolution: Database.ConflictResolution? = nil
    ) throws {
        try performInsert(db, resolution)
    }

    /// Inserts the record, and gives it as it is afterwards.
    ///
    ///     let stored = try Player(name: "Arthur").inserted(db)
    ///
    /// - Throws: `DatabaseError`, and what callbacks throw.
    @inlinable
    public func inserted(
        _ db: Database, onConflict resolution: Database.ConflictResolution? = nil
    ) throws -> Self {
        var record = self
        try record.performInsert(db, resolution)
        return record
    }

    /// Inserts the record, and fetches it with what the database has given it.
    ///
    /// - Throws: `RecordError.recordNotFound` when the row was left out for a conflict.
    public func insertAndFetch(
        _ db: Database, onConflict resolution: Database.ConflictResolution? = nil
    ) throws -> Self where Self: FetchableRecord {
        var record = self
        return try record.performInsert(db, resolution, Self.databaseSelection) {
            try Self.fetchOne($0)
        }
    }

    /// Inserts the record, and fetches the row as another type.
    ///
    ///     // INSERT INTO "player" ("name") VALUES ('Arthur') RETURNING *
    ///     let player = try partialPlayer.insertAndFetch(db, as: Player.self)
    ///
    /// - Throws: `RecordError.recordNotFound` when the row was left out for a conflict.
    public mutating func insertAndFetch<T: FetchableRecord & TableRecord>(
        _ db: Database, onConflict resolution: Database.ConflictResolution? = nil, as type: T.Type
    ) throws -> T {
        try performInsert(db, resolution, T.databaseSelection) { try T.fetchOne($0) }
    }

    /// Inserts the record, and fetches columns of the row.
    ///
    /// When the row was left out for a conflict, `fetch` gets a statement without rows.
    ///
    /// - Throws: `SQLITE_MISUSE` when nothing is selected; what `fetch` throws.
    public mutating func insertAndFetch<T>(
        _ db: Database, onConflict resolution: Database.ConflictResolution? = nil,
        selection: [any SQLSelectable], fetch: (Statement) throws -> T
    ) throws -> T {
        try performInsert(db, resolution, selection, fetch: fetch)
    }

    /// Inserts the record, and fetches columns of the row.
    ///
    ///     let score = try player.insertAndFetch(db) { statement in
    ///         try Int.fetchOne(statement)
    ///     } select: { [$0.score] }
    ///
    /// When the row was left out for a conflict, `fetch` gets a statement without rows.
    ///
    /// - Throws: `SQLITE_MISUSE` when nothing is selected; what `fetch` throws.
    public mutating func insertAndFetch<T>(
        _ db: Database, onConflict resolution: Database.ConflictResolution? = nil,
        fetch: (Statement) throws -> T,
        select selection: (DatabaseComponents) throws -> [any SQLSelectable]
    ) throws -> T {
        try performInsert(db, resolution, selection(Self.databaseComponents), fetch: fetch)
    }
}
