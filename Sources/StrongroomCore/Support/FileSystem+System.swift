internal import LibC

extension FileSystem {
    /// The file system of the machine.
    package static let system = FileSystem(
        status: SystemCalls.status,
        resolve: SystemCalls.resolve,
        names: SystemCalls.names,
        linkTarget: SystemCalls.linkTarget,
        availableByteCount: SystemCalls.availableByteCount,
        isFull: SystemCalls.isFull,
        isReadOnly: SystemCalls.isReadOnly,
        mayAccess: SystemCalls.mayAccess,
        create: SystemCalls.create,
        openForReading: SystemCalls.openForReading,
        write: SystemCalls.writeBytes,
        writeAt: SystemCalls.writeBytes,
        read: SystemCalls.readBytes,
        descriptorStatus: SystemCalls.descriptorStatus,
        beginSynchronizing: SystemCalls.beginSynchronizing,
        finishSynchronizing: SystemCalls.finishSynchronizing,
        synchronize: SystemCalls.synchronize,
        lock: SystemCalls.lock,
        lockShared: SystemCalls.lockShared,
        close: SystemCalls.closeFile,
        truncate: SystemCalls.truncate,
        changeMode: SystemCalls.changeMode,
        changeOwner: SystemCalls.changeOwner,
        copyAttributes: ExtendedAttributes.copy(from:to:),
        copyAttributesOfName: ExtendedAttributes.copy(ofName:to:),
        rename: SystemCalls.renameReplacing,
        remove: SystemCalls.remove,
        synchronizeDirectory: SystemCalls.synchronizeDirectory)
}

/// The calls themselves: each says what failed, on what, and why, and starts again when
/// interrupted.
enum SystemCalls {
    static func status(_ path: String) throws(SystemError) -> FileStatus {
        var buffer = stat()
        try check("stat", path) { stat(path.systemPath, &buffer) }
        return FileStatus(buffer)
    }

    static func descriptorStatus(_ descriptor: Int32) throws(SystemError) -> FileStatus {
        var buffer = stat()
        try check("fstat", "") { fstat(descriptor, &buffer) }
        return FileStatus(buffer)
    }

    static func resolve(_ path: String) throws(SystemError) -> String {
        try requireNoNUL("realpath", path)
        guard let resolved = realpath(path.systemPath, nil) else {
            throw SystemError("realpath", path, number: errno)
        }
        defer { free(resolved) }
        return PathText.text(of: resolved)
    }

    static func names(_ directory: String) throws(SystemError) -> [String] {
        try readNames(openFolder(directory))
    }

    /// The names that a descriptor of a folder gives from its place on; closes it.
    static func readNames(_ descriptor: Int32) throws(SystemError) -> [String] {
        guard let stream = fdopendir(descriptor) else {
            let number = errno
            closeFile(descriptor)
            throw SystemError("fdopendir", "", number: number)
        }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { tuple in
                tuple.withMemoryRebound(to: CChar.self, capacity: 256) { PathText.text(of: $0) }
            }
            if name != "." && name != ".." { names.append(name) }
        }
        return names
    }

    static func linkTarget(_ path: String) throws(SystemError) -> String {
        try readLinkTarget(path) { buffer, count in readlink(path.systemPath, buffer, count) }
    }

    static func readLinkTarget(
        _ path: String, _ read: (UnsafeMutablePointer<CChar>, Int) -> Int
    ) throws(SystemError) -> String {
        var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = try check("readlink", path) {
            buffer.withUnsafeMutableBytes { bytes in
                let characters = bytes.bindMemory(to: CChar.self)
                return characters.baseAddress.map { read($0, characters.count) } ?? -1
            }
        }
        return PathText.text(of: buffer[..<count])
    }

    static func availableByteCount(_ path: String) throws(SystemError) -> Int64 {
        let space = try space(path)
        let (bytes, overflow) = UInt64(space.f_bavail)
            .multipliedReportingOverflow(by: UInt64(space.f_frsize))
        return overflow ? .max : Int64(clamping: bytes)
    }

    static func isFull(_ path: String) throws(SystemError) -> Bool {
        let space = try space(path)
        return space.f_bavail == 0 || space.f_files > 0 && space.f_favail == 0
    }

    static func isReadOnly(_ path: String) throws(SystemError) -> Bool {
        // ST_RDONLY, a macro cast that Swift does not see, is 1 on every system.
        try UInt64(space(path).f_flag) & 1 != 0
    }

    private static func space(_ path: String) throws(SystemError) -> statvfs {
        var buffer = statvfs()
        try check("statvfs", path) { statvfs(path.systemPath, &buffer) }
        return buffer
    }

    static func mayAccess(_ path: String, _ mode: FileSystem.Access) -> Bool {
        !path.utf8.contains(0)
            && faccessat(
                AT_FDCWD, path.systemPath, mode == .reading ? R_OK : W_OK, AT_EACCESS) == 0
    }

    // MARK: - Descriptors

    static func create(_ path: String) throws(SystemError) -> Int32 {
        let flags = O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW
        return try check("open", path) { open(path.systemPath, flags, 0o600) }
    }

    static func openForReading(_ path: String) throws(SystemError) -> Int32 {
        try check("open", path) { open(path.systemPath, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
    }

    static func writeBytes(
        _ descriptor: Int32, _ bytes: UnsafeRawBufferPointer
    ) throws(SystemError) -> Int {
        try check("write", "") { write(descriptor, bytes.baseAddress, bytes.count) }
    }

    static func writeBytes(
        _ descriptor: Int32, _ bytes: UnsafeRawBufferPointer, at offset: Int64
    ) throws(SystemError) -> Int {
        try check("pwrite", "") {
            pwrite(descriptor, bytes.baseAddress, bytes.count, off_t(offset))
        }
    }

    static func readBytes(
        _ descriptor: Int32, _ bytes: UnsafeMutableRawBufferPointer, at offset: Int64
    ) throws(SystemError) -> Int {
        try check("pread", "") { pread(descriptor, bytes.baseAddress, bytes.count, off_t(offset)) }
    }

    #if !canImport(Darwin)
    private typealias SyncFileRange = @convention(c) (Int32, Int64, Int64, UInt32) -> Int32

    /// The C library of Linux declares it only to programs that ask for GNU extensions.
    private static let syncFileRange = loadedFunction("sync_file_range", as: SyncFileRange.self)
    #endif

    static func beginSynchronizing(_ descriptor: Int32, _ offset: Int64, _ byteCount: Int64) {
        #if !canImport(Darwin)
        let write: UInt32 = 2
        // Not every file system can; `synchronize` tells what goes wrong.
        _ = syncFileRange?(descriptor, offset, byteCount, write)
        #endif
    }

    static func finishSynchronizing(_ descriptor: Int32, _ offset: Int64, _ byteCount: Int64) {
        #if !canImport(Darwin)
        let waitBeforeWriteWaitAfter: UInt32 = 7
        _ = syncFileRange?(descriptor, offset, byteCount, waitBeforeWriteWaitAfter)
        #endif
    }

    static func synchronize(_ descriptor: Int32) throws(SystemError) {
        #if canImport(Darwin)
        try check("fcntl", "") { fcntl(descriptor, F_FULLFSYNC) }
        #else
        try check("fsync", "") { fsync(descriptor) }
        #endif
    }

    static func lock(_ descriptor: Int32) throws(SystemError) -> Bool {
        try lock(descriptor, LOCK_EX)
    }

    static func lockShared(_ descriptor: Int32) throws(SystemError) -> Bool {
        try lock(descriptor, LOCK_SH)
    }

    private static func lock(_ descriptor: Int32, _ kind: Int32) throws(SystemError) -> Bool {
        do {
            try check("flock", "") { flock(descriptor, kind | LOCK_NB) }
            return true
        } catch  where error.number == EWOULDBLOCK {
            return false
        }
    }

    static func unlock(_ descriptor: Int32) {
        _ = flock(descriptor, LOCK_UN)
    }

    static func truncate(_ descriptor: Int32, _ byteCount: Int64) throws(SystemError) {
        try check("ftruncate", "") { ftruncate(descriptor, off_t(byteCount)) }
    }

    static func changeMode(_ descriptor: Int32, _ mode: UInt32) throws(SystemError) {
        try check("fchmod", "") { fchmod(descriptor, mode_t(truncatingIfNeeded: mode)) }
    }

    static func changeOwner(
        _ descriptor: Int32, _ owner: UInt32, _ group: UInt32
    ) throws(SystemError) {
        try check("fchown", "") { fchown(descriptor, owner, group) }
    }

    static func closeFile(_ descriptor: Int32) {
        _ = close(descriptor)
    }

    // MARK: - Names

    static func renameReplacing(_ from: String, _ to: String) throws(SystemError) {
        try requireNoNUL("rename", from)
        try check("rename", to) { rename(from.systemPath, to.systemPath) }
    }

    static func remove(_ path: String) throws(SystemError) {
        try check("unlink", path) { unlink(path.systemPath) }
    }

    static func synchronizeDirectory(_ path: String) throws(SystemError) {
        let folder = try openFolder(path)
        defer { closeFile(folder) }
        try synchronizeFolder(folder)
    }

    /// C would read the path up to the NUL, and so take another file.
    private static func requireNoNUL(_ call: String, _ path: String) throws(SystemError) {
        if path.utf8.contains(0) { throw SystemError(call, path, number: EINVAL) }
    }

    @discardableResult
    static func check<Result: SignedInteger>(
        _ call: String, _ path: String, _ body: () -> Result
    ) throws(SystemError) -> Result {
        try requireNoNUL(call, path)
        while true {
            let result = body()
            if result >= 0 { return result }
            let number = errno
            guard number == EINTR else { throw SystemError(call, path, number: number) }
        }
    }
}

extension FileStatus {
    init(_ buffer: stat) {
        switch buffer.st_mode & S_IFMT {
        case S_IFREG: kind = .file
        case S_IFDIR: kind = .directory
        case S_IFLNK: kind = .link
        default: kind = .other
        }
        identity = Identity(
            device: UInt64(truncatingIfNeeded: buffer.st_dev),
            number: UInt64(truncatingIfNeeded: buffer.st_ino))
        byteCount = Int64(buffer.st_size)
        mode = UInt32(buffer.st_mode) & 0o7777
        owner = buffer.st_uid
        group = buffer.st_gid
        linkCount = Int(clamping: buffer.st_nlink)
        #if canImport(Darwin)
        written = Self.nanoseconds(buffer.st_mtimespec)
        changed = Self.nanoseconds(buffer.st_ctimespec)
        #else
        written = Self.nanoseconds(buffer.st_mtim)
        changed = Self.nanoseconds(buffer.st_ctim)
        #endif
    }

    /// A file system can have any number for a time, also one for which there is no room here.
    private static func nanoseconds(_ time: timespec) -> Int64 {
        Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }
}
