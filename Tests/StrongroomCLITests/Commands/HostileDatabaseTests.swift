import Foundation
import StrongroomCLI
import StrongroomTestSupport
import Testing

@Suite("A database from a stranger", .proves("HST-01"))
struct HostileDatabaseTests {
    private static let key = CommandLineFixture.key

    /// Runs commands, each with an output of its own, and sees that nothing else was changed.
    private func expectNoEffect(
        _ folder: HostileFolder, _ commands: [[String]], outcome: HostileSchema.Outcome
    ) throws {
        let directory = folder.directory
        let key = try directory.write(Self.key + "\n", to: "app.key")
        let newKey = try directory.write(Self.key + "\n", to: "new.key")
        let before = try folder.files()
        for command in commands {
            let out = directory.path(of: "out.db")
            if command[0] == "rotate-key" {
                try FileManager.default.copyItem(atPath: folder.path, toPath: out)
            }
            let words = command.map {
                ["IN": folder.path, "OUT": out, "KEY": key, "NEW": newKey][$0] ?? $0
            }
            let run = try CommandRun(words)
            let isRowwise = ["encrypt", "decrypt", "rotate-key"].contains(command[0])
            if isRowwise {
                let isDone = run.exitCode == .done
                #expect(isDone == (outcome == .carried), "\(command[0]): \(run.errors)")
            }
            try? FileManager.default.removeItem(atPath: out)
            #expect(try folder.files() == before, "\(command[0])")
        }
    }

    @Test(
        "does nothing to the machine when it is encrypted or copied", arguments: HostileSchema.all)
    func plain(schema: HostileSchema) throws {
        try expectNoEffect(
            HostileFolder(schema),
            [["encrypt", "IN", "OUT", "--key-file", "KEY"]], outcome: schema.outcome)
    }

    @Test(
        "does nothing to the machine when it is decrypted, rotated, copied, checked or salvaged",
        arguments: HostileSchema.all)
    func encrypted(schema: HostileSchema) throws {
        let key = ["--key-file", "KEY"]
        let folder = try HostileFolder(schema, key: .content(Self.key))
        try expectNoEffect(
            folder,
            [
                ["decrypt", "IN", "OUT"] + key, ["copy", "IN", "OUT"] + key,
                ["rotate-key", "OUT", "--new-key-file", "NEW", "--page-size", "8192"] + key,
                ["check", "IN"] + key, ["info", "IN"] + key, ["doctor", "IN"] + key,
            ], outcome: schema.outcome)
        try folder.damageLastPage()
        try expectNoEffect(folder, [["salvage", "IN", "OUT"] + key], outcome: schema.outcome)
    }
}
