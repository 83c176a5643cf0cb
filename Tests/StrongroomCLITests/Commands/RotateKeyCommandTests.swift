import Foundation
import Strongroom
import StrongroomCLI
import StrongroomTestSupport
import Testing

@Suite struct RotateKeyCommandTests {
    private let fixture: CommandLineFixture
    private let newKey: String

    init() throws {
        fixture = try CommandLineFixture()
        newKey = try fixture.directory.write(CommandLineFixture.otherKey + "\n", to: "new.key")
    }

    /// A folder of databases, with all that must be left alone in it.
    private func makeFolder(_ names: [String]) throws -> String {
        let folder = fixture.path("shops")
        try FileManager.default.createDirectory(
            atPath: folder + "/sub", withIntermediateDirectories: true)
        for name in names {
            try FileManager.default.copyItem(atPath: fixture.database, toPath: "\(folder)/\(name)")
        }
        try FileManager.default.copyItem(atPath: fixture.plain, toPath: folder + "/plain.sqlite")
        try "a note".write(toFile: folder + "/note.txt", atomically: true, encoding: .utf8)
        return folder
    }

    private func opens(_ path: String, _ key: String) -> Bool {
        let shell = SQLCipherShell(path: path, key: .content(key))
        return (try? shell.cell("SELECT count(*) FROM album")) == 3
    }

    private func lines(_ run: CommandRun) throws -> [[String: Any]] {
        try run.output.split(separator: "\n").map { line in
            let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
            return try #require(object as? [String: Any])
        }
    }

    @Test(arguments: ["1", "3"]) func `a folder is rotated file by file`(jobs: String) throws {
        let folder = try makeFolder(["a.db", "b.db", "sub/c.db"])
        let words = ["rotate-key", folder, "--key-file", fixture.keyFile]
        let rest = ["--new-key-file", newKey, "--jobs", jobs]
        let run = try CommandRun(words + rest)
        #expect(run.exitCode == .done)
        #expect(run.output.hasSuffix("3 of 3 files have the new key\n"))
        for name in ["a.db", "b.db", "sub/c.db"] {
            #expect(opens("\(folder)/\(name)", CommandLineFixture.otherKey))
        }
        // Again: all is done.
        let again = try CommandRun(words + rest + ["--json"])
        #expect(again.exitCode == .done)
        let results = try lines(again)
        let outcomes = results.map { $0["outcome"] as? String }
        #expect(outcomes.filter { $0 == "already" }.count == 3 && outcomes.last == "sum")
        #expect(try SQLCipherShell(path: folder + "/plain.sqlite").cell("SELECT 1") == 1)
    }

    @Test func `what neither key opens is reported and left alone`() throws {
        let folder = try makeFolder(["a.db", "b.db"])
        let foreign = folder + "/b.db"
        let third = "x'\(String(repeating: "33", count: 32))'"
        try DatabaseFile(path: foreign, key: Self.key(CommandLineFixture.key))
            .rotateKey(to: Self.key(third))
        let before = try Data(contentsOf: URL(fileURLWithPath: foreign))
        let words = ["rotate-key", folder, "--key-file", fixture.keyFile, "--new-key-file", newKey]
        let run = try CommandRun(words)
        #expect(run.exitCode == .wrongKey)
        #expect(run.errors.contains("b.db"))
        #expect(run.output.contains("1 of 2 files have the new key"))
        #expect(opens(folder + "/a.db", CommandLineFixture.otherKey))
        #expect(try Data(contentsOf: URL(fileURLWithPath: foreign)) == before)
        let json = try CommandRun(words + ["--json"])
        let failed = try #require(lines(json).first { $0["outcome"] as? String == "failed" })
        let error = try #require(failed["error"] as? [String: Any])
        #expect(error["code"] as? String == "wrongKey")
        #expect(error["exitCode"] as? Int == 12)
    }

    private static func key(_ text: String) throws -> CipherKey {
        try Array(text.utf8).withUnsafeBytes { try CipherKey(parsing: $0) }
    }

    @Test func `a dry run tells what would be done, and changes nothing`() throws {
        let before = try Data(contentsOf: URL(fileURLWithPath: fixture.database))
        let run = try fixture.runOnDatabase("rotate-key", "--new-key-file", newKey, "--dry-run")
        #expect(run.exitCode == .done)
        #expect(
            fixture.anonymous(run.output)
                == "would change the key of shop.db: 4 pages, 16.4 kB, about 1 s\n")
        let generated = fixture.path("generated.key")
        let json = try fixture.runOnDatabase(
            "rotate-key", "--new-key-generate", generated, "--dry-run", "--json")
        #expect(try lines(json).first?["outcome"] as? String == "planned")
        #expect(!FileManager.default.fileExists(atPath: generated))
        #expect(try Data(contentsOf: URL(fileURLWithPath: fixture.database)) == before)
    }

    @Test func `a new key is made once, before anything changes`() throws {
        let generated = fixture.path("generated.key")
        let queue = try DatabaseFile(
            path: fixture.database, key: Self.key(CommandLineFixture.key)
        ).open()
        // The old key opens the database, which is in use: the key is there, and serves the next run.
        let refused = try fixture.runOnDatabase("rotate-key", "--new-key-generate", generated)
        #expect(refused.exitCode == .inUse)
        try queue.close()
        let key = try String(contentsOfFile: generated, encoding: .utf8)
        let run = try fixture.runOnDatabase("rotate-key", "--new-key-generate", generated)
        #expect(run.exitCode == .done)
        #expect(try String(contentsOfFile: generated, encoding: .utf8) == key)
        #expect(opens(fixture.database, key.trimmingCharacters(in: .newlines)))
        let again = try fixture.runOnDatabase("rotate-key", "--new-key-generate", generated)
        #expect(fixture.anonymous(again.output) == "shop.db has the new key already\n")
    }

    @Test(
        .proves("OPR-54"), arguments: [["a.db"], ["a.db", "b.db"], ["."], ["none.db", "gone.db"]])
    func `a wrong old key leaves no new key behind`(names: [String]) throws {
        let folder = try makeFolder(["a.db", "b.db"])
        let generated = fixture.path("generated.key")
        let run = try CommandRun(
            ["rotate-key"] + names.map { folder + "/" + $0 }
                + ["--key-file", newKey, "--new-key-generate", generated])
        #expect(run.exitCode == (names[0] == "none.db" ? .notFound : .wrongKey), "\(run.errors)")
        #expect(!FileManager.default.fileExists(atPath: generated))
        #expect(opens(folder + "/a.db", CommandLineFixture.key))
    }

    @Test(.proves("OPR-54"))
    func `a new key is made if the old one opens any of several databases`() throws {
        let folder = try makeFolder(["a.db", "b.db"])
        let generated = fixture.path("generated.key")
        try DatabaseFile(path: folder + "/a.db", key: Self.key(CommandLineFixture.key))
            .rotateKey(to: Self.key(CommandLineFixture.otherKey))
        let run = try fixture.run(
            "rotate-key", folder, "--key-file", fixture.keyFile, "--new-key-generate", generated)
        #expect(run.exitCode == .wrongKey, "\(run.errors)")
        #expect(run.output.contains("1 of 2 files have the new key"))
        let key = try String(contentsOfFile: generated, encoding: .utf8)
        #expect(opens(folder + "/b.db", key.trimmingCharacters(in: .newlines)))
    }

    @Test func `a file in use is named, with who uses it`() throws {
        let queue = try DatabaseFile(
            path: fixture.database, key: Self.key(CommandLineFixture.key)
        ).open()
        let run = try fixture.runOnDatabase("rotate-key", "--new-key-file", newKey)
        #expect(run.exitCode == .inUse)
        #expect(run.errors.contains("this process"))
        try queue.close()
        #expect(opens(fixture.database, CommandLineFixture.key))
    }

    @Test func `nonsense on the command line is refused`() throws {
        for words in [
            ["--jobs", "0"], ["--jobs", "many"], ["--new-key-generate", "a", "--new-key-ask"],
        ] {
            #expect(try CommandRun(["rotate-key", "a.db"] + words).exitCode == .usage)
        }
        #expect(try CommandRun(["rotate-key"]).exitCode == .usage)
        let empty = fixture.path("empty")
        try FileManager.default.createDirectory(
            atPath: empty, withIntermediateDirectories: false)
        let run = try fixture.run(
            "rotate-key", empty, "--key-file", fixture.keyFile, "--new-key-file", newKey)
        #expect(run.exitCode == .notFound)
    }
}
