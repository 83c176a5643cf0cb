/// A type that is written to a table, and stays as it is when it is inserted.
///
///     struct Player: Encodable, PersistableRecord {
///         var id: Int64
///         var name: String
///     }
///
///     try Player(id: 1, name: "Arthur").insert(db)
public protocol PersistableRecord: MutablePersistableRecord {
    /// Called before the record is inserted.
    ///
    /// - Throws: To cancel the insertion: the method that was called throws the error.
    func willInsert(_ db: Database) throws

    /// Called after the record has been inserted.
    func didInsert(_ inserted: InsertionSuccess)
}

extension PersistableRecord {
    /// Does nothing.
    ///
    /// - Throws: Nothing.
    @inlinable
    public func willInsert(_ db: Database) throws {}

    /// Does nothing.
    @inlinable
    public func didInsert(_ inserted: InsertionSuccess) {}
}

// The methods that do not change the record: each lets a copy of it do the same.

extension PersistableRecord {
    /// Inserts the record: as `MutablePersistableRecord` does.
    ///
    ///     try Person(id: 1, name: "Arthur").insert(db)
    ///
    /// - Throws: `DatabaseError`, and what callbacks throw.
    @inlinable
    public func insert(
        _ db: Database, onConflict resolution: Database.ConflictResolution? = nil
    ) throws {
        var record = self
        try record.performInsert(db, resolution)
    }

    /// Inserts the record, and fetches the row as another type.
    ///
    ///     let stored = try Person(id: 1, name: "Arthur").insertAndFetch(db, as: Person.self)
    ///
    /// - Throws: `DatabaseError`, and what callbacks throw; what decoding throws.
    public func insertAndFetch<T: FetchableRecord & TableRecord>(
        _ db: Database, onConflict resolution: Database.ConflictResolution? = nil, as type: T.Type
    ) throws -> T {
        var record = self
        return try record.performInsert(db, resolution, T.databaseSelection) { try T.fetchOne($0) }
    }

    /// Inserts the record, and fetches columns of the row.
    ///
    /// - Throws: `DatabaseError`, and what callbacks throw; what decoding throws.
    public func insertAndFetch<T>(
        _ db: Database, onConflict resolution: Database.ConflictResolution? = nil,
        selection: [any SQLSelectable], fetch: (Statement) throws -> T
    ) throws -> T {
        var record = self
        return try record.performInsert(db, resolution, selection, fetch: fetch)
    }

    /// Inserts the record, and fetches columns of the row.
    ///
    /// - Throws: `DatabaseError`, and what callbacks throw; what decoding throws.
    public func insertAndFetch<T>(
        _ db: Database, onConflict resolution: Database.ConflictResolution? = nil,
        fetch: (Statement) throws -> T,
        select selection: (DatabaseComponents) throws -> [any SQLSelectable]
    ) throws -> T {
        var record = self
        return try record.performInsert(
            db, resolution, selection(Self.databaseComponents), fetch: fetch)
    }

    /// Updates the row of the record, or inserts one if there is none: as `MutablePersistableRecord` does.
    ///
    ///     try Person(id: 1, name: "Arthur").save(db)
    ///
    /// - Throws: `DatabaseError`, and what callbacks throw.
    @inlinable
    public func save(
        _ db: Database, onConflict resolution: Database.ConflictResolution? = nil
    ) throws {
        var record = self
        try record.performSave(db, resolution)
    }

    /// Updates or inserts the record, and fetches the row as another type.
    ///
    ///     let stored = try Person(id: 1, name: "Arthur").saveAndFetch(db, as: Person.self)
    ///
    /// - Throws: `DatabaseError`, and what callbacks throw; what decoding throws.
    public func saveAndFetch<T: FetchableRecord & TableRecord>(
        _ db: Database, onConflict resolution: Database.ConflictResolution? = nil, as type: T.Type
    ) throws -> T {
        var record = self
        return try record.performSave(db, resolution, T.databaseSelection) { try T.fetchOne($0) }
    }

    /// Updates or inserts the record, and fetches columns of the row.
    ///
    /// - Throws: `DatabaseError`, and what callbacks throw; what decoding throws.
    public func saveAndFetch<T>(
        _ db: Database, onConflict resolution: Database.ConflictResolution? = nil,
        selection: [any SQLSelectable], fetch: (Statement) throws -> T
    ) throws -> T {
        var record = self
        return try record.performSave(db, resolution, selection, fetch: fetch)
    }

    /// Updates or inserts the record, and fetches columns of the row.
    ///
    /// - Throws: `DatabaseError`, and what callbacks throw; what decoding throws.
    public func saveAndFetch<T>(
        _ db: Database, onConflict resolution: Database.ConflictResolution? = nil,
        fetch: (Statement) throws -> T,
        select selection: (DatabaseComponents) throws -> [any SQLSelectable]
    ) throws -> T {
        var record = self
        return try record.performSave(
            db, resolution, selection(Self.databaseComponents), fetch: fetch)
    }

    /// Inserts the record, or overwrites the row that is in the way.
    ///
    ///     try Person(id: 1, name: "Arthur").upsert(db)
    ///
    /// - Throws: `DatabaseError`, and what callbacks throw.
    public func upsert(_ db: Database) throws {
        var record = self
        try record.performUpsert(db)
    }

    /// Inserts the record, or updates the row that is in the way, and fetches what it became.
    ///
    ///     let stored = try Person(id: 1, name: "Arthur").upsertAndFetch(db)
    ///
    /// - Throws: `DatabaseError`, and what callbacks throw; what decoding throws.
    public func upsertAndFetch(
        _ db: Database, onConflict conflictTarget: [String] = [],
        updating strategy: UpsertUpdateStrategy = .allColumns,
        doUpdate assignments: ((_ excluded: TableAlias<Self>) -> [ColumnAssignment])? = nil
    ) throws -> Self where Self: FetchableRecord {
        var record = self
        return try record.performUpsert(
            db, as: Self.self, target: conflictTarget, strategy, doUpdate: assignments)
    }

    /// Inserts the record, or updates the row that is in the way, and fetches it as another type.
    ///
    /// - Throws: `DatabaseError`, and what callbacks throw; what decoding throws.
    public func upsertAndFetch<T: FetchableRecord & TableRecord>(
        _ db: Database, as type: T.Type, onConflict conflictTarget: [String] = [],
        updating strategy: UpsertUpdateStrategy = .allColumns,
        doUpdate assignments: ((_ excluded: TableAlias<Self>) -> [ColumnAssignment])? = nil
    ) throws -> T {
        var record = self
        return try record.performUpsert(
            db, as: type, target: conflictTarget, strategy, doUpdate: assignments)
    }

    /// Inserts the record, unless a row is in the way: as `MutablePersistableRecord` does.
    ///
    ///     let isNew = try Person(id: 1, name: "Arthur").insertIfAbsent(db)
    ///
    /// - Throws: `DatabaseError`, and what callbacks throw.
    @discardableResult
    public func insertIfAbsent(
        _ db: Database, onConflict conflictTarget: [String] = []
    ) throws -> Bool {
        var record = self
        return try record.performInsertIfAbsent(db, target: conflictTarget)
    }
}
