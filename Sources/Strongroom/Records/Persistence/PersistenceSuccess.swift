/// What is known of a row that was inserted.
public struct InsertionSuccess: Sendable {
    /// The number of the row; without meaning for tables that have no row numbers.
    ///
    /// <https://www.sqlite.org/c3ref/last_insert_rowid.html>
    public var rowID: Int64

    /// The column that holds the number of the row, if one does.
    public var rowIDColumn: String?

    /// The columns of the record and their values, as they were inserted; with the number of the row.
    public var persistenceContainer: PersistenceContainer

    @inlinable
    init(rowID: Int64, rowIDColumn: String?, persistenceContainer: PersistenceContainer) {
        self.rowID = rowID
        self.rowIDColumn = rowIDColumn
        self.persistenceContainer = persistenceContainer
    }
}

/// What is known of a row that was inserted or updated.
public struct PersistenceSuccess: Sendable {
    /// The columns of the record and their values, as they were written.
    public var persistenceContainer: PersistenceContainer

    @inlinable
    init(persistenceContainer: PersistenceContainer) {
        self.persistenceContainer = persistenceContainer
    }

    @inlinable
    init(_ inserted: InsertionSuccess) {
        persistenceContainer = inserted.persistenceContainer
    }
}
