import Foundation
import StrongroomCore
import StrongroomTestSupport
import Testing

@testable import StrongroomKeyrings

/// Numbers, forms and files that no keyring has.
extension AttackTests {
    @Test("Parameters of scrypt that would take 64 GiB, or nothing", .proves("KSL-009"))
    func hugeParameters() throws {
        let open = try fixture.keyring().open(with: fixture.me)
        let authority = try SigningKey(seed: open.authoritySeed())
        let index = try #require(open.content.slots.firstIndex { $0.kind == .passphrase })
        for (n, r, p) in [
            (1 << 26, 8, 1), (1 << 21, 8, 1), (1 << 13, 8, 1), (3 << 14, 8, 1), (1 << 14, 1024, 1),
            (1 << 14, 8, 5), (1 << 14, 8, 0), (0, 0, 0), (-1, 8, 1), (Int.max, Int.max, Int.max),
        ] {
            var content = open.content
            content.slots[index].kdf?.n = n
            content.slots[index].kdf?.r = r
            content.slots[index].kdf?.p = p
            #expect(throws: KeyringError.self) {
                try KeyringText(signing: content, with: authority)
            }
            // Signed all the same.
            let line = [UInt8](try JSONEncoder.sorted.encode(content))
            let signature = Hexadecimal.text(try authority.signature(of: line))
            try fixture.put(line + Array("\ned25519 \(signature)\n".utf8))
            #expect(unlockCode(fixture.me) == .damaged)
        }
    }

    @Test("Unknown, doubled and missing members, spaces, deep nesting, signed", .proves("KSL-001"))
    func otherForms() throws {
        let open = try fixture.keyring().open(with: fixture.me)
        let authority = try SigningKey(seed: open.authoritySeed())
        let line = String(
            decoding: try JSONEncoder.sorted.encode(open.content), as: UTF8.self)
        let revision = "\"revision\":\(open.content.revision)"
        let forms = [
            line.replacing("{\"authorities\"", with: "{\"a\":1,\"authorities\""),
            line.replacing("\"format\":", with: "\"format\":\"strongroom-keyring-1\",\"format\":"),
            line.replacing("\"revision\":", with: "\"revision\": "),
            line.replacing(revision, with: revision + ".0"),
            line.replacing(revision, with: revision + "e0"),
            line.replacing(revision, with: "\"revision\":0"),
            line.replacing(revision, with: "\"revision\":99999999999999999999"),
            line.replacing("\"name\":\"me\"", with: "\"name\":\"\\u006de\""),
            line.replacing("\"name\":\"me\"", with: "\"name\":\"file\""),
            line.replacing("\"name\":\"me\"", with: "\"name\":\"\\u202eme\""),
            line.replacing("\"name\":\"me\"", with: "\"name\":\"\""),
            String(repeating: "[", count: 100_000), "[]", "null", line + " ",
        ]
        for form in forms {
            let bytes = Array(form.utf8)
            let signature = Hexadecimal.text(try authority.signature(of: bytes))
            try fixture.put(bytes + Array("\ned25519 \(signature)\n".utf8))
            #expect(code { _ = try fixture.keyring() } == .damaged, "\(form.prefix(60))")
        }
        // A signature alone makes none of them wrong.
        let signature = Hexadecimal.text(try authority.signature(of: Array(line.utf8)))
        try fixture.put(Array("\(line)\ned25519 \(signature)\n".utf8))
        #expect(unlockCode(fixture.me) == nil)
    }

    @Test("In the place of the keyring: a FIFO, a link, a folder")
    func otherFiles() throws {
        let path = fixture.keyringPath
        let elsewhere = fixture.folder.path(of: "elsewhere")
        try FileManager.default.moveItem(atPath: path, toPath: elsewhere)
        #expect(mkfifo(path, 0o600) == 0)
        #expect(code { _ = try fixture.keyring() } == .damaged)
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: elsewhere)
        #expect(code { _ = try fixture.keyring() } == .damaged)
        let bytes = try Data(contentsOf: URL(filePath: elsewhere))
        #expect(
            code {
                try fixture.keyring().change(unlockingWith: fixture.me) { try $0.remove("ops") }
            }
                == .damaged)
        #expect(try Data(contentsOf: URL(filePath: elsewhere)) == bytes)
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        #expect(code { _ = try fixture.keyring() } == .damaged)
    }
}
