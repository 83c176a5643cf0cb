import Foundation
import StrongroomCLI
import StrongroomTestSupport
import Testing

@Suite("An old copy of a database whose keys are in a store")
struct OldCopyTests {
    @Test("is told by rotate-key, which leaves no new key behind", .proves("OPR-70"))
    func oldCopy() throws {
        let fixture = try CommandLineFixture()
        let store = fixture.path("store")
        func rotate(_ path: String, _ words: String...) throws -> CommandRun {
            try CommandRun(["rotate-key", path, "--keys", store] + words)
        }
        let old = fixture.path("old.db")
        #expect(try rotate(fixture.database, "--key-file", fixture.keyFile).exitCode == .done)
        try FileManager.default.copyItem(atPath: fixture.database, toPath: old)
        #expect(try rotate(fixture.database).exitCode == .done)
        let names = try FileManager.default.contentsOfDirectory(atPath: store).sorted()
        let run = try rotate(old)
        #expect(run.exitCode == .wrongKey)
        #expect(
            run.errors.contains("old.db has the retired key 0002 of \(store): it is an old copy"),
            "\(run.errors)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: store).sorted() == names)
        // What the hint says does it.
        let words = try #require(run.errors.firstMatch(of: #/strongroom (rotate-key .*)/#)?.1)
        #expect(try CommandRun(words.split(separator: " ").map(String.init)).exitCode == .done)
        #expect(try fixture.run("info", old, "--key-file", store + "/0003.key").exitCode == .done)
        #expect(try rotate(fixture.database).exitCode == .done)
    }
}
