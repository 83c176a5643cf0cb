import LibC
import StrongroomCore

/// What stands under a name of a folder.
struct FolderEntry {
    enum Kind {
        case file, folder, link, other
    }

    let kind: Kind
    let byteCount: Int64
    /// The same for all names of a file.
    let identity: String

    /// Nil if nothing is there.
    init?(_ path: String, followingLinks: Bool = true) {
        var status = stat()
        guard
            (followingLinks ? stat(path.systemPath, &status) : lstat(path.systemPath, &status)) == 0
        else {
            return nil
        }
        self.init(status)
    }

    private init(_ status: stat) {
        kind =
            switch status.st_mode & S_IFMT {
            case S_IFREG: .file
            case S_IFDIR: .folder
            case S_IFLNK: .link
            default: .other
            }
        byteCount = Int64(status.st_size)
        identity = "\(status.st_dev) \(status.st_ino)"
    }
}

extension FolderEntry {
    /// Makes a folder, and those above it that are missing, for this user alone.
    static func makeFolder(_ path: String) throws(SystemError) {
        if FolderEntry(path)?.kind == .folder { return }
        let parent = path.splitAtLastSlash.directory
        if parent != path, parent != "." { try makeFolder(parent) }
        guard mkdir(path.systemPath, 0o700) == 0 || errno == EEXIST else {
            throw .last("mkdir", path)
        }
    }

    /// All names in a folder but `.` and `..`, as ``PathText`` has them.
    static func names(in folder: String) throws(SystemError) -> [String] {
        try FileSystem.system.names(folder)
    }

    /// Calls a closure with each of these names as they come: however many there are, none is kept.
    static func forEachName(
        in folder: String, _ body: (String) -> Void
    ) throws(SystemError) {
        guard let stream = opendir(folder.systemPath) else { throw .last("opendir", folder) }
        defer { closedir(stream) }
        while true {
            errno = 0
            guard let entry = readdir(stream) else { break }
            let name = withUnsafePointer(to: &entry.pointee.d_name) { tuple in
                tuple.withMemoryRebound(to: CChar.self, capacity: 256) { PathText.text(of: $0) }
            }
            if name != "." && name != ".." { body(name) }
        }
        if errno != 0 { throw .last("readdir", folder) }
    }
}
