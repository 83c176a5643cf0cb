import Foundation
import Strongroom
import StrongroomCLI
import StrongroomTestSupport
import Testing

/// An old copy of a database and its keyring takes the place of both, from before its key was rotated.
@Suite("After an old copy with an earlier key was put back")
struct OldPairTests {
    private let fixture: KeyringFixture
    private let repository: String
    private static let later = "a later secret of eleven plain brown horses"

    init() throws {
        fixture = try KeyringFixture()
        repository = try fixture.repository()
        try create()
        for ending in ["", "-keyring"] {
            try FileManager.default.copyItem(
                atPath: fixture.database + ending, toPath: snapshot + ending)
        }
        try run(["rotate-key", fixture.database])
        try create()
        for ending in ["", "-keyring"] {
            try FileManager.default.removeItem(atPath: fixture.database + ending)
            try FileManager.default.copyItem(
                atPath: snapshot + ending, toPath: fixture.database + ending)
        }
    }

    private var snapshot: String { fixture.files.path("snapshot.db") }

    @discardableResult
    private func run(_ words: [String], _ secret: String? = nil) throws -> CommandRun {
        let run = try fixture.run(words, secret ?? fixture.code)
        #expect(run.exitCode == .done, "\(words): \(run.errors)")
        return run
    }

    @discardableResult
    private func create() throws -> CommandRun {
        try run(["backup", "create", fixture.database, "--to", repository])
    }

    private func changeAnna() throws {
        let new = try fixture.files.directory.write(Self.later, to: "new.secret")
        try run(
            ["key", "change", fixture.database, "--new-key-file", new], KeyringFixture.anna)
    }

    @Test("new secrets open what is backed up from then on", .proves("OPR-216"))
    func newSecrets() throws {
        #expect(try create().errors.contains("secrets that were replaced or removed open the"))
        try changeAnna()
        try create()
        for (number, secret) in [Self.later, fixture.code].enumerated() {
            for name in ["latest", "1"] {
                let out = fixture.files.path("out-\(number)-\(name).db")
                try run(["backup", "restore", repository, name, out], secret)
                try run(["query", out, "SELECT count(*) FROM sqlite_schema"], secret)
            }
            let verified = try run(["backup", "verify", repository], secret)
            #expect(verified.errors.contains("an old copy of both was put back"))
        }
        // A secret of neither keyring opens nothing, and what the copy never had stays closed to its new ones.
        let stranger = try fixture.run(
            ["backup", "restore", repository, "latest", fixture.files.path("stranger.db")],
            KeyringFixture.berta)
        #expect(stranger.exitCode == .wrongKey, "\(stranger.errors)")
        let second = try fixture.run(
            ["backup", "restore", repository, "2", fixture.files.path("two.db")], Self.later)
        #expect(second.exitCode == .wrongKey, "\(second.errors)")
    }

    @Test("a rotation ends it", .proves("OPR-216"))
    func rotated() throws {
        try changeAnna()
        try create()
        try run(["rotate-key", fixture.database], Self.later)
        let introducer = try fixture.files.directory.write(fixture.code, to: "introducer")
        try run(
            [
                "backup", "create", fixture.database, "--to", repository, "--introducer-key-file",
                introducer,
            ], Self.later)
        try run(["backup", "restore", repository, fixture.files.path("new.db")], Self.later)
    }

    @Test("a restored database without a keyring leaves the one that was there", .proves("OPR-217"))
    func withoutKeyring() throws {
        let plain = fixture.files.path("plain.db")
        let key = try fixture.files.directory.write(
            "x'" + String(repeating: "4e", count: 32) + "'", to: "plain.key")
        var configuration = Configuration()
        configuration.prepareDatabase { try $0.useKey(CipherKey(contentsOfFile: key)) }
        let queue = try DatabaseQueue(path: plain, configuration: configuration)
        try queue.write { try $0.execute(sql: "CREATE TABLE t (a)") }
        try queue.close()
        let other = fixture.files.path("other")
        for words in [
            ["backup", "init", other],
            ["backup", "create", plain, "--to", other, "--key-file", key],
        ] {
            let run = try CommandRun(words)
            #expect(run.exitCode == .done, "\(run.errors)")
        }
        let keyring = try Data(contentsOf: URL(filePath: fixture.database + "-keyring"))
        let restored = try CommandRun(
            ["backup", "restore", other, fixture.database, "--force", "--key-file", key])
        #expect(restored.exitCode == .done, "\(restored.errors)")
        let kept = fixture.database + ".replaced-keyring"
        #expect(restored.errors.contains("is kept as \(kept)"), "\(restored.errors)")
        #expect(try Data(contentsOf: URL(filePath: kept)) == keyring)
        let query = try CommandRun(
            ["query", fixture.database, "SELECT count(*) FROM t", "--key-file", key])
        #expect(query.exitCode == .done, "\(query.errors)")
    }
}
