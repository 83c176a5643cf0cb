extension MutablePersistableRecord {
    /// Updates all columns of the record's row, but for the primary key, by which it is found.
    ///
    ///     // UPDATE "player" SET "name"='Arthur', "score"=1000 WHERE "id"=1
    ///     try player.update(db)
    ///
    /// - Parameters:
    ///   - db: The connection to use.
    ///   - resolution: What happens to a row that breaks a constraint; `persistenceConflictPolicy`
    ///     if nil.
    /// - Throws: `RecordError.recordNotFound` when there is no row, or the primary key is NULL;
    ///   `DatabaseError`, and what callbacks throw.
    @inlinable
    public func update(
        _ db: Database, onConflict resolution: Database.ConflictResolution? = nil
    ) throws {
        try performUpdate(db, resolution, columns: nil)
    }

    /// Updates some columns of the record's row, named in any case.
    ///
    /// Columns that the record does not have are left out: generic code may name `updatedAt`, for
    /// the records that have it.
    ///
    /// - Throws: As `update(_:onConflict:)`, also when no column is left to update.
    public func update(
        _ db: Database, onConflict resolution: Database.ConflictResolution? = nil,
        columns: some Collection<String>
    ) throws {
        try performUpdate(db, resolution, columns: Set(columns))
    }

    /// Updates some columns of the record's row.
    ///
    /// - Throws: As `update(_:onConflict:)`.
    public func update(
        _ db: Database, onConflict resolution: Database.ConflictResolution? = nil,
        columns: some Collection<any ColumnExpression>
    ) throws {
        try performUpdate(db, resolution, columns: Set(columns.map(\.name)))
    }

    /// Updates some columns of the record's row: `try player.update(db) { [$0.score] }`.
    ///
    /// - Throws: As `update(_:onConflict:)`.
    public func update(
        _ db: Database, onConflict resolution: Database.ConflictResolution? = nil,
        columns: (DatabaseComponents) throws -> [any ColumnExpression]
    ) throws {
        let columns = try columns(Self.databaseComponents)
        try performUpdate(db, resolution, columns: Set(columns.map(\.name)))
    }

    /// Updates the columns in which the record differs from another one.
    ///
    /// - Returns: Whether there were any. If not, no SQL runs, and no callback.
    /// - Throws: As `update(_:onConflict:)`, and what `modify` throws.
    @discardableResult
    public func updateChanges(
        _ db: Database, onConflict resolution: Database.ConflictResolution? = nil,
        from record: some EncodableRecord
    ) throws -> Bool {
        let columns = try Set(databaseChanges(from: record).keys)
        guard !columns.isEmpty else { return false }
        try performUpdate(db, resolution, columns: columns)
        return true
    }

    /// Changes the record, and updates the columns whose values are others then.
    ///
    ///     try player.updateChanges(db) { $0.score = 1000 }
    ///
    /// The record keeps its new values also when this throws.
    ///
    /// - Returns: Whether there were any. If not, no SQL runs, and no callback.
    /// - Throws: As `update(_:onConflict:)`, and what `modify` throws.
    @discardableResult
    public mutating func updateChanges(
        _ db: Database, onConflict resolution: Database.ConflictResolution? = nil,
        modify: (inout Self) throws -> Void
    ) throws -> Bool {
        let columns = try Set(databaseChanges(modify: modify).keys)
        guard !columns.isEmpty else { return false }
        try performUpdate(db, resolution, columns: columns)
        return true
    }
}

// MARK: - Fetching

extension MutablePersistableRecord {
    /// Updates all columns of the record's row, and fetches what it became.
    ///
    ///     let stored = try player.updateAndFetch(db)
    ///
    /// - Throws: As `update(_:onConflict:)`.
    public func updateAndFetch(
        _ db: Database, onConflict resolution: Database.ConflictResolution? = nil
    ) throws -> Self where Self: FetchableRecord {
        try performUpdate(db, resolution, columns: nil, Self.databaseSelection) {
            try Self.fetchOne($0)
        }
    }

    /// Updates all columns of the record's row, and fetches it as another type.
    ///
    /// - Throws: As `update(_:onConflict:)`; what decoding throws.
    public func updateAndFetch<T: FetchableRecord & TableRecord>(
        _ db: Database, onConflict resolution: Database.ConflictResolution? = nil, as type: T.Type
    ) throws -> T {
        try performUpdate(db, resolution, columns: nil, T.databaseSelection) {
            try T.fetchOne($0)
        }
    }

    /// Updates all columns of the record's row, and fetches columns of it.
    ///
    /// - Throws: `SQLITE_MISUSE` when nothing is selected.
    public func updateAndFetch<T>(
        _ db: Database, onConflict resolution: Database.ConflictResolution? = nil,
        selection: [any SQLSelectable], fetch: (Statement) throws -> T
    ) throws -> T {
        try performUpdate(db, resolution, columns: nil, selection, fetch: fetch)
    }

    /// Updates all columns of the record's row, and fetches columns of it.
    ///
    /// - Throws: `SQLITE_MISUSE` when nothing is selected.
    public func updateAndFetch<T>(
        _ db: Database, onConflict resolution: Database.ConflictResolution? = nil,
        fetch: (Statement) throws -> T,
        select selection: (DatabaseComponents) throws -> [any SQLSelectable]
    ) throws -> T {
        try performUpdate(
            db, resolution, columns: nil, selection(Self.databaseComponents), fetch: fetch)
    }

    /// Updates some columns of the record's row, and fetches columns of it.
    ///
    /// - Throws: `SQLITE_MISUSE` when nothing is selected.
    public func updateAndFetch<T>(
        _ db: Database, onConflict resolution: Database.ConflictResolution? = nil,
        columns: some Collection<String>, selection: [any SQLSelectable],
        fetch: (Statement) throws -> T
    ) throws -> T {
        try performUpdate(db, resolution, columns: Set(columns), selection, fetch: fetch)
    }

    /// Updates some columns of the record's row, and fetches columns of it.
    ///
    /// - Throws: `SQLITE_MISUSE` when nothing is selected.
    public func updateAndFetch<T>(
        _ db: Database, onConflict resolution: Database.ConflictResolution? = nil,
        columns: some Collection<any ColumnExpression>, selection: [any SQLSelectable],
        fetch: (Statement) throws -> T
    ) throws -> T {
        let columns = Set(columns.map(\.name))
        return try performUpdate(db, resolution, columns: columns, selection, fetch: fetch)
    }

    /// Updates some columns of the record's row, and fetches columns of it.
    ///
    /// - Throws: `SQLITE_MISUSE` when nothing is selected.
    public func updateAndFetch<T>(
        _ db: Database, onConflict resolution: Database.ConflictResolution? = nil,
        columns: (DatabaseComponents) throws -> [any ColumnExpression],
        fetch: (Statement) throws -> T,
        select selection: (DatabaseComponents) throws -> [any SQLSelectable]
    ) throws -> T {
        let components = Self.databaseComponents
        let columns = try Set(columns(components).map(\.name))
        return try performUpdate(
            db, resolution, columns: columns, selection(components), fetch: fetch)
    }

    /// Changes the record, updates the columns whose values are others then, and fetches the row.
    ///
    ///     let stored = try player.updateChangesAndFetch(db) { $0.score += 10 }
    ///
    /// - Returns: nil when there were none: no SQL runs then, and no callback.
    /// - Throws: As `update(_:onConflict:)`, and what `modify` throws; what decoding throws.
    public mutating func updateChangesAndFetch(
        _ db: Database, onConflict resolution: Database.ConflictResolution? = nil,
        modify: (inout Self) throws -> Void
    ) throws -> Self? where Self: FetchableRecord {
        try updateChangesAndFetch(db, onConflict: resolution, as: Self.self, modify: modify)
    }

    /// Changes the record, updates what is other then, and fetches the row as another type.
    ///
    /// - Returns: nil when there were none: no SQL runs then, and no callback.
    /// - Throws: As `update(_:onConflict:)`, and what `modify` throws; what decoding throws.
    public mutating func updateChangesAndFetch<T: FetchableRecord & TableRecord>(
        _ db: Database, onConflict resolution: Database.ConflictResolution? = nil,
        as type: T.Type, modify: (inout Self) throws -> Void
    ) throws -> T? {
        let columns = try Set(databaseChanges(modify: modify).keys)
        guard !columns.isEmpty else { return nil }
        return try performUpdate(db, resolution, columns: columns, T.databaseSelection) {
            try T.fetchOne($0)
        }
    }

    /// Changes the record, updates what is other then, and fetches columns of the row.
    ///
    /// - Throws: `SQLITE_MISUSE` when nothing is selected.
    /// - Returns: nil when there were none: no SQL runs then, and no callback.
    public mutating func updateChangesAndFetch<T>(
        _ db: Database, onConflict resolution: Database.ConflictResolution? = nil,
        selection: [any SQLSelectable], fetch: (Statement) throws -> T,
        modify: (inout Self) throws -> Void
    ) throws -> T? {
        let columns = try Set(databaseChanges(modify: modify).keys)
        guard !columns.isEmpty else { return nil }
        return try performUpdate(db, resolution, columns: columns, selection, fetch: fetch)
    }
}
