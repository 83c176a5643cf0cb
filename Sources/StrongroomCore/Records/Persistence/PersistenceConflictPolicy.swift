/// What happens to the rows of a record type that break a constraint.
///
///     extension Player: PersistableRecord {
///         static let persistenceConflictPolicy = PersistenceConflictPolicy(
///             insert: .replace, update: .replace)
///     }
///
/// <https://www.sqlite.org/lang_conflict.html>
public struct PersistenceConflictPolicy: Sendable {
    /// What happens on insertion.
    public let conflictResolutionForInsert: Database.ConflictResolution

    /// What happens on update.
    public let conflictResolutionForUpdate: Database.ConflictResolution

    /// Makes a policy; by default, the statement fails and is undone.
    ///
    ///     let policy = PersistenceConflictPolicy(insert: .replace, update: .replace)
    @inlinable
    public init(
        insert: Database.ConflictResolution = .abort, update: Database.ConflictResolution = .abort
    ) {
        conflictResolutionForInsert = insert
        conflictResolutionForUpdate = update
    }
}
