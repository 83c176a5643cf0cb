extension MutablePersistableRecord {
    /// Inserts many records at once, by few statements.
    ///
    ///     // INSERT INTO "player" ("id", "name") VALUES (?,?),(?,?),(?,?)…
    ///     try Player.insertAll(db, players)
    ///
    /// All are inserted, or none: after an error the table is as it was, unless the resolution is
    /// `fail` or `rollback`. As all batch operations it runs no callbacks, so that the records do
    /// not learn their ids; see `insertAllAndFetch(_:_:onConflict:)`.
    ///
    /// - Parameters:
    ///   - db: The connection to use.
    ///   - records: The records to insert.
    ///   - resolution: What happens to a row that breaks a constraint; `persistenceConflictPolicy`
    ///     if nil.
    /// - Returns: How many rows were inserted: with `ignore`, those left out do not count.
    /// - Throws: `DatabaseError`, and what `encode(to:)` throws.
    @discardableResult
    @inlinable
    public static func insertAll(
        _ db: Database, _ records: some Sequence<Self>,
        onConflict resolution: Database.ConflictResolution? = nil
    ) throws -> Int {
        // Only the caller knows the type of the sequence, and how to walk through it fast.
        var iterator = records.makeIterator()
        return try insertAll(db, resolution) { iterator.next() }
    }

    @usableFromInline
    static func insertAll(
        _ db: Database, _ resolution: Database.ConflictResolution?, next: () -> Self?
    ) throws -> Int {
        var count = 0
        try BatchInsertion(Self.self, resolution, db).run(next) { row, sql, values in
            try row.execute(sql, values)
            count += db.changesCount
        }
        return count
    }

    /// Inserts many records at once, and fetches what the database has made of them, ids above all.
    ///
    /// The order is that of the records as a rule, but SQLite does not promise it. See
    /// `insertAll(_:_:onConflict:)`.
    ///
    ///     let stored = try Player.insertAllAndFetch(db, players)
    ///
    /// - Throws: `DatabaseError`, and what callbacks throw; what decoding throws.
    public static func insertAllAndFetch(
        _ db: Database, _ records: some Sequence<Self>,
        onConflict resolution: Database.ConflictResolution? = nil
    ) throws -> [Self] where Self: FetchableRecord {
        var inserted: [Self] = []
        var iterator = records.makeIterator()
        try BatchInsertion(Self.self, resolution, db).run({ iterator.next() }) { row, sql, values in
            try row.run(sql, values, databaseSelection) { inserted += try Self.fetchAll($0) }
        }
        return inserted
    }
}

/// Records on their way to a table, as many at a time as a statement can take.
private struct BatchInsertion {
    let db: Database
    let resolution: Database.ConflictResolution

    /// Longer statements gain no speed, and are more for SQLite to keep.
    private static let largestRowCount = 100

    init(
        _ type: any MutablePersistableRecord.Type, _ resolution: Database.ConflictResolution?,
        _ db: Database
    ) {
        self.db = db
        self.resolution =
            resolution ?? type.persistenceConflictPolicy.conflictResolutionForInsert
    }

    /// Gives SQL with its values to `insert`, in one transaction.
    func run<Record: MutablePersistableRecord>(
        _ next: () -> Record?,
        _ insert: (RecordRow, String, [DatabaseValue]) throws -> Void
    ) throws {
        let variableLimit = db.maximumStatementArgumentCount
        try db.inSavepoint {
            var first: RecordRow?
            var values: [DatabaseValue] = []
            var count = 0
            func flush() throws {
                guard let row = first else { return }
                let sql = row.plan.insertion(resolution, rowCount: count)
                try insert(row, sql, values)
                first = nil
                values.removeAll(keepingCapacity: true)
                count = 0
            }
            while let record = next() {
                let row = try RecordRow(record, db)
                // Records of one type may have different columns.
                if let first, first.plan !== row.plan { try flush() }
                if first == nil { first = row }
                values += row.container.values
                count += 1
                let width = row.container.count
                let limit = width == 0 ? 1 : min(Self.largestRowCount, variableLimit / width)
                if count >= limit { try flush() }
            }
            try flush()
            return .commit
        }
    }
}
