import StrongroomCore
import StrongroomTestSupport
import Testing

@testable import StrongroomKeyrings

@Suite("Recovery codes, recipients and identities as text")
struct Bech32Tests {
    /// A recipient and its identity, of a pair that `age-keygen` made.
    private static let identity =
        "AGE-SECRET-KEY-1LF8DQCNKVMHYNYY6MJSZQ2GW7WE7X2RU66GJVPCJVV5MYAQEC4JS4V5UUS"
    private static let recipient =
        "age109l9su08kxnsrmz57hr79ucc5dv4dkru5499kmme22zc6h6pjg7q44s672"

    @Test("An identity gives the recipient that age-keygen gives", .proves("KSL-002"))
    func pair() throws {
        let identity = try SecretBytes(Self.identity).withUnsafeBytes { try AgeIdentity($0) }
        #expect(identity?.recipient == Self.recipient)
        let text = identity?.text.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
        #expect(text == Self.identity)
    }

    @Test("A recipient with any letter changed is none", .proves("KSL-001"))
    func mistyped() throws {
        #expect(AgeIdentity.publicKey(ofRecipient: Self.recipient) != nil)
        #expect(AgeIdentity.publicKey(ofRecipient: Self.recipient.uppercased()) != nil)
        #expect(AgeIdentity.publicKey(ofRecipient: "A" + Self.recipient.dropFirst()) == nil)
        for index in Self.recipient.indices {
            for letter in "qz7" where Self.recipient[index] != letter {
                var text = Self.recipient
                text.replaceSubrange(index...index, with: String(letter))
                #expect(AgeIdentity.publicKey(ofRecipient: text) == nil, "\(text)")
            }
        }
        for text in ["", "age", "age1", "age1qqqqqq", "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"]
        {
            #expect(AgeIdentity.publicKey(ofRecipient: text) == nil, "\(text)")
        }
    }

    @Test("A code is 32 letters in groups of four, and reads as it was shown", .proves("RCV-001"))
    func code() throws {
        for _ in 0..<100 {
            let code = try RecoveryCode.generated()
            let text = code.text
            #expect(
                text.count == 39
                    && text.split(separator: "-").map(\.count) == Array(repeating: 4, count: 8))
            #expect(!text.contains { "1BIO".contains($0) })
            let spoken = text.lowercased().replacing("-", with: " ")
                .replacing("0", with: "o").replacing("8", with: "b").replacing("l", with: "1")
            for typed in [
                text, spoken, text.replacing("-", with: ""), text.replacing("L", with: "i"),
            ] {
                let read = try #require(RecoveryCode(typed), "\(typed)")
                let isSame = read.seed.bytes.isEqual(to: code.seed.bytes)
                #expect(isSame)
            }
        }
        #expect("\(try RecoveryCode.generated())" == "RecoveryCode")
    }

    /// The contract's example: 16 bytes that another program has encoded.
    @Test("The example of the format page is a code", .proves("RCV-001"))
    func example() {
        #expect(RecoveryCode("HWD9-28YD-SASH-LA2V-MUUY-7ASV-XQ4L-5SND") != nil)
    }

    @Test(
        "A code with one to four wrong letters, or two exchanged, is refused",
        .proves("RCV-002"))
    func mistypedCode() throws {
        var random = SeededGenerator(seed: 1)
        let letters = Array("QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L")
        var right: [Character] = []
        for index in 0..<10_000 {
            if index.isMultiple(of: 100) {
                right = Array(try RecoveryCode.generated().text.filter { $0 != "-" })
            }
            var typed = right
            if Bool.random(using: &random) {
                let index = Int.random(in: 0..<31, using: &random)
                typed.swapAt(index, index + 1)
            } else {
                for _ in 0..<Int.random(in: 1...4, using: &random) {
                    typed[Int.random(in: 0..<32, using: &random)] =
                        letters.randomElement(using: &random) ?? "Q"
                }
            }
            guard typed != right else { continue }
            #expect(RecoveryCode(String(typed)) == nil, "\(String(typed))")
            guard index.isMultiple(of: 50) else { continue }
            // In groups it is a code for certain, and is not tried as a passphrase.
            let groups = stride(from: 0, to: 32, by: 4).map { String(typed[$0..<($0 + 4)]) }
            for separator in ["-", " "] {
                let key = try CipherKey(passphrase: groups.joined(separator: separator))
                guard case .refused = Unlocker.parsing(key).secret else {
                    Issue.record("\(groups) is taken for something else")
                    continue
                }
            }
        }
    }

    @Test(
        "Random passphrases of 32 letters are passphrases",
        .proves("KSL-050"),
        arguments: ["0123456789abcdef0123456789abcdef", "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"])
    func passphrasesOfAsManyLetters(_ text: String) throws {
        guard case .passphrase = try Unlocker.parsing(CipherKey(passphrase: text)).secret else {
            Issue.record("\(text) is no passphrase")
            return
        }
        let fixture = try KeyringFixture()
        try fixture.create { try $0.addPassphrase(text, name: "random", work: 14) }
        #expect(try fixture.note(.passphrase(text)) != nil)
        let error = #expect(throws: KeyringError.self) {
            try fixture.keyring().unlock(with: .passphrase(String(text.reversed())))
        }
        #expect(error?.hint?.contains("recovery code") == true)
    }
}
