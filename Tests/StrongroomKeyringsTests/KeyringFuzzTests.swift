import Foundation
import StrongroomCore
import StrongroomTestSupport
import Testing

@testable import StrongroomKeyrings

/// Keyrings of somebody who has the key and writes anything: signatures are right, numbers are not.
@Suite("Random keyrings", .proves("KSL-001", "KSL-009"))
struct KeyringFuzzTests {
    let fixture: KeyringFixture
    let open: OpenKeyring
    let authority: SigningKey

    init() throws {
        fixture = try KeyringFixture()
        try fixture.create {
            try $0.addRecoveryCode(.generated())
            try $0.addCommand(name: "kms") { Data($0) }
        }
        try fixture.keyring().rotate(unlockingWith: fixture.me)
        open = try fixture.keyring().open(with: fixture.me)
        authority = try SigningKey(seed: open.authoritySeed())
    }

    @Test("whose signature is right open, or are refused")
    func signed() throws {
        let line = try JSONEncoder.sorted.encode(open.content)
        let values: [any Sendable] = [
            0, -1, 1, 255, 1 << 31, 1 << 53, Int.max, Int.min, "", "a", "\u{0}", "é\u{301}",
            String(repeating: "0", count: 32), String(repeating: "f", count: 128), [Int](), true,
            "2026-13-45T99:99:99.999Z", "AAAA", "strongroom-keyring-2",
        ]
        var openedCount = 0
        let count = try Fuzzing().run("a signed keyring", inputs: 300) { random in
            var tree = try JSONSerialization.jsonObject(with: line)
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                tree = Self.changed(tree, values, &random)
            }
            let options: JSONSerialization.WritingOptions = [.sortedKeys, .withoutEscapingSlashes]
            let bytes = [UInt8](try JSONSerialization.data(withJSONObject: tree, options: options))
            let signature = Hexadecimal.text(try authority.signature(of: bytes))
            do {
                let text = try KeyringText(
                    bytes + Array("\ned25519 \(signature)\n".utf8), path: "random")
                _ = try KeyringOpening(text: text, path: "random").open(with: fixture.me)
                openedCount += 1
            } catch is KeyringError {}
        }
        // Some changes are harmless: names, times, events.
        #expect(openedCount < Int(count) / 2)
    }

    @Test("with bytes changed are refused", .proves("KSL-004"))
    func mutated() throws {
        let bytes = open.text.bytes
        _ = try Fuzzing().run("a keyring", inputs: 300) { random in
            var mutated = bytes
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let index = Int.random(in: 0..<mutated.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: mutated[index] = UInt8.random(in: 0...255, using: &random)
                case 1: mutated.remove(at: index)
                default: mutated.insert(UInt8.random(in: 32...126, using: &random), at: index)
                }
            }
            guard mutated != bytes else { return }
            #expect(throws: KeyringError.self) { try KeyringText(mutated, path: "a mutation") }
        }
    }

    @Test("Random texts as secrets open nothing")
    func secrets() throws {
        let starts = ["", "AGE-SECRET-KEY-1", "HWD9-28YD", "x'", "# ", "ssh-", "age1"]
        _ = try Fuzzing().run("a secret for a keyring", inputs: 100) { random in
            var bytes = Array((starts.randomElement(using: &random) ?? "").utf8)
            for _ in 0..<Int.random(in: 1...80, using: &random) {
                bytes.append(UInt8.random(in: 1...255, using: &random))
            }
            guard let key = bytes.withUnsafeBytes({ try? CipherKey(parsing: $0) }) else { return }
            let unlocker = Unlocker.parsing(key)
            // A derivation for each would take too long.
            if case .passphrase = unlocker.secret { return }
            #expect(throws: KeyringError.self) {
                try KeyringOpening(text: open.text, path: "").open(with: unlocker)
            }
        }
    }

    /// A tree with one of its values replaced, removed or doubled.
    private static func changed(
        _ tree: Any, _ values: [any Sendable], _ random: inout SeededGenerator
    ) -> Any {
        if var object = tree as? [String: Any],
            let key = object.keys.sorted().randomElement(using: &random)
        {
            switch Int.random(in: 0..<12, using: &random) {
            case 0: object[key] = nil
            case 1: object[key + "x"] = object[key]
            case 2: object[key] = values[Int.random(in: values.indices, using: &random)]
            default:
                object[key] = object[key].map { changed($0, values, &random) }
            }
            return object
        }
        if var array = tree as? [Any], !array.isEmpty {
            let index = Int.random(in: 0..<array.count, using: &random)
            switch Int.random(in: 0..<12, using: &random) {
            case 0: array.remove(at: index)
            case 1: array.append(array[index])
            default: array[index] = changed(array[index], values, &random)
            }
            return array
        }
        return values[Int.random(in: values.indices, using: &random)]
    }
}
