/// A base class for records that know whether they differ from their row.
///
///     class Player: Record {
///         var id: Int64?
///         var name: String
///
///         override class var databaseTableName: String { "player" }
///
///         required init(row: Row) throws {
///             id = row["id"]
///             name = row["name"]
///             try super.init(row: row)
///         }
///
///         override func encode(to container: inout PersistenceContainer) throws {
///             container["id"] = id
///             container["name"] = name
///         }
///
///         override func didInsert(_ inserted: InsertionSuccess) {
///             super.didInsert(inserted)
///             id = inserted.rowID
///         }
///     }
///
/// New code is better off with structs, which have `updateChanges(_:modify:)`. Subclasses customise
/// callbacks, and call `super` in them; the methods that write are not overridden.
open class Record {
    /// What the row was when it was fetched or written last; nil when there is none.
    private var known: Known?

    private enum Known {
        case row(Row)
        case container(PersistenceContainer)

        /// nil when the column is unknown.
        subscript(_ column: String) -> DatabaseValue? {
            switch self {
            case .row(let row): row.index(of: column).map { row.databaseValue(at: $0) }
            case .container(let container): container[databaseValueFor: column]
            }
        }
    }

    /// Makes a record without a row.
    public init() {}

    /// Makes the record of a row.
    ///
    /// - Throws: Nothing; an override may, and the fetching functions pass it on.
    public required init(row: Row) throws {
        known = .row(row)
    }

    /// The name of the table. Subclasses must override it.
    open class var databaseTableName: String {
        fatalError("subclass must override")
    }

    /// What requests select; all columns by default.
    open class var databaseSelection: [any SQLSelectable] { [.allColumns] }

    /// What happens to rows that break a constraint; by default, the operation fails.
    open class var persistenceConflictPolicy: PersistenceConflictPolicy {
        PersistenceConflictPolicy()
    }

    /// Gives the columns their values; none by default.
    ///
    /// - Throws: Nothing; an override may, and the methods that write the record pass it on.
    open func encode(to container: inout PersistenceContainer) throws {}

    // MARK: Changes

    /// Whether the record differs from its row, as far as it is known, or has none.
    ///
    /// It is about values: a property that was set to the value that it had makes no change. Setting
    /// this to true lets the record forget its row, to false makes it take its values for those of
    /// the row.
    public var hasDatabaseChanges: Bool {
        get { (try? !databaseChanges.isEmpty) ?? true }
        set { known = newValue ? nil : (try? PersistenceContainer(of: self)).map(Known.container) }
    }

    /// The columns that differ from the row, with the values there; nil where they are unknown.
    ///
    /// - Throws: What encoding the record throws.
    public var databaseChanges: [String: DatabaseValue?] {
        get throws {
            var changes: [String: DatabaseValue?] = [:]
            for (column, value) in try PersistenceContainer(of: self) {
                let former = known?[column]
                if former != value { changes[column] = .some(former) }
            }
            return changes
        }
    }

    /// Updates the columns that differ from the row.
    ///
    /// - Returns: Whether there were any. If not, no SQL runs, and no callback.
    /// - Throws: As `update(_:onConflict:)`.
    @discardableResult
    public final func updateChanges(_ db: Database) throws -> Bool {
        let columns = try Set(databaseChanges.keys)
        guard !columns.isEmpty else { return false }
        try update(db, columns: columns)
        return true
    }

    // MARK: Callbacks

    /// Called before the record is inserted.
    ///
    /// - Throws: Nothing; an override may, to cancel the insertion.
    open func willInsert(_ db: Database) throws {}

    /// Called around the insertion: must call `insert`, or `super`.
    ///
    /// - Throws: What `insert` throws.
    open func aroundInsert(_ db: Database, insert: () throws -> InsertionSuccess) throws {
        _ = try insert()
    }

    /// Called after the record has been inserted.
    open func didInsert(_ inserted: InsertionSuccess) {}

    /// Called before the record is updated.
    ///
    /// - Throws: Nothing; an override may, to cancel the update.
    open func willUpdate(_ db: Database, columns: Set<String>) throws {}

    /// Called around the update: must call `update`, or `super`.
    ///
    /// - Throws: What `update` throws.
    open func aroundUpdate(
        _ db: Database, columns: Set<String>, update: () throws -> PersistenceSuccess
    ) throws {
        _ = try update()
    }

    /// Called after the record has been updated.
    open func didUpdate(_ updated: PersistenceSuccess) {}

    /// Called before the record is inserted or updated.
    ///
    /// - Throws: Nothing; an override may, to cancel the write.
    open func willSave(_ db: Database) throws {}

    /// Called around the insertion or update: must call `save`, or `super`.
    ///
    /// - Throws: What `save` throws.
    open func aroundSave(_ db: Database, save: () throws -> PersistenceSuccess) throws {
        _ = try save()
    }

    /// Called after the record has been inserted or updated: it has no changes then.
    open func didSave(_ saved: PersistenceSuccess) {
        hasDatabaseChanges = false
    }

    /// Called before the record is deleted.
    ///
    /// - Throws: Nothing; an override may, to cancel the deletion.
    open func willDelete(_ db: Database) throws {}

    /// Called around the deletion: must call `delete`, or `super`.
    ///
    /// - Throws: What `delete` throws.
    open func aroundDelete(_ db: Database, delete: () throws -> Bool) throws {
        _ = try delete()
    }

    /// Called after the deletion: all is changed then, as there is no row.
    open func didDelete(deleted: Bool) {
        hasDatabaseChanges = true
    }
}

extension Record: FetchableRecord, PersistableRecord {}
