internal import CSQLCipher

/// SQLite's own way to the files of the system, under a name of its own, through which every
/// connection opens its databases: their files are guarded (``GuardedFile``), those of attached ones,
/// journals and logs too. Databases in memory are untouched, and so is what other users of SQLite in
/// this process open.
///
/// A path that is a URI with `vfs=` in it goes another way, without the guard.
/// <https://www.sqlite.org/vfs.html>
enum GuardedFileSystem {
    private typealias System = UnsafeMutablePointer<sqlite3_vfs>

    // Safety: the text is never changed.
    @safe private struct Name: @unchecked Sendable {
        let text: UnsafePointer<CChar>
    }

    /// Made at the first use, and never freed: SQLite has no end. Nil where SQLite has no default.
    private static let registered: Name? = {
        guard let usual = unsafe sqlite3_vfs_find(nil) else { return nil }
        let text = "strongroom"
        let name = UnsafeMutablePointer<CChar>.allocate(capacity: text.utf8.count + 1)
        unsafe text.withCString { unsafe name.update(from: $0, count: text.utf8.count + 1) }
        let alignment = unsafe MemoryLayout<strongroom_guarded_file>.alignment
        unsafe fileByteCount = (Int(usual.pointee.szOsFile) + alignment - 1) & ~(alignment - 1)
        let guarded = System.allocate(capacity: 1)
        unsafe guarded.initialize(to: copy(of: usual))
        unsafe guarded.pointee.zName = UnsafePointer(name)
        unsafe guarded.pointee.szOsFile = CInt(fileByteCount + GuardedFile.byteCount)
        guard unsafe sqlite3_vfs_register(guarded, 0) == SQLITE_OK else { return nil }
        return unsafe Name(text: name)
    }()

    /// What a connection is opened with; nil if there is none.
    static var name: UnsafePointer<CChar>? { unsafe registered?.text }

    /// How long the structure of a file of the system is; asked for with every lock.
    // Safety: it is set once, before the file system is registered, so before a file is opened.
    nonisolated(unsafe) private(set) static var fileByteCount = 0

    /// The same file system, whose functions get the one that they are made for.
    private static func copy(of usual: System) -> sqlite3_vfs {
        var copy = unsafe sqlite3_vfs()
        unsafe copy.iVersion = min(usual.pointee.iVersion, 3)
        unsafe copy.mxPathname = usual.pointee.mxPathname
        unsafe copy.pAppData = UnsafeMutableRawPointer(usual)
        unsafe copy.xOpen = { system, name, file, flags, outFlags in
            guard let usual = unsafe GuardedFileSystem.usual(system) else { return SQLITE_MISUSE }
            let code = unsafe usual.pointee.xOpen(usual, name, file, flags, outFlags)
            if code == SQLITE_OK, let file = unsafe file { unsafe GuardedFile.install(in: file) }
            return code
        }
        unsafe setFiles(&copy)
        unsafe setLibraries(&copy)
        unsafe setSystemCalls(&copy)
        return unsafe copy
    }

    private static func usual(_ system: UnsafeMutablePointer<sqlite3_vfs>?) -> System? {
        unsafe system?.pointee.pAppData?.assumingMemoryBound(to: sqlite3_vfs.self)
    }

    private static func setFiles(_ copy: inout sqlite3_vfs) {
        unsafe copy.xDelete = { system, name, syncsDirectory in
            guard let usual = unsafe GuardedFileSystem.usual(system) else { return SQLITE_MISUSE }
            return unsafe usual.pointee.xDelete(usual, name, syncsDirectory)
        }
        unsafe copy.xAccess = { system, name, flags, result in
            guard let usual = unsafe GuardedFileSystem.usual(system) else { return SQLITE_MISUSE }
            return unsafe usual.pointee.xAccess(usual, name, flags, result)
        }
        unsafe copy.xFullPathname = { system, name, count, result in
            guard let usual = unsafe GuardedFileSystem.usual(system) else { return SQLITE_MISUSE }
            return unsafe usual.pointee.xFullPathname(usual, name, count, result)
        }
        unsafe copy.xRandomness = { system, count, bytes in
            guard let usual = unsafe GuardedFileSystem.usual(system) else { return 0 }
            return unsafe usual.pointee.xRandomness(usual, count, bytes)
        }
        unsafe copy.xSleep = { system, microseconds in
            guard let usual = unsafe GuardedFileSystem.usual(system) else { return 0 }
            return unsafe usual.pointee.xSleep(usual, microseconds)
        }
        unsafe copy.xCurrentTime = { system, time in
            guard let usual = unsafe GuardedFileSystem.usual(system) else { return SQLITE_MISUSE }
            return unsafe usual.pointee.xCurrentTime(usual, time)
        }
        unsafe copy.xGetLastError = { system, count, text in
            guard let usual = unsafe GuardedFileSystem.usual(system) else { return 0 }
            return unsafe usual.pointee.xGetLastError(usual, count, text)
        }
        unsafe copy.xCurrentTimeInt64 = { system, time in
            guard let usual = unsafe GuardedFileSystem.usual(system) else { return SQLITE_MISUSE }
            return unsafe usual.pointee.xCurrentTimeInt64(usual, time)
        }
    }

    /// Extensions loaded by `load_extension`.
    private static func setLibraries(_ copy: inout sqlite3_vfs) {
        unsafe copy.xDlOpen = { system, name in
            guard let usual = unsafe GuardedFileSystem.usual(system) else { return nil }
            return unsafe usual.pointee.xDlOpen(usual, name)
        }
        unsafe copy.xDlError = { system, count, text in
            guard let usual = unsafe GuardedFileSystem.usual(system) else { return }
            unsafe usual.pointee.xDlError(usual, count, text)
        }
        unsafe copy.xDlSym = { system, library, name in
            guard let usual = unsafe GuardedFileSystem.usual(system) else { return nil }
            return unsafe usual.pointee.xDlSym(usual, library, name)
        }
        unsafe copy.xDlClose = { system, library in
            guard let usual = unsafe GuardedFileSystem.usual(system) else { return }
            unsafe usual.pointee.xDlClose(usual, library)
        }
    }

    private static func setSystemCalls(_ copy: inout sqlite3_vfs) {
        unsafe copy.xSetSystemCall = { system, name, call in
            guard let usual = unsafe GuardedFileSystem.usual(system) else { return SQLITE_MISUSE }
            return unsafe usual.pointee.xSetSystemCall(usual, name, call)
        }
        unsafe copy.xGetSystemCall = { system, name in
            guard let usual = unsafe GuardedFileSystem.usual(system) else { return nil }
            return unsafe usual.pointee.xGetSystemCall(usual, name)
        }
        unsafe copy.xNextSystemCall = { system, name in
            guard let usual = unsafe GuardedFileSystem.usual(system) else { return nil }
            return unsafe usual.pointee.xNextSystemCall(usual, name)
        }
    }
}
