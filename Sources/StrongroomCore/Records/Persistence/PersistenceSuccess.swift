/// What is known of a row that was inserted.
public struct InsertionSuccess: Sendable {
    /// The number of the row; without meaning for tables that have no row numbers.
    ///
    /// <https://www.sqlite.org/c3ref/last_insert_rowid.html>
    public var rowID: Int64

    /// The column that holds the number of the row, if one does.
    public var rowIDColumn: String?

    /// The columns of the record and their values, as they were inserted; with the number of the row.
    public var persistenceContainer: PersistenceContainer {
        get { written.container }
        set { written = WrittenColumns(newValue) }
    }

    @usableFromInline var written: WrittenColumns

    @inlinable
    init(rowID: Int64, rowIDColumn: String?, encoded: PersistenceContainer) {
        self.rowID = rowID
        self.rowIDColumn = rowIDColumn
        written = WrittenColumns(encoded, rowID: rowID, rowIDColumn: rowIDColumn)
    }
}

/// What is known of a row that was inserted or updated.
public struct PersistenceSuccess: Sendable {
    /// The columns of the record and their values, as they were written.
    public var persistenceContainer: PersistenceContainer {
        get { written.container }
        set { written = WrittenColumns(newValue) }
    }

    @usableFromInline var written: WrittenColumns

    @inlinable
    init(persistenceContainer: PersistenceContainer) {
        written = WrittenColumns(persistenceContainer)
    }

    @inlinable
    init(_ inserted: InsertionSuccess) {
        written = inserted.written
    }
}

/// The columns that a record was written with. The number of a new row joins them when they are read:
/// few callbacks do.
@usableFromInline
struct WrittenColumns: Sendable {
    @usableFromInline let encoded: PersistenceContainer
    @usableFromInline let rowID: Int64
    @usableFromInline let rowIDColumn: String?

    /// - Parameter rowIDColumn: nil if the number of the row has no column, or is among the others.
    @inlinable
    init(_ encoded: PersistenceContainer, rowID: Int64 = 0, rowIDColumn: String? = nil) {
        self.encoded = encoded
        self.rowID = rowID
        self.rowIDColumn = rowIDColumn
    }

    var container: PersistenceContainer {
        guard let rowIDColumn else { return encoded }
        var container = encoded
        container.set(rowID.databaseValue, for: rowIDColumn)
        return container
    }
}
