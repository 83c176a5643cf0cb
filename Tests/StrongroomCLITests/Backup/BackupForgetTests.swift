import Foundation
import StrongroomCLI
import StrongroomTestSupport
import Testing

@Suite("backup forget", .proves("OPR-65"))
struct BackupForgetTests: RepositorySuite {
    let repository: RepositoryFixture

    init() throws {
        repository = try RepositoryFixture()
        try fixture.shell.run(
            """
            CREATE TABLE big (id INTEGER PRIMARY KEY, a);
            WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 60)
              INSERT INTO big (a) SELECT hex(randomblob(2000)) FROM c;
            """)
    }

    private func packs() throws -> [URL] {
        try FileManager.default.contentsOfDirectory(atPath: path + "/packs").sorted()
            .map { URL(fileURLWithPath: path + "/packs/" + $0) }
    }

    private func damage(_ pack: URL) throws {
        var bytes = try Data(contentsOf: pack)
        bytes[16 + 100] ^= 1
        try bytes.write(to: pack)
    }

    @Test("ends damage that nothing else shares, and leaves what others need")
    func damaged() throws {
        #expect(try withKey("create", fixture.database, "--to", path).exitCode == .done)
        let first = try packs()
        // The second backup has pages of its own, which the third one changes again.
        try fixture.shell.run("UPDATE big SET a = hex(randomblob(2000)) WHERE id BETWEEN 20 AND 30")
        #expect(try withKey("create", fixture.database, "--to", path).exitCode == .done)
        let second = try #require(try packs().first { !first.contains($0) })
        try fixture.shell.run("UPDATE big SET a = hex(randomblob(2000)) WHERE id BETWEEN 18 AND 32")
        try damage(second)
        let third = try withKey("create", fixture.database, "--to", path)
        #expect(third.exitCode == .done, "\(third.errors)")
        let found = try withKey("verify", path)
        #expect(found.exitCode == .damaged)
        #expect(found.output.contains("cannot be restored as they were: 2\n"), "\(found.output)")
        #expect(try run("status", path).exitCode == .damaged)

        #expect(try run("forget", path, "2").exitCode != .done, "it takes the key")
        let plan = try withKey("forget", path, "2", "--dry-run")
        #expect(plan.exitCode == .done && plan.output.contains("2 kept, 1 would go"))
        let forgotten = try withKey("forget", path, "2")
        #expect(forgotten.exitCode == .done, "\(forgotten.errors)")
        #expect(forgotten.output.contains("removed backup 2 "))
        let sound = try withKey("verify", path)
        #expect(sound.exitCode == .done, "\(sound.output) \(sound.errors)")
        #expect(try run("status", path).exitCode == .done)
        for number in ["1", "3"] {
            let out = fixture.path("out-\(number).db")
            #expect(try withKey("restore", path, number, out).exitCode == .done)
            let shell = SQLCipherShell(path: out, key: .content(CommandLineFixture.key))
            #expect(try shell.cell("SELECT count(*) FROM big") == .integer(60))
        }
    }

    @Test("refuses the newest backup without a clear word, and what is not there")
    func newest() throws {
        for _ in 0..<2 {
            #expect(try withKey("create", fixture.database, "--to", path).exitCode == .done)
        }
        let refused = try withKey("forget", path, "1", "2")
        #expect(refused.exitCode == .failed)
        #expect(refused.errors.contains("backup 2 is the newest one of shop.db"))
        #expect(refused.errors.contains("--newest"))
        #expect(try withKey("forget", path, "7").errors.contains("has no backup 7"))
        #expect(try run("list", path).output.contains("shop.db"))
        let other = try fixture.directory.write(CommandLineFixture.otherKey + "\n", to: "o.key")
        #expect(try run("forget", path, "1", "--key-file", other).exitCode == .wrongKey)
        #expect(try withKey("forget", path, "1", "2", "--newest").exitCode == .done)
        #expect(try run("status", path).output.contains("holds no backup"))
    }
}
