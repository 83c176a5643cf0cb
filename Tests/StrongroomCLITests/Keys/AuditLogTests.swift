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
                == ["rename", "refused", "rotate begun", "rotate", "export", "remove"])
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
        #expect(run.exitCode == .done && run.output.contains("6 lines"), "\(run.errors)")
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
        #expect(run.exitCode == .done && run.output.contains("5 lines"))
    }

    @Test("a line that was cut off is followed by the next", .proves("KSL-072"))
    func cutOff() throws {
        try fill()
        let text = try String(contentsOfFile: log, encoding: .utf8)
        try String(text.dropLast(20)).write(toFile: log, atomically: true, encoding: .utf8)
        // Until then, it may have been cut off by anyone.
        let cut = try verify()
        #expect(cut.exitCode == .damaged && cut.errors.contains("line 6"), "\(cut.errors)")
        #expect(
            try run(["key", "test", fixture.database, "--recovery"], fixture.code).exitCode == .done
        )
        let run = try verify()
        #expect(run.exitCode == .done && run.errors.contains("line 6 is cut off"))
        let json = try CommandRun(["key", "log", "--verify", log, "--json"]).json
        #expect((json as? [String: Any])?["cutLines"] as? [Int] == [6])
    }

    @Test("a last line that is changed or cut is found", .proves("OPR-128"))
    func lastLine() throws {
        try fill()
        let text = try String(contentsOfFile: log, encoding: .utf8)
        let last = try #require(text.split(separator: "\n").last)
        let start = text.dropLast(last.count + 1)
        let digits = try #require(last.firstRange(of: ",\"sha256\":\""))
        for wrong in [
            last.replacing("ann", with: "ANN"), last.replacing("\"slot\"", with: "\"slut\""),
            last.replacing("sha256", with: "sha255"), last[..<digits.lowerBound] + "}",
            last.dropLast(20), last.dropLast(1), last.dropLast(2) + "0\"}",
        ] where wrong != last {
            let isOld = wrong.hasSuffix("}") && !wrong.contains("sha25")
            try String(start + wrong + "\n").write(toFile: log, atomically: true, encoding: .utf8)
            // Without a checksum, it is a line of an earlier version.
            #expect(try verify().exitCode == (isOld ? .done : .damaged), "\(wrong)")
        }
        try text.write(toFile: log, atomically: true, encoding: .utf8)
        #expect(try verify().exitCode == .done)
    }

    @Test("lines of earlier versions, which have no checksum, stay valid", .proves("OPR-128"))
    func earlierLines() throws {
        let zeros = String(repeating: "0", count: 64)
        let old =
            "{\"time\":\"2026-11-20T10:00:00.000Z\",\"what\":\"test\",\"file\":\"a.db\",\"slot\":null,"
            + "\"key\":null,\"user\":\"ann\",\"host\":\"one\",\"previous\":\"\(zeros)\"}\n"
        try old.write(toFile: log, atomically: true, encoding: .utf8)
        #expect(try verify().exitCode == .done)
        try fill()
        let run = try verify()
        #expect(run.exitCode == .done && run.output.contains("7 lines"), "\(run.errors)")
        let text = try String(contentsOfFile: log, encoding: .utf8)
        try text.replacing("\"one\"", with: "\"two\"")
            .write(toFile: log, atomically: true, encoding: .utf8)
        #expect(try verify().exitCode == .damaged)
    }

    @Test("a rotation is noted before it changes the key", .mayTrace, .proves("OPR-129"))
    func intention() throws {
        for number in 1...9 {
            try? FileManager.default.removeItem(atPath: log)
            let run = try Subprocess.run(
                "strace",
                [
                    "-f", "-qq", "-o", "/dev/null", "-e",
                    "inject=?renameat:signal=KILL:when=\(number)",
                    PackageFiles.program("strongroom"), "rotate-key", fixture.database,
                    "--key-env", "KEY", "--audit", log,
                ],
                environment: ["PATH": "/usr/bin:/bin", "KEY": KeyringFixture.anna])
            let ends = run.isSuccess ? ["rotate begun", "rotate"] : ["rotate begun"]
            #expect(try entries().map { $0["what"] as? String } == ends, "\(number)")
            #expect(try verify().exitCode == .done)
            if run.isSuccess { break }
            #expect(number < 9)
        }
        // What fails is noted, too.
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: fixture.database))
        try file.seek(toOffset: 4096 + 100)
        try file.write(contentsOf: Data(repeating: 7, count: 100))
        try file.close()
        #expect(try run(["rotate-key", fixture.database], fixture.code).exitCode == .damaged)
        #expect(
            try entries().map { $0["what"] as? String } == [
                "rotate begun", "rotate", "rotate begun", "rotate failed",
            ])
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
