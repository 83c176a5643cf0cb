import Foundation
import StrongroomCLI
import StrongroomTestSupport
import Testing

/// A database with a plaintext header: its first bytes are those of a plain one, and its salt is
/// kept elsewhere.
@Suite struct PlaintextHeaderTests {
    private static let rawKey = String(repeating: "5eed", count: 16)
    private static let salt = String(repeating: "0a", count: 16)

    private let fixture: CommandLineFixture
    private let path: String
    private let fullKey: String
    private let newKey: String

    init() throws {
        fixture = try CommandLineFixture()
        path = fixture.path("header.db")
        fullKey = try fixture.directory.write("x'\(Self.rawKey)\(Self.salt)'\n", to: "full.key")
        newKey = try fixture.directory.write(CommandLineFixture.otherKey + "\n", to: "new.key")
        try shell("x'\(Self.rawKey)\(Self.salt)'").create(CommandLineFixture.schema)
    }

    private func shell(_ key: String, salt: Bool = false, size: Int = 32) -> SQLCipherShell {
        let pragma = "PRAGMA cipher_salt = \"x'\(Self.salt)'\""
        return SQLCipherShell(
            path: path, key: .content(key),
            settings: ["PRAGMA cipher_plaintext_header_size = \(size)"] + (salt ? [pragma] : []))
    }

    /// Every command that opens a database, with what follows the file.
    private func commands() throws -> [(name: String, words: [String])] {
        let repository = fixture.path("repository")
        if !FileManager.default.fileExists(atPath: repository) {
            #expect(try fixture.run("backup", "init", repository).exitCode == .done)
        }
        return [
            ("info", ["info", path]), ("check", ["check", path]),
            ("query", ["query", path, "SELECT count(*) FROM album", "--csv"]),
            ("decrypt", ["decrypt", path, fixture.path("out.sqlite"), "--force"]),
            ("copy", ["copy", path, fixture.path("out.db"), "--force"]),
            ("salvage", ["salvage", path, fixture.path("saved.db"), "--force"]),
            ("backup", ["backup", "create", path, "--to", repository]),
            ("rotate-key", ["rotate-key", path, "--new-key-file", newKey, "--dry-run"]),
        ]
    }

    @Test("is opened by every command that has key and salt", .proves("OPR-03"))
    func opened() throws {
        for (name, words) in try commands() {
            let run = try CommandRun(words + ["--key-file", fullKey])
            #expect(run.exitCode == .done, "\(name): \(run.errors)")
        }
        let query = try fixture.run(
            "query", path, "SELECT count(*) FROM album", "--csv", "--key-file", fullKey)
        #expect(query.output.contains("3"))
        #expect(query.errors.contains("cipher_plaintext_header_size = 32"), "\(query.errors)")
        let plain = SQLCipherShell(path: fixture.path("out.sqlite"))
        #expect(try plain.cell("SELECT count(*) FROM album") == 3)
    }

    @Test("is opened with a salt that is given apart from the key", .proves("OPR-03"))
    func givenSalt() throws {
        // The passphrase is hashed seldom: the tests have no time for more.
        let passphrase = try fixture.directory.write("open sesame\n", to: "passphrase")
        let raw = fixture.keyFile
        let given = ["--cipher-settings", "kdf-iterations=4000,salt=\(Self.salt)"]
        for (name, words) in try commands() {
            let run = try CommandRun(words + ["--key-file", raw] + given)
            #expect(run.exitCode == .done, "\(name): \(run.errors)")
        }
        try FileManager.default.removeItem(atPath: path)
        var creator = shell("open sesame", salt: true)
        creator.settings.append("PRAGMA kdf_iter = 4000")
        try creator.create(CommandLineFixture.schema)
        for (name, words) in try commands().dropLast(2) {
            let run = try CommandRun(words + ["--key-file", passphrase] + given)
            #expect(run.exitCode == .done, "\(name): \(run.errors)")
        }
        let doctor = try CommandRun(["doctor", path, "--key-file", passphrase] + given)
        #expect(doctor.exitCode == .done, "\(doctor.output)\(doctor.errors)")
    }

    @Test("is never called plain, and what is missing is named", .proves("OPR-03"))
    func missingSalt() throws {
        for (name, words) in try commands() {
            let run = try CommandRun(words + ["--key-file", fixture.keyFile])
            #expect(run.exitCode == .wrongKey, "\(name): \(run.errors)")
            #expect(run.errors.contains("salt"), "\(name): \(run.errors)")
        }
        let encrypt = try fixture.run(
            "encrypt", path, fixture.path("twice.db"), "--key-file", fixture.keyFile)
        #expect(encrypt.exitCode == .notADatabase)
        #expect(encrypt.errors.contains("encrypted, with a plaintext header"))
        let doctor = try fixture.run("doctor", path)
        #expect(doctor.exitCode == .keyNeeded && doctor.output.contains("plaintext header"))
    }

    @Test(
        "is refused to a wrong key, whatever its header", .proves("OPR-03"), arguments: [96, 256])
    func wrongKey(size: Int) throws {
        try FileManager.default.removeItem(atPath: path)
        try shell("x'\(Self.rawKey)\(Self.salt)'", size: size).create(CommandLineFixture.schema)
        let wrong = try fixture.directory.write(
            "x'\(String(repeating: "7e", count: 32))\(Self.salt)'\n", to: "wrong.key")
        for (name, words) in try commands() {
            #expect(try CommandRun(words + ["--key-file", wrong]).exitCode == .wrongKey, "\(name)")
            let run = try CommandRun(words + ["--key-file", fullKey])
            #expect(run.exitCode == .done, "\(name): \(run.errors)")
        }
    }

    @Test("gets another key in its folder, and a second run finds it done", .proves("OPR-03"))
    func rotation() throws {
        let folder = fixture.path("folder")
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: false)
        try FileManager.default.copyItem(atPath: path, toPath: folder + "/header.db")
        let words = ["rotate-key", folder, "--key-file", fullKey, "--new-key-file", newKey]
        let run = try CommandRun(words)
        #expect(run.exitCode == .done, "\(run.errors)")
        #expect(run.output.contains("--salt \(Self.salt)"), "\(run.output)")
        let again = try CommandRun(words)
        #expect(again.exitCode == .done && again.output.contains("already"), "\(again.errors)")
        var rotated = shell(CommandLineFixture.otherKey, salt: true)
        rotated.path = folder + "/header.db"
        #expect(try rotated.cell("SELECT count(*) FROM album") == 3)
    }
}
