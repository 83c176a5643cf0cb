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
            bytes.append(value(text[digits]) << 4 | value(text[digits + 1]))
        }
        return bytes
    }

    /// The value of a hexadecimal digit, whether small or capital.
    private static func value(_ digit: UInt8) -> UInt8 {
        digit & 0x40 == 0 ? digit & 0xf : (digit & 0xf) + 9
    }
}
