import Foundation
import StrongroomCLI
import StrongroomTestSupport
import Testing

/// A database with a keyring whose file was damaged at its beginning.
@Suite struct DamagedFirstPageTests {
    private let fixture: KeyringFixture

    init() throws {
        fixture = try KeyringFixture()
    }

    private func damage(_ place: Int) throws {
        let file = URL(fileURLWithPath: fixture.database)
        var bytes = try Data(contentsOf: file)
        bytes[place] ^= 1
        try bytes.write(to: file)
    }

    @Test(.proves("OPR-111"), arguments: [16, 100, 4000, 4090])
    func `A damaged first page is called that, and not a wrong keyring`(place: Int) throws {
        let repository = fixture.files.path("repository")
        #expect(try CommandRun(["backup", "init", repository]).exitCode == .done)
        try damage(place)
        let database = fixture.database
        for words in [
            ["query", database, "SELECT 1"], ["check", database], ["info", database],
            ["rotate-key", database], ["copy", database, fixture.files.path("copy.db")],
            ["backup", "create", database, "--to", repository], ["key", "test", database],
        ] {
            let run = try fixture.run(words, fixture.code)
            #expect(run.exitCode == .damaged, "\(words): \(run.errors)")
            #expect(run.errors.contains("the first page is not what was written"))
            #expect(!run.errors.contains("put the right keyring there"), "\(run.errors)")
        }
        let doctor = try fixture.run(["doctor", database], fixture.code)
        #expect(doctor.exitCode == .damaged && !doctor.output.contains("right keyring"))
        let salvaged = fixture.files.path("salvaged.db")
        let salvage = try fixture.run(["salvage", database, salvaged], fixture.code)
        #expect(salvage.exitCode == .damaged && salvage.output.contains("recovered"))
    }

    @Test(.proves("OPR-111"))
    func `The keyring of another database is still that`() throws {
        let other = try KeyringFixture()
        try FileManager.default.removeItem(atPath: fixture.database)
        try FileManager.default.copyItem(atPath: other.database, toPath: fixture.database)
        let run = try fixture.count(fixture.code)
        #expect(run.exitCode == .foreignKeyring)
        #expect(run.errors.contains("put the right keyring there"), "\(run.errors)")
    }

    @Test(.proves("OPR-111"))
    func `A database whose salt is damaged is not sound`() throws {
        let check = ["check", fixture.database]
        #expect(try fixture.run(check, fixture.code).exitCode == .done)
        let copy = fixture.files.path("copy.db")
        try FileManager.default.copyItem(atPath: fixture.database, toPath: copy)
        try damage(3)
        let key = try fixture.exportedKey()
        for (words, secret) in [(check, fixture.code), (check + ["--no-keyring"], key)] {
            let run = try fixture.run(words, secret)
            #expect(run.exitCode == .damaged, "\(run.output)")
            #expect(run.output.contains("the salt at the beginning of the file is damaged"))
            let quick = try fixture.run(words + ["--quick", "--json"], secret)
            let json = quick.json as? [String: Any]
            #expect(json?["isDamaged"] as? Bool == true)
            #expect((json?["problems"] as? [[String: Any]])?.first?["page"] as? Int == 1)
        }
        // The key without its salt finds it in the file.
        let raw = try #require(key.firstMatch(of: #/x'([0-9a-fA-F]{64})/#))
        let refused = try fixture.run(check + ["--no-keyring"], "x'\(raw.1)'")
        #expect(refused.exitCode != .done)
        let salvaged = fixture.files.path("salvaged.db")
        #expect(
            try fixture.run(["salvage", fixture.database, salvaged], fixture.code).exitCode
                == .done)
        #expect(try fixture.run(["check", salvaged, "--no-keyring"], key).exitCode == .done)
    }
}
