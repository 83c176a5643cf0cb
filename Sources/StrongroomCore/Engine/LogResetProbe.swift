internal import CSQLCipher

/// Asks the SQLite of this process whether it has the defect that ``GuardedFile`` guards against:
/// distributions repair it without changing the version.
package enum LogResetProbe {
    /// Whether a checkpoint without the guard notes frames as copied that are not there yet.
    ///
    /// - Parameter folder: Where a small file, plain and with nothing in it, is made and left.
    /// - Throws: What SQLite reports if the file cannot be used.
    package static func findsDefect(inFolder folder: String) throws(DatabaseError) -> Bool {
        let path = folder + "/log-reset-probe.db"
        let writer = try ConnectionHandle(
            path: path, flags: [.readWrite, .create], isGuarded: false)
        try writer.execute(
            """
            PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; PRAGMA synchronous = OFF;
            CREATE TABLE t (a)
            """)
        let other = try ConnectionHandle(path: path, flags: .readWrite, isGuarded: false)
        _ = try other.firstText("SELECT count(*) FROM t")
        for _ in 0..<10 { try writer.execute("INSERT INTO t VALUES (1)") }
        _ = try writer.borrowed.checkpoint(schema: "main", mode: SQLITE_CHECKPOINT_PASSIVE)
        let commit = CheckpointPause { [writer = writer.borrowed] in
            _ = unsafe sqlite3_exec(writer.pointer, "INSERT INTO t VALUES (1)", nil, nil, nil)
        }
        try commit.during(other.borrowed) { () throws(DatabaseError) in
            _ = try other.borrowed.checkpoint(schema: "main", mode: SQLITE_CHECKPOINT_PASSIVE)
        }
        // Without an answer the worse one holds.
        guard commit.count > 0, let index = writer.logIndex() else { return true }
        return index.backfilledFrameCount > index.frameCount
    }
}

/// A function that runs in the middle of checkpoints of a connection: after one has read the header
/// of the log, and before it copies frames.
///
/// SQLite then gives up pages of the main file that it has mapped into memory, if the header has
/// changed since the connection read it last; nothing else asks for that in an encrypted database.
// Safety: the methods find this object, which waits for the end of the exchange (``FileMethods``).
package final class CheckpointPause {
    private let function: () -> Void
    /// How often it ran.
    package private(set) var count = 0

    package init(_ function: @escaping () -> Void) {
        self.function = function
    }

    /// - Throws: What the body throws.
    package func during<T, E: Error>(
        _ connection: BorrowedConnection, schema: String = "main", _ body: () throws(E) -> T
    ) throws(E) -> T {
        let result = try FileMethods.exchange(
            of: connection, schema: schema, version: 3, object: self, Self.setUnfetch, during: body)
        // A file without memory maps is not asked for them.
        if let result { return result }
        return try body()
    }

    private static func setUnfetch(_ methods: inout sqlite3_io_methods) {
        unsafe methods.xUnfetch = { file, offset, page in
            guard let file = unsafe file else { return SQLITE_IOERR }
            let pause = unsafe FileMethods.object(of: file, as: CheckpointPause.self)
            if unsafe page == nil {
                pause.count += 1
                pause.function()
            }
            return unsafe FileMethods.usual(of: file).xUnfetch(file, offset, page)
        }
    }
}
