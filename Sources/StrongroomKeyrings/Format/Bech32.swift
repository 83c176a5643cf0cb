package import StrongroomCore

/// Bytes as letters that are hard to mistake for each other, with a checksum of six letters.
/// <https://github.com/bitcoin/bips/blob/master/bip-0173.mediawiki> and `bip-0350.mediawiki`
package enum Bech32 {
    /// Which of the two checksums.
    enum Variant: UInt32 {
        /// Of BIP 173: age's.
        case original = 1
        /// Of BIP 350, which sees every mistake that adds or removes letters, too.
        case modified = 0x2bc8_30a3
    }

    static let checksumCount = 6
    private static let letters = Array("qpzry9x8gf2tvdw0s3jn54khce6mua7l".utf8)

    /// The five bits of a letter in lower case.
    static func value(of letter: UInt8) -> UInt8? {
        letters.firstIndex(of: letter).map { UInt8($0) }
    }

    /// The letters of bytes, and of their checksum, in lower case.
    static func letters(
        _ bytes: UnsafeRawBufferPointer, prefix: String, _ variant: Variant
    ) -> SecretBytes {
        var text = SecretBytes(capacity: bytes.count * 8 / 5 + 1 + checksumCount)
        var checksum = Checksum(prefix: prefix)
        var bits: UInt32 = 0
        var count = 0
        for byte in bytes {
            bits = (bits << 8 | UInt32(byte)) & 0xfff
            count += 8
            while count >= 5 {
                count -= 5
                text.append(letter(bits >> UInt32(count), &checksum))
            }
        }
        if count > 0 { text.append(letter(bits << UInt32(5 - count), &checksum)) }
        for value in checksum.values(variant) { text.append(letters[Int(value)]) }
        return text
    }

    private static func letter(_ bits: UInt32, _ checksum: inout Checksum) -> UInt8 {
        let value = UInt8(bits & 31)
        checksum.add(value)
        return letters[Int(value)]
    }

    /// The bytes of letters in lower case, of which the last six are the checksum.
    ///
    /// - Returns: nil if a letter is none, if the checksum is wrong, or if bits are left over that are
    ///   not zero.
    static func bytes(
        ofLetters text: UnsafeRawBufferPointer, prefix: String, _ variant: Variant
    ) -> SecretBytes? {
        guard text.count >= checksumCount else { return nil }
        var bytes = SecretBytes(capacity: text.count)
        var checksum = Checksum(prefix: prefix)
        var bits: UInt32 = 0
        var count = 0
        for (index, letter) in text.enumerated() {
            guard let value = value(of: letter) else { return nil }
            checksum.add(value)
            guard index < text.count - checksumCount else { continue }
            bits = (bits << 5 | UInt32(value)) & 0xfff
            count += 5
            if count >= 8 {
                count -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
            }
        }
        let isRestZero = count < 5 && bits & (1 << UInt32(count) - 1) == 0
        return checksum.remainder == variant.rawValue && isRestZero ? consume bytes : nil
    }

    /// The checksum of what was added so far.
    private struct Checksum {
        private(set) var remainder: UInt32 = 1

        init(prefix: String) {
            for letter in prefix.utf8 { add(letter >> 5) }
            add(0)
            for letter in prefix.utf8 { add(letter & 31) }
        }

        mutating func add(_ value: UInt8) {
            let generators: [UInt32] = [
                0x3b6a_57b2, 0x2650_8e6d, 0x1ea1_19fa, 0x3d42_33dd, 0x2a14_62b3,
            ]
            let top = remainder >> 25
            remainder = (remainder & 0x1ff_ffff) << 5 ^ UInt32(value)
            for (bit, generator) in generators.enumerated() where top >> UInt32(bit) & 1 == 1 {
                remainder ^= generator
            }
        }

        func values(_ variant: Variant) -> [UInt8] {
            var whole = self
            for _ in 0..<checksumCount { whole.add(0) }
            let rest = whole.remainder ^ variant.rawValue
            return (0..<checksumCount).map {
                UInt8(rest >> UInt32(5 * (checksumCount - 1 - $0)) & 31)
            }
        }
    }
}

extension Bech32 {
    /// `prefix1…`, in lower case.
    package static func text(
        _ bytes: UnsafeRawBufferPointer, prefix: String
    ) -> SecretBytes {
        var text = SecretBytes()
        Array((prefix + "1").utf8).withUnsafeBytes { text.append($0) }
        letters(bytes, prefix: prefix, .original).withUnsafeBytes { text.append($0) }
        return text
    }

    /// The bytes of `prefix1…`, all in lower or all in upper case.
    package static func bytes(
        of text: UnsafeRawBufferPointer, prefix: String
    ) -> SecretBytes? {
        let start = Array((prefix + "1").utf8)
        guard text.count > start.count else { return nil }
        var hasLower = false
        var hasUpper = false
        var lower = SecretBytes(capacity: text.count)
        for byte in text {
            let isUpper = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
            hasUpper = hasUpper || isUpper
            hasLower = hasLower || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
            lower.append(isUpper ? byte | 0x20 : byte)
        }
        guard !(hasLower && hasUpper) else { return nil }
        return lower.withUnsafeBytes { lower in
            guard lower.starts(with: start) else { return nil }
            let letters = UnsafeRawBufferPointer(rebasing: lower[start.count...])
            return bytes(ofLetters: letters, prefix: prefix, .original)
        }
    }
}
