extension MutablePersistableRecord {
    /// Inserts the record, or overwrites the row that is in the way.
    ///
    ///     // INSERT INTO "player" ("id", "name") VALUES (1, 'Arthur')
    ///     // ON CONFLICT DO UPDATE SET "name" = "excluded"."name" RETURNING "rowid"
    ///     try player.upsert(db)
    ///
    /// Any uniqueness can be in the way. The primary key of the row stays. The callbacks are those of
    /// an insertion. <https://www.sqlite.org/lang_UPSERT.html>
    ///
    /// - Throws: `DatabaseError`, and what callbacks throw.
    public mutating func upsert(_ db: Database) throws {
        try performUpsert(db)
    }

    /// Inserts the record, or overwrites the row that is in the way; gives the record as it is
    /// afterwards.
    ///
    ///     let stored = try Player(name: "Arthur").upserted(db)
    ///
    /// - Throws: `DatabaseError`, and what callbacks throw.
    public func upserted(_ db: Database) throws -> Self {
        var record = self
        try record.performUpsert(db)
        return record
    }

    /// Inserts the record, or updates the row that is in the way, and fetches what it became.
    ///
    ///     let player = try player.upsertAndFetch(db, onConflict: ["name"]) { excluded in
    ///         [Column("score") += excluded["score"], Column("team").noOverwrite]
    ///     }
    ///
    /// - Parameters:
    ///   - db: The connection to use.
    ///   - conflictTarget: The columns that must be unique; any uniqueness if empty.
    ///   - strategy: Whether the columns that the assignments do not mention are overwritten.
    ///   - assignments: Gives the assignments of an update, out of the values that could not be
    ///     inserted.
    /// - Throws: `DatabaseError`, and what callbacks throw; what decoding throws.
    public mutating func upsertAndFetch(
        _ db: Database, onConflict conflictTarget: [String] = [],
        updating strategy: UpsertUpdateStrategy = .allColumns,
        doUpdate assignments: ((_ excluded: TableAlias<Self>) -> [ColumnAssignment])? = nil
    ) throws -> Self where Self: FetchableRecord {
        try performUpsert(
            db, as: Self.self, target: conflictTarget, strategy, doUpdate: assignments)
    }

    /// Inserts the record, or updates the row that is in the way, and fetches it as another type.
    ///
    /// The parameters are those of `upsertAndFetch(_:onConflict:updating:doUpdate:)`.
    ///
    /// - Throws: `DatabaseError`, and what callbacks throw; what decoding throws.
    public mutating func upsertAndFetch<T: FetchableRecord & TableRecord>(
        _ db: Database, as type: T.Type, onConflict conflictTarget: [String] = [],
        updating strategy: UpsertUpdateStrategy = .allColumns,
        doUpdate assignments: ((_ excluded: TableAlias<Self>) -> [ColumnAssignment])? = nil
    ) throws -> T {
        try performUpsert(db, as: type, target: conflictTarget, strategy, doUpdate: assignments)
    }

    /// Inserts the record, unless a row is in the way; that row stays as it is.
    ///
    ///     // INSERT INTO "player" ("id", "name") VALUES (1, 'Arthur') ON CONFLICT ("name") DO NOTHING
    ///     let isNew = try player.insertIfAbsent(db, onConflict: ["name"])
    ///
    /// Only uniqueness is in the way: unlike `insert(_:onConflict:)` with `.ignore`, what NOT NULL or a CHECK
    /// forbids throws. When a row is in the way, `didInsert`, `didSave` and what follows the operation in
    /// `aroundInsert` and `aroundSave` are not called. <https://www.sqlite.org/lang_UPSERT.html>
    ///
    /// - Parameters:
    ///   - db: The connection to use.
    ///   - conflictTarget: The columns that must be unique; any uniqueness if empty.
    /// - Returns: Whether the record was inserted.
    /// - Throws: `DatabaseError`, and what callbacks throw.
    @discardableResult
    public mutating func insertIfAbsent(
        _ db: Database, onConflict conflictTarget: [String] = []
    ) throws -> Bool {
        try performInsertIfAbsent(db, target: conflictTarget)
    }
}
