import Foundation
import StrongroomCLI
import StrongroomTestSupport
import Testing

/// Which of the stored keyrings counts: that of the last backup; what is said when it is lost, or an old copy of the database
/// and its keyring was put back.
@Suite struct KeyringInForceTests {
    private let fixture: KeyringFixture
    private let repository: String

    init() throws {
        fixture = try KeyringFixture()
        repository = try fixture.repository()
        try create()
    }

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

    private func restores(_ secret: String) throws -> Bool {
        let out = fixture.files.path("out-\(UUID().uuidString).db")
        return try fixture.run(["backup", "restore", repository, "latest", out], secret).exitCode
            == .done
    }

    private func change(to secret: String) throws {
        let new = try fixture.files.directory.write(secret, to: "new.secret")
        let run = try fixture.run(
            ["key", "change", fixture.database, "--new-key-file", new], KeyringFixture.anna)
        #expect(run.exitCode == .done, "\(run.errors)")
    }

    private var snapshot: String { fixture.files.path("snapshot.db") }

    /// A database and its keyring, in place of what is there.
    private func copyPair(_ source: String, to target: String) throws {
        for ending in ["", "-keyring"] {
            try? FileManager.default.removeItem(atPath: target + ending)
            try FileManager.default.copyItem(atPath: source + ending, toPath: target + ending)
        }
    }

    private func keyrings() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: repository + "/keyrings").sorted()
    }

    private static let later = "a later secret of eleven plain brown horses"

    @Test("a lost one is found by all, and stored again", .proves("OPR-206"))
    func lost() throws {
        try change(to: Self.later)
        try create()
        let name = try #require(try keyrings().last)
        let file = repository + "/keyrings/" + name
        let bytes = try Data(contentsOf: URL(filePath: file))
        for isGone in [true, false] {
            if isGone {
                try FileManager.default.removeItem(atPath: file)
            } else {
                try (bytes.dropLast(3) + Data("???".utf8)).write(to: URL(filePath: file))
            }
            for command in ["verify", "status"] {
                let found = try CommandRun(["backup", command, repository])
                #expect(found.exitCode == .damaged, "\(found.output)\(found.errors)")
                #expect(!found.errors.contains("all backups are whole"), "\(found.errors)")
            }
            let restored = try fixture.run(
                ["backup", "restore", repository, "latest", fixture.files.path("o\(isGone).db")],
                fixture.code)
            #expect(restored.errors.contains("secrets of an earlier keyring"), "\(restored.errors)")
            let created = try create()
            #expect(created.errors.contains("is missing or damaged"), "\(created.errors)")
            #expect(try Data(contentsOf: URL(filePath: file)) == bytes)
            #expect(try !create().errors.contains("missing"))
            for command in ["verify", "status"] {
                let sound = try CommandRun(["backup", command, repository])
                #expect(sound.exitCode == .done, "\(sound.output)\(sound.errors)")
            }
            #expect(try restores(Self.later))
        }
    }

    @Test("repair gets a lost one from a copy", .proves("OPR-206"))
    func repaired() throws {
        try change(to: Self.later)
        try create()
        let copy = fixture.files.path("copy")
        try FileManager.default.copyItem(atPath: repository, toPath: copy)
        let name = try #require(try keyrings().last)
        try FileManager.default.removeItem(atPath: repository + "/keyrings/" + name)
        let repair = try CommandRun(["backup", "repair", repository, "--from", copy])
        #expect(repair.exitCode == .done, "\(repair.output)\(repair.errors)")
        #expect(try restores(Self.later))
    }

    @Test("what is changed after a copy was put back counts", .proves("OPR-207"))
    func putBack() throws {
        try copyPair(fixture.database, to: snapshot)
        for name in ["one", "two", "three"] {
            try run(["key", "rename", fixture.database, "anna", name])
            try run(["key", "rename", fixture.database, name, "anna"])
        }
        try create()
        try copyPair(snapshot, to: fixture.database)
        #expect(try create().errors.contains("an old copy of the keyring"))
        // What it says, typed.
        try change(to: Self.later)
        try create()
        #expect(try create().errors.isEmpty)
        #expect(try restores(Self.later))
        #expect(try !restores(KeyringFixture.anna))
        try run(["backup", "prune", repository, "--keep-last", "1"])
        #expect(try restores(Self.later))
        try run(["key", "remove", fixture.database, "anna"])
        try create()
        #expect(try !restores(Self.later) && restores(fixture.code))
    }

    @Test("each slot that is back is named until it is removed", .proves("OPR-207"))
    func severalReturned() throws {
        let dora = "dora paints twelve green metal doors on sundays"
        let file = try fixture.files.directory.write(dora, to: "dora.secret")
        try run(["key", "add", fixture.database, "--passphrase", "dora", "--new-key-file", file])
        try create()
        try copyPair(fixture.database, to: snapshot)
        for name in ["anna", "dora"] {
            try run(["key", "remove", fixture.database, name, "--rotate"])
            try create()
        }
        try copyPair(snapshot, to: fixture.database)
        let first = try create().errors
        for name in ["anna", "dora"] {
            #expect(first.contains("key remove \(fixture.database) \(name)"), "\(first)")
        }
        try run(["key", "remove", fixture.database, "anna"])
        let second = try create().errors
        #expect(second.contains("dora") && !second.contains("anna"), "\(second)")
        try run(["key", "remove", fixture.database, "dora"])
        #expect(try !create().errors.contains("dora"))
        #expect(try !restores(dora) && !restores(KeyringFixture.anna))
    }

    @Test("a hash that is missing is in the status", .proves("OPR-208"))
    func expectedHash() throws {
        let expected = String(repeating: "a", count: 64)
        let state = ["--state", fixture.files.path("state")]
        let verify = ["backup", "verify", repository] + state
        let status = ["backup", "status", repository, "--verify-every", "7d"] + state
        #expect(try CommandRun(verify).exitCode == .done)
        #expect(try CommandRun(verify + ["--expect", expected]).exitCode == .damaged)
        let found = try CommandRun(status)
        #expect(found.exitCode == .damaged, "\(found.output)")
        #expect(try CommandRun(verify).exitCode == .done)
        #expect(try CommandRun(status).exitCode == .done)
    }
}
