import Foundation
import StrongroomTestSupport

@testable import Strongroom

/// Another user, to whom the folder belongs in which root works, and a file of root's that is none
/// of his business.
final class SwappingNeighbour: Sendable {
    enum Trick: String, CaseIterable, Sendable {
        /// A link in the place of the temporary file.
        case link
        /// A link to the temporary file itself, which has another name now.
        case backLink
        /// The file itself, under another name: as where the system lets everybody make one.
        case hardLink
        /// A file of his own.
        case ownFile
        /// Links beside it, under the names of a journal and of a log.
        case sidecars
    }

    static let isPossible =
        geteuid() == 0 && FileManager.default.isExecutableFile(atPath: setpriv)
    private static let setpriv = "/usr/bin/setpriv"
    private static let user: UInt32 = 65534

    /// His.
    let folder: TemporaryDirectory
    /// Root's.
    let vault: TemporaryDirectory
    private let status: FileStatus
    private let secret = "what is none of his business"

    init() throws {
        folder = try TemporaryDirectory()
        vault = try TemporaryDirectory()
        try vault.write(secret, to: "secret", mode: 0o600)
        status = try FileSystem.system.status(vault.path(of: "secret"))
        try FileSystem.system.changeOwner(folder.path, Self.user, Self.user)
    }

    /// Makes a file of the folder his, and readable by everybody.
    func give(_ name: String) throws {
        try FileSystem.system.changeOwner(folder.path(of: name), Self.user, Self.user)
        try FileSystem.system.changeMode(folder.path(of: name), 0o644)
    }

    /// Puts something in the place of what has one of the names.
    func swap(_ trick: Trick, named pattern: String = ".*.strongroom-????????????????") throws {
        let moved = "moved\(UInt32.random(in: .min ... .max))"
        let linking = "ln -s \(vault.path(of: "secret"))"
        let body =
            switch trick {
            case .link: "mv $f \(moved); \(linking) $f"
            case .backLink: "mv $f \(moved); ln -s \(moved) $f"
            case .hardLink: "mv $f \(moved)"
            case .ownFile: "mv $f \(moved); echo his > $f"
            case .sidecars: "\(linking) $f-wal; \(linking) $f-journal; \(linking) $f-shm"
            }
        let script =
            "cd \(folder.path); for f in \(pattern); do if [ -e $f ]; then \(body); fi; done"
        let names = try folder.names().filter { $0.contains(".strongroom-") }
        _ = try Subprocess.run(
            Self.setpriv,
            ["--reuid=\(Self.user)", "--regid=\(Self.user)", "--clear-groups", "sh", "-c", script])
        guard trick == .hardLink else { return }
        for name in names where !FileManager.default.fileExists(atPath: folder.path(of: name)) {
            _ = link(vault.path(of: "secret"), folder.path(of: name))
        }
    }

    /// Whether the file is still root's, with what it had in it, and nothing else is there. A second
    /// name is a trick of the neighbour's.
    var isSecretUntouched: Bool {
        guard var now = try? FileSystem.system.status(vault.path(of: "secret")),
            let content = try? String(contentsOfFile: vault.path(of: "secret"), encoding: .utf8)
        else { return false }
        now.linkCount = status.linkCount
        return now == status && content == secret && (try? vault.names()) == ["secret"]
    }
}
