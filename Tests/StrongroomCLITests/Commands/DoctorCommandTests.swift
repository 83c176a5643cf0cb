import Foundation
import StrongroomCLI
import StrongroomTestSupport
import Testing

@Suite struct DoctorCommandTests {
    private let fixture: CommandLineFixture
    private let otherKeyFile: String

    init() throws {
        fixture = try CommandLineFixture()
        otherKeyFile = try fixture.directory.write(
            CommandLineFixture.otherKey + "\n", to: "other.key")
    }

    @Test(.proves("ENC-020"))
    func `a sound database is told as such`() throws {
        let run = try fixture.runOnDatabase("doctor")
        #expect(run.exitCode == .done && run.errors.isEmpty)
        #expect(
            fixture.anonymous(run.output) == """
                shop.db: sound
                    every page of shop.db is what was written with the key
                    4 pages of 4096 bytes

                """)
    }

    @Test(.proves("ENC-020"))
    func `each class of verdict has an exit status, and advice`() throws {
        let empty = try fixture.directory.write(Data(), to: "empty.db")
        func run(_ path: String, _ words: String...) throws -> CommandRun {
            try CommandRun(["doctor", path, "--json"] + words)
        }
        let key = ["--key-file", fixture.keyFile]
        func code(_ run: CommandRun) throws -> ExitCode {
            let object = try #require(run.json as? [String: Any])
            #expect(object["exitCode"] as? Int == Int(run.exitCode.rawValue))
            if run.exitCode != .done { #expect(object["advice"] is String) }
            return run.exitCode
        }
        #expect(try code(run(fixture.database)) == .keyNeeded)
        #expect(try code(run(fixture.database, "--key-file", otherKeyFile)) == .wrongKey)
        #expect(try code(run(fixture.plain, key[0], key[1])) == .notADatabase)
        #expect(try code(run(fixture.plain)) == .notADatabase)
        #expect(try code(run(empty, key[0], key[1])) == .notADatabase)
        try FileManager.default.copyItem(atPath: fixture.database, toPath: fixture.path("copy.db"))
        let content = try Data(contentsOf: URL(fileURLWithPath: fixture.database))
        try fixture.damage(page: 3)
        let damaged = try fixture.runOnDatabase("doctor", "--json")
        #expect(try code(damaged) == .damaged)
        let object = try #require(damaged.json as? [String: Any])
        #expect(object["damagedPages"] as? [[Int]] == [[3, 3]])
        try content.dropLast(4096).write(to: URL(fileURLWithPath: fixture.database))
        #expect(try code(fixture.runOnDatabase("doctor", "--json")) == .damaged)
        // The key is right, the settings are not the usual ones.
        let old = fixture.path("old.db")
        try SQLCipherShell(
            path: old, key: .content(CommandLineFixture.key),
            settings: ["PRAGMA cipher_compatibility = 3"]
        ).create("CREATE TABLE t (a); INSERT INTO t VALUES (1);")
        let other = try run(old, key[0], key[1])
        #expect(try code(other) == .otherSettings)
        #expect(other.output.contains("PRAGMA cipher_compatibility = 3"))
    }

    @Test(.proves("ENC-020"))
    func `several files are all told, each on a line`() throws {
        try FileManager.default.copyItem(atPath: fixture.database, toPath: fixture.path("copy.db"))
        try fixture.damage(page: 2)
        let run = try fixture.run(
            "doctor", fixture.path("absent.db"), fixture.database, fixture.path("copy.db"),
            fixture.plain, "--key-file", fixture.keyFile, "--json")
        let lines = run.output.split(separator: "\n")
        #expect(lines.count == 3 && run.exitCode == .failed)
        #expect(run.errors.contains("absent.db is not there"))
        #expect(lines.map { $0.contains("\"verdict\":\"sound\"") } == [false, true, false])
        let both = try fixture.run(
            "doctor", fixture.database, fixture.database, "--key-file", fixture.keyFile)
        #expect(both.exitCode == .damaged)
    }

    @Test(.proves("ENC-020"))
    func `another key needs the key itself, and jobs a number`() throws {
        #expect(
            try fixture.run("doctor", fixture.database, "--old-key-file", otherKeyFile).exitCode
                == .usage)
        #expect(try fixture.runOnDatabase("doctor", "--jobs", "0").exitCode == .usage)
    }

    @Test(.proves("ENC-020"))
    func `it stops when interrupted`() throws {
        let world = CommandRun.World()
        world.cancellation.cancel(.interrupted)
        let run = try fixture.runOnDatabase("doctor", world: world)
        #expect(run.exitCode == .interrupted)
    }
}
