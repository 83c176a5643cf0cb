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
        guard (followingLinks ? stat(path, &status) : lstat(path, &status)) == 0 else {
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
    /// A name as the system has it, which may be no text.
    struct Name {
        let bytes: [UInt8]
        /// With U+FFFD for what is not UTF-8: it then leads nowhere.
        let text: String
        let isUTF8: Bool
        /// Of a name that is not UTF-8: a folder, or a file that is large enough for a database.
        let canBeDatabase: Bool
    }

    /// All names in a folder but `.` and `..`.
    static func names(in folder: String) throws(SystemError) -> [Name] {
        guard let stream = opendir(folder) else { throw .last("opendir") }
        defer { closedir(stream) }
        var names: [Name] = []
        while let entry = readdir(stream) {
            let bytes = withUnsafeBytes(of: &entry.pointee.d_name) {
                Array($0.prefix { $0 != 0 })
            }
            if bytes == Array(".".utf8) || bytes == Array("..".utf8) { continue }
            let text = String(decoding: bytes, as: UTF8.self)
            let isUTF8 = Array(text.utf8) == bytes
            names.append(
                Name(
                    bytes: bytes, text: text, isUTF8: isUTF8,
                    canBeDatabase: !isUTF8 && canBeDatabase(bytes, in: stream)))
        }
        return names
    }

    private static func canBeDatabase(_ name: [UInt8], in stream: OpaquePointer) -> Bool {
        var status = stat()
        let name = name.map { CChar(bitPattern: $0) } + [0]
        let result = fstatat(dirfd(stream), name, &status, 0)
        guard result == 0 else { return false }
        let entry = FolderEntry(status)
        return entry.kind == .folder || entry.kind == .file && entry.byteCount >= 512
    }
}
