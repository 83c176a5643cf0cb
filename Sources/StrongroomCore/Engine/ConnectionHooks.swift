internal import CSQLCipher

/// The closures that SQLite calls back on one connection.
///
/// SQLite keeps an unowned pointer to this object: whoever owns the connection owns it too, and
/// lets it go after the connection. It is touched only from the connection's own executor.
// Safety: the context is this object, which whoever owns the connection keeps until after it.
package final class ConnectionHooks {
    /// Given the number of earlier calls, answers whether to try again.
    package typealias BusyHandler = (_ attempts: Int) -> Bool

    private var busyHandler: BusyHandler?
    private var interruption: (() -> Bool)?
    private var traceHandler: ((Trace) -> Void)?

    /// Whether the statements that run are the library's own, which no trace shows.
    package var hidesStatements = false

    /// Whether SQLite asks the authorizer about each statement that it compiles.
    var hasAuthorizer = false

    /// What the statement being compiled does.
    var recorded = Recording()
    var isRecording = false

    /// A pragma that somebody wants to know of, and whether a statement sets it.
    var watchedPragma: (name: String, isSet: Bool)?

    /// Tables of which every row is deleted one by one, by their names in lower case.
    var rowwiseDeletions: Set<String> = []

    /// The table that the statement being compiled drops.
    var droppedTable: String?

    /// Which statements the connection takes; nil for all.
    var limits: StatementLimits?

    /// What the connection refuses once it is ready for use.
    var rules: StatementRules?
    var denial: StatementRules.Danger?

    var updateHandler: ((RowChange) -> Void)?
    var preUpdateHandler: ((PreUpdateHook.Row) -> Void)?
    var commitHandler: (() -> Bool)?

    package init() {}

    private var context: UnsafeMutableRawPointer {
        unsafe Unmanaged.passUnretained(self).toOpaque()
    }

    /// Asks `handler` whenever a lock is held elsewhere.
    package func setBusyHandler(_ connection: BorrowedConnection, _ handler: BusyHandler?) {
        busyHandler = handler
        guard handler != nil else {
            unsafe sqlite3_busy_handler(connection.pointer, nil, nil)
            return
        }
        unsafe sqlite3_busy_handler(
            connection.pointer,
            { context, attempts in
                guard let context = unsafe context else { return 0 }
                let hooks = unsafe Unmanaged<ConnectionHooks>.fromOpaque(context)
                    .takeUnretainedValue()
                return hooks.busyHandler?(Int(attempts)) == true ? 1 : 0
            }, unsafe context)
    }

    /// Asks `isDue`, on the connection's executor, every so often while a statement runs, and
    /// interrupts it when that is true.
    ///
    /// `sqlite3_interrupt` alone has no effect on a statement that is just about to start: SQLite
    /// forgets it when the first of all statements starts.
    /// <https://www.sqlite.org/c3ref/interrupt.html>
    package func setInterruption(
        _ connection: BorrowedConnection, _ isDue: @escaping () -> Bool
    ) {
        interruption = isDue
        unsafe sqlite3_progress_handler(
            connection.pointer, Self.stepsBetweenInterruptions,
            { context in
                guard let context = unsafe context else { return 0 }
                let hooks = unsafe Unmanaged<ConnectionHooks>.fromOpaque(context)
                    .takeUnretainedValue()
                return hooks.interruption?() == true ? 1 : 0
            }, unsafe context)
    }

    /// About a millisecond of SQLite's machine.
    private static let stepsBetweenInterruptions: CInt = 100_000

    /// What SQLite reports while it runs statements. Pointers are good during the call only.
    package enum Trace {
        /// A statement starts; a trigger's statements come as comments, without a pointer of use.
        case statement(BorrowedStatement, sql: String)
        /// A statement ended after so many nanoseconds.
        case profile(BorrowedStatement, nanoseconds: Int64)
    }

    /// Reports statements as they start, as they end, or both.
    package func setTrace(
        _ connection: BorrowedConnection, statements: Bool, profiles: Bool,
        _ handler: ((Trace) -> Void)?
    ) {
        traceHandler = handler
        let mask = (statements ? SQLITE_TRACE_STMT : 0) | (profiles ? SQLITE_TRACE_PROFILE : 0)
        guard handler != nil, mask != 0 else {
            unsafe sqlite3_trace_v2(connection.pointer, 0, nil, nil)
            return
        }
        unsafe sqlite3_trace_v2(
            connection.pointer, UInt32(mask),
            { kind, context, subject, detail in
                guard let context = unsafe context, let subject = unsafe subject,
                    let detail = unsafe detail
                else { return 0 }
                let hooks = unsafe Unmanaged<ConnectionHooks>.fromOpaque(context)
                    .takeUnretainedValue()
                unsafe hooks.trace(kind, OpaquePointer(subject), detail)
                return 0
            }, unsafe context)
    }

    private func trace(_ kind: UInt32, _ statement: OpaquePointer, _ detail: UnsafeRawPointer) {
        if hidesStatements { return }
        switch kind {
        case UInt32(SQLITE_TRACE_STMT):
            let sql = unsafe String(cString: detail.assumingMemoryBound(to: CChar.self))
            unsafe traceHandler?(.statement(BorrowedStatement(statement), sql: sql))
        case UInt32(SQLITE_TRACE_PROFILE):
            unsafe traceHandler?(
                .profile(BorrowedStatement(statement), nanoseconds: detail.load(as: Int64.self)))
        default:
            break
        }
    }
}
