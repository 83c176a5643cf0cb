extension CipherKey {
    /// The 32 bytes of a raw key; nil for a passphrase.
    package func rawKey() -> SecretBytes? {
        guard form != .passphrase else { return nil }
        return withSQLCipherBytes { RawKeyText.bytes(of: $0, 0..<RawKeyText.keyByteCount) }
    }

    /// The salt that comes with a raw key.
    package var salt: CipherSalt? {
        guard form == .rawKeyAndSalt else { return nil }
        let end = RawKeyText.keyByteCount + RawKeyText.saltByteCount
        let bytes = withSQLCipherBytes { RawKeyText.bytes(of: $0, RawKeyText.keyByteCount..<end) }
        return bytes.withUnsafeBytes { CipherSalt($0) }
    }

    /// A raw key with its salt: what opens a database without any derivation.
    package convenience init(
        rawKey: UnsafeRawBufferPointer, salt: CipherSalt
    ) throws(CipherKeyError) {
        var text = SecretBytes()
        salt.bytes.withUnsafeBytes { RawKeyText.write(key: rawKey, salt: $0, to: &text) }
        let key = try text.withUnsafeBytes { bytes throws(CipherKeyError) in
            try CipherKey(parsing: bytes)
        }
        self.init(copying: key)
    }
}

extension RawKeyText {
    /// Some of the bytes that a raw key's text has two digits for.
    fileprivate static func bytes(
        of text: UnsafeRawBufferPointer, _ range: Range<Int>
    ) -> SecretBytes {
        var bytes = SecretBytes(capacity: range.count)
        for index in range {
            let digits = 2 + 2 * index
            // They are digits: the form was checked when the key was made.
            let high = Hexadecimal.value(of: text[digits]) ?? 0
            let low = Hexadecimal.value(of: text[digits + 1]) ?? 0
            bytes.append(high << 4 | low)
        }
        return bytes
    }
}
