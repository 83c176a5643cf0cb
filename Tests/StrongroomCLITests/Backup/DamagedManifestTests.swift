import Foundation
import StrongroomCLI
import StrongroomTestSupport
import Testing

/// A repository of four backups, of which one manifest is emptied or lost, and of which there is no copy.
@Suite struct DamagedManifestTests: RepositorySuite {
    let repository: RepositoryFixture

    init() throws {
        repository = try RepositoryFixture()
        try create(versions: 4)
    }

    private func manifest(_ number: Int) throws -> String {
        let folder = path + "/backups"
        let name = try FileManager.default.contentsOfDirectory(atPath: folder)
            .first { $0.hasPrefix("0000000\(number)-") }
        return folder + "/" + (try #require(name))
    }

    private func empty(_ number: Int) throws {
        try Data().write(to: URL(fileURLWithPath: manifest(number)))
    }

    /// The version of the database that a restore brings back.
    private func restored(_ words: String...) throws -> String {
        let out = fixture.path("restored-\(UUID()).db")
        let run = try CommandRun(
            ["backup", "restore", path] + words + [out, "--key-file", fixture.keyFile], in: world)
        try #require(run.exitCode == .done, "\(words): \(run.errors)")
        return try SQLCipherShell(path: out, key: .content(CommandLineFixture.key)).run(
            "PRAGMA user_version"
        )
        .trimmingCharacters(in: .whitespacesAndNewlines)
    }

    @Test(.proves("OPR-112"), arguments: [2, 3], [true, false])
    func `The other backups restore by number, ID, date, and as the last one`(
        number: Int, isLost: Bool
    ) throws {
        let name = try URL(fileURLWithPath: manifest(4)).lastPathComponent
        let last = name.dropFirst("00000004-".count).prefix(8)
        if isLost {
            try FileManager.default.removeItem(atPath: manifest(number))
        } else {
            try empty(number)
        }
        #expect(try run("status", path).exitCode == .damaged)
        for other in [1, 2, 3, 4] where other != number {
            #expect(try restored("\(other)") == "\(other)")
        }
        #expect(try restored() == "4")
        #expect(try restored("latest") == "4")
        #expect(try restored(String(last)) == "4")
        #expect(try restored("--at", "2199-01-01") == "4")
        let own = try withKey("restore", path, "\(number)", fixture.path("own.db"))
        #expect(own.exitCode == .damaged && !own.errors.isEmpty)
        let told = try withKey("restore", path, "4", fixture.path("told.db"))
        #expect(told.errors.contains("the manifest of backup \(number) is damaged"))
        let list = try run("list", path)
        #expect(list.exitCode == .damaged)
        #expect(list.output.contains(String(last)))
        let verified = try withKey("verify", path)
        #expect(verified.exitCode == .damaged)
        #expect(verified.output.contains("cannot be restored as they were: \(number)"))
        let repaired = try withKey("repair", path, "--database", fixture.database)
        #expect(repaired.exitCode == .damaged, "\(repaired.errors)")
        #expect(try restored() == "4")
        // The new backup is of the database as it is.
        #expect(try restored("5") == "4")
    }

    @Test(.proves("OPR-112"))
    func `Where the last one is damaged, an older one is not taken for it`() throws {
        try empty(4)
        for words in [["latest"], [], ["--at", "2199-01-01"]] {
            let out = fixture.path("none.db")
            let run = try CommandRun(
                ["backup", "restore", path] + words + [out, "--key-file", fixture.keyFile],
                in: world)
            #expect(run.exitCode == .damaged, "\(words)")
            #expect(
                run.errors.contains("the one before it that can be is backup 3"), "\(run.errors)")
            #expect(!FileManager.default.fileExists(atPath: out))
        }
        #expect(try restored("3") == "3")
    }

    @Test(.proves("OPR-112"))
    func `Such a backup is forgotten by its number, and then nothing is damaged`() throws {
        try empty(3)
        let prune = try withKey("prune", path, "--keep-last", "1")
        #expect(prune.exitCode == .damaged)
        let forgotten = try withKey("forget", path, "3")
        #expect(forgotten.exitCode == .done, "\(forgotten.errors)")
        #expect(forgotten.output.contains("removed backup 3, whose manifest cannot be read"))
        // Without the key, nothing shows that the backups before it are genuine.
        let blind = try run("verify", path)
        #expect(blind.exitCode == .damaged)
        #expect(blind.errors.contains("give the key of these backups"), "\(blind.errors)")
        let verified = try withKey("verify", path)
        #expect(verified.exitCode == .done, "\(verified.errors)")
        #expect(try run("status", path).exitCode == .done)
        for number in [1, 2, 4] { #expect(try restored("\(number)") == "\(number)") }
        let unsure = try CommandRun(
            ["backup", "restore", path, "1", fixture.path("unsure.db")], in: world)
        #expect(unsure.exitCode == .done)
        #expect(unsure.errors.contains("only with the key can it be seen"), "\(unsure.errors)")
        #expect(try withKey("prune", path, "--keep-last", "1").exitCode == .done)
        #expect(try run("verify", path).exitCode == .done)
        #expect(try restored() == "4")
    }

    @Test(.proves("OPR-112"))
    func `The newest one is not forgotten by mistake`() throws {
        try empty(4)
        let refused = try withKey("forget", path, "4")
        #expect(refused.exitCode == .failed)
        #expect(refused.errors.contains("may be the newest one"), "\(refused.errors)")
        #expect(try withKey("forget", path, "4", "--newest").exitCode == .done)
        #expect(try restored() == "3")
        let next = try withKey("create", fixture.database, "--to", path, "--full")
        #expect(next.exitCode == .done, "\(next.errors)")
        #expect(try withKey("verify", path).exitCode == .done)
    }

    @Test(.proves("OPR-112"), arguments: [true, false])
    func `Nobody needs the manifest of a backup that was pruned`(isLost: Bool) throws {
        #expect(try withKey("prune", path, "--keep-last", "1").exitCode == .done)
        if isLost {
            try FileManager.default.removeItem(atPath: manifest(2))
        } else {
            try empty(2)
        }
        let verified = try run("verify", path)
        #expect(verified.exitCode == .done, "\(verified.errors)")
        #expect(verified.errors.contains("nothing needs it"))
        #expect(try run("status", path).exitCode == .done)
        #expect(try restored() == "4")
    }
}
