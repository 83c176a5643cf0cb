import Foundation
import StrongroomCLI
import StrongroomTestSupport
import Testing

@Suite struct KeygenCommandTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    @Test func `it makes a raw key that only its owner can read, and prints the path alone`() throws
    {
        let path = directory.path(of: "a.key")
        let run = try CommandRun(["keygen", path])
        #expect(run.exitCode == .done)
        #expect(run.output == path + "\n")
        #expect(run.errors.isEmpty)
        let content = try String(contentsOfFile: path, encoding: .utf8)
        #expect(content.wholeMatch(of: /x'[0-9a-fA-F]{64}'\n/) != nil)
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
        #expect(mode as? Int == 0o600)
    }

    @Test func `no two keys are the same`() throws {
        for name in ["a", "b"] { _ = try CommandRun(["keygen", directory.path(of: name)]) }
        let contents = try ["a", "b"].map {
            try Data(contentsOf: URL(fileURLWithPath: directory.path(of: $0)))
        }
        #expect(contents[0] != contents[1])
    }

    @Test func `an existing file is never replaced`() throws {
        let path = try directory.write("precious", to: "a.key")
        let run = try CommandRun(["keygen", path])
        #expect(run.exitCode == .failed)
        #expect(run.errors.contains("already exists"))
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "precious")
    }

    @Test func `a folder that is missing or closed is named`() throws {
        let run = try CommandRun(["keygen", directory.path(of: "none/a.key")])
        #expect(run.exitCode == .failed)
        #expect(run.errors.contains("none/a.key"))
    }

    @Test func `JSON names the file and the form`() throws {
        let path = directory.path(of: "a.key")
        let run = try CommandRun(["keygen", path, "--json"])
        #expect(run.json as? [String: String] == ["file": path, "form": "rawKey"])
    }

    @Test func `what it makes opens what is encrypted with it`() throws {
        let fixture = try CommandLineFixture()
        let key = fixture.path("new.key")
        _ = try CommandRun(["keygen", key])
        let made = try fixture.run(
            "encrypt", fixture.plain, fixture.path("new.db"), "--key-file", key)
        #expect(made.exitCode == .done)
        let content = try String(contentsOfFile: key, encoding: .utf8).dropLast()
        let shell = SQLCipherShell(path: fixture.path("new.db"), key: .content(String(content)))
        #expect(try shell.cell("SELECT count(*) FROM album") == 3)
    }
}
