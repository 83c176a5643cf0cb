internal import CSQLCipher

// Safety: the connection is open as long as the handle is there; what is prepared here is finalized
// here.
extension ConnectionHandle {
    /// Sorters, temporary tables and the like are written in plaintext where a build of SQLCipher keeps
    /// them in files (`Documentation/SQLCipher.md`, "Temporary files").
    static let temporaryStorageInMemory = "PRAGMA temp_store = MEMORY"

    /// Says again what each connection begins with, which statements may have changed.
    package func keepTemporaryStorageInMemory() throws(DatabaseError) {
        try execute(Self.temporaryStorageInMemory)
    }

    /// Whether `"text"` that names no column is taken as a string. SQLCipher's default is yes.
    package func setAcceptsDoubleQuotedStringLiterals(_ accepts: Bool) throws(DatabaseError) {
        for option in [SQLITE_DBCONFIG_DQS_DML, SQLITE_DBCONFIG_DQS_DDL] {
            try unsafe check(strongroom_db_config(borrowed.pointer, option, accepts ? 1 : 0))
        }
    }

    /// Whether statements set off triggers. The default is yes.
    package func setFiresTriggers(_ fires: Bool) throws(DatabaseError) {
        try unsafe check(
            strongroom_db_config(borrowed.pointer, SQLITE_DBCONFIG_ENABLE_TRIGGER, fires ? 1 : 0))
    }

    /// Whether SQLite keeps statements from its own tables and from settings that damage a file.
    /// <https://www.sqlite.org/c3ref/c_dbconfig_defensive.html>
    package func setDefensive(_ isDefensive: Bool) throws(DatabaseError) {
        try unsafe check(
            strongroom_db_config(borrowed.pointer, SQLITE_DBCONFIG_DEFENSIVE, isDefensive ? 1 : 0))
    }

    /// Has the schema call only functions that are known to have no effects.
    /// <https://www.sqlite.org/c3ref/c_dbconfig_defensive.html#sqlitedbconfigtrustedschema>
    package func distrustSchema() throws(DatabaseError) {
        try unsafe check(strongroom_db_config(borrowed.pointer, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0))
    }

    package func setBusyTimeout(milliseconds: CInt) throws(DatabaseError) {
        try unsafe check(sqlite3_busy_timeout(borrowed.pointer, milliseconds))
    }

    /// Runs statements that neither take arguments nor give rows that matter.
    package func execute(_ sql: String) throws(DatabaseError) {
        guard unsafe sqlite3_exec(borrowed.pointer, sql, nil, nil, nil) == SQLITE_OK else {
            throw borrowed.lastError.executing(
                sql, arguments: nil, showsArguments: false)
        }
    }

    /// Runs several of them.
    package func execute(_ statements: [String]) throws(DatabaseError) {
        for sql in statements { try execute(sql) }
    }

    /// The first column of the first row, as text.
    package func firstText(_ sql: String) throws(DatabaseError) -> String? {
        try texts(sql).first
    }

    /// The first column of every row, as text.
    package func texts(_ sql: String) throws(DatabaseError) -> [String] {
        var statement: OpaquePointer?
        defer { unsafe sqlite3_finalize(statement) }
        try unsafe check(sqlite3_prepare_v2(borrowed.pointer, sql, -1, &statement, nil))
        guard let statement = unsafe statement else { return [] }
        var texts: [String] = []
        while true {
            let code = unsafe sqlite3_step(statement)
            if code == SQLITE_DONE { return texts }
            guard code == SQLITE_ROW else { throw borrowed.lastError }
            unsafe texts.append(BorrowedStatement(statement).string(0) ?? "")
        }
    }

    package func check(_ code: CInt) throws(DatabaseError) {
        guard code == SQLITE_OK else { throw borrowed.lastError }
    }
}
