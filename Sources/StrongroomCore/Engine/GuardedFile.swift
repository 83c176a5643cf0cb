internal import CSQLCipher

/// A file of a database, its journal or its log, with pages and locks under guard: no checkpoint
/// loses commits, whatever SQLite is underneath, and no page is written with a key that is no longer
/// there (``ProcessEnd``).
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
/// What it notes stands behind SQLite's own structure of the file, in memory that SQLite allocates and
/// frees, and is found by its distance: other methods may stand before these (``FileMethods``).
// Safety: SQLite was asked for this much room behind the structure of each file, and frees it with
// the file. C fixes how it is laid out.
@safe struct GuardedFile {
    /// The locks of the log. <https://www.sqlite.org/walformat.html#wal_locks>
    private enum Slot {
        static let write: CInt = 0
        static let checkpoint: CInt = 1
        static let firstReader: CInt = 3
        static let otherReaders: CInt = 4
        static let otherReaderCount = SQLITE_SHM_NLOCK - otherReaders
    }

    private let file: FileMethods.File
    private let notes: UnsafeMutablePointer<strongroom_guarded_file>

    /// How much longer a file's structure is than the one of the system below.
    static var byteCount: Int { unsafe MemoryLayout<strongroom_guarded_file>.stride }

    private init(_ file: FileMethods.File) {
        unsafe self.file = file
        unsafe notes = (UnsafeMutableRawPointer(file) + GuardedFileSystem.fileByteCount)
            .assumingMemoryBound(to: strongroom_guarded_file.self)
    }

    /// Guards a file that has just been opened.
    static func install(in file: UnsafeMutablePointer<sqlite3_file>) {
        guard var table = unsafe FileMethods.before(file, version: 1) else { return }
        if unsafe table.methods.iVersion >= 2, unsafe table.methods.xShmLock != nil,
            unsafe table.methods.xShmMap != nil
        {
            unsafe table.methods.xShmLock = { file, offset, count, flags in
                guard let file = unsafe file else { return SQLITE_IOERR }
                return unsafe GuardedFile(file).lock(offset, count, flags)
            }
        }
        unsafe setPages(&table.methods)
        let notes = unsafe GuardedFile(file).notes
        unsafe notes.initialize(
            to: strongroom_guarded_file(
                methods: table, salts: 0, has_salts: false, is_checkpointing: false,
                is_holding_off_checkpoints: false))
        unsafe notes.withMemoryRebound(to: strongroom_file_methods.self, capacity: 1) {
            unsafe FileMethods.set($0, in: file)
        }
    }

    /// Lets no thread decrypt what it read, or write what it encrypted, at the end of the process.
    private static func setPages(_ methods: inout sqlite3_io_methods) {
        unsafe methods.xRead = { file, buffer, count, offset in
            guard let file = unsafe file else { return SQLITE_IOERR }
            defer { ProcessEnd.passPage() }
            return unsafe GuardedFile(file).usual.pointee.xRead(file, buffer, count, offset)
        }
        unsafe methods.xWrite = { file, buffer, count, offset in
            guard let file = unsafe file else { return SQLITE_IOERR }
            ProcessEnd.passPage()
            return unsafe GuardedFile(file).usual.pointee.xWrite(file, buffer, count, offset)
        }
    }

    /// Takes a lock of the log or gives it back. One thread at a time uses a connection.
    private func lock(_ offset: CInt, _ count: CInt, _ flags: CInt) -> CInt {
        // Readers take shared locks, as often as they read.
        if flags & SQLITE_SHM_SHARED != 0 { return ask(offset, count, flags) }
        let isLocking = flags & SQLITE_SHM_LOCK != 0
        switch (offset, count) {
        case (Slot.checkpoint, 1):
            return checkpoint(isLocking)
        case (Slot.write, 1) where isCheckpointing:
            return write(isLocking)
        case (Slot.firstReader, 1) where isCheckpointing && isLocking:
            return copy()
        case (Slot.otherReaders, Slot.otherReaderCount) where !isCheckpointing:
            return beginLogAnew(isLocking)
        default:
            return ask(offset, count, flags)
        }
    }

    private func ask(_ offset: CInt, _ count: CInt, _ flags: CInt) -> CInt {
        unsafe usual.pointee.xShmLock(file, offset, count, flags)
    }

    private func take(_ offset: CInt, _ count: CInt = 1) -> CInt {
        ask(offset, count, SQLITE_SHM_LOCK | SQLITE_SHM_EXCLUSIVE)
    }

    private func giveBack(_ offset: CInt, _ count: CInt = 1) -> CInt {
        ask(offset, count, SQLITE_SHM_UNLOCK | SQLITE_SHM_EXCLUSIVE)
    }

    private var usual: FileMethods.Usual { unsafe notes.pointee.methods.usual }

    private var isCheckpointing: Bool { unsafe notes.pointee.is_checkpointing }

    // MARK: - The lock of checkpoints

    /// The header is read after the lock is taken.
    private func checkpoint(_ isLocking: Bool) -> CInt {
        unsafe notes.pointee.is_checkpointing = false
        guard isLocking else { return giveBack(Slot.checkpoint) }
        let code = take(Slot.checkpoint)
        guard code == SQLITE_OK else { return code }
        unsafe notes.pointee.is_checkpointing = true
        noteSalts()
        return code
    }

    /// The header is read, or read again, after the lock was asked for, or while it is held; as long
    /// as it is held, nobody begins the log anew.
    private func write(_ isLocking: Bool) -> CInt {
        if isLocking {
            let code = take(Slot.write)
            noteSalts()
            return code
        }
        noteSalts()
        return giveBack(Slot.write)
    }

    /// The header was read, and frames are about to be copied.
    private func copy() -> CInt {
        let code = take(Slot.firstReader)
        guard code == SQLITE_OK else { return code }
        if unsafe notes.pointee.has_salts, unsafe notes.pointee.salts == logSalts() { return code }
        _ = giveBack(Slot.firstReader)
        return SQLITE_BUSY
    }

    private func noteSalts() {
        let salts = logSalts()
        unsafe notes.pointee.salts = salts ?? 0
        unsafe notes.pointee.has_salts = salts != nil
    }

    /// What the frames of the log repeat: in the first copy of the header, which is written last, so
    /// that who finds new salts here can read no old header any more.
    private func logSalts() -> UInt64? {
        var memory: UnsafeMutableRawPointer?
        let code = unsafe usual.pointee.xShmMap(file, 0, LogIndex.mappedByteCount, 0, &memory)
        guard code == SQLITE_OK || code == SQLITE_READONLY, let memory = unsafe memory else {
            return nil
        }
        unsafe usual.pointee.xShmBarrier?(file)
        defer { unsafe usual.pointee.xShmBarrier?(file) }
        return unsafe memory.loadUnaligned(fromByteOffset: LogIndex.saltsOffset, as: UInt64.self)
    }

    // MARK: - The log begun anew

    /// A writer locks out the readers of the log before it begins it anew.
    private func beginLogAnew(_ isLocking: Bool) -> CInt {
        guard isLocking else {
            let code = giveBack(Slot.otherReaders, Slot.otherReaderCount)
            letCheckpointsGoOn()
            return code
        }
        guard take(Slot.checkpoint) == SQLITE_OK else { return SQLITE_BUSY }
        unsafe notes.pointee.is_holding_off_checkpoints = true
        let code = take(Slot.otherReaders, Slot.otherReaderCount)
        if code != SQLITE_OK { letCheckpointsGoOn() }
        return code
    }

    private func letCheckpointsGoOn() {
        guard unsafe notes.pointee.is_holding_off_checkpoints else { return }
        unsafe notes.pointee.is_holding_off_checkpoints = false
        _ = giveBack(Slot.checkpoint)
    }
}
