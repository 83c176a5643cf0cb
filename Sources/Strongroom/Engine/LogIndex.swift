internal import CSQLCipher

/// What the wal-index, which all connections share, says of the write-ahead log.
/// <https://www.sqlite.org/walformat.html#the_wal_index_header>
///
/// 1. It is read in the memory that the connection has mapped: opening `-shm` besides, and closing
///    it, would drop the locks of this process.
/// 2. Its numbers are in the byte order of the machine, its salts as they lie in the log.
package struct LogIndex: Equatable, Sendable {
    /// Both copies of the header, which are one when nobody is writing them, and what follows.
    private static let headerByteCount = 48
    private static let backfillOffset = 96
    private static let mappedByteCount: CInt = 32768

    /// All of the header: two are equal only between the same two commits.
    private let header: [UInt8]
    /// How many frames of the log are known to be in the main file too.
    package let backfilledFrameCount: UInt32

    /// Nil while the header is being written, or was never.
    private init?(_ memory: UnsafeRawBufferPointer) {
        let first = [UInt8](memory[..<Self.headerByteCount])
        let second = [UInt8](memory[Self.headerByteCount..<(2 * Self.headerByteCount)])
        guard first == second, first[12] != 0 else { return nil }
        header = first
        backfilledFrameCount = memory.loadUnaligned(
            fromByteOffset: Self.backfillOffset, as: UInt32.self)
    }

    private func number(at offset: Int) -> UInt32 {
        header.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: UInt32.self) }
    }

    /// The number of the last frame that is committed.
    package var frameCount: UInt32 { number(at: 16) }

    /// How many pages the database has after that commit.
    package var pageCount: UInt32 { number(at: 20) }

    /// What all frames of the log repeat; another after the log has begun anew.
    package var salts: [UInt8] { Array(header[32..<40]) }

    /// Whether both are of the same commit.
    package func hasSameCommit(as other: LogIndex) -> Bool { header == other.header }

    /// Whether the log has not begun anew between them.
    package func hasSameLog(as other: LogIndex) -> Bool { salts == other.salts }

    fileprivate init?(
        _ file: UnsafeMutablePointer<sqlite3_file>, _ methods: UnsafePointer<sqlite3_io_methods>
    ) {
        guard methods.pointee.iVersion >= 2 else { return nil }
        var memory: UnsafeMutableRawPointer?
        let code = methods.pointee.xShmMap?(file, 0, Self.mappedByteCount, 0, &memory)
        guard code == SQLITE_OK || code == SQLITE_READONLY, let memory else { return nil }
        methods.pointee.xShmBarrier?(file)
        self.init(
            UnsafeRawBufferPointer(start: memory, count: Self.backfillOffset + 4))
        methods.pointee.xShmBarrier?(file)
    }
}

extension ConnectionHandle {
    /// The wal-index of the main database; nil when there is none, or it is being written.
    package func logIndex() -> LogIndex? {
        withRawFile { file, methods in LogIndex(file, methods) }
    }

    /// The file of the main database's write-ahead log, as SQLite has it open.
    package func rawLog() -> RawFile? {
        var file: UnsafeMutablePointer<sqlite3_file>?
        let code = sqlite3_file_control(pointer, "main", SQLITE_FCNTL_JOURNAL_POINTER, &file)
        guard code == SQLITE_OK, let file, let methods = file.pointee.pMethods else { return nil }
        return RawFile(file, methods)
    }
}
