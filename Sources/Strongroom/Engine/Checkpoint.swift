internal import CSQLCipher

/// Moves the content of a write-ahead log into its database.
package enum Checkpoint {
    /// - Parameter mode: A `SQLITE_CHECKPOINT_` number, 0 to 3.
    /// - Returns: Frames in the log and frames moved; both -1 when there is no log.
    package static func run(
        _ connection: OpaquePointer, schema: String?, mode: CInt
    ) throws(DatabaseError) -> (walFrameCount: Int, checkpointedFrameCount: Int) {
        guard schema?.utf8.contains(0) != true else {
            throw DatabaseError(code: .SQLITE_ERROR, message: "unknown database: \(schema ?? "")")
        }
        var total: CInt = 0
        var moved: CInt = 0
        let code = sqlite3_wal_checkpoint_v2(connection, schema, mode, &total, &moved)
        guard code == SQLITE_OK else { throw ConnectionState.lastError(connection) }
        return (Int(total), Int(moved))
    }
}
