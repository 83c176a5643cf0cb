import Foundation
import StrongroomCore
import StrongroomTestSupport
import Testing

@testable import StrongroomBackup
@testable import StrongroomSFTP

/// What keeps a repository, with real servers behind it.
enum StoreKind: String, CaseIterable, CustomTestStringConvertible {
    case folder
    /// OpenSSH's server, on a pipe.
    case sftp
    /// The same without what it offers beyond the protocol.
    case plainSFTP
    /// rclone's server over a folder, over WebDAV and over S3.
    case rclone, rcloneWebDAV, rcloneS3
    /// The same of another version, whose program `STRONGROOM_RCLONE` names.
    case otherRclone, otherRcloneWebDAV, otherRcloneS3

    static let sftpServer = "/usr/lib/openssh/sftp-server"
    private static let otherProgram = ProcessInfo.processInfo.environment["STRONGROOM_RCLONE"]

    /// Those that this machine has; the others are left out by name.
    static let installed = allCases.filter { kind in
        let isThere = kind.isInstalled
        if !isThere { print("left out, because it is not installed: \(kind)") }
        return isThere
    }

    static let remote = installed.filter { $0 != .folder }

    /// Those over which every fault is tried: one of each sort, or all with `STRONGROOM_STORES=all`, as in
    /// `Scripts/stores`.
    static let tried =
        ProcessInfo.processInfo.environment["STRONGROOM_STORES"] == "all"
        ? remote : remote.filter { [.sftp, .rclone, .rcloneS3].contains($0) }

    static let hasServer = installed.contains(.sftp)

    private var isInstalled: Bool {
        switch self {
        case .folder: true
        case .sftp, .plainSFTP: FileManager.default.isExecutableFile(atPath: Self.sftpServer)
        default: Self.hasRclone[program] == true && remote != nil
        }
    }

    private static let hasRclone = Dictionary(
        uniqueKeysWithValues: Set(["rclone", otherProgram ?? ""]).map { program in
            (
                program,
                !program.isEmpty && (try? Subprocess.run(program, ["version"]).isSuccess) == true
            )
        })

    var testDescription: String { rawValue }

    var isRclone: Bool { rawValue.lowercased().contains("rclone") }
    /// Whether the URL is one of `exec:`.
    var isOther: Bool { rawValue.hasPrefix("other") }
    private var isWebDAV: Bool { self == .rcloneWebDAV || self == .otherRcloneWebDAV }
    /// Whether what it keeps is no folder of this machine.
    var isS3: Bool { self == .rcloneS3 || self == .otherRcloneS3 }

    private var program: String { isOther ? Self.otherProgram ?? "" : "rclone" }

    /// What rclone calls the place; nil if no server is behind it.
    private var remote: String? {
        guard isWebDAV || isS3 else { return ":local:" }
        return try? StoreServers.running.get().remotes[isS3 ? "s3" : "webdav"]
    }

    // MARK: - Places

    /// A new place for a repository: a folder of this machine, or a name in a bucket.
    func place(_ name: String, in directory: String) throws -> String {
        if isS3 { return "\(UUID())/\(name)" }
        let directory =
            isWebDAV ? try StoreServers.running.get().webDAVFolder + "/\(UUID())" : directory
        let place = "\(directory)/\(name)"
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
        return place
    }

    /// The program that leads to a place, and its arguments.
    func words(to place: String) throws -> [String] {
        switch self {
        case .folder: throw CocoaError(.featureUnsupported)
        case .sftp: return [Self.sftpServer, "-d", place]
        case .plainSFTP:
            let withheld = "posix-rename,fsync,hardlink,statvfs,fstatvfs,limits"
            return [Self.sftpServer, "-d", place, "-P", withheld]
        default:
            return [program] + ["serve", "sftp", "--stdio", "--vfs-read-wait", "2ms"]
                + [try remotePlace(place)]
        }
    }

    private func remotePlace(_ place: String) throws -> String {
        guard isWebDAV else { return (remote ?? "") + place }
        return try (remote ?? "")
            + place.dropFirst(StoreServers.running.get().webDAVFolder.count + 1)
    }

    func url(of place: String) throws -> String {
        switch self {
        case .folder: place
        case .rclone, .rcloneWebDAV, .rcloneS3: try "rclone:" + remotePlace(place)
        default: try Self.command(words(to: place))
        }
    }

    /// A server that spoils one packet.
    func proxied(_ fault: String, _ number: Int, _ place: String, mark: String) throws -> String {
        let proxy = PackageFiles.path(of: "Tests/Stores/proxy.py")
        return try Self.command(["python3", proxy, fault, "\(number)", mark] + words(to: place))
    }

    private static func command(_ words: [String]) -> String {
        "exec:exec " + words.map { "'\($0)'" }.joined(separator: " ")
    }

    /// What the store has, past any connection that was there: rclone shows what others write late.
    func direct(_ place: String) throws -> String {
        guard isS3 else { return place }
        let url = try url(of: place)
        try RemoteServer.at(url)?.disconnect()
        return url
    }

    /// A folder of the store, as a repository uses it.
    func open(_ url: String) throws -> RepositoryFolder {
        let server = try RemoteServer.at(url)
        return try RepositoryFolder(path: url, server?.fileSystem(over: .system) ?? .system)
    }
}
