import Foundation
import StrongroomCore
import StrongroomTestSupport
import Testing

@testable import StrongroomSync

/// Whether Python has the library that the decoder needs; where it has not, the tests are skipped by name.
private let hasCryptography =
    (try? Subprocess.run("python3", ["-c", "import cryptography"]).isSuccess) ?? false

/// A second implementation, written from `SyncFormat.md` alone, reads what the library writes.
@Suite("A hub without Strongroom", .enabled(if: hasCryptography))
struct DecoderTests {
    private let folder: TemporaryDirectory
    private let written: WrittenSpace

    init() async throws {
        folder = try TemporaryDirectory()
        written = try await WrittenSpace(seed: 31, in: FolderHub(path: folder.path))
    }

    private func run(_ identity: DeviceIdentity) throws -> Subprocess.Result {
        let seed = identity.seed.withUnsafeBytes { Hexadecimal.text($0) }
        let keys = try TemporaryDirectory()
        let file = try keys.write(seed + "\n", to: "seed")
        return try run([
            folder.path, written.fixture.space.hexadecimal, "--seed-file", file,
        ])
    }

    private func run(_ arguments: [String]) throws -> Subprocess.Result {
        try Subprocess.run(
            "python3", [PackageFiles.path(of: "Tests/Decoder/sync.py")] + arguments,
            timeout: .seconds(120))
    }

    private func refused(_ result: Subprocess.Result) throws -> [String: String] {
        let output = try JSONSerialization.jsonObject(with: result.output) as? [String: Any]
        return try #require(output?["refused"] as? [String: String])
    }

    @Test("is read completely by the script", .proves("SYN-080"))
    func everything() throws {
        let result = try run(written.fixture.me)
        #expect(result.isSuccess, "\(result.errorText)")
        let output = result.output
        for change in written.changes {
            let text = ShownChange.text(change, RandomChanges.schema)
            #expect(output.range(of: Data(text.utf8)) != nil, "not printed: \(text.prefix(500))")
        }
        for row in written.snapshotRows {
            let text = ShownChange.text(row, RandomChanges.schema)
            #expect(output.range(of: Data(text.utf8)) != nil, "not printed: \(text.prefix(500))")
        }
        let json = try #require(
            try JSONSerialization.jsonObject(with: result.output) as? [String: Any])
        #expect((json["batches"] as? [Any])?.count == written.batchCount)
        #expect((json["snapshots"] as? [Any])?.count == 1)
        #expect(json["epochs"] as? [Int] == [1, 2])
        #expect(json["retention"] as? Int == 40)
        let statements = try #require(json["statements"] as? [String: String])
        #expect(statements["7"] == Hexadecimal.text(Array(WrittenSpace.url.utf8)))
        let names = try #require(json["devices"] as? [String: [String: Any]])
            .values.compactMap { $0["name"] as? String }
        #expect(Set(names) == ["laptop", "phone", "tablet", ""])
    }

    @Test(
        "is read with a ticket as far as a ticket goes, and shows the same digits",
        .proves("SYN-080", "SYN-111"))
    func ticket() throws {
        let ticket = written.ticket
        let digits = try run(["--fingerprint", ticket.text])
        #expect(try digits.outputText == ticket.fingerprint() + "\n")
        let result = try run([
            folder.path, ticket.space.hexadecimal, "--ticket", ticket.text.uppercased(),
        ])
        #expect(result.errorText.isEmpty)
        #expect(result.outputText.contains("\"epochs\":[1,2]"))
    }

    @Test("has nothing for who has no keys, or those of another space")
    func stranger() throws {
        let result = try run(DeviceIdentity.generated(.seeded(99)))
        #expect(result.outputText.contains("\"epochs\":[]"))
        #expect(!result.outputText.contains("\"cells\""))
        #expect(try refused(result).values.allSatisfy { $0 == "no key" })
    }

    @Test("with bytes changed is refused by both, object by object", .proves("SYN-210"))
    func hostileBytes() async throws {
        let space = written.fixture.space.hexadecimal
        let hub = FolderHub(path: folder.path)
        var random = SeededGenerator(seed: 5)
        let names = try await hub.names(space + "/").filter { !$0.contains("/roster/") }
        for name in names {
            let path = folder.path(of: name)
            let body = try await hub.get(name)
            var changed = body
            while changed == body { changed = random.mutated(body) }
            try Data(changed).write(to: URL(fileURLWithPath: path))
            let result = try run(written.fixture.me)
            let found = try refused(result).keys
            let isPart = name.contains("/snapshots/") && !name.hasSuffix("manifest")
            let short = String(name.dropFirst(space.utf8.count + 1))
            #expect(
                isPart ? found.contains { $0.hasSuffix("manifest") } : found.contains(short),
                "\(short) was accepted")
            #expect(result.status == .exited(22))
            try Data(body).write(to: URL(fileURLWithPath: path))
        }
        #expect(try run(written.fixture.me).isSuccess)
    }

    @Test("with a roster changed is refused from there on")
    func hostileRoster() async throws {
        let hub = FolderHub(path: folder.path)
        let name = HubName.roster(3).text(in: written.fixture.space)
        var body = try await hub.get(name)
        body[body.count - 70] ^= 1
        try Data(body).write(to: URL(fileURLWithPath: folder.path(of: name)))
        let result = try run(written.fixture.me)
        #expect(try refused(result).keys.contains("roster/000000000003"))
        var roster = try Roster(first: written.fixture.entries[0])
        for entry in written.fixture.entries[1...2] { try roster.append(entry) }
        #expect(throws: Refusal.badSignature) { try roster.append(body) }
    }
}
