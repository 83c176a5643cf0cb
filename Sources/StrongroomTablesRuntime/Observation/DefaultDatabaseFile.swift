internal import LibC
public import StrongroomCore
internal import StrongroomEssentials
internal import Synchronization

/// Opens a pool at a path, or at the place where the program's data belong.
///
///     var configuration = Configuration()
///     configuration.prepareDatabase { db in try db.usePassphrase("correct horse battery staple") }
///     let database = try defaultDatabase(configuration: configuration)
///
/// Without a path, the file is `Strongroom.sqlite` in a folder with the program's name: in
/// `XDG_DATA_HOME`, else `~/.local/share`, or in Application Support. Tests and previews get a new
/// temporary file, which is removed when the process exits.
///
/// - Parameters:
///   - path: The file.
///   - configuration: How it is opened, with its key.
/// - Throws: A `DatabaseError`, or why the folder can't be made.
public func defaultDatabase(
    path: String? = nil, configuration: Configuration = Configuration()
) throws -> any DatabaseWriter {
    let path = try path ?? DefaultDatabaseFile.path()
    return try DatabasePool(path: path, configuration: configuration)
}

enum DefaultDatabaseFile {
    /// Folders to remove at exit.
    private static let folders = Mutex<[String]>([])

    static func path() throws -> String {
        let isTemporary = RunningProgram.isTest || RunningProgram.isPreview
        let folder = isTemporary ? temporaryFolder : dataFolder
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        if isTemporary { removeAtExit(folder.path) }
        return folder.appendingPathComponent("Strongroom.sqlite").path
    }

    private static var temporaryFolder: URL {
        URL(fileURLWithPath: FileManager.default.temporaryDirectory.path)
            .appendingPathComponent("Strongroom-\(UUID().uuidString)")
    }

    private static var dataFolder: URL {
        #if canImport(Darwin)
        let base = URL.applicationSupportDirectory
        #else
        let home = FileManager.default.homeDirectoryForCurrentUser
        // A relative path is to be ignored: XDG Base Directory Specification, section 2.
        let named = RunningProgram.environment("XDG_DATA_HOME").flatMap {
            $0.hasPrefix("/") ? URL(fileURLWithPath: $0) : nil
        }
        let base = named ?? home.appendingPathComponent(".local/share")
        #endif
        return base.appendingPathComponent(RunningProgram.name)
    }

    private static func removeAtExit(_ folder: String) {
        let isFirst = folders.withLock { folders in
            folders.append(folder)
            return folders.count == 1
        }
        guard isFirst else { return }
        atexit {
            for folder in DefaultDatabaseFile.folders.withLock({ $0 }) {
                try? FileManager.default.removeItem(atPath: folder)
            }
        }
    }
}
