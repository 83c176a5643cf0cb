import Foundation
import StrongroomCore
import StrongroomTestSupport
import Testing

@testable import StrongroomKeyrings

/// Whether Debian's `age` is here; where it is not, the tests with it are skipped by name.
private let hasAge = FileManager.default.isExecutableFile(atPath: "/usr/bin/age")

@Suite("Wraps are files of age")
struct AgeFileTests {
    let folder: TemporaryDirectory
    let identity: AgeIdentity

    init() throws {
        folder = try TemporaryDirectory()
        identity = try AgeIdentity.generated()
    }

    private func unwrapped(_ file: [UInt8]) throws -> String? {
        guard let content = try AgeFile.unwrap(file, with: identity) else { return nil }
        return content.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
    }

    @Test("Stock age decrypts what we wrap", .enabled(if: hasAge), .proves("KSL-002"))
    func decryptedByAge() throws {
        for content in ["x'00'\n", String(repeating: "long ", count: 1000)] {
            let file = try AgeFile.wrap(SecretBytes(content), for: identity.key.publicKey)
            let path = try folder.write(Data(file), to: "wrap.age")
            let text = identity.text.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
            let key = try folder.write("# a comment\n\(text)\n", to: "identity.txt")
            let result = try Subprocess.run("age", ["-d", "-i", key, path])
            #expect(result.isSuccess, "\(result.errorText)")
            #expect(result.outputText == content)
        }
    }

    @Test("We decrypt what stock age wraps", .enabled(if: hasAge), .proves("KSL-002"))
    func encryptedByAge() throws {
        let result = try Subprocess.run(
            "age", ["-r", identity.recipient], input: Data("of another program".utf8))
        #expect(try unwrapped([UInt8](result.output)) == "of another program")
    }

    @Test("A wrap with any byte changed, cut off or added gives nothing", .proves("KSL-002"))
    func changed() throws {
        let file = try AgeFile.wrap(SecretBytes("x'00'\n"), for: identity.key.publicKey)
        #expect(try unwrapped(file) == "x'00'\n")
        for index in file.indices {
            for mask: UInt8 in [1, 0x20, 0x80] {
                var changed = file
                changed[index] ^= mask
                #expect(try unwrapped(changed) == nil, "\(index)")
            }
            #expect(try unwrapped(Array(file[..<index])) == nil)
        }
        #expect(try unwrapped(file + [0]) == nil)
        let other = try AgeIdentity.generated()
        let isNil = try AgeFile.unwrap(file, with: other) == nil
        #expect(isNil)
    }
}
