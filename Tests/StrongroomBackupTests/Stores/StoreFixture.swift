import Foundation
import Strongroom
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
    /// rclone's server over a folder.
    case rclone

    static let sftpServer = "/usr/lib/openssh/sftp-server"

    /// Those that this machine has; the others are left out by name.
    static let installed = allCases.filter { kind in
        let isThere =
            switch kind {
            case .folder: true
            case .sftp, .plainSFTP: FileManager.default.isExecutableFile(atPath: sftpServer)
            case .rclone: (try? Subprocess.run("rclone", ["version"]).isSuccess) == true
            }
        if !isThere { print("left out, because it is not installed: \(kind)") }
        return isThere
    }

    static let remote = installed.filter { $0 != .folder }

    static let hasServer = installed.contains(.sftp)

    var testDescription: String { rawValue }

    /// How a folder of this machine is reached.
    func url(of folder: String) -> String {
        switch self {
        case .folder: folder
        case .sftp: "exec:exec \(Self.sftpServer) -d '\(folder)'"
        case .plainSFTP:
            "exec:exec \(Self.sftpServer) -d '\(folder)' -P posix-rename,fsync,hardlink,statvfs,fstatvfs,limits"
        case .rclone: "rclone::local:\(folder)"
        }
    }
}

/// A database, and a repository for it in a store.
struct StoreFixture {
    let base: BackupFixture
    let kind: StoreKind
    /// Where the store keeps its files on this machine.
    let folder: String
    let repository: BackupRepository

    init(_ kind: StoreKind, rowCount: Int = 400) throws {
        base = try BackupFixture(rowCount: rowCount)
        self.kind = kind
        folder = base.path("a store with spaces")
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        repository = try BackupRepository.create(at: kind.url(of: folder))
    }

    /// The same repository as the files of a folder.
    func local() throws -> BackupRepository { try BackupRepository(path: folder) }

    func change(_ number: Int) throws {
        try base.shell("app.db").run("UPDATE t SET n = \(number) WHERE id % 40 = 7")
    }

    /// What was restored, as a program sees it that is not ours.
    func sum(_ name: String) throws -> SQLCipherShell.Cell {
        try base.shell(name).cell("SELECT sum(n) FROM t")
    }

    /// A server that spoils one packet.
    static func proxied(_ fault: String, _ number: Int, _ folder: String, mark: String) -> String {
        let proxy = PackageFiles.path(of: "Tests/Stores/proxy.py")
        return
            "exec:exec python3 '\(proxy)' \(fault) \(number) '\(mark)' \(StoreKind.sftpServer) -d '\(folder)'"
    }
}
