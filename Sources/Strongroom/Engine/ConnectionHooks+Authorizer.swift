internal import CSQLCipher

extension ConnectionHooks {
    /// What a statement reads, as SQLite tells it when it compiles the statement.
    package struct ColumnRead: Hashable {
        /// nil when the query names none, and reads no column.
        package let schema: String?
        package let table: String
        /// Empty when the statement reads the table, but none of its columns.
        package let column: String
    }

    /// Collects what statements read that are compiled while `body` runs.
    ///
    /// The authorizer stays installed: to install one makes SQLite compile every statement of the
    /// connection again. <https://www.sqlite.org/c3ref/set_authorizer.html>
    package func recordingReads<Failure: Error>(
        _ connection: OpaquePointer, _ body: () throws(Failure) -> Void
    ) throws(Failure) -> Set<ColumnRead> {
        if recordedReads == nil { installAuthorizer(connection) }
        isRecordingReads = true
        recordedReads = []
        defer {
            isRecordingReads = false
            recordedReads = []
        }
        try body()
        return recordedReads ?? []
    }

    private func installAuthorizer(_ connection: OpaquePointer) {
        sqlite3_set_authorizer(
            connection,
            { context, action, table, column, schema, _ in
                guard action == SQLITE_READ, let context, let table, let column else {
                    return SQLITE_OK
                }
                let hooks = Unmanaged<ConnectionHooks>.fromOpaque(context).takeUnretainedValue()
                if hooks.isRecordingReads {
                    hooks.recordedReads?.insert(
                        ColumnRead(
                            schema: schema.map { String(cString: $0) },
                            table: String(cString: table), column: String(cString: column)))
                }
                return SQLITE_OK
            }, Unmanaged.passUnretained(self).toOpaque())
    }
}

extension ConnectionState {
    /// Whether something that statements read is a table: not a view, nor a function of rows.
    ///
    /// <https://www.sqlite.org/c3ref/table_column_metadata.html>
    package static func isTable(_ connection: OpaquePointer, schema: String?, name: String) -> Bool
    {
        sqlite3_table_column_metadata(connection, schema, name, nil, nil, nil, nil, nil, nil)
            == SQLITE_OK
    }
}
