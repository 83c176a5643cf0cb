import Foundation
import StrongroomCore
import StrongroomTestSupport
import Testing

@Suite("The daemon of the guide", .tags(.slow))
struct DaemonTests {
    @Test(
        "loses nothing that it has stored and no key that a backup needs, however often it is killed",
        .proves("OPR-43"))
    func killed() throws {
        let directory = try TemporaryDirectory()
        let guide = try #require(Guide.all.first { $0.path.hasSuffix("Daemons.md") })
        let program = try GuideProgram(guide: guide.lines.joined(separator: "\n"))
            .build(in: directory)
        let folder = try TemporaryDirectory()
        var stored: Int64 = 0
        for _ in 1...10 {
            let daemon = try Subprocess(starting: program, workingDirectory: folder.path)
            let count = Int.random(in: 1...80)
            try daemon.wait(until: "write \(count) lines") {
                daemon.output.count { $0 == UInt8(ascii: "\n") } >= count
            }
            daemon.signal(SIGKILL)
            let result = try daemon.wait()
            #expect(result.status == .killed(signal: SIGKILL), "\(result.outputText)")
            stored = max(stored, Self.lastStored(result.outputText))
        }
        let daemon = try Subprocess(starting: program, workingDirectory: folder.path)
        try daemon.wait(untilWritten: "rotated\n")
        daemon.signal(SIGTERM)
        let result = try daemon.wait()
        #expect(result.status == .exited(0))
        #expect(result.outputText.hasSuffix("stopped\n"))
        stored = max(stored, Self.lastStored(result.outputText))

        let key = try KeyStore(folder: folder.path(of: "load.keys")).currentKey()
        let queue = try DatabaseFile(path: folder.path(of: "load.db"), key: key).open()
        let ids = try queue.read { try Int64.fetchAll($0, sql: "SELECT id FROM measurement") }
        #expect(Set(ids).isSuperset(of: 1...stored))
        try restoreEveryBackup(in: folder)
    }

    private static func lastStored(_ output: String) -> Int64 {
        output.split(separator: "\n").compactMap { line in
            line.hasPrefix("stored ") ? Int64(line.dropFirst("stored ".count)) : nil
        }.max() ?? 0
    }

    private func restoreEveryBackup(in folder: TemporaryDirectory) throws {
        let tool = PackageFiles.program("strongroom")
        func run(_ words: String...) throws -> Subprocess.Result {
            try Subprocess.run(
                tool, words + ["--key-file", "load.keys"],
                environment: ["STRONGROOM_STATE": "none", "PATH": "/usr/bin:/bin"],
                workingDirectory: folder.path)
        }
        let report = try run("backup", "verify", "load.backups")
        #expect(report.isSuccess, "\(report.errorText)")
        let names = try FileManager.default
            .contentsOfDirectory(atPath: folder.path(of: "load.backups/backups"))
        #expect(!names.isEmpty)
        for number in 1...max(1, names.count) {
            let result = try run(
                "backup", "restore", "load.backups", "\(number)", "copy-\(number).db")
            #expect(result.outputText.contains("verified and checked"), "\(result.errorText)")
        }
    }
}
