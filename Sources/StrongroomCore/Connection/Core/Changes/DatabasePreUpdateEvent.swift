/// A row that is about to change, reported to a `TransactionObserver` with its old and new values.
///
/// It needs a SQLCipher with the pre-update hook, which Debian's 4.6.1 does not have: see
/// `isAvailable`. The values are read on demand.
///
/// <https://www.sqlite.org/c3ref/preupdate_blobwrite.html>
public struct DatabasePreUpdateEvent {
    /// Whether this process's SQLCipher reports rows before they change.
    ///
    /// It does if it was built with `SQLITE_ENABLE_PREUPDATE_HOOK`. Otherwise,
    /// `TransactionObserver.databaseWillChange(with:)` is never called.
    public static var isAvailable: Bool { PreUpdateHook.isAvailable }

    /// What happens to a row, with SQLite's numbers. <https://www.sqlite.org/c3ref/c_alter_table.html>
    public enum Kind: CInt, Sendable {
        /// The row is inserted.
        case insert = 18
        /// The row is deleted.
        case delete = 9
        /// The row is updated.
        case update = 23
    }

    /// What is going to happen to the row.
    public let kind: Kind

    /// The table of the row.
    public let tableName: String

    /// The database of the table: `main`, `temp`, or the name of an attached one.
    public let databaseName: String

    /// The row's id before; nil for an insertion.
    public let initialRowID: Int64?

    /// The row's id after; nil for a deletion.
    public let finalRowID: Int64?

    /// The origin of the change; nil outside `Database.withOrigin(_:_:)`.
    public let origin: String?

    let values: Values

    /// The number of columns.
    public var count: Int { values.count }

    /// 0 for a change by a statement, 1 for a change by its trigger, and so on.
    public var depth: CInt { values.depth }

    /// The values before, left to right; nil for an insertion.
    public var initialDatabaseValues: [DatabaseValue]? {
        kind == .insert ? nil : (0..<count).map(values.initial)
    }

    /// The values after, left to right; nil for a deletion.
    public var finalDatabaseValues: [DatabaseValue]? {
        kind == .delete ? nil : (0..<count).map(values.final)
    }

    /// The value of a column before, counted from 0; nil for an insertion.
    ///
    /// - Precondition: There is such a column.
    public func initialDatabaseValue(atIndex index: Int) -> DatabaseValue? {
        precondition((0..<count).contains(index), "there is no column \(index)")
        return kind == .insert ? nil : values.initial(index)
    }

    /// The value of a column after, counted from 0; nil for a deletion.
    ///
    /// - Precondition: There is such a column.
    public func finalDatabaseValue(atIndex index: Int) -> DatabaseValue? {
        precondition((0..<count).contains(index), "there is no column \(index)")
        return kind == .delete ? nil : values.final(index)
    }

    /// The same event. You can keep events without copying them.
    public func copy() -> DatabasePreUpdateEvent { self }
}

extension DatabasePreUpdateEvent {
    /// The values of the row: those that SQLite has during the call, copies of them afterwards.
    ///
    /// Invariant: whoever makes it calls `keep()` before the call of the hook returns, if anybody
    /// still refers to it then.
    final class Values {
        private var row: PreUpdateHook.Row?
        private var initialValues: [DatabaseValue] = []
        private var finalValues: [DatabaseValue] = []
        let count: Int
        let depth: CInt

        init(_ row: PreUpdateHook.Row) {
            self.row = row
            count = row.count
            depth = row.depth
        }

        func initial(_ index: Int) -> DatabaseValue {
            row.map { DatabaseValue($0.initialValue(index)) } ?? initialValues[index]
        }

        func final(_ index: Int) -> DatabaseValue {
            row.map { DatabaseValue($0.finalValue(index)) } ?? finalValues[index]
        }

        func keep() {
            guard let row else { return }
            if row.operation != .insert { initialValues = (0..<count).map(initial) }
            if row.operation != .delete { finalValues = (0..<count).map(final) }
            self.row = nil
        }
    }

    init(
        _ row: PreUpdateHook.Row, _ values: Values, of target: ConnectionChanges.EventTarget,
        origin: String?
    ) {
        self.origin = origin
        kind = Kind(row.operation)
        tableName = target.tableName
        databaseName = target.schemaName
        initialRowID = kind == .insert ? nil : row.initialRowID
        finalRowID = kind == .delete ? nil : row.finalRowID
        self.values = values
    }
}

extension DatabasePreUpdateEvent.Kind {
    init(_ operation: ConnectionHooks.RowChange.Operation) {
        switch operation {
        case .insert: self = .insert
        case .delete: self = .delete
        case .update: self = .update
        }
    }
}
