internal import LibC

extension FolderCalls {
    /// The calls of the machine.
    package static let system = FolderCalls(
        open: SystemCalls.openFolder,
        openFolder: SystemCalls.openFolder,
        makeFolder: SystemCalls.makeFolder,
        names: SystemCalls.names,
        status: SystemCalls.status,
        create: SystemCalls.create,
        openForReading: SystemCalls.openForReading,
        openExisting: SystemCalls.openExisting,
        openOrCreate: SystemCalls.openOrCreate,
        pin: SystemCalls.pin,
        linkTarget: SystemCalls.linkTarget,
        rename: SystemCalls.move,
        renameToFreeName: SystemCalls.renameToFreeName,
        remove: SystemCalls.remove,
        synchronize: SystemCalls.synchronizeFolder,
        forEachName: SystemCalls.forEachName)
}

/// Whoever may write to a folder can put something else under a name, but not into a descriptor.
extension SystemCalls {
    static func openFolder(_ path: String) throws(SystemError) -> Int32 {
        try check("open", path) { open(path.systemPath, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    }

    static func openFolder(_ folder: Int32, _ name: String) throws(SystemError) -> Int32 {
        try openNotFollowing(folder, name, O_RDONLY | O_DIRECTORY)
    }

    static func makeFolder(_ folder: Int32, _ name: String) throws(SystemError) {
        try check("mkdir", name) { mkdirat(folder, name.systemPath, 0o700) }
    }

    static func names(_ folder: Int32) throws(SystemError) -> [String] {
        // A descriptor with a place of its own: that of the folder stays at its beginning.
        try readNames(openFolder(folder, "."))
    }

    static func forEachName(
        _ folder: Int32, _ withStatus: Bool, _ body: FolderCalls.NameBody
    ) throws(SystemError) {
        let descriptor = try openFolder(folder, ".")
        guard let stream = fdopendir(descriptor) else {
            let number = errno
            closeFile(descriptor)
            throw SystemError("fdopendir", "", number: number)
        }
        defer { closedir(stream) }
        while let entry = readdir(stream) {
            withUnsafePointer(to: &entry.pointee.d_name) { tuple in
                tuple.withMemoryRebound(to: CChar.self, capacity: 256) { name in
                    let bytes = UnsafeRawBufferPointer(start: name, count: strlen(name))
                    var buffer = stat()
                    let isThere =
                        withStatus && fstatat(folder, name, &buffer, AT_SYMLINK_NOFOLLOW) == 0
                    body(bytes, isThere ? FileStatus(buffer) : nil)
                }
            }
        }
    }

    static func status(_ folder: Int32, _ name: String) throws(SystemError) -> FileStatus? {
        var buffer = stat()
        do {
            try check("fstatat", name) {
                fstatat(folder, name.systemPath, &buffer, AT_SYMLINK_NOFOLLOW)
            }
        } catch  where error.number == ENOENT {
            return nil
        }
        return FileStatus(buffer)
    }

    static func create(_ folder: Int32, _ name: String) throws(SystemError) -> Int32 {
        try openNotFollowing(folder, name, O_RDWR | O_CREAT | O_EXCL)
    }

    static func openForReading(_ folder: Int32, _ name: String) throws(SystemError) -> Int32 {
        try openNotFollowing(folder, name, O_RDONLY | O_NONBLOCK)
    }

    static func openExisting(_ folder: Int32, _ name: String) throws(SystemError) -> Int32 {
        try openNotFollowing(folder, name, O_RDWR | O_NONBLOCK)
    }

    static func openOrCreate(_ folder: Int32, _ name: String) throws(SystemError) -> Int32 {
        try openNotFollowing(folder, name, O_RDWR | O_CREAT | O_NONBLOCK)
    }

    private static func openNotFollowing(
        _ folder: Int32, _ name: String, _ flags: Int32
    ) throws(SystemError) -> Int32 {
        try check("open", name) {
            openat(folder, name.systemPath, flags | O_CLOEXEC | O_NOFOLLOW, 0o600)
        }
    }

    /// Closing such a descriptor drops no lock of the process.
    /// <https://man7.org/linux/man-pages/man2/open.2.html>
    static func pin(_ folder: Int32, _ name: String) throws(SystemError) -> Int32? {
        #if canImport(Darwin)
        return nil
        #else
        // O_PATH, which the C library declares only to programs that ask for GNU extensions.
        let path: Int32 = 0o10_000_000
        return try check("open", name) {
            openat(folder, name.systemPath, path | O_NOFOLLOW | O_CLOEXEC)
        }
        #endif
    }

    static func linkTarget(_ link: Int32) throws(SystemError) -> String {
        try readLinkTarget("") { buffer, count in readlinkat(link, "", buffer, count) }
    }

    static func move(
        _ folder: Int32, _ name: String, _ newFolder: Int32, _ newName: String
    ) throws(SystemError) {
        try check("rename", newName) {
            renameat(folder, name.systemPath, newFolder, newName.systemPath)
        }
    }

    /// Where the file system cannot rename to a free name only, a link does the same in two steps;
    /// and where it has no links (FAT, exFAT), the name is taken by an empty file first.
    static func renameToFreeName(
        _ folder: Int32, _ from: String, _ to: String
    ) throws(SystemError) {
        do {
            try renameExclusively(folder, from, to)
        } catch  where [EINVAL, ENOSYS, ENOTSUP].contains(error.number) {
            try linkToFreeName(folder, from, to)
        }
    }

    private static func linkToFreeName(
        _ folder: Int32, _ from: String, _ to: String
    ) throws(SystemError) {
        do {
            try check("link", to) { linkat(folder, from.systemPath, folder, to.systemPath, 0) }
        } catch  where [EPERM, ENOSYS, ENOTSUP].contains(error.number) {
            return try renameOverOwnFile(folder, from, to)
        }
        try remove(folder, from)
    }

    /// A free name goes to whoever creates a file under it. That file is replaced while it is ours
    /// and empty.
    ///
    /// A process that opens the empty file in the instant before keeps a file without a name. One that
    /// is killed in that instant leaves the empty file.
    private static func renameOverOwnFile(
        _ folder: Int32, _ from: String, _ to: String
    ) throws(SystemError) {
        let placeholder = try create(folder, to)
        defer { closeFile(placeholder) }
        let own = try descriptorStatus(placeholder)
        guard own.byteCount == 0, try status(folder, to)?.identity == own.identity else {
            throw SystemError("rename", to, number: EEXIST)
        }
        do {
            try move(folder, from, folder, to)
        } catch {
            if (try? status(folder, to))?.identity == own.identity { try? remove(folder, to) }
            throw error
        }
    }

    private static func renameExclusively(
        _ folder: Int32, _ from: String, _ to: String
    ) throws(SystemError) {
        #if canImport(Darwin)
        try check("renameatx_np", to) {
            renameatx_np(
                folder, from.systemPath, folder, to.systemPath, UInt32(RENAME_EXCL))
        }
        #else
        guard let renameat2 else { throw SystemError("renameat2", to, number: ENOSYS) }
        let noReplace: UInt32 = 1
        try check("renameat2", to) {
            renameat2(folder, from.systemPath, folder, to.systemPath, noReplace)
        }
        #endif
    }

    #if !canImport(Darwin)
    private typealias RenameAt2 =
        @convention(c) (Int32, UnsafePointer<CChar>, Int32, UnsafePointer<CChar>, UInt32) -> Int32

    /// The C library has it, but declares it only to programs that ask for GNU extensions.
    private static let renameat2 = loadedFunction("renameat2", as: RenameAt2.self)
    #endif

    static func remove(_ folder: Int32, _ name: String) throws(SystemError) {
        try check("unlink", name) { unlinkat(folder, name.systemPath, 0) }
    }

    static func synchronizeFolder(_ folder: Int32) throws(SystemError) {
        do {
            try check("fsync", "") { fsync(folder) }
        } catch  where [EINVAL, ENOTSUP].contains(error.number) {
            // Some file systems have nothing to do here, and say so.
        }
    }
}
