import Foundation
import StrongroomTestSupport

@testable import StrongroomCore

/// Another user, to whom the folder belongs in which somebody works, and a file of that one's which is
/// none of his business.
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
    /// The worker's.
    let vault: TemporaryDirectory
    private let status: FileStatus
    let secret: Data
    private let shell: Shell

    /// - Parameters:
    ///   - secret: What is in the file that is none of his business.
    ///   - worker: Who works; the process becomes that user.
    init(secret: Data, worker: UInt32 = 0) throws {
        self.secret = secret
        folder = try TemporaryDirectory()
        vault = try TemporaryDirectory()
        try vault.write(secret, to: "secret", mode: 0o600)
        let system = FileSystem.system
        try system.changeOwner(folder.path, Self.user, Self.user)
        try system.changeMode(folder.path, worker == 0 ? 0o755 : 0o777)
        for path in [vault.path, vault.path(of: "secret")] {
            try system.changeOwner(path, worker, worker)
        }
        shell = try Shell(
            Self.setpriv, ["--reuid=\(Self.user)", "--regid=\(Self.user)", "--clear-groups", "sh"])
        if worker != 0, setgid(worker) != 0 || setuid(worker) != 0 {
            throw SystemError("setuid", "", number: errno)
        }
        status = try system.status(vault.path(of: "secret"))
    }

    /// Makes a file of the folder readable by everybody, and his. Only root can put another in the
    /// place of a file that belongs to somebody else, so that it stays the worker's elsewhere.
    func give(_ name: String) throws {
        let (system, path) = (FileSystem.system, folder.path(of: name))
        try system.changeMode(path, 0o644)
        if geteuid() == 0 { try system.changeOwner(path, Self.user, Self.user) }
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
        let names = try folder.names()
        try act("cd \(folder.path); for f in \(pattern); do if [ -e $f ]; then \(body); fi; done")
        guard trick == .hardLink else { return }
        for name in names where !FileManager.default.fileExists(atPath: folder.path(of: name)) {
            _ = link(vault.path(of: "secret"), folder.path(of: name))
        }
    }

    /// Runs a script as the neighbour.
    func act(_ script: String) throws {
        try shell.run(script)
    }

    /// Whether the file is still the worker's, with what it had in it, and nothing else is there. A
    /// second name is a trick of the neighbour's.
    var isSecretUntouched: Bool {
        guard var now = try? FileSystem.system.status(vault.path(of: "secret")),
            let content = try? Data(contentsOf: URL(fileURLWithPath: vault.path(of: "secret")))
        else { return false }
        // A link to it changes nothing but these two.
        (now.linkCount, now.changed) = (status.linkCount, status.changed)
        return now == status && content == secret && (try? vault.names()) == ["secret"]
    }
}

/// A shell that runs one script after the other.
private final class Shell: Sendable {
    private let process: Process
    private let streams: Locked<(input: FileHandle, output: FileHandle)>

    init(_ program: String, _ arguments: [String]) throws {
        process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        let (input, output) = (Pipe(), Pipe())
        process.standardInput = input
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        streams = Locked((input.fileHandleForWriting, output.fileHandleForReading))
    }

    deinit {
        streams.withLock { try? $0.input.close() }
    }

    func run(_ script: String) throws {
        try streams.withLock { streams in
            try streams.input.write(contentsOf: Data("{ \(script)\n} > /dev/null\necho\n".utf8))
            _ = try streams.output.read(upToCount: 1)
        }
    }
}
