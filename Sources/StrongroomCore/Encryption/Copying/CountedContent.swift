/// What a database contains, found out on a separate thread that reads its pages in plaintext, while
/// others copy or check them.
struct CountedContent {
    private let work: BackgroundThread<DatabaseContent>?
    /// Nobody waits for it any more.
    private let end = LongOperation()

    /// Where the pages cannot be read so, ``wait(or:)`` has another way.
    ///
    /// - Parameter pages: One state of the file; it must stay readable until ``wait(or:)`` or ``abandon()``
    ///   has returned.
    init(
        of file: DatabaseFile, _ pages: PageSource, key: PageKey, _ operation: LongOperation
    ) {
        let ending = PageSource(byteCount: pages.byteCount, pageSize: pages.pageSize) {
            [end] buffer, offset in
            // SQLite counts the rows of a table without asking whether to go on.
            try end.check()
            return try pages.read(buffer, offset)
        }
        // Safety: this thread does not use the connection.
        nonisolated(unsafe) let connection = try? ClearConnection(
            to: ending, of: file, key: key)
        guard connection != nil else {
            work = nil
            return
        }
        work = BackgroundThread {
            try ProcessEnd.use { () throws in
                try connection!.run { try DatabaseContent(of: $0, operation: operation) }
            }
        }
    }

    /// Waits for the content.
    ///
    /// - Parameter database: A connection of SQLCipher's for where that has failed: it tells what is wrong.
    func wait(or database: Database, _ operation: LongOperation) throws -> DatabaseContent {
        do {
            if let work { return try work.wait(operation.check) }
        } catch  where !operation.isStopped {
            // Below.
        }
        try operation.check()
        return try DatabaseContent(of: database, operation: operation)
    }

    /// Ends the reading: when this returns, the pages may go.
    func abandon() {
        end.stop()
        if let work, work.result == nil { _ = try? work.wait() }
    }
}
