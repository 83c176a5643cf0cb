internal import CSQLCipher
internal import Synchronization

/// The library that this process really calls, which need not be the one it was built with.
///
/// Where plain SQLite is loaded before SQLCipher, the dynamic linker gives its functions to
/// everyone: keys are then ignored and databases are written in plaintext. Every connection therefore
/// asks first.
// Safety: texts of libraries are copied; what is opened or prepared here is closed here.
package enum SQLCipherLibrary {
    /// The oldest SQLCipher that this toolkit was measured on.
    package static let oldestVersion = (4, 5, 6)

    /// What SQLCipher says of itself, `4.6.1 community`; nil when plain SQLite answers instead.
    package static let version: String? = {
        ProcessEnd.keepLibcrypto()
        var connection: OpaquePointer?
        defer { unsafe sqlite3_close(connection) }
        guard
            unsafe sqlite3_open_v2(":memory:", &connection, SQLITE_OPEN_READWRITE, nil)
                == SQLITE_OK,
            let connection = unsafe connection
        else { return nil }
        ProcessEnd.prepare()
        return unsafe cipherVersion(BorrowedConnection(connection))
    }()

    /// The version of SQLite inside, `3.46.1`.
    package static var sqliteVersion: String { unsafe String(cString: sqlite3_libversion()) }

    /// The same as a number, 3046001.
    package static var sqliteVersionNumber: CInt { sqlite3_libversion_number() }

    /// Whether the library was compiled with an option, told without the `SQLITE_` before.
    package static func hasOption(_ name: String) -> Bool {
        unsafe sqlite3_compileoption_used(name) != 0
    }

    private static let objection = objection(to: version)

    /// Why a library that says this of itself must not be used; nil if it may.
    package static func objection(to version: String?) -> DatabaseError? {
        guard let version else { return plainSQLiteError }
        let numbers =
            version.prefix { $0 != " " && $0 != "-" }.split(separator: ".")
            .map { Int($0) ?? 0 } + [0, 0, 0]
        guard (numbers[0], numbers[1], numbers[2]) < oldestVersion else { return nil }
        let oldest = "\(oldestVersion.0).\(oldestVersion.1).\(oldestVersion.2)"
        return DatabaseError(
            code: .SQLITE_ERROR,
            message: """
                SQLCipher \(version) is too old: \(oldest) or later is needed (type `make setup`, or \
                install libsqlcipher-dev 4.6.1 from bookworm-backports)
                """)
    }

    /// Throws unless this process calls a SQLCipher that is new enough.
    package static func requireUsable() throws(DatabaseError) {
        if let objection { throw objection }
    }

    /// Throws unless the connection itself answers as SQLCipher does.
    static func requireSQLCipher(behind handle: borrowing ConnectionHandle) throws(DatabaseError) {
        guard cipherVersion(handle.borrowed) != nil else { throw plainSQLiteError }
    }

    private static var plainSQLiteError: DatabaseError {
        DatabaseError(
            code: .SQLITE_ERROR,
            message: """
                this process runs plain SQLite \(sqliteVersion), not SQLCipher: a database would be \
                written in clear (another library in the process links libsqlite3, or it is \
                preloaded; remove it, or link libsqlcipher before it)
                """)
    }

    private static func cipherVersion(_ connection: BorrowedConnection) -> String? {
        var statement: OpaquePointer?
        defer { unsafe sqlite3_finalize(statement) }
        guard
            unsafe sqlite3_prepare_v2(
                connection.pointer, "PRAGMA cipher_version", -1, &statement, nil)
                == SQLITE_OK,
            let statement = unsafe statement, unsafe sqlite3_step(statement) == SQLITE_ROW
        else { return nil }
        return unsafe BorrowedStatement(statement).string(0)
    }

    private static let isSilenced = Atomic(false)

    /// Stops SQLCipher from writing to standard error, once: a host may turn it on again.
    ///
    /// From 4.6.0 on, each wrong key prints three lines. The setting is global to the process and
    /// works only on a connection that has a key (`Documentation/SQLCipher.md`, "Settings").
    static func silenceStandardErrorOnce(_ handle: borrowing ConnectionHandle) {
        guard !isSilenced.exchange(true, ordering: .relaxed) else { return }
        _ = unsafe sqlite3_exec(
            handle.borrowed.pointer, "PRAGMA cipher_log_level = NONE", nil, nil, nil)
    }
}
