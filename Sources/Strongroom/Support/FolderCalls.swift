#if canImport(Darwin)
internal import Darwin
#elseif canImport(Musl)
internal import Musl
#else
internal import Glibc
#endif

/// The system calls on names in a folder that is held open, as a table that tests may change.
///
/// 1. A name is one component, and a link under that name is never followed: an attacker who
///    exchanges a folder or a file for a link cannot lead a call somewhere else.
package struct FolderCalls: Sendable {
    package typealias Descriptor = FileSystem.Descriptor

    /// Opens a folder by its path, where links are followed.
    package var open: @Sendable (_ path: String) throws(SystemError) -> Descriptor
    /// Opens a folder in a folder.
    package var openFolder: @Sendable (Descriptor, _ name: String) throws(SystemError) -> Descriptor
    /// Makes a folder that others may not look into.
    package var makeFolder: @Sendable (Descriptor, _ name: String) throws(SystemError) -> Void
    /// The names in a folder.
    package var names: @Sendable (Descriptor) throws(SystemError) -> [String]
    /// The status of a name itself, also if it is a link; nil if the name is free.
    package var status: @Sendable (Descriptor, _ name: String) throws(SystemError) -> FileStatus?
    /// Creates a file that other users may not read; fails if the name is taken.
    package var create: @Sendable (Descriptor, _ name: String) throws(SystemError) -> Descriptor
    /// Opens a file for reading; does not wait for a pipe.
    package var openForReading:
        @Sendable (Descriptor, _ name: String) throws(SystemError) -> Descriptor
    /// Opens a file for reading and writing, and creates it where the name is free.
    package var openOrCreate:
        @Sendable (Descriptor, _ name: String) throws(SystemError) -> Descriptor
    /// Moves a file to a name of another folder, or of the same; a file of that name is replaced.
    package var rename:
        @Sendable (Descriptor, _ name: String, Descriptor, _ newName: String)
            throws(SystemError) -> Void
    package var remove: @Sendable (Descriptor, _ name: String) throws(SystemError) -> Void
    /// Makes the names in a folder outlast a loss of power.
    package var synchronize: @Sendable (Descriptor) throws(SystemError) -> Void
}

extension FolderCalls {
    /// The calls of the machine.
    package static let system = FolderCalls(
        open: FolderSystemCalls.open, openFolder: FolderSystemCalls.openFolder,
        makeFolder: FolderSystemCalls.makeFolder, names: FolderSystemCalls.names,
        status: FolderSystemCalls.status,
        create: FolderSystemCalls.create, openForReading: FolderSystemCalls.openForReading,
        openOrCreate: FolderSystemCalls.openOrCreate, rename: FolderSystemCalls.rename,
        remove: FolderSystemCalls.remove, synchronize: FolderSystemCalls.synchronize)
}

private enum FolderSystemCalls {
    static func open(_ path: String) throws(SystemError) -> Int32 {
        #if canImport(Darwin)
        try check("open", path) { Darwin.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        #elseif canImport(Musl)
        try check("open", path) { Musl.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        #else
        try check("open", path) { Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        #endif
    }

    static func openFolder(_ folder: Int32, _ name: String) throws(SystemError) -> Int32 {
        let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW
        return try check("openat", name) { openat(folder, name, flags) }
    }

    static func makeFolder(_ folder: Int32, _ name: String) throws(SystemError) {
        try check("mkdirat", name) { mkdirat(folder, name, 0o700) }
    }

    static func names(_ folder: Int32) throws(SystemError) -> [String] {
        // One with a place of its own: the descriptor of the folder stays at its beginning.
        let descriptor = try openFolder(folder, ".")
        guard let stream = fdopendir(descriptor) else {
            let number = errno
            close(descriptor)
            throw SystemError("fdopendir", "", number: number)
        }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { tuple in
                tuple.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != "." && name != ".." { names.append(name) }
        }
        return names
    }

    static func status(_ folder: Int32, _ name: String) throws(SystemError) -> FileStatus? {
        var buffer = stat()
        do {
            try check("fstatat", name) { fstatat(folder, name, &buffer, AT_SYMLINK_NOFOLLOW) }
        } catch  where error.number == ENOENT {
            return nil
        }
        return FileStatus(buffer)
    }

    static func create(_ folder: Int32, _ name: String) throws(SystemError) -> Int32 {
        let flags = O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW
        return try check("openat", name) { openat(folder, name, flags, 0o600) }
    }

    static func openForReading(_ folder: Int32, _ name: String) throws(SystemError) -> Int32 {
        let flags = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
        return try check("openat", name) { openat(folder, name, flags) }
    }

    static func openOrCreate(_ folder: Int32, _ name: String) throws(SystemError) -> Int32 {
        let flags = O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
        return try check("openat", name) { openat(folder, name, flags, 0o600) }
    }

    static func rename(
        _ folder: Int32, _ name: String, _ newFolder: Int32, _ newName: String
    ) throws(SystemError) {
        try check("renameat", newName) { renameat(folder, name, newFolder, newName) }
    }

    static func remove(_ folder: Int32, _ name: String) throws(SystemError) {
        try check("unlinkat", name) { unlinkat(folder, name, 0) }
    }

    static func synchronize(_ folder: Int32) throws(SystemError) {
        do {
            try check("fsync", "") { fsync(folder) }
        } catch  where [EINVAL, ENOTSUP].contains(error.number) {
            // Some file systems have nothing to do here, and say so.
        }
    }

    @discardableResult
    private static func check(
        _ call: String, _ name: String, _ body: () -> Int32
    ) throws(SystemError) -> Int32 {
        while true {
            let result = body()
            if result >= 0 { return result }
            let number = errno
            guard number == EINTR else { throw SystemError(call, name, number: number) }
        }
    }
}
