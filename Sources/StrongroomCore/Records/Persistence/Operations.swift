// What is done to a record, with and without fetching what became of the row. Every public method
// forwards to one of these.

extension MutablePersistableRecord {
    @inlinable
    func resolution(
        forInsert resolution: Database.ConflictResolution?
    ) -> Database.ConflictResolution {
        resolution ?? type(of: self).persistenceConflictPolicy.conflictResolutionForInsert
    }

    @inlinable
    func resolution(
        forUpdate resolution: Database.ConflictResolution?
    ) -> Database.ConflictResolution {
        resolution ?? type(of: self).persistenceConflictPolicy.conflictResolutionForUpdate
    }

    @inlinable
    mutating func performInsert(
        _ db: Database, _ resolution: Database.ConflictResolution?
    ) throws {
        let resolution = self.resolution(forInsert: resolution)
        try insertWithCallbacks(db) { try $0.insert(resolution) }
    }

    mutating func performInsert<T>(
        _ db: Database, _ resolution: Database.ConflictResolution?,
        _ selection: [any SQLSelectable], fetch: (Statement) throws -> T?
    ) throws -> T {
        let resolution = self.resolution(forInsert: resolution)
        var value: T?
        try insertWithCallbacks(db) { row in
            try row.insert(resolution, selection) { statement in
                value = try fetch(statement)
                guard case .some = value else { throw row.notFound }
            }
        }
        return try fetched(value, db)
    }

    @inlinable
    func performUpdate(
        _ db: Database, _ resolution: Database.ConflictResolution?, columns: Set<String>?
    ) throws {
        let resolution = self.resolution(forUpdate: resolution)
        try updateWithCallbacks(db, columns: columns) { row, positions in
            try row.update(resolution, positions)
        }
    }

    func performUpdate<T>(
        _ db: Database, _ resolution: Database.ConflictResolution?, columns: Set<String>?,
        _ selection: [any SQLSelectable], fetch: (Statement) throws -> T?
    ) throws -> T {
        let resolution = self.resolution(forUpdate: resolution)
        var value: T?
        try updateWithCallbacks(db, columns: columns) { row, positions in
            try row.update(resolution, positions, selection) { value = try fetch($0) }
        }
        return try fetched(value, db)
    }

    @inlinable
    mutating func performSave(
        _ db: Database, _ resolution: Database.ConflictResolution?
    ) throws {
        let forUpdate = self.resolution(forUpdate: resolution)
        let forInsert = self.resolution(forInsert: resolution)
        try updateOrInsertWithCallbacks(db) { row, positions in
            try row.update(forUpdate, positions)
        } insert: { row in
            try row.insert(forInsert)
        }
    }

    mutating func performSave<T>(
        _ db: Database, _ resolution: Database.ConflictResolution?,
        _ selection: [any SQLSelectable], fetch: (Statement) throws -> T?
    ) throws -> T {
        let forUpdate = self.resolution(forUpdate: resolution)
        let forInsert = self.resolution(forInsert: resolution)
        var value: T?
        try updateOrInsertWithCallbacks(db) { row, positions in
            try row.update(forUpdate, positions, selection) { value = try fetch($0) }
        } insert: { row in
            try row.insert(forInsert, selection) { statement in
                value = try fetch(statement)
                guard case .some = value else { throw row.notFound }
            }
        }
        return try fetched(value, db)
    }

    mutating func performUpsert(_ db: Database) throws {
        try insertWithCallbacks(db) { try $0.upsert() }
    }

    mutating func performUpsert<T: FetchableRecord & TableRecord>(
        _ db: Database, as type: T.Type, target: [String], _ strategy: UpsertUpdateStrategy,
        doUpdate: ((TableAlias<Self>) -> [ColumnAssignment])?
    ) throws -> T {
        var value: T?
        try insertWithCallbacks(db) { row in
            let (inserted, record) = try row.upsert(
                target: target, strategy, doUpdate: doUpdate, as: type)
            value = record
            return inserted
        }
        return try fetched(value, db)
    }

    /// - Returns: Whether the record was inserted.
    mutating func performInsertIfAbsent(_ db: Database, target: [String]) throws -> Bool {
        var isInTheWay = false
        do {
            try insertWithCallbacks(db) { row in
                guard let inserted = try row.insertIfAbsent(target: target) else {
                    isInTheWay = true
                    throw row.notFound
                }
                return inserted
            }
        } catch  where isInTheWay && error is RecordError {
            return false
        }
        return true
    }

    /// What an operation has fetched.
    private func fetched<T>(_ value: T?, _ db: Database) throws -> T {
        guard let value else { throw recordNotFound(db) }
        return value
    }
}
