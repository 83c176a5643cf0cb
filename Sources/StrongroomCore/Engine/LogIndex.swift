internal import CSQLCipher

/// What the wal-index, which all connections share, says of the write-ahead log.
/// <https://www.sqlite.org/walformat.html#the_wal_index_header>
///
/// 1. It is read in the memory that the connection has mapped: opening `-shm` besides, and closing
///    it, would drop the locks of this process.
/// 2. Its numbers are in the byte order of the machine, its salts as they lie in the log.
// Safety: the memory has as many bytes as are asked for, and is read without trust in its content.
package struct LogIndex: Equatable, Sendable {
    /// Both copies of the header, which are one when nobody is writing them, and what follows.
    private static let headerByteCount = 48
    /// Where the second copy of the header is.
    fileprivate static let copyOffset = headerByteCount
    private static let backfillOffset = 96
    static let saltsOffset = 32
    static let mappedByteCount: CInt = 32768

    /// All of the header: two are equal only between the same two commits.
    private let header: [UInt8]
    /// How many frames of the log are known to be in the main file too.
    package let backfilledFrameCount: UInt32

    /// Nil while the header is being written, or was never. The second copy is written first.
    private init?(_ memory: UnsafeRawBufferPointer, barrier: () -> Void) {
        let first = unsafe [UInt8](memory[..<Self.headerByteCount])
        barrier()
        let second = unsafe [UInt8](memory[Self.headerByteCount..<(2 * Self.headerByteCount)])
        guard first == second, first[12] != 0 else { return nil }
        barrier()
        header = first
        backfilledFrameCount = unsafe memory.loadUnaligned(
            fromByteOffset: Self.backfillOffset, as: UInt32.self)
    }

    private func number(at offset: Int) -> UInt32 {
        unsafe header.withUnsafeBytes {
            unsafe $0.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
        }
    }

    /// The number of the last frame that is committed.
    package var frameCount: UInt32 { number(at: 16) }

    /// How many pages the database has after that commit.
    package var pageCount: UInt32 { number(at: 20) }

    /// What all frames of the log repeat; another after the log has begun anew.
    package var salts: [UInt8] { Array(header[Self.saltsOffset..<(Self.saltsOffset + 8)]) }

    /// Whether it counts no more frames as moved than there are. More are counted for a moment while
    /// the log is begun anew, and for good after the defect that ``GuardedFile`` guards against has
    /// met other programs.
    package var isPlausible: Bool { backfilledFrameCount <= frameCount }

    /// Whether both are of the same commit.
    package func hasSameCommit(as other: LogIndex) -> Bool { header == other.header }

    /// Whether the log has not begun anew between them.
    package func hasSameLog(as other: LogIndex) -> Bool { salts == other.salts }

    fileprivate init?(
        _ file: UnsafeMutablePointer<sqlite3_file>, _ methods: UnsafePointer<sqlite3_io_methods>
    ) {
        guard unsafe methods.pointee.iVersion >= 2 else { return nil }
        var memory: UnsafeMutableRawPointer?
        let code = unsafe methods.pointee.xShmMap?(file, 0, Self.mappedByteCount, 0, &memory)
        guard code == SQLITE_OK || code == SQLITE_READONLY, let memory = unsafe memory else {
            return nil
        }
        unsafe methods.pointee.xShmBarrier?(file)
        let bytes = unsafe UnsafeRawBufferPointer(start: memory, count: Self.backfillOffset + 4)
        unsafe self.init(bytes) { unsafe methods.pointee.xShmBarrier?(file) }
        unsafe methods.pointee.xShmBarrier?(file)
    }

    fileprivate static func isPrivate(
        _ file: UnsafeMutablePointer<sqlite3_file>, _ methods: UnsafePointer<sqlite3_io_methods>
    ) -> Bool {
        guard unsafe methods.pointee.iVersion >= 2 else { return false }
        var memory: UnsafeMutableRawPointer?
        let code = unsafe methods.pointee.xShmMap?(file, 0, mappedByteCount, 0, &memory)
        return code == ResultCode.SQLITE_READONLY_CANTINIT.rawValue
    }
}

/// The commit that the wal-index names: two are equal only for the same. It costs no allocation.
// Safety: the memory has as many bytes as are read of it.
package struct LogMark: Equatable, Sendable {
    /// The header but for its version: counters, page count, checksums, salts.
    private let counters: SIMD2<UInt64>
    private let checks: SIMD2<UInt64>
    private let last: UInt64

    private init(_ memory: UnsafeRawPointer) {
        func word(_ offset: Int) -> UInt64 {
            unsafe memory.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        }
        counters = SIMD2(word(8), word(16))
        checks = SIMD2(word(24), word(32))
        last = word(40)
    }

    fileprivate init?(
        _ file: UnsafeMutablePointer<sqlite3_file>, _ methods: UnsafePointer<sqlite3_io_methods>
    ) {
        guard unsafe methods.pointee.iVersion >= 2 else { return nil }
        var memory: UnsafeMutableRawPointer?
        let code = unsafe methods.pointee.xShmMap?(file, 0, LogIndex.mappedByteCount, 0, &memory)
        guard code == SQLITE_OK || code == SQLITE_READONLY, let memory = unsafe memory else {
            return nil
        }
        unsafe methods.pointee.xShmBarrier?(file)
        let first = unsafe Self(memory)
        unsafe methods.pointee.xShmBarrier?(file)
        let second = unsafe Self(memory + LogIndex.copyOffset)
        let isInitialized = unsafe memory.load(fromByteOffset: 12, as: UInt8.self) != 0
        guard first == second, isInitialized else { return nil }
        self = first
    }
}

// Safety: SQLite keeps its structure of the file as long as the connection is open.
extension ConnectionHandle {
    /// The latest commit; nil when there is no wal-index to share, or it is being written.
    package func logMark() -> LogMark? {
        unsafe withRawFile { file, methods in unsafe LogMark(file, methods) }
    }

    /// The wal-index of the main database; nil when there is none, or it is being written.
    package func logIndex() -> LogIndex? {
        unsafe withRawFile { file, methods in unsafe LogIndex(file, methods) }
    }

    /// Whether SQLite has no wal-index to share, and keeps one of its own in memory while it reads:
    /// `-shm` cannot be written, and nobody who could write it is there.
    package func hasPrivateLogIndex() -> Bool {
        unsafe withRawFile { file, methods in unsafe LogIndex.isPrivate(file, methods) } ?? false
    }

    /// The file of the main database's write-ahead log, as SQLite has it open.
    package func rawLog() -> RawFile? {
        var file: UnsafeMutablePointer<sqlite3_file>?
        let code = unsafe sqlite3_file_control(
            borrowed.pointer, "main", SQLITE_FCNTL_JOURNAL_POINTER, &file)
        guard code == SQLITE_OK, let file = unsafe file, let methods = unsafe file.pointee.pMethods
        else { return nil }
        return unsafe RawFile(file, methods)
    }
}
