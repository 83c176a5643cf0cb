/// A kind of changes that a statement can make to a table, known before it runs.
public enum DatabaseEventKind: Sendable, Hashable {
    /// Rows are inserted.
    case insert(tableName: String)
    /// Rows are deleted.
    case delete(tableName: String)
    /// Some columns of rows are updated.
    case update(tableName: String, columnNames: Set<String>)

    /// The table that changes.
    public var tableName: String {
        switch self {
        case .insert(let tableName), .delete(let tableName), .update(let tableName, _): tableName
        }
    }
}

/// A changed row, reported to a `TransactionObserver` during the transaction.
///
/// <https://www.sqlite.org/c3ref/update_hook.html>
public struct DatabaseEvent {
    /// What happens to a row, with SQLite's numbers. <https://www.sqlite.org/c3ref/c_alter_table.html>
    public enum Kind: CInt, Sendable {
        /// The row is inserted.
        case insert = 18
        /// The row is deleted.
        case delete = 9
        /// The row is updated.
        case update = 23
    }

    /// What happened to the row.
    public let kind: Kind

    /// The table of the row.
    public let tableName: String

    /// The database of the table: `main`, `temp`, or the name of an attached one.
    public let databaseName: String

    /// The row's id; the new one when an update has changed it.
    public let rowID: Int64

    /// The origin of the change; nil outside `Database.withOrigin(_:_:)`.
    public let origin: String?

    /// Whether the statement may change row ids: the row's old id is then unknown.
    let mayChangeRowID: Bool

    /// The same event. You can keep events without copying them.
    public func copy() -> DatabaseEvent { self }
}
