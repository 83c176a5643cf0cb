// The bodies of everything that writes one record: each runs an operation with its callbacks around.
//
// Records of classes stay the same objects. Those of structs are copied where a callback that runs
// around the operation needs the record to stay as it is, while the operation changes it.

extension MutablePersistableRecord {
    /// Runs an insertion, or an upsert, with the callbacks of insertions and saves.
    mutating func insertWithCallbacks<T>(
        _ db: Database, _ insert: (RecordRow) throws -> (InsertionSuccess, T)
    ) throws -> T {
        try saveWithCallbacks(db) { record in
            let (inserted, value) = try record.insertInsideSave(db, insert)
            return (PersistenceSuccess(inserted), value)
        }
    }

    /// Runs an update with the callbacks of updates and saves.
    func updateWithCallbacks<T>(
        _ db: Database, columns: Set<String>?, _ update: (RecordRow, [Int]) throws -> T?
    ) throws -> T {
        var record = self
        return try record.saveWithCallbacks(db) { record in
            let row = try RecordRow(record, db)
            guard let result = try record.updateInsideSave(db, row, columns: columns, update)
            else { throw row.notFound }
            return result
        }
    }

    /// Runs an update, or an insertion if there is no row, with the callbacks of both.
    mutating func updateOrInsertWithCallbacks<T>(
        _ db: Database, update: (RecordRow, [Int]) throws -> T?,
        insert: (RecordRow) throws -> (InsertionSuccess, T)
    ) throws -> T {
        try saveWithCallbacks(db) { record in
            let row = try RecordRow(record, db)
            if row.hasKey,
                let result = try record.updateInsideSave(db, row, columns: nil, update)
            {
                return result
            }
            let (inserted, value) = try record.insertInsideSave(db, insert)
            return (PersistenceSuccess(inserted), value)
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
    private mutating func saveWithCallbacks<T>(
        _ db: Database, _ save: (inout Self) throws -> (PersistenceSuccess, T)
    ) throws -> T {
        try willSave(db)
        var record = self
        defer { self = record }
        var result: (saved: PersistenceSuccess, value: T)?
        try aroundSave(db) {
            let (saved, value) = try save(&record)
            result = (saved, value)
            return saved
        }
        guard let result else { throw Self.incorrectCallback("aroundSave") }
        record.didSave(result.saved)
        return result.value
    }

    private mutating func insertInsideSave<T>(
        _ db: Database, _ insert: (RecordRow) throws -> (InsertionSuccess, T)
    ) throws -> (InsertionSuccess, T) {
        try willInsert(db)
        let record = self
        var result: (inserted: InsertionSuccess, value: T)?
        try record.aroundInsert(db) {
            let (inserted, value) = try insert(RecordRow(record, db))
            result = (inserted, value)
            return inserted
        }
        guard let result else { throw Self.incorrectCallback("aroundInsert") }
        didInsert(result.inserted)
        return result
    }

    /// - Returns: nil when there is no row.
    private func updateInsideSave<T>(
        _ db: Database, _ row: RecordRow, columns: Set<String>?,
        _ update: (RecordRow, [Int]) throws -> T?
    ) throws -> (PersistenceSuccess, T)? {
        let names = columns ?? row.plan.nameSet
        try willUpdate(db, columns: names)
        var result: (updated: PersistenceSuccess, value: T)?
        var isMissing = false
        do {
            try aroundUpdate(db, columns: names) {
                // The callbacks before may have changed an object.
                let row = Self.self is AnyClass ? try RecordRow(self, db) : row
                guard let value = try update(row, row.positions(of: columns)) else {
                    isMissing = true
                    throw row.notFound
                }
                let updated = PersistenceSuccess(persistenceContainer: row.container)
                result = (updated, value)
                return updated
            }
        } catch  where isMissing && error is RecordError {
            return nil
        }
        guard let result else { throw Self.incorrectCallback("aroundUpdate") }
        didUpdate(result.updated)
        return result
    }

    private static func incorrectCallback(_ name: String) -> DatabaseError {
        DatabaseError(
            resultCode: .SQLITE_MISUSE,
            message: "Incorrect implementation of the `\(self).\(name)` persistence callback: "
                + "it must call the function that it is given, and throw what that throws.")
    }
}
