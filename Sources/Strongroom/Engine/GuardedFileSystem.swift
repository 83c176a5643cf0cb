internal import CSQLCipher

/// SQLite's own way to the files of the system, under a name of its own, through which every
/// connection opens its databases: the files of main databases, attached ones too, are guarded
/// (``GuardedFile``). Journals, logs, temporary files and databases in memory are untouched, and so
/// is what other users of SQLite in this process open.
///
/// A path that is a URI with `vfs=` in it goes another way, without the guard.
/// <https://www.sqlite.org/vfs.html>
enum GuardedFileSystem {
    private typealias System = UnsafeMutablePointer<sqlite3_vfs>

    // Safety: the text is never changed.
    private struct Name: @unchecked Sendable {
        let text: UnsafePointer<CChar>
    }

    /// Made at the first use, and never freed: SQLite has no end. Nil where SQLite has no default.
    private static let registered: Name? = {
        guard let usual = sqlite3_vfs_find(nil) else { return nil }
        let text = "strongroom"
        let name = UnsafeMutablePointer<CChar>.allocate(capacity: text.utf8.count + 1)
        text.withCString { name.update(from: $0, count: text.utf8.count + 1) }
        let alignment = MemoryLayout<GuardedFile>.alignment
        fileByteCount = (Int(usual.pointee.szOsFile) + alignment - 1) & ~(alignment - 1)
        let guarded = System.allocate(capacity: 1)
        guarded.initialize(to: copy(of: usual))
        guarded.pointee.zName = UnsafePointer(name)
        guarded.pointee.szOsFile = CInt(fileByteCount + GuardedFile.byteCount)
        guard sqlite3_vfs_register(guarded, 0) == SQLITE_OK else { return nil }
        return Name(text: name)
    }()

    /// What a connection is opened with; nil if there is none.
    static var name: UnsafePointer<CChar>? { registered?.text }

    /// How long the structure of a file of the system is; asked for with every lock.
    // Safety: it is set once, before the file system is registered, so before a file is opened.
    nonisolated(unsafe) private(set) static var fileByteCount = 0

    /// The same file system, whose functions get the one that they are made for.
    private static func copy(of usual: System) -> sqlite3_vfs {
        var copy = sqlite3_vfs()
        copy.iVersion = min(usual.pointee.iVersion, 3)
        copy.mxPathname = usual.pointee.mxPathname
        copy.pAppData = UnsafeMutableRawPointer(usual)
        copy.xOpen = { system, name, file, flags, outFlags in
            guard let usual = GuardedFileSystem.usual(system) else { return SQLITE_MISUSE }
            let code = usual.pointee.xOpen(usual, name, file, flags, outFlags)
            if code == SQLITE_OK, flags & SQLITE_OPEN_MAIN_DB != 0, let file {
                GuardedFile.install(behind: file)
            }
            return code
        }
        setFiles(&copy)
        setLibraries(&copy)
        setSystemCalls(&copy)
        return copy
    }

    private static func usual(_ system: UnsafeMutablePointer<sqlite3_vfs>?) -> System? {
        system?.pointee.pAppData?.assumingMemoryBound(to: sqlite3_vfs.self)
    }

    private static func setFiles(_ copy: inout sqlite3_vfs) {
        copy.xDelete = { system, name, syncsDirectory in
            guard let usual = GuardedFileSystem.usual(system) else { return SQLITE_MISUSE }
            return usual.pointee.xDelete(usual, name, syncsDirectory)
        }
        copy.xAccess = { system, name, flags, result in
            guard let usual = GuardedFileSystem.usual(system) else { return SQLITE_MISUSE }
            return usual.pointee.xAccess(usual, name, flags, result)
        }
        copy.xFullPathname = { system, name, count, result in
            guard let usual = GuardedFileSystem.usual(system) else { return SQLITE_MISUSE }
            return usual.pointee.xFullPathname(usual, name, count, result)
        }
        copy.xRandomness = { system, count, bytes in
            guard let usual = GuardedFileSystem.usual(system) else { return 0 }
            return usual.pointee.xRandomness(usual, count, bytes)
        }
        copy.xSleep = { system, microseconds in
            guard let usual = GuardedFileSystem.usual(system) else { return 0 }
            return usual.pointee.xSleep(usual, microseconds)
        }
        copy.xCurrentTime = { system, time in
            guard let usual = GuardedFileSystem.usual(system) else { return SQLITE_MISUSE }
            return usual.pointee.xCurrentTime(usual, time)
        }
        copy.xGetLastError = { system, count, text in
            guard let usual = GuardedFileSystem.usual(system) else { return 0 }
            return usual.pointee.xGetLastError(usual, count, text)
        }
        copy.xCurrentTimeInt64 = { system, time in
            guard let usual = GuardedFileSystem.usual(system) else { return SQLITE_MISUSE }
            return usual.pointee.xCurrentTimeInt64(usual, time)
        }
    }

    /// Extensions loaded by `load_extension`.
    private static func setLibraries(_ copy: inout sqlite3_vfs) {
        copy.xDlOpen = { system, name in
            guard let usual = GuardedFileSystem.usual(system) else { return nil }
            return usual.pointee.xDlOpen(usual, name)
        }
        copy.xDlError = { system, count, text in
            guard let usual = GuardedFileSystem.usual(system) else { return }
            usual.pointee.xDlError(usual, count, text)
        }
        copy.xDlSym = { system, library, name in
            guard let usual = GuardedFileSystem.usual(system) else { return nil }
            return usual.pointee.xDlSym(usual, library, name)
        }
        copy.xDlClose = { system, library in
            guard let usual = GuardedFileSystem.usual(system) else { return }
            usual.pointee.xDlClose(usual, library)
        }
    }

    private static func setSystemCalls(_ copy: inout sqlite3_vfs) {
        copy.xSetSystemCall = { system, name, call in
            guard let usual = GuardedFileSystem.usual(system) else { return SQLITE_MISUSE }
            return usual.pointee.xSetSystemCall(usual, name, call)
        }
        copy.xGetSystemCall = { system, name in
            guard let usual = GuardedFileSystem.usual(system) else { return nil }
            return usual.pointee.xGetSystemCall(usual, name)
        }
        copy.xNextSystemCall = { system, name in
            guard let usual = GuardedFileSystem.usual(system) else { return nil }
            return usual.pointee.xNextSystemCall(usual, name)
        }
    }
}
