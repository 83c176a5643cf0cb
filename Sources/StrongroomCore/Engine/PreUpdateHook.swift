internal import CSQLCipher

/// What SQLite reports about a row before it changes, with its values before and after.
///
/// SQLCipher has the functions only when it was built for them, which Debian's 4.6.1 was not.
/// <https://www.sqlite.org/c3ref/preupdate_blobwrite.html>
// Safety: functions have the types that SQLite's documentation gives them; a row is good during the
// call only.
package enum PreUpdateHook {
    fileprivate typealias Callback =
        @convention(c) (
            UnsafeMutableRawPointer?, OpaquePointer?, CInt, UnsafePointer<CChar>?,
            UnsafePointer<CChar>?, Int64, Int64
        ) -> Void

    @safe fileprivate struct Functions: Sendable {
        typealias Hook =
            @convention(c) (
                OpaquePointer, Callback?, UnsafeMutableRawPointer?
            ) -> UnsafeMutableRawPointer?
        typealias Value =
            @convention(c) (
                OpaquePointer, CInt, UnsafeMutablePointer<OpaquePointer?>
            ) -> CInt
        typealias Number = @convention(c) (OpaquePointer) -> CInt

        let hook: Hook
        let old: Value
        let new: Value
        let count: Number
        let depth: Number
    }

    fileprivate static let known: Functions? = {
        guard let hook = unsafe loadedFunction("sqlite3_preupdate_hook", as: Functions.Hook.self),
            let old = unsafe loadedFunction("sqlite3_preupdate_old", as: Functions.Value.self),
            let new = unsafe loadedFunction("sqlite3_preupdate_new", as: Functions.Value.self),
            let count = unsafe loadedFunction("sqlite3_preupdate_count", as: Functions.Number.self),
            let depth = unsafe loadedFunction("sqlite3_preupdate_depth", as: Functions.Number.self)
        else { return nil }
        return unsafe Functions(hook: hook, old: old, new: new, count: count, depth: depth)
    }()

    /// Whether the SQLCipher of this process has the hook.
    package static var isAvailable: Bool { known != nil }

    /// A row that is about to change. It is good during the call only.
    @safe package struct Row {
        package let operation: ConnectionHooks.RowChange.Operation
        package let schema: BorrowedName
        package let table: BorrowedName
        package let initialRowID: Int64
        package let finalRowID: Int64
        fileprivate let connection: BorrowedConnection
        fileprivate let functions: Functions

        /// The number of columns.
        package var count: Int { unsafe Int(functions.count(connection.pointer)) }

        /// 0 for what a statement does, 1 for what a trigger of it does, and so on.
        package var depth: CInt { unsafe functions.depth(connection.pointer) }

        package func initialValue(_ index: Int) -> LiveValue {
            unsafe value(index, functions.old)
        }

        package func finalValue(_ index: Int) -> LiveValue {
            unsafe value(index, functions.new)
        }

        private func value(_ index: Int, _ read: Functions.Value) -> LiveValue {
            var pointer: OpaquePointer?
            guard unsafe read(connection.pointer, CInt(index), &pointer) == SQLITE_OK else {
                return unsafe LiveValue(nil)
            }
            return unsafe LiveValue(pointer)
        }
    }
}

// Safety: the context is this object (``ConnectionHooks``), and the names are SQLite's during the
// call.
extension ConnectionHooks {
    /// Tells each row before it changes, or stops telling. Without the hook, nothing is told.
    package func setPreUpdateHook(
        _ connection: BorrowedConnection, _ handler: ((PreUpdateHook.Row) -> Void)?
    ) {
        guard let functions = PreUpdateHook.known else { return }
        preUpdateHandler = handler
        guard handler != nil else {
            _ = unsafe functions.hook(connection.pointer, nil, nil)
            return
        }
        _ = unsafe functions.hook(
            connection.pointer,
            { context, connection, operation, schema, table, initialRowID, finalRowID in
                guard let context = unsafe context, let connection = unsafe connection,
                    let schema = unsafe schema, let table = unsafe table,
                    let functions = PreUpdateHook.known
                else { return }
                let hooks = unsafe Unmanaged<ConnectionHooks>.fromOpaque(context)
                    .takeUnretainedValue()
                unsafe hooks.preUpdateHandler?(
                    PreUpdateHook.Row(
                        operation: RowChange.Operation(operation), schema: BorrowedName(schema),
                        table: BorrowedName(table),
                        initialRowID: initialRowID, finalRowID: finalRowID,
                        connection: BorrowedConnection(connection), functions: functions))
            }, unsafe Unmanaged.passUnretained(self).toOpaque())
    }
}
