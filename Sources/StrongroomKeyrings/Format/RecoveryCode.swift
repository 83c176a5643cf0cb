import StrongroomCore

/// A code to keep on paper, which opens a keyring when everything else is lost.
///
/// It is 16 random bytes, shown as 32 letters in groups of four, six of which are a checksum: whatever
/// is wrong in up to four letters is noticed before anything is opened.
///
///     let code = try RecoveryCode.generated()
///     try keyring.change(unlockingWith: .passphrase(passphrase)) { change in
///         try change.addRecoveryCode(code, name: "paper")
///     }
///     print(code.text)
public struct RecoveryCode: Sendable {
    private static let prefix = "srr"
    private static let byteCount = 16
    static let letterCount = 32
    private static let groupCount = 4

    /// The 16 bytes.
    let seed: SharedSecret

    private init(_ seed: consuming SecretBytes) {
        self.seed = SharedSecret(seed)
    }

    /// Makes a code from the system's source of randomness.
    ///
    ///     let code = try RecoveryCode.generated()
    ///
    /// - Throws: ``KeyringError`` if the system gives no random bytes.
    public static func generated() throws -> RecoveryCode {
        guard let seed = SecretBytes.random(count: byteCount) else {
            throw KeyringError.noRandomness
        }
        return RecoveryCode(seed)
    }

    /// Reads a typed code, in upper or lower case, with or without dashes and spaces.
    ///
    /// Letters that no code has are taken for those that look like them: `o` for `0`, `i` and `1` for
    /// `l`, and `b` for `8`.
    ///
    /// - Returns: nil if it is mistyped, or no code.
    public init?(_ text: String) {
        let code = SecretBytes(text).withUnsafeBytes { RecoveryCode(bytes: $0) }
        guard let code else { return nil }
        self = code
    }

    /// The same, from bytes.
    init?(bytes: UnsafeRawBufferPointer) {
        guard let seed = Self.seed(bytes) else { return nil }
        self.init(seed)
    }

    private static func seed(_ bytes: UnsafeRawBufferPointer) -> SecretBytes? {
        guard let letters = letters(bytes) else { return nil }
        return letters.withUnsafeBytes { letters in
            guard letters.count == letterCount else { return nil }
            let seed = Bech32.bytes(ofLetters: letters, prefix: prefix, .modified)
            return seed
        }
    }

    /// What was typed, without what stands between; nil if something in it is no letter of a code.
    static func letters(_ bytes: UnsafeRawBufferPointer) -> SecretBytes? {
        var letters = SecretBytes(capacity: letterCount)
        for byte in bytes {
            guard !" -\t\r\n".utf8.contains(byte) else { continue }
            let lower = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
            let letter: UInt8 =
                switch lower {
                case UInt8(ascii: "o"): UInt8(ascii: "0")
                case UInt8(ascii: "i"), UInt8(ascii: "1"): UInt8(ascii: "l")
                case UInt8(ascii: "b"): UInt8(ascii: "8")
                default: lower
                }
            guard Bech32.value(of: letter) != nil, letters.count <= letterCount else { return nil }
            letters.append(letter)
        }
        return letters
    }

    /// Whether bytes have as many letters as a code, and no others: so has many a random passphrase.
    static func hasLettersOfCode(_ bytes: UnsafeRawBufferPointer) -> Bool {
        letters(bytes)?.count == letterCount
    }

    /// Whether bytes are a code, or one that is mistyped, for certain: they stand in groups, too.
    static func looksLikeCode(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let groups = bytes.split { " -\t\r\n".utf8.contains($0) }
        return groups.count == letterCount / groupCount
            && groups.allSatisfy { $0.count == groupCount } && hasLettersOfCode(bytes)
    }

    /// The code as it is shown: `HWD9-28YD-SASH-LA2V-MUUY-7ASV-XQ4L-5SND`.
    ///
    /// A string cannot be wiped from memory: ask for it only to show it.
    public var text: String {
        let letters = seed.bytes.withUnsafeBytes {
            Bech32.letters($0, prefix: Self.prefix, .modified)
        }
        var text = ""
        letters.withUnsafeBytes { letters in
            for (index, letter) in letters.enumerated() {
                if index > 0, index.isMultiple(of: Self.groupCount) { text += "-" }
                text.unicodeScalars.append(Unicode.Scalar(letter))
            }
        }
        return text.uppercased()
    }
}

extension RecoveryCode: CustomStringConvertible, CustomReflectable {
    /// That it is a code, without its letters.
    public var description: String { "RecoveryCode" }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
