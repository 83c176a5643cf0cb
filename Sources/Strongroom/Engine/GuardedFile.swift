internal import CSQLCipher

/// The file of a main database, with the locks of its write-ahead log under guard: no checkpoint
/// loses commits, whatever SQLite is underneath.
///
/// SQLite 3.7.0 to 3.51.2 has a defect (<https://www.sqlite.org/wal.html>, "the WAL-reset bug"): a
/// checkpoint reads how many frames the log has; before it looks at how many of them are copied, a
/// commit begins the log anew; the checkpoint then notes its old number of frames as copied, and
/// the next frames up to that number never are. SQLite asks its file for every lock of the log, and
/// here both sides of it are closed, without a lock that SQLite would not take itself in the end:
///
/// 1. A checkpoint copies only if the log was not begun anew since it took the checkpoint lock. It
///    copies under the exclusive lock of the first reader's slot, which keeps the log from being
///    begun anew: when SQLite gets that one, the salts of the log are compared with those before
///    the checkpoint read its header. If they differ, the lock is given back and SQLite is told
///    that it is busy; it then copies nothing and notes nothing, as it does for a reader.
/// 2. The log is begun anew only under the checkpoint lock, so while nobody else is in the middle
///    of a checkpoint. If somebody is, SQLite is told that there are readers, and appends.
///
/// The first protects from writers of other programs, the second from their checkpoints. Only two
/// other programs can still do it to each other.
///
/// It stands behind SQLite's own structure of the file, in memory that SQLite allocates and frees,
/// and is found by its distance: others may put methods of their own before these (`ReadGate`).
struct GuardedFile {
    /// The locks of the log. <https://www.sqlite.org/walformat.html#wal_locks>
    private enum Slot {
        static let write: CInt = 0
        static let checkpoint: CInt = 1
        static let firstReader: CInt = 3
        static let otherReaders: CInt = 4
        static let otherReaderCount = SQLITE_SHM_NLOCK - otherReaders
    }

    private typealias File = UnsafeMutablePointer<sqlite3_file>

    /// What SQLite calls. It comes first: its address is the one of the whole.
    private var methods: sqlite3_io_methods
    private let usual: UnsafePointer<sqlite3_io_methods>
    /// What all frames of the log repeated when the checkpoint was about to read the header; nil if
    /// that could not be told.
    private var salts: UInt64?
    /// Whether SQLite has the checkpoint lock through this file.
    private var isCheckpointing = false
    /// Whether this file took the checkpoint lock while the log is begun anew.
    private var isHoldingOffCheckpoints = false

    /// How much longer a file's structure is than the one of the system below.
    static var byteCount: Int { MemoryLayout<GuardedFile>.stride }

    /// Guards a file that has just been opened, if it can have a log.
    static func install(behind file: UnsafeMutablePointer<sqlite3_file>) {
        guard let usual = file.pointee.pMethods, usual.pointee.iVersion >= 2,
            usual.pointee.xShmLock != nil, usual.pointee.xShmMap != nil
        else { return }
        let place = behind(file)
        place.initialize(to: GuardedFile(usual))
        file.pointee.pMethods = UnsafeRawPointer(place)
            .assumingMemoryBound(to: sqlite3_io_methods.self)
    }

    private init(_ usual: UnsafePointer<sqlite3_io_methods>) {
        self.usual = usual
        methods = usual.pointee
        methods.xShmLock = { file, offset, count, flags in
            guard let file else { return SQLITE_IOERR }
            return GuardedFile.lock(file, offset, count, flags)
        }
    }

    private static func behind(
        _ file: UnsafeMutablePointer<sqlite3_file>
    ) -> UnsafeMutablePointer<GuardedFile> {
        (UnsafeMutableRawPointer(file) + GuardedFileSystem.fileByteCount)
            .assumingMemoryBound(to: GuardedFile.self)
    }

    /// Takes a lock of the log or gives it back. One thread at a time uses a connection.
    private static func lock(
        _ file: UnsafeMutablePointer<sqlite3_file>, _ offset: CInt, _ count: CInt, _ flags: CInt
    ) -> CInt {
        let place = behind(file)
        // Readers take shared locks, as often as they read.
        if flags & SQLITE_SHM_SHARED != 0 { return place.pointee.ask(file, offset, count, flags) }
        let isLocking = flags & SQLITE_SHM_LOCK != 0
        switch (offset, count) {
        case (Slot.checkpoint, 1):
            return place.pointee.checkpoint(file, isLocking)
        case (Slot.write, 1) where place.pointee.isCheckpointing:
            return place.pointee.write(file, isLocking)
        case (Slot.firstReader, 1) where place.pointee.isCheckpointing && isLocking:
            return place.pointee.copy(file)
        case (Slot.otherReaders, Slot.otherReaderCount) where !place.pointee.isCheckpointing:
            return place.pointee.beginLogAnew(file, isLocking)
        default:
            return place.pointee.ask(file, offset, count, flags)
        }
    }

    private func ask(_ file: File, _ offset: CInt, _ count: CInt, _ flags: CInt) -> CInt {
        usual.pointee.xShmLock(file, offset, count, flags)
    }

    private func take(_ file: File, _ offset: CInt, _ count: CInt = 1) -> CInt {
        ask(file, offset, count, SQLITE_SHM_LOCK | SQLITE_SHM_EXCLUSIVE)
    }

    private func giveBack(_ file: File, _ offset: CInt, _ count: CInt = 1) -> CInt {
        ask(file, offset, count, SQLITE_SHM_UNLOCK | SQLITE_SHM_EXCLUSIVE)
    }

    // MARK: - The lock of checkpoints

    /// The header is read after the lock is taken.
    private mutating func checkpoint(_ file: File, _ isLocking: Bool) -> CInt {
        isCheckpointing = false
        guard isLocking else { return giveBack(file, Slot.checkpoint) }
        let code = take(file, Slot.checkpoint)
        guard code == SQLITE_OK else { return code }
        isCheckpointing = true
        salts = logSalts(file)
        return code
    }

    /// The header is read, or read again, after the lock was asked for, or while it is held; as long
    /// as it is held, nobody begins the log anew.
    private mutating func write(_ file: File, _ isLocking: Bool) -> CInt {
        if isLocking {
            let code = take(file, Slot.write)
            salts = logSalts(file)
            return code
        }
        salts = logSalts(file)
        return giveBack(file, Slot.write)
    }

    /// The header was read, and frames are about to be copied.
    private func copy(_ file: File) -> CInt {
        let code = take(file, Slot.firstReader)
        guard code == SQLITE_OK else { return code }
        if let salts, salts == logSalts(file) { return code }
        _ = giveBack(file, Slot.firstReader)
        return SQLITE_BUSY
    }

    /// What the frames of the log repeat: in the first copy of the header, which is written last, so
    /// that who finds new salts here can read no old header any more.
    private func logSalts(_ file: File) -> UInt64? {
        var memory: UnsafeMutableRawPointer?
        let code = usual.pointee.xShmMap(file, 0, LogIndex.mappedByteCount, 0, &memory)
        guard code == SQLITE_OK || code == SQLITE_READONLY, let memory else { return nil }
        usual.pointee.xShmBarrier?(file)
        defer { usual.pointee.xShmBarrier?(file) }
        return memory.loadUnaligned(fromByteOffset: LogIndex.saltsOffset, as: UInt64.self)
    }

    // MARK: - The log begun anew

    /// A writer locks out the readers of the log before it begins it anew.
    private mutating func beginLogAnew(_ file: File, _ isLocking: Bool) -> CInt {
        guard isLocking else {
            let code = giveBack(file, Slot.otherReaders, Slot.otherReaderCount)
            letCheckpointsGoOn(file)
            return code
        }
        guard take(file, Slot.checkpoint) == SQLITE_OK else { return SQLITE_BUSY }
        isHoldingOffCheckpoints = true
        let code = take(file, Slot.otherReaders, Slot.otherReaderCount)
        if code != SQLITE_OK { letCheckpointsGoOn(file) }
        return code
    }

    private mutating func letCheckpointsGoOn(_ file: File) {
        guard isHoldingOffCheckpoints else { return }
        isHoldingOffCheckpoints = false
        _ = giveBack(file, Slot.checkpoint)
    }
}
