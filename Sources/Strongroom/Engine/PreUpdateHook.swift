internal import CSQLCipher

/// What SQLite tells of a row before it changes, with its values before and after.
///
/// SQLCipher has the functions only when it was built for them, which Debian's 4.6.1 was not.
/// <https://www.sqlite.org/c3ref/preupdate_blobwrite.html>
package enum PreUpdateHook {
    fileprivate typealias Callback =
        @convention(c) (
            UnsafeMutableRawPointer?, OpaquePointer?, CInt, UnsafePointer<CChar>?,
            UnsafePointer<CChar>?, Int64, Int64
        ) -> Void

    fileprivate struct Functions: Sendable {
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
        guard let hook = loadedFunction("sqlite3_preupdate_hook", as: Functions.Hook.self),
            let old = loadedFunction("sqlite3_preupdate_old", as: Functions.Value.self),
            let new = loadedFunction("sqlite3_preupdate_new", as: Functions.Value.self),
            let count = loadedFunction("sqlite3_preupdate_count", as: Functions.Number.self),
            let depth = loadedFunction("sqlite3_preupdate_depth", as: Functions.Number.self)
        else { return nil }
        return Functions(hook: hook, old: old, new: new, count: count, depth: depth)
    }()

    /// Whether the SQLCipher of this process has the hook.
    package static var isAvailable: Bool { known != nil }

    /// A row that is about to change. It is good during the call only.
    package struct Row {
        package let operation: ConnectionHooks.RowChange.Operation
        package let schema: UnsafePointer<CChar>
        package let table: UnsafePointer<CChar>
        package let initialRowID: Int64
        package let finalRowID: Int64
        fileprivate let connection: BorrowedConnection
        fileprivate let functions: Functions

        /// The number of columns.
        package var count: Int { Int(functions.count(connection.pointer)) }

        /// 0 for what a statement does, 1 for what a trigger of it does, and so on.
        package var depth: CInt { functions.depth(connection.pointer) }

        package func initialValue(_ index: Int) -> LiveValue {
            value(index, functions.old)
        }

        package func finalValue(_ index: Int) -> LiveValue {
            value(index, functions.new)
        }

        private func value(_ index: Int, _ read: Functions.Value) -> LiveValue {
            var pointer: OpaquePointer?
            guard read(connection.pointer, CInt(index), &pointer) == SQLITE_OK else {
                return LiveValue(nil)
            }
            return LiveValue(pointer)
        }
    }
}

extension ConnectionHooks {
    /// Tells each row before it changes, or stops telling. Without the hook, nothing is told.
    package func setPreUpdateHook(
        _ connection: BorrowedConnection, _ handler: ((PreUpdateHook.Row) -> Void)?
    ) {
        guard let functions = PreUpdateHook.known else { return }
        preUpdateHandler = handler
        guard handler != nil else {
            _ = functions.hook(connection.pointer, nil, nil)
            return
        }
        _ = functions.hook(
            connection.pointer,
            { context, connection, operation, schema, table, initialRowID, finalRowID in
                guard let context, let connection, let schema, let table,
                    let functions = PreUpdateHook.known
                else { return }
                let hooks = Unmanaged<ConnectionHooks>.fromOpaque(context).takeUnretainedValue()
                hooks.preUpdateHandler?(
                    PreUpdateHook.Row(
                        operation: RowChange.Operation(operation), schema: schema, table: table,
                        initialRowID: initialRowID, finalRowID: finalRowID,
                        connection: BorrowedConnection(connection), functions: functions))
            }, Unmanaged.passUnretained(self).toOpaque())
    }
}
