import Foundation
import StrongroomTestSupport
import Testing

/// Runs the example as a person does, each time as a process, on one encrypted file.
@Suite("The example of reminders")
struct RemindersTests {
    private let folder: TemporaryDirectory
    private let database: String
    private let keys: String

    init() throws {
        folder = try TemporaryDirectory()
        database = folder.path(of: "reminders.db")
        keys = folder.path(of: "keys")
    }

    private func run(_ words: String..., keys: String? = nil) throws -> Subprocess.Result {
        try Subprocess.run(
            PackageFiles.program("Reminders"), [database, "--keys", keys ?? self.keys] + words)
    }

    private func lines(_ words: String..., in file: String? = nil) throws -> [String] {
        let result = try Subprocess.run(
            PackageFiles.program("Reminders"), [file ?? database, "--keys", keys] + words)
        try #require(result.status == .exited(0), "\(result.errorText)")
        return result.outputText.split(separator: "\n").map(String.init)
    }

    private func fill() throws {
        #expect(
            try lines(
                "add", "Home", "Water the ficus", "--due", "2020-01-31", "--every-months", "1",
                "--notes", "Not too much; the saucer stays dry", "--priority", "high")
                == ["added 1"])
        #expect(
            try lines(
                "add", "Home", "Call Zoë", "--link", "https://example.org/a?b=1", "--link", "tel:1")
                == ["added 2"])
        #expect(try lines("add", "Work", "Write the report", "--due", "2099-12-24") == ["added 3"])
        #expect(try lines("tag", "1", "plants", "home") == ["1: home, plants"])
        #expect(try lines("tag", "2", "home") == ["2: home"])
        #expect(try lines("tag", "1", "plants") == ["1: home, plants"])
    }

    @Test(
        "Reminders are added, tagged, listed, searched, completed and counted", .proves("MOD-001"))
    func tour() throws {
        #expect(try lines("lists") == [])
        try fill()
        #expect(try lines("lists") == ["Home: 2 open", "Work: 1 open"])
        #expect(
            try lines("list") == [
                "[ ] 1 Home: Water the ficus !high due 2020-01-31 #home #plants",
                "[ ] 2 Home: Call Zoë #home https://example.org/a?b=1 tel:1",
                "[ ] 3 Work: Write the report due 2099-12-24",
            ])
        #expect(
            try lines("search", "sauc") == [
                "1 Home: Water the ficus (Not too much; the [saucer] stays dry)"
            ])
        #expect(try lines("search", "zoe \"") == ["2 Home: Call [Zoë]"])
        #expect(try lines("search", "\" *") == [])
        #expect(try lines("complete", "1") == ["due 2020-02-29"])
        #expect(try lines("complete", "2") == ["completed 2"])
        #expect(try lines("list", "Home").count == 1)
        #expect(try lines("list", "Home", "--all")[1].hasPrefix("[x] 2 Home: Call Zoë"))
        #expect(
            try lines("statistics") == [
                "Home: 1 open, 1 done, 1 late, next 2020-02-29",
                "Work: 1 open, 0 done, 0 late, next 2099-12-24", "1. home: 1", "1. plants: 1",
            ])
    }

    @Test("The file is encrypted, and another key does not open it")
    func key() throws {
        try fill()
        let bytes = try Data(contentsOf: URL(fileURLWithPath: database))
        #expect(!bytes.starts(with: Data("SQLite format 3".utf8)))
        #expect(bytes.range(of: Data("ficus".utf8)) == nil)
        let other = folder.path(of: "other")
        try FileManager.default.createDirectory(
            atPath: other, withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700])
        _ = try folder.write("x'\(String(repeating: "17", count: 32))'", to: "other/0001.key")
        let result = try run("list", keys: other)
        #expect(result.status == .exited(1) && result.outputText.isEmpty)
        #expect(result.errorText.contains("the key in \(other) does not open it"))
        #expect(try Data(contentsOf: URL(fileURLWithPath: database)) == bytes)
        let missing = try run("list", keys: folder.path(of: "none"))
        #expect(missing.status == .exited(1) && missing.errorText.contains("holds no key"))
    }

    @Test("An empty file becomes a database, a text file does not")
    func files() throws {
        _ = try folder.write("", to: "reminders.db")
        #expect(try lines("lists") == [])
        #expect(try lines("add", "Home", "Sleep") == ["added 1"])
        _ = try folder.write(String(repeating: "no database ", count: 1000), to: "reminders.db")
        #expect(try run("lists").status == .exited(1))
    }

    @Test(
        "A mistake on the command line is told, and changes nothing",
        arguments: [
            (["fly"], "there is no command fly"), ([], "a command is needed"),
            (["add", "Home"], "TITLE is needed"), (["complete", "x"], "x is no number"),
            (["add", "Home", "a", "--due", "soon"], "soon is no day"),
            (["add", "Home", "a", "--priority", "top"], "top is no priority"),
            (["add", "Home", "a", "--every-days", "0", "--due", "2020-01-01"], "0 is not above 0"),
            (["add", "Home", "a", "--every-days", "2"], "what comes back needs a --due"),
            (["lists", "more"], "what is more?"), (["back-up"], "REPO is needed"),
            (["restore", "repo", "1"], "OUT is needed"),
        ])
    func usage(words: [String], message: String) throws {
        let result = try Subprocess.run(
            PackageFiles.program("Reminders"), [database, "--keys", keys] + words)
        #expect(result.status == .exited(2) && result.outputText.isEmpty)
        #expect(result.errorText.hasPrefix("Reminders: \(message)\n"))
        #expect(!FileManager.default.fileExists(atPath: database))
    }

    @Test("A live list in one process shows what another process writes")
    func watch() throws {
        try fill()
        let watcher = try Subprocess(
            starting: PackageFiles.program("Reminders"),
            [database, "--keys", keys, "watch", "Home"])
        try watcher.wait(
            untilWritten: """
                [ ] 1 Home: Water the ficus !high due 2020-01-31 #home #plants
                [ ] 2 Home: Call Zoë #home https://example.org/a?b=1 tel:1
                2 open

                """)
        #expect(try lines("add", "Home", "Sleep") == ["added 4"])
        try watcher.wait(untilWritten: "[ ] 4 Home: Sleep\n3 open\n")
        // What is on another list changes nothing: the next lines are of what follows.
        _ = try lines("complete", "3")
        _ = try lines("complete", "2")
        try watcher.wait(untilWritten: "[ ] 4 Home: Sleep\n2 open\n")
        watcher.signal(SIGTERM)
        let result = try watcher.wait()
        #expect(result.status == .killed(signal: SIGTERM) && result.errorText.isEmpty)
        #expect(result.outputText.components(separatedBy: "open\n").count == 4)
    }

    @Test(
        "Every backup of an app that was launched five times, and rotated its key each time, restores",
        .proves("OPR-31"))
    func fiveLaunches() throws {
        let repository = folder.path(of: "backups")
        for launch in 1...5 {
            #expect(try lines("add", "Home", "Launch \(launch)") == ["added \(launch)"])
            #expect(try lines("back-up", repository) == ["backup \(launch)"])
            #expect(try lines("rotate-key", repository) == ["key 000\(launch + 1)"])
        }
        // The file is lost, and its keys are not.
        try FileManager.default.removeItem(atPath: database)
        for launch in 1...5 {
            let out = folder.path(of: "restored-\(launch).db")
            #expect(try lines("restore", repository, "\(launch)", out) == ["restored \(launch)"])
            let reminders = try lines("list", in: out)
            #expect(reminders == (1...launch).map { "[ ] \($0) Home: Launch \($0)" })
        }
        #expect(!FileManager.default.fileExists(atPath: database))
        let none = folder.path(of: "none")
        #expect(try run("restore", repository, "6", none).status == .exited(1))
        #expect(try run("restore", none, "1", none).status == .exited(1))
        #expect(!FileManager.default.fileExists(atPath: none))
    }

    @Test("What is not there is refused")
    func refusals() throws {
        try fill()
        #expect(try run("complete", "9").errorText == "Reminders: there is no reminder 9\n")
        #expect(try run("tag", "9", "x").status == .exited(1))
        _ = try lines("complete", "2")
        #expect(try run("complete", "2").errorText == "Reminders: reminder 2 is done already\n")
        #expect(try lines("statistics").last == "1. plants: 1")
    }
}
