import Foundation
import StrongroomCore
import StrongroomTestSupport
import Testing

@testable import StrongroomKeyrings

/// Vectors of the documents that define them.
@Suite("The cryptography of keyrings")
struct CryptographyTests {
    private func secret(_ hexadecimal: String) throws -> SecretBytes {
        SecretBytes(bytes: try #require(Hexadecimal.bytes(hexadecimal)))
    }

    private func text(_ secret: borrowing SecretBytes) -> String {
        secret.withUnsafeBytes { Hexadecimal.text($0) }
    }

    @Test("HKDF gives the keys of RFC 5869", .proves("KSL-003"))
    func expandedKey() throws {
        // The first 32 bytes of test case 1. Its info, f0 to f9, is no text: case 3 has none.
        let key = try secret(String(repeating: "0b", count: 22)).withUnsafeBytes {
            try ExpandedKey.key(from: $0, salt: [], purpose: "")
        }
        #expect(text(key) == "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d")
    }

    @Test("scrypt gives the keys of RFC 7914", .proves("KSL-003"))
    func scrypt() throws {
        let parameters = Scrypt(salt: Array("SodiumChloride".utf8), cost: 16384)
        let key = try SecretBytes("pleaseletmein").withUnsafeBytes { try parameters.key(from: $0) }
        #expect(text(key) == "7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2")
    }

    /// One key pair of RFC 7748, and what Python's `cryptography` makes of it and another.
    @Test("X25519 agrees as others do, and not with points of small order", .proves("KSL-003"))
    func agreement() throws {
        let one = try AgreementKey(
            secret: secret("0102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f20"))
        let other = try AgreementKey(
            secret: secret("5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb"))
        #expect(
            Hexadecimal.text(other.publicKey)
                == "de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f")
        let shared = SharedSecret(try one.secret(with: other.publicKey) ?? SecretBytes())
        #expect(
            text(shared.bytes) == "d14e3eb51b7b09d706f3b4c80cf958294df5bc5ebc510219248915d04d047131"
        )
        for first: UInt8 in [0, 1] {
            let point = [first] + [UInt8](repeating: 0, count: 31)
            let isNil = try one.secret(with: point) == nil
            #expect(isNil)
        }
    }

    /// What Python's `cryptography` makes of the same.
    @Test(
        "ChaCha20-Poly1305 seals as others do, and opens nothing that was changed",
        .proves("KSL-003"))
    func sealing() throws {
        let key = SecretBytes(bytes: 0x80..<0xa0)
        var sealed = try SecretBytes("Ladies and Gentlemen").withUnsafeBytes {
            try SealedBox.seal($0, key: key)
        }
        #expect(
            Hexadecimal.text(sealed)
                == "663d7ec45b29ceaaa35505b8c1b3d94613a50fd7d0157866152ebae413f9e87ee014e82d")
        let opened = SharedSecret(try SealedBox.open(sealed, key: key) ?? SecretBytes())
        let isOpened = opened.bytes.isEqual(to: SecretBytes("Ladies and Gentlemen"))
        #expect(isOpened)
        for index in sealed.indices {
            sealed[index] ^= 1
            let isRefused = try SealedBox.open(sealed, key: key) == nil
            #expect(isRefused)
            sealed[index] ^= 1
        }
        let isShortRefused = try SealedBox.open(Array(sealed.prefix(15)), key: key) == nil
        #expect(isShortRefused)
    }
}

extension SecretBytes {
    init(bytes: some Sequence<UInt8>) {
        self.init()
        for byte in bytes { append(byte) }
    }
}
