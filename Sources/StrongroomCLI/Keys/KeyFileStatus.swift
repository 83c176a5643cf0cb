import LibC
import StrongroomCore

/// Who else can read or exchange a file that holds a key.
struct KeyFileStatus {
    private let isFile: Bool
    private let isOpenToOthers: Bool
    private let isOpenToGroupAlone: Bool
    private let owner: uid_t
    private let linkCount: Int

    init(_ status: stat) {
        isFile = status.st_mode & S_IFMT == S_IFREG
        isOpenToOthers = status.st_mode & 0o077 != 0
        isOpenToGroupAlone = isOpenToOthers && status.st_mode & 0o007 == 0
        owner = status.st_uid
        linkCount = Int(status.st_nlink)
    }

    /// Of the file to which a path leads.
    init?(at path: String) {
        var status = stat()
        guard stat(path.systemPath, &status) == 0 else { return nil }
        self.init(status)
    }

    static func isThere(_ path: String) -> Bool {
        var status = stat()
        return lstat(path.systemPath, &status) == 0
    }

    /// Whether a file holds what a key file does: age identities, or one line of text, no longer than a key.
    static func holdsKey(_ path: String) -> Bool {
        guard FolderEntry(path)?.kind == .file,
            let file = try? Descriptor.open(path, O_RDONLY | O_NONBLOCK)
        else { return false }
        defer { file.close() }
        var bytes = SecretBytes(capacity: KeyReader.limit + 1)
        let isRead: Void? = try? bytes.append(upTo: KeyReader.limit + 1) {
            (buffer) throws(SystemError) in try file.read(into: buffer)
        }
        guard isRead != nil, bytes.count <= KeyReader.limit else { return false }
        return KeyText.hasIdentity(bytes) || (try? KeyText.check(bytes, from: path)) != nil
    }

    /// Whether it is a file that no other user has made, and no other can read.
    var isPrivate: Bool { isFile && !isOpenToOthers && owner == geteuid() && linkCount == 1 }

    /// Pipes and devices are the caller's affair, and root's files are everybody's.
    func warn(of name: String, _ path: String, in context: CommandContext) {
        guard isFile else { return }
        if isOpenToGroupAlone {
            context.warn(
                "\(name) is open to the other members of its group",
                hint: "chmod 600 \(ShellWord.text(path)), unless all of them may have the key")
        } else if isOpenToOthers {
            context.warn(
                "\(name) is open to other users of this machine",
                hint: "chmod 600 \(ShellWord.text(path))")
        }
        if owner != geteuid(), owner != 0 {
            context.warn(
                "\(name) belongs to another user, who can read and replace it",
                hint: "chown it to the current user, or use a copy")
        }
    }
}
