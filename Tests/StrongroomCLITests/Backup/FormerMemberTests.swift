import Foundation
import StrongroomCLI
import StrongroomTestSupport
import Testing

/// Somebody was removed, and the key rotated. He still has an old copy of database and keyring, and can write to the
/// repository; or the owner restores a backup of before.
@Suite struct FormerMemberTests {
    private let fixture: KeyringFixture
    private let repository: String
    private let leaver: String
    /// How the commands name the repository.
    private var place: String

    init() throws {
        fixture = try KeyringFixture()
        repository = fixture.files.path("repository")
        place = repository
        try FileManager.default.createDirectory(
            atPath: fixture.files.path("leaver"), withIntermediateDirectories: false)
        leaver = fixture.files.path("leaver/old.db")
        #expect(try CommandRun(["backup", "init", repository]).exitCode == .done)
        try create()
        for ending in ["", "-keyring"] {
            try FileManager.default.copyItem(
                atPath: fixture.database + ending, toPath: leaver + ending)
        }
        try run(["key", "remove", fixture.database, "anna", "--rotate"], fixture.code)
    }

    @discardableResult
    private func run(_ words: [String], _ secret: String) throws -> CommandRun {
        let run = try fixture.run(words, secret)
        #expect(run.exitCode == .done, "\(words): \(run.errors)")
        return run
    }

    @discardableResult
    private func create(_ more: String..., secret: String? = nil) throws -> CommandRun {
        try run(
            ["backup", "create", fixture.database, "--to", place] + more,
            secret ?? fixture.code)
    }

    private func backUpOldCopy() throws {
        try run(
            ["backup", "create", leaver, "--to", place, "--another-database"],
            KeyringFixture.anna)
    }

    private func words(_ command: String, _ more: String...) -> [String] {
        ["backup", command, place] + more
    }

    private func reached(by way: RepositoryWay) -> FormerMemberTests {
        var tests = self
        tests.place = way.place(repository)
        return tests
    }

    @Test(
        "a keyring of before, backed up last under another name, takes the place of none",
        .proves("OPR-94"))
    func oldKeyring() throws {
        try create()
        try backUpOldCopy()
        try run(words("verify"), fixture.code)
        let output = fixture.files.path("restored.db")
        try run(words("restore", "2", output), fixture.code)
        // Not even the old copy opens with the secret that was removed.
        let refused = try fixture.run(
            words("restore", "3", fixture.files.path("3.db")), KeyringFixture.anna)
        #expect(refused.exitCode == .wrongKey, "\(refused.errors)")
        #expect(try run(words("rekey"), fixture.code).output.contains("2 backups have"))
        // Nobody has the earlier key's pages now, and pruning leaves the keyring of the present.
        try run(words("prune", "--keep-last", "9"), fixture.code)
        try run(words("verify"), fixture.code)
    }

    @Test(
        "of keyrings that do not follow from each other, rekey takes neither; it does when one is forgotten",
        .proves("OPR-94"), arguments: RepositoryWay.possible)
    func fork(way: RepositoryWay) throws {
        try reached(by: way).fork()
    }

    private func fork() throws {
        try create()
        try run(["rotate-key", leaver], KeyringFixture.anna)
        try backUpOldCopy()
        let refused = try fixture.run(words("rekey"), fixture.code)
        #expect(refused.exitCode == .failed, "\(refused.output)")
        #expect(refused.errors.contains("do not follow from each other"), "\(refused.errors)")
        #expect(refused.errors.contains("backup forget"), "\(refused.errors)")
        try run(words("forget", "3", "--newest"), fixture.code)
        #expect(try run(words("rekey"), fixture.code).output.contains("1 backup has"))
        try create()
        try run(words("verify"), fixture.code)
    }

    @Test(
        "an earlier key of which no backup is left signs no more after rekey, which can be repeated",
        .proves("OPR-148"), arguments: [false, true])
    func prunedKey(lacksManifest: Bool) throws {
        try create()
        try run(words("prune", "--keep-last", "1"), fixture.code)
        let manifests = URL(fileURLWithPath: repository + "/backups")
        let names = try FileManager.default.contentsOfDirectory(atPath: manifests.path).sorted()
        #expect(names.count == 2)
        if lacksManifest {
            try FileManager.default.removeItem(at: manifests.appendingPathComponent(names[0]))
        }
        for _ in 0..<2 {
            let rekeyed = try run(words("rekey"), fixture.code)
            #expect(rekeyed.output.contains("no backup has an exposed key"), "\(rekeyed.output)")
        }
        // On another host, which remembers nothing.
        let create = try fixture.run(
            [
                "backup", "create", leaver, "--to", repository, "--another-database", "--state",
                "none",
            ], KeyringFixture.anna)
        #expect(create.exitCode != .done, "\(create.output)")
        let prune = try fixture.run(
            words("prune", "--keep-last", "1", "--state", "none"), KeyringFixture.anna)
        #expect(prune.exitCode != .done, "\(prune.output)")
        try self.create()
        let verify = try run(words("verify"), fixture.code)
        #expect(verify.output.contains("a trusted key"), "\(verify.output)")
    }

    @Test(
        "who goes on with an old copy is not trusted where nobody remembers the repository",
        .proves("OPR-100"), arguments: RepositoryWay.possible)
    func stranger(way: RepositoryWay) throws {
        try reached(by: way).stranger()
    }

    private func stranger() throws {
        try create()
        try run(words("rekey"), fixture.code)
        let genuine = try run(words("verify", "--state", "none"), fixture.code)
        #expect(genuine.output.contains("a trusted key") && genuine.errors.isEmpty)
        try run(["rotate-key", leaver], KeyringFixture.anna)
        try run(
            [
                "backup", "create", leaver, "--to", place, "--another-database",
                "--new-authority", "--state", "none",
            ], KeyringFixture.anna)
        let verify = try fixture.run(words("verify", "--state", "none"), fixture.code)
        #expect(verify.exitCode == .damaged, "\(verify.output)")
        #expect(!verify.output.contains("a trusted key"), "\(verify.output)")
        #expect(verify.errors.contains("do not follow from each other"), "\(verify.errors)")
        let restored = try run(
            words("restore", fixture.files.path("out.db"), "--state", "none"), fixture.code)
        #expect(restored.errors.contains("do not follow from each other"), "\(restored.errors)")
    }

    @Test(
        "rekey waits until an interrupted rotation is finished, and takes no key that may go",
        .mayTrace, .proves("OPR-98"))
    func unfinishedRotation() throws {
        try create()
        try fixture.interruptRotation()
        try create()
        let refused = try fixture.run(words("rekey"), fixture.code)
        #expect(refused.exitCode == .failed, "\(refused.output)")
        #expect(refused.errors.contains("was not finished"), "\(refused.errors)")
        try run(["key", "repair", fixture.database], fixture.code)
        try run(["rotate-key", fixture.database], fixture.code)
        try create()
        try run(words("rekey"), fixture.code)
        let verify = try run(words("verify"), fixture.code)
        #expect(!verify.output.contains("not authenticated"), "\(verify.output)")
        for number in 1...6 {
            let out = fixture.files.path("\(number).db")
            let run = try fixture.run(words("restore", "\(number)", out), fixture.code)
            #expect([.done, .notFound, .failed].contains(run.exitCode), "\(run.errors)")
            #expect(run.exitCode != .wrongKey)
        }
    }

    @Test(
        "a backup of before, restored in place, is backed up and rotated as any other",
        .proves("OPR-95"))
    func restoredInPlace() throws {
        try create()
        let restored = try run(words("restore", "1", fixture.database, "--force"), fixture.code)
        #expect(restored.errors.contains("then rotate its key"), "\(restored.errors)")
        let backup = try create()
        #expect(backup.errors.contains("rotate the key"), "\(backup.errors)")
        try run(["rotate-key", fixture.database], fixture.code)
        #expect(!(try create().errors.contains("rotate the key")))
        try run(words("verify"), fixture.code)
        for number in ["1", "2", "3", "4"] {
            try run(words("restore", number, fixture.files.path(number + ".db")), fixture.code)
        }
    }

    @Test(
        "rotated before it was backed up, it is backed up when a secret of the last keyring introduces it",
        .proves("OPR-95"))
    func rotatedFirst() throws {
        try create()
        try run(words("restore", "1", fixture.database, "--force"), fixture.code)
        try run(["rotate-key", fixture.database], fixture.code)
        let create = ["backup", "create", fixture.database, "--to", repository]
        let refused = try fixture.run(create, fixture.code)
        #expect(refused.exitCode == .failed, "\(refused.output)")
        #expect(refused.errors.contains("--introducer-key-file"), "\(refused.errors)")
        // Who was removed can introduce nothing.
        let secrets = [KeyringFixture.anna, fixture.code].map { secret in
            let path = fixture.files.path("secret-\(secret.prefix(3))")
            #expect(
                FileManager.default.createFile(
                    atPath: path, contents: Data(secret.utf8),
                    attributes: [.posixPermissions: 0o600]))
            return path
        }
        let forged = try fixture.run(create + ["--introducer-key-file", secrets[0]], fixture.code)
        #expect(forged.exitCode != .done, "\(forged.output)")
        try run(create + ["--introducer-key-file", secrets[1]], fixture.code)
        try self.create()
        try run(words("verify"), fixture.code)
    }

    @Test(
        "rekey says whose key takes the place of the others, and that a later one is not known",
        .proves("OPR-142"))
    func rekeyedTooEarly() throws {
        // There is one backup yet, with the key that the leaver has.
        let early = try fixture.run(words("rekey"), fixture.code)
        #expect(early.exitCode == .failed, "\(early.output)")
        #expect(early.errors.contains("rotate the database, and back it up"), "\(early.errors)")
        try create()
        try run(["rotate-key", fixture.database], fixture.code)
        let rekeyed = try run(words("rekey"), fixture.code)
        #expect(rekeyed.errors.contains("the key of backup 2, of "), "\(rekeyed.errors)")
        #expect(rekeyed.errors.contains("back it up, and run this again"), "\(rekeyed.errors)")
        let help = try CommandRun(["key", "remove", "--help"])
        #expect(help.output.contains("back the database up"))
    }

    @Test("rekey refuses the key of a copy that was rotated and backed up", .proves("OPR-143"))
    func rotatedCopy() throws {
        try create()
        let copy = fixture.files.path("copy/" + fixture.database.split(separator: "/").last!)
        try FileManager.default.createDirectory(
            atPath: fixture.files.path("copy"), withIntermediateDirectories: false)
        for ending in ["", "-keyring"] {
            try FileManager.default.copyItem(
                atPath: fixture.database + ending, toPath: copy + ending)
        }
        try run(["rotate-key", copy], fixture.code)
        try run(["backup", "create", copy, "--to", repository], fixture.code)
        try create()
        let refused = try fixture.run(words("rekey"), fixture.code)
        #expect(refused.exitCode == .failed, "\(refused.output)")
        #expect(refused.errors.contains("a copy of the database may have been rotated"))
        try create()
        try run(words("verify"), fixture.code)
    }
}
