import Foundation
import StrongroomCLI
import StrongroomTestSupport
import Testing

/// The program in a PID namespace of its own, as in a container: in its `/proc` it is alone. The other
/// process, the `sqlcipher` shell, has the database open, and runs the program.
@Suite(.mayMakeNamespaces)
struct OtherContainerTests {
    private let fixture: CommandLineFixture
    private let newKey: String

    init() throws {
        fixture = try CommandLineFixture()
        newKey = try fixture.directory.write(CommandLineFixture.otherKey + "\n", to: "new.key")
    }

    /// A line for the shell that runs the program, and writes its exit status to a file.
    private func line(_ words: String...) -> String {
        let program = PackageFiles.program("strongroom")
        let command = ([program] + words).map { "'\($0)'" }.joined(separator: " ")
        let status = fixture.path("status")
        return ".system unshare -p -f --mount-proc \(command) >/dev/null 2>&1; echo $? >'\(status)'"
    }

    private func status() throws -> String {
        try String(contentsOfFile: fixture.path("status"), encoding: .utf8)
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private func rotation() -> String {
        line(
            "rotate-key", fixture.database, "--key-file", fixture.keyFile, "--new-key-file", newKey)
    }

    private func expectSound(_ key: String, albums: Int64 = 3) throws {
        let shell = SQLCipherShell(path: fixture.database, key: .content(key))
        #expect(try shell.cell("PRAGMA integrity_check") == "ok")
        #expect(try shell.rows("PRAGMA cipher_integrity_check") == [])
        #expect(try shell.cell("SELECT count(*) FROM album") == .integer(albums))
        #expect(try shell.cell("SELECT count(*) FROM artist WHERE id = 9") == 0)
    }

    private static let insertion = "INSERT INTO artist VALUES (9, 'late');"

    /// - MEMORY: a journal in memory, for which SQLite does not look whether the file was moved.
    @Test(
        "a connection elsewhere that a rotation does not see writes nothing after it",
        .proves("HST-40"), arguments: ["DELETE", "MEMORY", "WAL"])
    func rotation(mode: String) throws {
        let isLog = mode == "WAL"
        if isLog { try fixture.shell.run("PRAGMA journal_mode = WAL") }
        // Open and idle; with a log, a connection that has read holds a lock as long as it is open.
        let opening = isLog ? "" : "PRAGMA journal_mode = \(mode); SELECT count(*) FROM album;"
        let error = #expect(throws: SQLCipherShell.Failure.self) {
            try fixture.shell.run("\(opening)\n\(rotation())\n\(Self.insertion)")
        }
        #expect(error?.description.contains("not a database") == true)
        #expect(try status() == "0")
        #expect(try fixture.directory.names().filter { $0.hasPrefix("shop.db-") } == [])
        try expectSound(CommandLineFixture.otherKey)
    }

    @Test("a log in use elsewhere keeps a rotation out", .proves("HST-40"))
    func logInUse() throws {
        try fixture.shell.run("PRAGMA journal_mode = WAL")
        try fixture.shell.run("SELECT count(*) FROM album;\n\(rotation())")
        #expect(try status() == "11")
        try expectSound(CommandLineFixture.key)
        #expect(try fixture.shell.cell("PRAGMA journal_mode") == "wal")
    }

    @Test(
        "a connection elsewhere writes nothing after its file was replaced", .proves("HST-40"),
        arguments: ["copy", "restore", "salvage"])
    func replacement(command: String) throws {
        let other = fixture.path("other.db")
        try SQLCipherShell(path: other, key: .content(CommandLineFixture.key))
            .create(CommandLineFixture.schema)
        let repository = fixture.path("repository")
        #expect(try fixture.run("backup", "init", repository).exitCode == .done)
        #expect(
            try fixture.run(
                "backup", "create", other, "--to", repository, "--key-file", fixture.keyFile
            ).exitCode == .done)
        let words = [command, other, fixture.database, "--force", "--key-file", fixture.keyFile]
        let replacing =
            command == "restore"
            ? line(
                "backup", "restore", repository, fixture.database, "--force", "--key-file",
                fixture.keyFile)
            : line(words[0], words[1], words[2], words[3], words[4], words[5])
        let opening = "PRAGMA journal_mode = MEMORY; SELECT count(*) FROM album;"
        let error = #expect(throws: SQLCipherShell.Failure.self) {
            try fixture.shell.run("\(opening)\n\(replacing)\n\(Self.insertion)")
        }
        #expect(error?.description.contains("not a database") == true)
        #expect(try status() == "0")
        try expectSound(CommandLineFixture.key)
        // One that holds a lock keeps it out.
        try fixture.shell.run("BEGIN; SELECT count(*) FROM album;\n\(replacing)\nCOMMIT;")
        #expect(try status() == "11")
    }

    @Test("a file with a second name keeps its content under both", .proves("HST-40"))
    func hardLink() throws {
        let link = fixture.path("link.db")
        try FileManager.default.linkItem(atPath: fixture.database, toPath: link)
        for words in [[], ["--dry-run"]] {
            let run = try CommandRun(
                [
                    "rotate-key", fixture.database, "--key-file", fixture.keyFile,
                    "--new-key-file", newKey,
                ] + words)
            #expect(run.exitCode == .failed && run.errors.contains("hard links"))
        }
        let other = fixture.path("other.db")
        #expect(
            try fixture.run("copy", link, other, "--key-file", fixture.keyFile).exitCode == .done)
        let run = try fixture.run("copy", other, link, "--force", "--key-file", fixture.keyFile)
        #expect(run.exitCode == .failed && run.errors.contains("hard links"))
        try expectSound(CommandLineFixture.key)
        #expect(try fixture.directory.names().filter { $0.hasPrefix(".") } == [])
    }
}

extension Trait where Self == ConditionTrait {
    fileprivate static var mayMakeNamespaces: Self {
        .enabled("needs a user who may make namespaces") {
            try Subprocess.run("unshare", ["-p", "-f", "--mount-proc", "true"]).isSuccess
        }
    }
}
