/// What tells the keys of databases apart, and tells nothing of them: an HMAC of a fixed text.
// Safety: the bytes are looked at inside of closures only.
package enum KeyIdentifier {
    private static let digitCount = 32

    /// - Parameter key: What ``PageKey/verificationKey()`` gives.
    package static func text(
        ofVerificationKey key: borrowing SecretBytes
    ) throws(DatabaseError) -> String {
        let purpose = Array("strongroom-backup-1 key identifier".utf8)
        let digest = unsafe key.withUnsafeBytes { key in
            unsafe purpose.withUnsafeBytes { purpose in
                Result { () throws(DatabaseError) in
                    try unsafe ContentDigest.authentication(of: purpose, key: key)
                }
            }
        }
        return String(try digest.get().hexadecimal.prefix(digitCount))
    }

    /// Whether a text can be one.
    package static func isPossible(_ text: String) -> Bool {
        text.utf8.count == digitCount && text.utf8.allSatisfy(Hexadecimal.isLowercaseDigit)
    }
}
