// The bodies of everything that writes one record: each runs an operation with its callbacks around.
//
// Records of classes stay the same objects. Those of structs are copied where a callback that runs
// around the operation needs the record to stay as it is, while the operation changes it.
//
// What an operation fetches, its caller keeps: to hand it through here, as a type of its own each
// time, took longer than an insertion. All is inlinable, so that callbacks which a type does not have
// cost nothing, nor the copies that they would need.

extension MutablePersistableRecord {
    /// Runs an insertion, or an upsert, with the callbacks of insertions and saves.
    @inlinable
    mutating func insertWithCallbacks(
        _ db: Database, _ insert: (RecordRow) throws -> InsertionSuccess
    ) throws {
        try saveWithCallbacks(db) { record in
            PersistenceSuccess(try record.insertInsideSave(db, insert))
        }
    }

    /// Runs an update with the callbacks of updates and saves.
    ///
    /// - Parameter update: Returns whether there was a row.
    @inlinable
    func updateWithCallbacks(
        _ db: Database, columns: Set<String>?, _ update: (RecordRow, [Int]) throws -> Bool
    ) throws {
        var record = self
        try record.saveWithCallbacks(db) { record in
            let row = try RecordRow(record, db)
            guard let updated = try record.updateInsideSave(db, row, columns: columns, update)
            else { throw row.notFound }
            return updated
        }
    }

    /// Runs an update, or an insertion if there is no row, with the callbacks of both.
    ///
    /// - Parameter update: Returns whether there was a row.
    @inlinable
    mutating func updateOrInsertWithCallbacks(
        _ db: Database, update: (RecordRow, [Int]) throws -> Bool,
        insert: (RecordRow) throws -> InsertionSuccess
    ) throws {
        try saveWithCallbacks(db) { record in
            let row = try RecordRow(record, db)
            if row.hasKey,
                let updated = try record.updateInsideSave(db, row, columns: nil, update)
            {
                return updated
            }
            return PersistenceSuccess(try record.insertInsideSave(db, insert))
        }
    }

    /// Runs a deletion with its callbacks.
    func deleteWithCallbacks(_ db: Database) throws -> Bool {
        try willDelete(db)
        var isDeleted: Bool?
        try aroundDelete(db) {
            let result = try RecordRow(self, db).delete()
            isDeleted = result
            return result
        }
        guard let isDeleted else { throw Self.incorrectCallback("aroundDelete") }
        didDelete(deleted: isDeleted)
        return isDeleted
    }
}

// MARK: - Parts

extension MutablePersistableRecord {
    @inlinable
    mutating func saveWithCallbacks(
        _ db: Database, _ save: (inout Self) throws -> PersistenceSuccess
    ) throws {
        try willSave(db)
        var record = self
        defer { self = record }
        var saved: PersistenceSuccess?
        try aroundSave(db) {
            let result = try save(&record)
            saved = result
            return result
        }
        guard let saved else { throw Self.incorrectCallback("aroundSave") }
        record.didSave(saved)
    }

    @inlinable
    mutating func insertInsideSave(
        _ db: Database, _ insert: (RecordRow) throws -> InsertionSuccess
    ) throws -> InsertionSuccess {
        try willInsert(db)
        var inserted: InsertionSuccess?
        try aroundInsert(db) {
            let result = try insert(RecordRow(self, db))
            inserted = result
            return result
        }
        guard let inserted else { throw Self.incorrectCallback("aroundInsert") }
        didInsert(inserted)
        return inserted
    }

    /// - Returns: nil when there is no row.
    @inlinable
    func updateInsideSave(
        _ db: Database, _ row: RecordRow, columns: Set<String>?,
        _ update: (RecordRow, [Int]) throws -> Bool
    ) throws -> PersistenceSuccess? {
        let names = try columns ?? row.plan.tableNames(db)
        try willUpdate(db, columns: names)
        var updated: PersistenceSuccess?
        var isMissing = false
        do {
            try aroundUpdate(db, columns: names) {
                // The callbacks before may have changed an object.
                let row = Self.self is AnyClass ? try RecordRow(self, db) : row
                guard try update(row, row.positions(of: columns)) else {
                    isMissing = true
                    throw row.notFound
                }
                let result = PersistenceSuccess(persistenceContainer: row.container)
                updated = result
                return result
            }
        } catch  where isMissing && error is RecordError {
            return nil
        }
        guard let updated else { throw Self.incorrectCallback("aroundUpdate") }
        didUpdate(updated)
        return updated
    }

    @usableFromInline
    static func incorrectCallback(_ name: String) -> DatabaseError {
        DatabaseError(
            resultCode: .SQLITE_MISUSE,
            message: "Incorrect implementation of the `\(self).\(name)` persistence callback: "
                + "it must call the function that it is given, and throw what that throws.")
    }
}
