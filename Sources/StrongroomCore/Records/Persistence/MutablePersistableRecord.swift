/// A type that is written to a table, and may change when it is inserted.
///
///     struct Player: Encodable, MutablePersistableRecord {
///         var id: Int64?
///         var name: String
///
///         mutating func didInsert(_ inserted: InsertionSuccess) {
///             id = inserted.rowID
///         }
///     }
///
///     var player = Player(id: nil, name: "Arthur")
///     try player.insert(db)
///     print(player.id!)
///
/// The callbacks run around the methods that write one record, and around nothing else: not around
/// the changes of many rows at once, nor around SQL. What they throw ends the operation. They are
/// not told whether the transaction is committed in the end: see `Database.afterNextTransaction`.
public protocol MutablePersistableRecord: EncodableRecord, TableRecord {
    /// What happens to rows that break a constraint; by default, the operation fails.
    static var persistenceConflictPolicy: PersistenceConflictPolicy { get }

    /// Called before the record is inserted.
    ///
    /// - Throws: To cancel the insertion: the method that was called throws the error.
    mutating func willInsert(_ db: Database) throws

    /// Called around the insertion: must call `insert`.
    ///
    /// - Throws: What `insert` throws; an error of its own fails the call, but undoes nothing that
    ///   is written.
    func aroundInsert(_ db: Database, insert: () throws -> InsertionSuccess) throws

    /// Called after the record has been inserted: where it learns its number.
    mutating func didInsert(_ inserted: InsertionSuccess)

    /// Called before the record is updated.
    ///
    /// - Parameters:
    ///   - db: The connection to use.
    ///   - columns: Those that are written; for a full update, all columns of the table.
    /// - Throws: To cancel the update: the method that was called throws the error.
    func willUpdate(_ db: Database, columns: Set<String>) throws

    /// Called around the update: must call `update`.
    ///
    /// - Throws: What `update` throws; an error of its own fails the call, but undoes nothing that
    ///   is written.
    func aroundUpdate(
        _ db: Database, columns: Set<String>, update: () throws -> PersistenceSuccess) throws

    /// Called after the record has been updated.
    func didUpdate(_ updated: PersistenceSuccess)

    /// Called before the record is inserted or updated.
    ///
    /// - Throws: To cancel the write: the method that was called throws the error.
    func willSave(_ db: Database) throws

    /// Called around the insertion or update: must call `save`.
    ///
    /// - Throws: What `save` throws; an error of its own fails the call, but undoes nothing that is
    ///   written.
    func aroundSave(_ db: Database, save: () throws -> PersistenceSuccess) throws

    /// Called after the record has been inserted or updated.
    func didSave(_ saved: PersistenceSuccess)

    /// Called before the record is deleted.
    ///
    /// - Throws: To cancel the deletion: the method that was called throws the error.
    func willDelete(_ db: Database) throws

    /// Called around the deletion: must call `delete`.
    ///
    /// - Throws: What `delete` throws; an error of its own fails the call, but undoes nothing that
    ///   is written.
    func aroundDelete(_ db: Database, delete: () throws -> Bool) throws

    /// Called after the deletion, also when there was no row.
    func didDelete(deleted: Bool)
}

extension MutablePersistableRecord {
    public static var _updateConflictResolution: Database.ConflictResolution? {
        let resolution = persistenceConflictPolicy.conflictResolutionForUpdate
        // What SQLite does anyway, unless the constraint itself says otherwise.
        return resolution == .abort ? nil : resolution
    }

    @inlinable
    public static var persistenceConflictPolicy: PersistenceConflictPolicy {
        PersistenceConflictPolicy()
    }

    @inlinable
    public mutating func willInsert(_ db: Database) throws {}

    @inlinable
    public func aroundInsert(
        _ db: Database, insert: () throws -> InsertionSuccess
    ) throws {
        _ = try insert()
    }

    @inlinable
    public mutating func didInsert(_ inserted: InsertionSuccess) {}

    @inlinable
    public func willUpdate(_ db: Database, columns: Set<String>) throws {}

    @inlinable
    public func aroundUpdate(
        _ db: Database, columns: Set<String>, update: () throws -> PersistenceSuccess
    ) throws {
        _ = try update()
    }

    @inlinable
    public func didUpdate(_ updated: PersistenceSuccess) {}

    @inlinable
    public func willSave(_ db: Database) throws {}

    @inlinable
    public func aroundSave(_ db: Database, save: () throws -> PersistenceSuccess) throws {
        _ = try save()
    }

    @inlinable
    public func didSave(_ saved: PersistenceSuccess) {}

    @inlinable
    public func willDelete(_ db: Database) throws {}

    @inlinable
    public func aroundDelete(_ db: Database, delete: () throws -> Bool) throws {
        _ = try delete()
    }

    @inlinable
    public func didDelete(deleted: Bool) {}
}
