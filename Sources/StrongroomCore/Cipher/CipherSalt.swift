/// The 16 bytes that make the keys of two databases different although their passphrase is the same.
///
/// They are no secret: a file begins with them, unless it has a plaintext header.
package struct CipherSalt: Hashable, Sendable {
    package static let byteCount = RawKeyText.saltByteCount

    package let bytes: [UInt8]

    /// Nil for another number of bytes than 16.
    package init?(_ bytes: some Sequence<UInt8>) {
        let bytes = Array(bytes)
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = bytes
    }

    /// Nil for another text than 32 hexadecimal digits.
    package init?(hexadecimal: String) {
        let digits: [Int] = hexadecimal.utf8.compactMap {
            Character(Unicode.Scalar($0)).hexDigitValue
        }
        guard digits.count == hexadecimal.utf8.count, digits.count == 2 * Self.byteCount else {
            return nil
        }
        self.init(
            (0..<Self.byteCount).map { (index: Int) -> UInt8 in
                UInt8(digits[2 * index] << 4 | digits[2 * index + 1])
            })
    }

    /// A new salt from the system's source of randomness.
    package static func random() throws(CipherKeyError) -> CipherSalt {
        guard let random = SecretBytes.random(count: byteCount),
            let salt = random.withUnsafeBytes({ CipherSalt($0) })
        else {
            throw CipherKeyError(.randomUnavailable, "the system gave no random bytes for a salt")
        }
        return salt
    }

    /// As `PRAGMA cipher_salt` shows it.
    package var hexadecimal: String { Hexadecimal.text(bytes) }
}
