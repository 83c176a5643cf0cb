import Foundation
import StrongroomCLI
import StrongroomTestSupport
import Testing

/// Hints lead on: what they name works, and does not lead back.
@Suite struct HintTests {
    private let fixture: CommandLineFixture
    private let key: [String]

    init() throws {
        fixture = try CommandLineFixture()
        key = ["--key-file", fixture.keyFile]
    }

    @Test("a plain database that is cut is nothing to encrypt, nor to check", .proves("OPR-12"))
    func cutPlain() throws {
        let content = try Data(contentsOf: URL(fileURLWithPath: fixture.plain))
        let cut = try fixture.directory.write(content.dropLast(4096), to: "cut.sqlite")
        for words in [["check", cut], ["encrypt", cut, fixture.path("out.db")], ["doctor", cut]] {
            let run = try CommandRun(words + key)
            let said = run.output + run.errors
            #expect(run.exitCode != .done && said.contains(".recover"), "\(words): \(said)")
            #expect(!said.contains("strongroom encrypt") && !said.contains("strongroom check"))
        }
    }

    @Test("what is not there is not encrypted", .proves("OPR-12"))
    func missing() throws {
        let run = try CommandRun(["check", fixture.path("absent/shop.db")] + key)
        #expect(run.errors.contains("there is no folder"), "\(run.errors)")
        let folder = try CommandRun(["rotate-key", fixture.path("absent"), "--new-key-ask"] + key)
        #expect(folder.exitCode == .notFound && !folder.errors.contains("strongroom encrypt"))
        let keyFile = try CommandRun(
            ["check", fixture.database, "--key-file", fixture.path("absent.key")])
        #expect(!keyFile.errors.contains("keygen"), "\(keyFile.errors)")
        let newKey = try CommandRun(
            ["encrypt", fixture.plain, fixture.path("o.db"), "--key-file", fixture.path("no.key")])
        #expect(newKey.errors.contains("keygen"))
    }

    @Test("no hint of a command is a call of the library", .proves("OPR-11", "OPR-12"))
    func calls() throws {
        try fixture.damage(page: 3)
        let path = fixture.database
        for words in [["copy", path, fixture.path("o.db")], ["check", path]] {
            let run = try CommandRun(words + key)
            #expect(run.exitCode != .done)
            #expect(!run.errors.contains("DatabaseFile.") && !run.errors.contains("(to:"))
        }
    }

    @Test("doctor gives one verdict, once, and the command with its options", .proves("OPR-15"))
    func doctor() throws {
        let old = fixture.path("old.db")
        try SQLCipherShell(
            path: old, key: .content(CommandLineFixture.key),
            settings: ["PRAGMA cipher_compatibility = 3"]
        ).create(CommandLineFixture.schema)
        let run = try CommandRun(["doctor", old] + key)
        #expect(run.exitCode == .otherSettings && run.errors.isEmpty)
        let command =
            "strongroom rotate-key \(old) --key-file \(fixture.keyFile) --new-compatibility 4"
        #expect(run.output.contains(command), "\(run.output)")
        let words = command.split(separator: " ").dropFirst().map(String.init)
        #expect(try CommandRun(words).exitCode == .done)
        #expect(try CommandRun(["doctor", old] + key).exitCode == .done)
    }

    @Test("doctor names the options that no command finds", .proves("OPR-15"))
    func options() throws {
        let path = fixture.path("app.db")
        let phrase = try fixture.directory.write("open sesame\n", to: "phrase")
        try SQLCipherShell(
            path: path, key: .content("open sesame"),
            settings: ["PRAGMA kdf_iter = 1000", "PRAGMA cipher_page_size = 8192"]
        ).create(CommandLineFixture.schema)
        let run = try CommandRun(["doctor", path, "--key-file", phrase, "--json"])
        let object = try #require(run.json as? [String: Any])
        #expect(object["settingsOptions"] as? String == "--kdf-iterations 1000 --page-size 8192")
        let options = ["--kdf-iterations", "1000", "--page-size", "8192"]
        #expect(try CommandRun(["doctor", path, "--key-file", phrase] + options).exitCode == .done)
    }

    @Test(
        "doctor tells of a log that is none", .proves("OPR-15"), arguments: [20, 777, 4152])
    func strangeLog(byteCount: Int) throws {
        let noise = Data((0..<byteCount).map { _ in UInt8.random(in: .min ... .max) })
        try noise.write(to: URL(fileURLWithPath: fixture.database + "-wal"))
        let run = try fixture.runOnDatabase("doctor")
        #expect(run.exitCode == .foreignLog, "\(run.output)")
        #expect(run.output.contains("-wal is not a log"))
    }
}
