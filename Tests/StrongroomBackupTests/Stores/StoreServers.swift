import Foundation
import StrongroomTestSupport
import Testing

@testable import StrongroomSFTP

/// WebDAV and S3 on loopback, which end with this process.
final class StoreServers: Sendable {
    static let running = Result { try StoreServers() }

    /// Remotes of rclone by the names of what is behind them; what is not installed has none.
    let remotes: [String: String]
    /// What WebDAV keeps.
    let webDAVFolder: String

    private let place: TemporaryDirectory
    private let input: Pipe

    private init() throws {
        place = try TemporaryDirectory()
        webDAVFolder = place.path(of: "webdav")
        input = Pipe()
        let output = Pipe()
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [
            "python3", PackageFiles.path(of: "Tests/Stores/servers.py"), place.path,
        ]
        // It ends when nobody has the other end of its input any more.
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        try output.fileHandleForWriting.close()
        var text = Data()
        while text.range(of: Data("ready\n".utf8)) == nil {
            let part = output.fileHandleForReading.availableData
            guard !part.isEmpty else { throw CocoaError(.executableNotLoadable) }
            text += part
        }
        var remotes: [String: String] = [:]
        for line in String(decoding: text, as: UTF8.self).split(separator: "\n") {
            let words = line.split(separator: " ", maxSplits: 1).map(String.init)
            if line.hasPrefix("left out") { print(line) }
            if words.count == 2 { remotes[words[0]] = words[1] }
        }
        self.remotes = remotes
        // rclone 1.60 reaches no S3 with a file of certificates that it cannot use.
        RemoteServer.withhold(["AWS_CA_BUNDLE"])
    }
}
