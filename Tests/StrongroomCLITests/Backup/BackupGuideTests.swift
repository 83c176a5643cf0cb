import Foundation
import StrongroomCLI
import StrongroomTestSupport
import Testing

/// What `Documentation/Backups.md` tells people to type.
///
/// `Tests/Proofs/backup guide` does the same with systemd, cron and rclone.
@Suite struct BackupGuideTests {
    private let lines: [String]

    init() throws {
        let text = try String(
            contentsOfFile: PackageFiles.path(of: "Documentation/Backups.md"), encoding: .utf8)
        lines = text.split(separator: "\n").filter { $0.hasPrefix("    ") }.map(String.init)
    }

    /// The words after `strongroom` in the lines of the guide, be they in a unit or a crontab.
    private var commands: [[String]] {
        lines.compactMap { line in
            guard let match = line.firstMatch(of: #/^    (?:\S.*/)?strongroom (.*)$/#) else {
                return nil
            }
            let words = match.1.matches(of: #/"([^"]*)"|\S+/#)
                .map { String($0.1 ?? $0.0).replacing("%%", with: "%") }
            return Array(words.prefix { $0 != ">" })
        }
    }

    /// A path of the guide, in the folder of the fixture.
    private func path(_ word: String, _ fixture: CommandLineFixture) -> String {
        switch word {
        case "/backup": fixture.directory.path
        case "/backup/shop": fixture.path("repository")
        case "shop-drill": fixture.path("drill")
        case "restored": fixture.path("restored")
        case "/srv/shops": fixture.path("shops")
        case "/etc/shop/keys": fixture.path("keys")
        case "/mnt/copy/shop": fixture.path("copy")
        case _ where word.contains(" "): word
        case _ where word.hasSuffix(".db") || word.hasSuffix(".key"):
            fixture.path((word as NSString).lastPathComponent)
        default: word
        }
    }

    @Test("every command of the guide does its work, in the order of the guide")
    func commandsOfTheGuide() throws {
        let fixture = try CommandLineFixture()
        try fixture.shell.run("CREATE TABLE orders (date TEXT)")
        for name in ["emergency.key", "leaked.key"] {
            try fixture.directory.write(CommandLineFixture.key + "\n", to: name)
        }
        try fixture.directory.write(CommandLineFixture.otherKey + "\n", to: "orders.key")
        try SQLCipherShell(
            path: fixture.path("orders.db"), key: .content(CommandLineFixture.otherKey)
        ).create("CREATE TABLE other (a)")
        try FileManager.default.createDirectory(
            atPath: fixture.path("shops"), withIntermediateDirectories: false)
        try FileManager.default.copyItem(
            atPath: fixture.database, toPath: fixture.path("shops/north.db"))
        // StoreCommandTests types those with a URL.
        let commands = self.commands.filter { !$0.joined().contains("sftp://") }
        #expect(commands.count > 12)
        var hash = ""
        var signer = ""
        for words in commands {
            if words.contains("shop-drill"), words[1] == "verify" {
                try FileManager.default.copyItem(
                    atPath: fixture.path("repository"), toPath: fixture.path("drill"))
            }
            if words.contains("--dry-run"), words[1] == "repair" {
                try FileManager.default.copyItem(
                    atPath: fixture.path("repository"), toPath: fixture.path("copy"))
            }
            if words.contains("--keys"), words[0] == "rotate-key" { try makeKeyStore(fixture) }
            if words.contains("--rebuild-head") {
                try FileManager.default.removeItem(atPath: fixture.path("repository/head"))
            }
            let noted = ["HASH-NOTED-LAST-TIME": hash, "PUBLIC-KEY": signer]
            let run = try CommandRun(words.map { noted[$0] ?? path($0, fixture) })
            #expect(run.exitCode == .done, "\(words): \(run.errors)")
            if words.prefix(2) == ["backup", "verify"],
                let last = run.output.split(whereSeparator: \.isWhitespace).last
            {
                hash = String(last)
                let line = try #require(run.output.firstMatch(of: #/signed by ([0-9a-f]{64})/#))
                signer = String(line.1)
            }
        }
        #expect(try fixture.directory.names().contains("drill.db"))
    }

    @Test("the unit of the guide keeps its monitoring satisfied", .proves("OPR-60"))
    func monitoring() throws {
        let fixture = try CommandLineFixture()
        var world = CommandRun.World()
        world.settings = ["STATE_DIRECTORY": fixture.path("state")]
        let repository = fixture.path("repository")
        #expect(try CommandRun(["backup", "init", repository], in: world).exitCode == .done)
        func words(_ line: String) -> [String] {
            line.split(separator: " ").map(String.init).drop { !$0.hasSuffix("strongroom") }
                .dropFirst().map {
                    $0 == "/var/lib/strongroom-shop" ? fixture.path("state") : path($0, fixture)
                }
        }
        let unit = lines.filter { $0.contains("ExecStart=") }
        #expect(unit.count == 3)
        for line in unit {
            let text = line.replacing("ExecStart=", with: "").replacing("%%", with: "%")
                .replacing("%d/shop.key", with: "shop.key")
            let run = try CommandRun(words(text), in: world)
            #expect(run.exitCode == .done, "\(line): \(run.errors)")
        }
        let monitoring = try #require(lines.first { $0.contains("--verify-every") })
        let run = try CommandRun(words(monitoring), in: world)
        #expect(run.exitCode == .done, "\(run.output)\(run.errors)")
    }

    /// A store that begins with the key that the database has got so far.
    private func makeKeyStore(_ fixture: CommandLineFixture) throws {
        try FileManager.default.createDirectory(
            atPath: fixture.path("keys"), withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700])
        try FileManager.default.copyItem(
            atPath: fixture.path("new.key"), toPath: fixture.path("keys/0001.key"))
    }

    @Test(
        "systemd accepts the units",
        .enabled(
            if: FileManager.default.isExecutableFile(atPath: "/usr/bin/systemd-analyze"),
            "needs systemd-analyze"))
    func units() throws {
        let folder = try TemporaryDirectory()
        let service = lines.filter {
            $0.contains(#/^    (?:\[Service\]|Type=|User=|LoadCredential=|ExecStart=)/#)
        }
        let timer = lines.filter {
            $0.contains(#/^    (?:\[Timer\]|OnCalendar=|Persistent=|\[Install\]|WantedBy=)/#)
        }
        #expect(service.count == 7 && timer.count == 5)
        for (name, lines) in [("shop-backup.service", service), ("shop-backup.timer", timer)] {
            let text = lines.map { $0.dropFirst(4) + "\n" }.joined()
                .replacing("/usr/local/bin/strongroom", with: "/bin/true")
            try folder.write(text, to: name)
        }
        let run = try Subprocess.run(
            "systemd-analyze",
            [
                "verify", folder.path(of: "shop-backup.service"),
                folder.path(of: "shop-backup.timer"),
            ])
        #expect(run.isSuccess && run.errorText.isEmpty, "\(run.errorText)")
    }
}
