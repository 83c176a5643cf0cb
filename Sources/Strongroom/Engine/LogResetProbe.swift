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
            _ = sqlite3_exec(writer.pointer, "INSERT INTO t VALUES (1)", nil, nil, nil)
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
package final class CheckpointPause {
    private let function: () -> Void
    /// How often it ran.
    package private(set) var count = 0

    package init(_ function: @escaping () -> Void) {
        self.function = function
    }

    /// What SQLite finds in place of a file's own methods; the table comes first.
    private struct PausingMethods {
        var table: sqlite3_io_methods
        let usual: UnsafePointer<sqlite3_io_methods>
        let pause: Unmanaged<CheckpointPause>
    }

    /// - Throws: What the body throws; `SQLITE_CANTOPEN` where there is no file.
    package func during<T, E: Error>(
        _ connection: BorrowedConnection, schema: String = "main", _ body: () throws(E) -> T
    ) throws(E) -> T {
        var place: UnsafeMutablePointer<sqlite3_file>?
        sqlite3_file_control(connection.pointer, schema, SQLITE_FCNTL_FILE_POINTER, &place)
        guard let file = place, let usual = file.pointee.pMethods, usual.pointee.iVersion >= 3
        else { return try body() }
        let methods = UnsafeMutablePointer<PausingMethods>.allocate(capacity: 1)
        methods.initialize(
            to: PausingMethods(
                table: usual.pointee, usual: usual, pause: .passUnretained(self)))
        methods.pointee.table.xUnfetch = { file, offset, page in
            guard let file else { return SQLITE_IOERR }
            let methods = UnsafeRawPointer(file.pointee.pMethods).load(as: PausingMethods.self)
            let pause = methods.pause.takeUnretainedValue()
            if page == nil {
                pause.count += 1
                pause.function()
            }
            return methods.usual.pointee.xUnfetch(file, offset, page)
        }
        file.pointee.pMethods = UnsafeRawPointer(methods)
            .assumingMemoryBound(to: sqlite3_io_methods.self)
        defer {
            file.pointee.pMethods = usual
            methods.deallocate()
        }
        return try body()
    }
}
