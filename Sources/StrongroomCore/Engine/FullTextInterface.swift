public import CSQLCipher

/// FTS5's interface in C, as SQLCipher's header declares it.
///
/// <https://www.sqlite.org/fts5.html#extending_fts5>
public typealias FTS5Interface = fts5_api

/// Where FTS5 lets itself be extended.
package enum FullTextInterface {
    /// FTS5's interface, which is good as long as the connection is open.
    ///
    /// - Throws: `SQLITE_ERROR` where SQLCipher was built without FTS5.
    package static func pointer(
        _ connection: BorrowedConnection
    ) throws(DatabaseError) -> UnsafeMutablePointer<FTS5Interface> {
        var statement: OpaquePointer?
        defer { unsafe sqlite3_finalize(statement) }
        var interface: UnsafeMutablePointer<fts5_api>?
        let code = unsafe sqlite3_prepare_v2(
            connection.pointer, "SELECT fts5(?1)", -1, &statement, nil)
        if code == SQLITE_OK {
            // The type's name must live as long as the value is bound.
            let type: StaticString = "fts5_api_ptr"
            unsafe withUnsafeMutablePointer(to: &interface) { place in
                unsafe type.utf8Start.withMemoryRebound(
                    to: CChar.self, capacity: type.utf8CodeUnitCount
                ) {
                    _ = unsafe sqlite3_bind_pointer(statement, 1, place, $0, nil)
                }
                _ = unsafe sqlite3_step(statement)
            }
        } else if code & 0xff != SQLITE_ERROR {
            throw connection.lastError
        }
        guard let interface = unsafe interface else { throw missing }
        return unsafe interface
    }

    /// FTS5's interface, or one whose functions all answer `SQLITE_ERROR` where it is not to be had.
    package static func pointerOrRefusal(
        _ connection: BorrowedConnection
    ) -> UnsafePointer<FTS5Interface> {
        unsafe (try? pointer(connection)).map { unsafe UnsafePointer($0) } ?? refusal
    }

    // Safety: nobody changes it, and it lives as long as the process.
    nonisolated(unsafe) private static let refusal: UnsafePointer<FTS5Interface> = {
        var interface = fts5_api()
        // The functions that version 3 added are not looked for in version 2.
        interface.iVersion = 2
        unsafe interface.xCreateTokenizer = { _, _, _, _, _ in SQLITE_ERROR }
        unsafe interface.xFindTokenizer = { _, _, _, _ in SQLITE_ERROR }
        unsafe interface.xCreateFunction = { _, _, _, _, _ in SQLITE_ERROR }
        let place = UnsafeMutablePointer<FTS5Interface>.allocate(capacity: 1)
        unsafe place.initialize(to: interface)
        return unsafe UnsafePointer(place)
    }()

    private static var missing: DatabaseError {
        DatabaseError(
            code: .SQLITE_ERROR,
            message: """
                this SQLCipher has no FTS5 (SQLITE_ENABLE_FTS5 was not set when it was built): use \
                FTS4, or another SQLCipher
                """)
    }
}
