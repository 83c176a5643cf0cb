import Foundation
import StrongroomCLI
import StrongroomTestSupport
import Testing

/// `rotate-key` of several databases, some of which have keyrings.
@Suite(.proves("OPR-116")) struct KeyringFolderTests {
    private let fixture: CommandLineFixture
    private let folder: String

    init() throws {
        fixture = try CommandLineFixture()
        folder = fixture.path("shops")
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        for name in ["a.db", "b.db"] {
            try FileManager.default.copyItem(
                atPath: fixture.database, toPath: "\(folder)/\(name)")
            let run = try fixture.run(
                "key", "init", "\(folder)/\(name)", "--key-file", fixture.keyFile)
            try #require(run.exitCode == .done, "\(run.errors)")
        }
    }

    private func key(_ name: String) throws -> String {
        try fixture.run(
            "key", "export", "\(folder)/\(name)", "--show", "--key-file", fixture.keyFile
        ).output
    }

    private func rotate(_ words: String...) throws -> CommandRun {
        try CommandRun(["rotate-key"] + words + ["--key-file", fixture.keyFile])
    }

    @Test("one secret rotates all of a folder, each to a key of its own", arguments: [true, false])
    func folder(isFolder: Bool) throws {
        let before = try [key("a.db"), key("b.db")]
        let run =
            isFolder ? try rotate(folder) : try rotate("\(folder)/a.db", "\(folder)/b.db")
        #expect(run.exitCode == .done, "\(run.errors)")
        #expect(run.output.contains("2 of 2 files have new keys of their own"), "\(run.output)")
        #expect(run.output.contains("its slot opens it as before"))
        let after = try [key("a.db"), key("b.db")]
        #expect(Set(before + after).count == 4)
        let json = try rotate(folder, "--json")
        #expect(json.exitCode == .done && json.output.contains("\"slotCount\":1"))
        // A plan changes nothing.
        let planned = try [key("a.db"), key("b.db")]
        let plan = try rotate(folder, "--dry-run")
        #expect(plan.exitCode == .done && plan.output.contains("would change"), "\(plan.errors)")
        #expect(try [key("a.db"), key("b.db")] == planned)
    }

    @Test(
        "a file that is no database needs no new key where all databases have keyrings",
        .proves("OPR-153"))
    func blob() throws {
        let bytes = (0..<1000).map { _ in UInt8.random(in: 0...255) }
        try Data(bytes).write(to: URL(fileURLWithPath: folder + "/blob"))
        let before = try key("a.db")
        let run = try rotate(folder)
        #expect(run.exitCode == .done, "\(run.errors)")
        #expect(run.output.contains("2 of 2 files have new keys of their own"), "\(run.output)")
        #expect(try key("a.db") != before)
        // What the key opens in part is a database, and is not passed over.
        let cut = folder + "/cut.db"
        let content = try Data(contentsOf: URL(fileURLWithPath: fixture.database))
        try content.dropLast(1000).write(to: URL(fileURLWithPath: cut))
        let again = try rotate(folder)
        #expect(again.exitCode != .done && again.errors.contains("cut.db"), "\(again.errors)")
    }

    @Test("databases without a keyring get the new key that is given")
    func mixed() throws {
        let plain = folder + "/plain.db"
        try FileManager.default.copyItem(atPath: fixture.database, toPath: plain)
        // No terminal could be asked for the new key.
        let refused = try rotate(folder)
        #expect(refused.exitCode == .usage && refused.errors.contains("no new key is given"))
        let before = try key("a.db")
        let new = try fixture.directory.write(CommandLineFixture.otherKey + "\n", to: "new.key")
        let run = try rotate(folder, "--new-key-file", new)
        #expect(run.exitCode == .done, "\(run.errors)")
        #expect(run.output.contains("1 of 3 files have the new key; 2 have"))
        #expect(try fixture.run("check", plain, "--key-file", new).exitCode == .done)
        #expect(try key("a.db") != before)
        #expect(
            try fixture.run("check", folder + "/a.db", "--key-file", new).exitCode == .wrongKey)
    }

    @Test("a keyring that the secret does not open is reported, and the others are rotated")
    func stranger() throws {
        let other = try fixture.directory.write(CommandLineFixture.otherKey + "\n", to: "other")
        let change = try fixture.run(
            "key", "change", folder + "/b.db", "--key-file", fixture.keyFile, "--new-key-file",
            other)
        #expect(change.exitCode == .done, "\(change.errors)")
        let before = try key("a.db")
        let run = try rotate(folder)
        #expect(run.exitCode == .wrongKey, "\(run.errors)")
        #expect(run.output.contains("1 of 2 files have new keys of their own"))
        #expect(run.errors.contains("b.db") && run.errors.contains("opens no slot"))
        #expect(try key("a.db") != before)
        let settings = try rotate(folder, "--new-compatibility", "3")
        #expect(settings.exitCode != .done && settings.errors.contains("keeps its cipher settings"))
        let store = try rotate(folder, "--keys", fixture.path("store"))
        #expect(store.exitCode == .usage, "\(store.errors)")
        #expect(
            try fixture.run(
                "check", folder + "/b.db", "--key-file", other
            ).exitCode == .done)
    }
}
