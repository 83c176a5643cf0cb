internal import CSQLCipher

// Safety: the texts are SQLite's during the call, and are copied out of it; the context is this
// object.
extension ConnectionHooks {
    /// What a statement reads, as SQLite tells it when it compiles the statement.
    package struct ColumnRead: Hashable {
        /// nil when the query names none, and reads no column.
        package let schema: String?
        package let table: String
        /// Empty when the statement reads the table, but none of its columns.
        package let column: String
    }

    /// What a statement may change, foreign key actions and triggers included.
    package enum Write: Hashable {
        case insert(table: String)
        case delete(table: String)
        case update(table: String, column: String)
    }

    /// What a statement does.
    package struct Recording {
        package var reads: Set<ColumnRead> = []
        package var writes: Set<Write> = []
    }

    /// Collects what statements do that are compiled while `body` runs.
    ///
    /// The authorizer stays installed: to install one makes SQLite compile every statement of the
    /// connection again. <https://www.sqlite.org/c3ref/set_authorizer.html>
    package func recording<Failure: Error>(
        _ connection: BorrowedConnection, _ body: () throws(Failure) -> Void
    ) throws(Failure) -> Recording {
        if !hasAuthorizer { installAuthorizer(connection) }
        isRecording = true
        recorded = Recording()
        defer {
            isRecording = false
            recorded = Recording()
        }
        try body()
        return recorded
    }

    /// Runs a closure, and tells whether a statement that was compiled meanwhile sets a pragma of
    /// the main database.
    package func setsPragma<Failure: Error>(
        _ name: String, _ connection: BorrowedConnection, _ body: () throws(Failure) -> Void
    ) throws(Failure) -> Bool {
        watchedPragma = (name, false)
        installAuthorizer(connection)
        defer { watchedPragma = nil }
        try body()
        return watchedPragma?.isSet == true
    }

    private func notePragma(
        _ name: UnsafePointer<CChar>, _ schema: UnsafePointer<CChar>?
    ) {
        let schema = unsafe schema.map { unsafe String(cString: $0).lowercased() } ?? "main"
        guard schema == "main", unsafe String(cString: name).lowercased() == watchedPragma?.name
        else {
            return
        }
        watchedPragma?.isSet = true
    }

    /// Has the rows of tables deleted one by one, so that each is told, even where all of them go.
    ///
    /// Every statement of the connection is compiled again, when it runs next.
    package func setRowwiseDeletions(_ connection: BorrowedConnection, from tables: Set<String>) {
        rowwiseDeletions = tables
        installAuthorizer(connection)
    }

    func installAuthorizer(_ connection: BorrowedConnection) {
        hasAuthorizer = true
        unsafe sqlite3_set_authorizer(
            connection.pointer,
            { context, action, first, second, schema, trigger in
                guard let context = unsafe context else { return SQLITE_OK }
                return unsafe Unmanaged<ConnectionHooks>.fromOpaque(context)
                    ._withUnsafeGuaranteedRef {
                        unsafe $0.answer(action, first, second, schema, isInTrigger: trigger != nil)
                    }
            }, unsafe Unmanaged.passUnretained(self).toOpaque())
    }

    /// Answers for each column, table and function of each statement that is compiled: what is
    /// asked for most comes first, and is soon done.
    private func answer(
        _ action: CInt, _ first: UnsafePointer<CChar>?, _ second: UnsafePointer<CChar>?,
        _ schema: UnsafePointer<CChar>?, isInTrigger: Bool
    ) -> CInt {
        if limits != nil {
            let question = unsafe StatementLimits.Question(
                action: action, first: first.map { unsafe String(cString: $0) } ?? "",
                second: unsafe second.map { unsafe String(cString: $0) } ?? "",
                schema: unsafe schema.map { unsafe String(cString: $0) } ?? "",
                isInTrigger: isInTrigger)
            guard isPermitted(question) else { return SQLITE_DENY }
        }
        if let danger = unsafe rules?.danger(action, first, second) {
            denial = danger
            return SQLITE_DENY
        }
        guard let first = unsafe first else { return SQLITE_OK }
        if action == SQLITE_PRAGMA, unsafe second != nil, watchedPragma != nil {
            unsafe notePragma(first, schema)
        }
        if isRecording { unsafe record(action, first, second, schema) }
        return unsafe permission(action, first)
    }

    private func record(
        _ action: CInt, _ first: UnsafePointer<CChar>, _ second: UnsafePointer<CChar>?,
        _ schema: UnsafePointer<CChar>?
    ) {
        switch action {
        case SQLITE_READ:
            guard let second = unsafe second else { return }
            unsafe recorded.reads.insert(
                ColumnRead(
                    schema: schema.map { unsafe String(cString: $0) },
                    table: unsafe String(cString: first),
                    column: unsafe String(cString: second)))
        case SQLITE_INSERT:
            unsafe recorded.writes.insert(.insert(table: String(cString: first)))
        case SQLITE_DELETE:
            unsafe recorded.writes.insert(.delete(table: String(cString: first)))
        case SQLITE_UPDATE:
            guard let second = unsafe second else { return }
            unsafe recorded.writes.insert(
                .update(table: String(cString: first), column: String(cString: second)))
        default:
            break
        }
    }

    /// To ignore a deletion has SQLite delete row by row, but a table is then not dropped.
    private func permission(_ action: CInt, _ name: UnsafePointer<CChar>) -> CInt {
        guard !rowwiseDeletions.isEmpty else { return SQLITE_OK }
        switch action {
        case SQLITE_DROP_TABLE, SQLITE_DROP_TEMP_TABLE, SQLITE_DROP_VTABLE, SQLITE_DROP_VIEW,
            SQLITE_DROP_TEMP_VIEW:
            droppedTable = unsafe String(cString: name).lowercased()
            return SQLITE_OK
        case SQLITE_DELETE:
            let table = unsafe String(cString: name).lowercased()
            let isDropped = droppedTable == table
            droppedTable = nil
            return !isDropped && rowwiseDeletions.contains(table) ? SQLITE_IGNORE : SQLITE_OK
        default:
            return SQLITE_OK
        }
    }
}
