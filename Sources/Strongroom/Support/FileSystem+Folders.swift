#if canImport(Darwin)
internal import Darwin
#elseif canImport(Musl)
internal import Musl
#else
internal import Glibc
#endif

/// Calls on names in an open folder, and on open files: whoever may write to the folder can put
/// something else under a name, but not into a descriptor. No link is followed.
extension SystemCalls {
    static func openFolder(_ path: String) throws(SystemError) -> Int32 {
        try check("open", path) { open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    }

    static func status(_ folder: Int32, _ name: String) throws(SystemError) -> FileStatus {
        var buffer = stat()
        try check("fstatat", name) { fstatat(folder, name, &buffer, AT_SYMLINK_NOFOLLOW) }
        return FileStatus(buffer)
    }

    static func create(_ folder: Int32, _ name: String) throws(SystemError) -> Int32 {
        let flags = O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW
        return try check("open", name) { openat(folder, name, flags, 0o600) }
    }

    static func openExisting(_ folder: Int32, _ name: String) throws(SystemError) -> Int32 {
        let flags = O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
        return try check("open", name) { openat(folder, name, flags) }
    }

    /// Closing such a descriptor drops no lock of the process.
    /// <https://man7.org/linux/man-pages/man2/open.2.html>
    static func pin(_ folder: Int32, _ name: String) throws(SystemError) -> Int32? {
        #if canImport(Darwin)
        return nil
        #else
        // O_PATH, which the C library declares only to programs that ask for GNU extensions.
        let path: Int32 = 0o10_000_000
        return try check("open", name) { openat(folder, name, path | O_NOFOLLOW | O_CLOEXEC) }
        #endif
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

    static func renameReplacing(
        _ folder: Int32, _ from: String, _ to: String
    ) throws(SystemError) {
        try check("rename", to) { renameat(folder, from, folder, to) }
    }

    /// Where the system cannot rename to a free name only, a link does the same in two steps.
    static func renameToFreeName(
        _ folder: Int32, _ from: String, _ to: String
    ) throws(SystemError) {
        do {
            try renameExclusively(folder, from, to)
        } catch  where [EINVAL, ENOSYS, ENOTSUP].contains(error.number) {
            try check("link", to) { linkat(folder, from, folder, to, 0) }
            try remove(folder, from)
        }
    }

    private static func renameExclusively(
        _ folder: Int32, _ from: String, _ to: String
    ) throws(SystemError) {
        #if canImport(Darwin)
        try check("renameatx_np", to) {
            renameatx_np(folder, from, folder, to, UInt32(RENAME_EXCL))
        }
        #else
        guard let renameat2 else { throw SystemError("renameat2", to, number: ENOSYS) }
        let noReplace: UInt32 = 1
        try check("renameat2", to) { renameat2(folder, from, folder, to, noReplace) }
        #endif
    }

    #if !canImport(Darwin)
    private typealias RenameAt2 =
        @convention(c) (Int32, UnsafePointer<CChar>, Int32, UnsafePointer<CChar>, UInt32) -> Int32

    /// The C library has it, but declares it only to programs that ask for GNU extensions.
    private static let renameat2 = loadedFunction("renameat2", as: RenameAt2.self)
    #endif

    static func remove(_ folder: Int32, _ name: String) throws(SystemError) {
        try check("unlink", name) { unlinkat(folder, name, 0) }
    }

    static func synchronizeFolder(_ folder: Int32) throws(SystemError) {
        do {
            try check("fsync", "") { fsync(folder) }
        } catch  where [EINVAL, ENOTSUP].contains(error.number) {
            // Some file systems have nothing to do here, and say so.
        }
    }
}
