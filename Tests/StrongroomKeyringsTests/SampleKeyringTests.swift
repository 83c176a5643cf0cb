import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

@testable import StrongroomKeyrings

/// The values that the description of the format gives for a keyring of `Tests/Formats`.
@Suite("The sample of KeyringFormat.md", .proves("KSL-003"))
struct SampleKeyringTests {
    private let values: [String: String]
    private let database = PackageFiles.path(
        of: "Tests/Formats/2026-11-28/databases/keyring.db")

    init() throws {
        let page = try String(
            contentsOfFile: PackageFiles.path(of: "Documentation/KeyringFormat.md"),
            encoding: .utf8)
        let section = try #require(page.components(separatedBy: "## A sample").last)
        values = Dictionary(
            uniqueKeysWithValues: section.split(separator: "\n").compactMap { line in
                let cells = line.split(separator: "|").map {
                    $0.trimmingCharacters(in: CharacterSet(charactersIn: " `"))
                }
                return cells.count == 2 ? (cells[0], cells[1]) : nil
            })
        try #require(values.count == 8)
    }

    private func value(_ name: String) throws -> String { try #require(values[name]) }

    private func unlock(_ arguments: [String]) throws -> String {
        let folder = try TemporaryDirectory()
        let passphrase = try folder.write(value("passphrase"), to: "passphrase")
        let words = ["\(database)-keyring", "--passphrase-file", passphrase] + arguments
        let result = try Subprocess.run(
            "python3", [PackageFiles.path(of: "Tests/Decoder/unlock.py")] + words)
        try #require(result.isSuccess, "\(result.errorText)")
        return result.outputText.trimmingCharacters(in: .newlines)
    }

    @Test("holds for the library")
    func library() throws {
        let keyring = try Keyring(of: database)
        let slot = try #require(keyring.content.slots.first)
        #expect(try slot.recipient == value("recipient"))
        #expect(try slot.vouch == value("vouch"))
        let key = try keyring.unlock(with: .passphrase(value("passphrase")))
        #expect(try key.text == value("key of the database"))
    }

    @Test("holds for Python's scrypt")
    func seed() throws {
        let slot = try #require(Keyring(of: database).content.slots.first?.kdf)
        let program = """
            import hashlib, sys
            print(hashlib.scrypt(sys.argv[1].encode(), salt=bytes.fromhex(sys.argv[2]), n=\(slot.n),
                r=\(slot.r), p=\(slot.p), dklen=32, maxmem=1 << 30).hex())
            """
        let result = try Subprocess.run(
            "python3", ["-c", program, value("passphrase"), slot.salt])
        #expect(try result.outputText == value("seed, by scrypt") + "\n", "\(result.errorText)")
    }

    @Test("holds for unlock.py", .enabled(if: hasCryptography))
    func script() throws {
        #expect(try unlock([]) == value("key of the database"))
        #expect(try unlock(["--identity-of"]) == value("private key, as an age identity"))
    }
}
