import Foundation
import StrongroomCLI
import StrongroomTestSupport
import Testing

private let server = "/usr/lib/openssh/sftp-server"

/// The commands of backups with a URL in place of a folder.
@Suite(
    .enabled(
        if: FileManager.default.isExecutableFile(atPath: server),
        "openssh-sftp-server is not installed"))
struct StoreCommandTests {
    private let fixture: KeyringFixture
    private let url: String

    init() throws {
        fixture = try KeyringFixture()
        let folder = fixture.files.path("far away")
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        url = "exec:exec \(server) -d '\(folder)'"
    }

    @discardableResult
    private func run(_ words: String..., exitCode: ExitCode = .done) throws -> CommandRun {
        let run = try fixture.run(words, fixture.code)
        #expect(run.exitCode == exitCode, "\(words): \(run.errors)")
        return run
    }

    private func count(_ database: String) throws -> String? {
        let run = try fixture.run(
            ["query", database, "SELECT count(*) FROM album", "--csv"], fixture.code)
        return run.output.split(whereSeparator: \.isNewline).last.map(String.init)
    }

    @Test(.proves("OBJ-001"))
    func `Every command of backups takes a URL`() throws {
        let out = fixture.files.path("restored.db")
        #expect(
            try CommandRun(["backup", "init", url]).output == "created the repository \(url)\n")
        try run("backup", "create", fixture.database, "--to", url)
        #expect(try CommandRun(["backup", "list", url]).exitCode == .done)
        #expect(try CommandRun(["backup", "status", url]).exitCode == .done)
        #expect(try CommandRun(["backup", "verify", url]).exitCode == .done)
        try run("backup", "verify", url)
        try run("backup", "restore", url, out)
        #expect(try count(out) == "3")
        try run("backup", "prune", url, "--keep-last", "1")
        #expect(try CommandRun(["backup", "keyrings", url]).exitCode == .done)
        #expect(try CommandRun(["backup", "repair", url, "--dry-run"]).exitCode == .done)
    }

    @Test(.proves("OBJ-001", "KSL-062"))
    func `Another machine restores from the URL and the recovery code alone`() throws {
        #expect(try CommandRun(["backup", "init", url]).exitCode == .done)
        try run("backup", "create", fixture.database, "--to", url)
        // Another machine: nothing of the first one is left.
        try FileManager.default.removeItem(atPath: fixture.database)
        try FileManager.default.removeItem(atPath: fixture.database + "-keyring")
        try FileManager.default.removeItem(atPath: fixture.files.keyFile)
        let elsewhere = try TemporaryDirectory()
        let out = elsewhere.path(of: "app.db")
        try run("backup", "restore", url, out)
        #expect(try count(out) == "3")
        #expect(FileManager.default.fileExists(atPath: out + "-keyring"))
    }

    @Test(.proves("OPR-118"))
    func `A server that cannot be reached is no damage, and no OK`() throws {
        let log = fixture.files.path("reached")
        let gone =
            "exec:if test -e '\(log)'; then exec \(server) -d '\(fixture.files.path("far away"))'; fi"
        #expect(FileManager.default.createFile(atPath: log, contents: nil))
        let state = ["--state", fixture.files.path("state")]
        #expect(try CommandRun(["backup", "init", gone] + state).exitCode == .done)
        try run("backup", "create", fixture.database, "--to", gone, state[0], state[1])
        #expect(try CommandRun(["backup", "status", gone] + state).exitCode == .done)
        try FileManager.default.removeItem(atPath: log)
        // In a process of its own, which has no connection yet.
        for command in ["status", "verify", "list", "init", "create"] {
            let words =
                command == "create"
                ? [fixture.database, "--to", gone, "--key-env", "SECRET"] : [gone]
            let run = try Subprocess.run(
                PackageFiles.program("strongroom"), ["backup", command] + words,
                environment: [
                    "PATH": "/usr/bin:/bin", "STRONGROOM_STATE": fixture.files.path("state"),
                    "SECRET": fixture.code,
                ])
            #expect(run.status == .exited(1), "\(command)")
            let text = run.outputText + run.errorText
            #expect(text.contains("no connection to"), "\(text)")
            #expect(!text.contains("no backup repository"), "\(text)")
            if command == "status" { #expect(run.outputText.hasPrefix("FAILED: "), "\(text)") }
        }
    }

    @Test(.proves("OPR-140"))
    func `In a folder of repositories on a server, none is taken for gone`() throws {
        let root = fixture.files.path("root")
        let shops = fixture.files.path("shops")
        for folder in [root, shops] {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: false)
        }
        for name in ["a.db", "b.db"] {
            for ending in ["", "-keyring"] {
                try FileManager.default.copyItem(
                    atPath: fixture.database + ending, toPath: "\(shops)/\(name)\(ending)")
            }
        }
        // What stands behind a command belongs to the command.
        let command = "exec:cd '\(root)' && exec \(server)"
        let state = ["--state", fixture.files.path("state")]
        let create = ["backup", "create", shops, "--to", command] + state
        for _ in 1...2 {
            let run = try fixture.run(create, fixture.code)
            #expect(run.exitCode == .done, "\(run.errors)")
            for words in [["status", command], ["verify", command]] {
                let run = try CommandRun(["backup"] + words + state)
                #expect(run.exitCode == .done, "\(run.output)\(run.errors)")
            }
        }
        try FileManager.default.removeItem(atPath: root + "/b.db")
        let gone = try CommandRun(["backup", "status", command] + state)
        #expect(gone.exitCode == .damaged && gone.output.contains("b.db is gone"), "\(gone.output)")
    }

    /// What a run of its own counts.
    private func counts(
        _ words: [String]
    ) throws -> (json: [String: Any], requests: [String: Int]) {
        let run = try Subprocess.run(
            PackageFiles.program("strongroom"), words + ["--json"],
            environment: [
                "SECRET": fixture.code, "PATH": "/usr/bin:/bin",
                "STRONGROOM_STATE": fixture.files.path("state"),
            ])
        let json = try #require(
            try JSONSerialization.jsonObject(with: run.output) as? [String: Any])
        return (json, try #require(json["requests"] as? [String: Int]))
    }

    @Test(.proves("OBJ-011"))
    func `A server sends hardly more than what is needed`() throws {
        #expect(try CommandRun(["backup", "init", url]).exitCode == .done)
        let files = try CommandLineFixture()
        try SQLCipherShell(path: files.database, key: .content(CommandLineFixture.key)).run(
            """
            PRAGMA journal_mode = OFF; CREATE TABLE t (id INTEGER PRIMARY KEY, b);
            WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 40000)
            INSERT INTO t SELECT i, randomblob(900) FROM c;
            """)
        let create = [
            "backup", "create", files.database, "--to", url, "--key-file", files.keyFile,
        ]
        let stored = try #require(try counts(create).json["storedByteCount"] as? Int)
        #expect(stored > 36 << 20)
        func received(_ words: [String]) throws -> Double {
            Double(try #require(try counts(words).requests["bytesReceived"])) / Double(stored)
        }
        #expect(try received(create + ["--read-all"]) < 0.3)
        #expect(try received(["backup", "verify", url]) < 1.06)
        let restore = ["backup", "restore", url, files.path("out.db")]
        #expect(try received(restore + ["--key-file", files.keyFile]) < 1.06)
    }

    @Test(.proves("OBJ-013"))
    func `Requests and bytes are counted`() throws {
        #expect(try CommandRun(["backup", "init", url]).exitCode == .done)
        let (json, requests) = try counts(
            ["backup", "create", fixture.database, "--to", url, "--key-env", "SECRET"])
        let stored = try #require(json["storedByteCount"] as? Int)
        #expect(try #require(requests["bytesSent"]) > stored)
        #expect(try #require(requests["puts"]) > 3)
        #expect(try #require(requests["lists"]) > 0)
        #expect(try #require(requests["bytesReceived"]) < stored)
    }

    @Test(.proves("OBJ-008"))
    func `A server inherits no variable that holds a key, and no descriptor`() throws {
        let list = fixture.files.path("inherited")
        let spy = "exec:(env; ls /proc/self/fd) > '\(list)'; exit 1"
        let program = PackageFiles.program("strongroom")
        let result = try Subprocess.run(
            program, ["backup", "create", fixture.database, "--to", spy, "--key-env", "SECRET"],
            environment: [
                "SECRET": fixture.code, "PATH": "/usr/bin:/bin", "OTHER": "inherited",
                "STRONGROOM_STATE": "none",
            ])
        #expect(!result.isSuccess)
        let inherited = try String(contentsOfFile: list, encoding: .utf8)
        #expect(inherited.contains("OTHER=inherited"))
        #expect(!inherited.contains("SECRET"))
        let descriptors = inherited.split(whereSeparator: \.isNewline).compactMap { Int($0) }
        // The fourth is that of `ls` on the folder.
        #expect(descriptors == [0, 1, 2, 3])
    }

    @Test(.proves("OBJ-007"))
    func `A server that falls silent ends a command with an error`() throws {
        let program = PackageFiles.program("strongroom")
        let start = ContinuousClock.now
        let result = try Subprocess.run(
            program, ["backup", "list", "exec:exec sleep 60"],
            environment: ["PATH": "/usr/bin:/bin", "STRONGROOM_STORE_TIMEOUT": "1"])
        #expect(ContinuousClock.now - start < .seconds(30))
        #expect(!result.isSuccess)
        #expect(result.errorText.contains("has not answered for"), "\(result.errorText)")
        #expect(result.errorText.contains("STRONGROOM_STORE_TIMEOUT"))
    }
}
