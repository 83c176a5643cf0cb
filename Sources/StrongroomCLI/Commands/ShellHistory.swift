import LibC
import StrongroomCore
import StrongroomEssentials

/// The lines that were typed in the `sqlcipher` shell, without those that hold a key.
///
/// 1. The shell itself writes to a folder of this user's alone, in memory where the system has such a
///    place. That folder goes when the shell has ended.
/// 2. The file that stays is written afterwards, has mode 0600, and gets no statement that names a
///    key: neither `PRAGMA key` and its kin nor `ATTACH … KEY`, on however many lines.
struct ShellHistory {
    /// As many as the shell keeps.
    private static let lineLimit = 2000
    private static let fileName = "shell-history"

    /// Where the shell reads and writes it.
    let path: String
    private let folder: TemporaryFolder
    private let keptPath: String?

    /// - Parameter variable: Looks up an environment variable.
    init(_ variable: (String) -> String?) throws(SystemError) {
        let places = [variable("XDG_RUNTIME_DIR"), "/dev/shm"].compactMap(\.self)
        folder = try TemporaryFolder(preferring: places)
        path = "\(folder.path)/\(Self.fileName)"
        let state = variable("XDG_STATE_HOME") ?? variable("HOME").map { $0 + "/.local/state" }
        keptPath = state.map { "\($0)/strongroom/\(Self.fileName)" }
        if let keptPath, let content = FileManager.default.contents(atPath: keptPath) {
            try? content.write(to: URL(fileURLWithPath: path))
        }
    }

    /// Keeps what may be kept, and removes the rest.
    ///
    /// - Returns: False if it could not be kept.
    func finish() -> Bool {
        defer { folder.remove() }
        guard let content = FileManager.default.contents(atPath: path) else { return true }
        guard let keptPath else { return false }
        let lines = String(decoding: content, as: UTF8.self).split(separator: "\n")
        let kept = Self.withoutKeys(lines.map(String.init)).suffix(Self.lineLimit)
        let parent = keptPath.splitAtLastSlash.directory
        try? FileManager.default.createDirectory(
            atPath: parent, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        let text = kept.map { $0 + "\n" }.joined()
        return Self.write(Array(text.utf8), to: keptPath)
    }

    /// In a new file of mode 0600, renamed over the old one.
    private static func write(_ bytes: [UInt8], to path: String) -> Bool {
        let temporary = "\(path).\(getpid())"
        unlink(temporary)
        guard
            FileManager.default.createFile(
                atPath: temporary, contents: Data(bytes), attributes: [.posixPermissions: 0o600]),
            rename(temporary, path) == 0
        else {
            unlink(temporary)
            return false
        }
        return true
    }

    /// The lines of all statements in which nothing of a key is.
    static func withoutKeys(_ lines: [String]) -> [String] {
        var kept: [String] = []
        var statement: [String] = []
        for line in lines {
            statement.append(line)
            let isCommand = statement.count == 1 && line.hasPrefix(".")
            guard isCommand || line.trimmingSpace.hasSuffix(";") else {
                continue
            }
            if !mayHoldKey(statement) { kept += statement }
            statement = []
        }
        return mayHoldKey(statement) ? kept : kept + statement
    }

    /// Rather too often than too seldom: a key may be typed with a mistake in what names it.
    private static func mayHoldKey(_ statement: [String]) -> Bool {
        let text = statement.joined(separator: "\n")
        let words = text.lowercased()
        let namesKey =
            words.contains("key") && (words.contains("pragma") || words.contains("attach"))
        let isRawKey = text.firstMatch(of: /[0-9a-fA-F]{64}/) != nil
        return namesKey || isRawKey || words.contains("rekey") || words.contains("hexkey")
            || words.contains("textkey") || text.redactingKeys() != text
    }
}
