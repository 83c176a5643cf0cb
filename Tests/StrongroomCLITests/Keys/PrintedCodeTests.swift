import Foundation
import StrongroomCLI
import StrongroomTestSupport
import Testing

@Suite("A recovery code that is printed")
struct PrintedCodeTests {
    private let fixture: KeyringFixture

    init() throws {
        fixture = try KeyringFixture()
    }

    private var words: [String] { ["key", "recovery", fixture.database, "--replace", "--print"] }

    private func slots() throws -> [String] {
        let run = try fixture.files.run("key", "list", fixture.database, "--json")
        let slots = (run.json as? [String: Any])?["slots"] as? [[String: Any]]
        return try #require(slots?.compactMap { $0["name"] as? String }).sorted()
    }

    @Test("is stored before: what cannot be stored is not printed", .proves("OPR-185"))
    func notStored() throws {
        let lock = fixture.database + "-keyring.lock"
        try FileManager.default.removeItem(atPath: lock)
        try FileManager.default.createDirectory(atPath: lock, withIntermediateDirectories: false)
        let run = try fixture.run(words, fixture.code)
        #expect(run.exitCode == .failed, "\(run.output)")
        #expect(run.output.isEmpty, "\(run.output)")
    }

    @Test("counts if it was printed, and takes the place of the old one", .proves("OPR-185"))
    func replaced() throws {
        let before = try slots()
        let run = try fixture.run(words, fixture.code)
        #expect(run.exitCode == .done, "\(run.errors)")
        let match = try #require(run.output.firstMatch(of: #/[A-Z0-9]{4}(-[A-Z0-9]{4}){7}/#))
        #expect(try fixture.opens(String(match.0)))
        #expect(try !fixture.opens(fixture.code))
        #expect(try slots() == before)
    }

    @Test("does not count if it cannot be printed", .proves("OPR-185"))
    func notPrinted() throws {
        let before = try slots()
        let program = PackageFiles.program("strongroom")
        let command = ([program] + words + ["--key-env", "KEY"]).map { "'\($0)'" }
        let run = try Subprocess.run(
            "/bin/sh", ["-c", command.joined(separator: " ") + " > /dev/full"],
            environment: ["PATH": "/usr/bin:/bin", "KEY": fixture.code])
        #expect(run.status == .exited(1), "\(run.errorText)")
        #expect(try slots() == before)
        #expect(try fixture.opens(fixture.code))
    }
}
