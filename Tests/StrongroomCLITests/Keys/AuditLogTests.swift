import Foundation
import StrongroomCLI
import StrongroomTestSupport
import Testing

/// `--audit`: a log of what was done with keys.
@Suite struct AuditLogTests {
    private let fixture: KeyringFixture
    private let log: String

    init() throws {
        fixture = try KeyringFixture()
        log = fixture.files.path("audit.log")
    }

    private func run(_ words: [String], _ secret: String, new: String? = nil) throws -> CommandRun {
        try fixture.run(words + ["--audit", log], secret, new: new)
    }

    private func entries() throws -> [[String: Any]] {
        try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n").map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
    }

    private func verify() throws -> CommandRun { try CommandRun(["key", "log", "--verify", log]) }

    private func fill() throws {
        let database = fixture.database
        for (words, secret, code) in [
            (["key", "rename", database, "anna", "ann"], fixture.code, ExitCode.done),
            (["key", "test", database], "wrong passphrase", .wrongKey),
            (["rotate-key", database], KeyringFixture.anna, .done),
            (["key", "export", database, "--show"], fixture.code, .done),
            (["key", "remove", database, "ann"], fixture.code, .done),
        ] {
            let run = try run(words, secret)
            #expect(run.exitCode == code, "\(words): \(run.errors)")
        }
    }

    @Test("each operation leaves a line, and no secret", .proves("KSL-072"))
    func lines() throws {
        try fill()
        let entries = try entries()
        #expect(
            entries.map { $0["what"] as? String }
                == ["rename", "refused", "rotate", "export", "remove"])
        for entry in entries {
            #expect(entry["file"] as? String == fixture.database)
            #expect((entry["user"] as? String)?.isEmpty == false)
            #expect((entry["key"] as? String)?.count == 32)
        }
        #expect(entries[0]["slot"] as? String == "ann")
        let text = try String(contentsOfFile: log, encoding: .utf8)
        let key = try fixture.exportedKey()
        for secret in [
            KeyringFixture.anna, fixture.code, key, String(key.dropFirst(2).prefix(64)),
            CommandLineFixture.key, "wrong passphrase",
        ] { #expect(!text.contains(secret)) }
        let mode = try FileManager.default.attributesOfItem(atPath: log)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        let run = try verify()
        #expect(run.exitCode == .done && run.output.contains("5 lines"), "\(run.errors)")
    }

    @Test("a line removed, changed or moved is found", .proves("KSL-072"))
    func changes() throws {
        try fill()
        let lines = try String(contentsOfFile: log, encoding: .utf8)
            .split(separator: "\n").map(String.init)
        var removed = lines
        removed.remove(at: 2)
        var changed = lines
        changed[1] = changed[1].replacing("refused", with: "test")
        var moved = lines
        moved.swapAt(2, 3)
        let first = Array(lines.dropFirst())
        let doubled = lines + [lines[4]]
        for wrong in [removed, changed, moved, first, doubled] {
            try (wrong.joined(separator: "\n") + "\n")
                .write(toFile: log, atomically: true, encoding: .utf8)
            #expect(try verify().exitCode == .damaged, "\(wrong)")
        }
        // Only a hash that was noted elsewhere tells that the end is missing.
        try (lines.dropLast().joined(separator: "\n") + "\n")
            .write(toFile: log, atomically: true, encoding: .utf8)
        let run = try verify()
        #expect(run.exitCode == .done && run.output.contains("4 lines"))
    }

    @Test("a line that was cut off is followed by the next", .proves("KSL-072"))
    func cutOff() throws {
        try fill()
        let text = try String(contentsOfFile: log, encoding: .utf8)
        try String(text.dropLast(20)).write(toFile: log, atomically: true, encoding: .utf8)
        #expect(
            try run(["key", "test", fixture.database, "--recovery"], fixture.code).exitCode == .done
        )
        #expect(try verify().exitCode == .done)
    }

    @Test("nothing is done where the log cannot be written", .proves("KSL-072"))
    func unwritable() throws {
        let before = try Data(contentsOf: URL(fileURLWithPath: fixture.database + "-keyring"))
        for path in [fixture.files.path("no/such/folder"), fixture.files.directory.path] {
            let run = try fixture.run(
                ["key", "remove", fixture.database, "anna", "--audit", path], fixture.code)
            #expect(run.exitCode == .failed, "\(path): \(run.errors)")
        }
        let after = try Data(contentsOf: URL(fileURLWithPath: fixture.database + "-keyring"))
        #expect(before == after)
        let full = try fixture.run(
            ["key", "remove", fixture.database, "anna", "--audit", "/dev/full"], fixture.code)
        #expect(
            full.exitCode == .failed && full.errors.contains("has done its work"), "\(full.errors)")
        #expect(try CommandRun(["key", "log"]).exitCode == .usage)
        #expect(try CommandRun(["key", "log", "--verify", log]).exitCode == .failed)
    }
}
