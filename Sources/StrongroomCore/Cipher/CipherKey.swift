public import StrongroomEssentials

/// The key of an encrypted database: a passphrase, or a raw key with or without its salt.
///
/// The key is in locked memory, which is overwritten when the last reference is released. No
/// description, mirror or error shows it. You own the `String` or `Data` that you pass in: if no
/// copy may stay, use ``init(parsing:)`` with your own memory.
///
/// ```swift
/// let key = try CipherKey(passphrase: "correct horse battery staple")
/// let database = try DatabaseFile(path: "app.db", key: key).open()
/// ```
public final class CipherKey: Sendable {
    /// The forms of a key that SQLCipher accepts.
    public enum Form: Sendable {
        /// Bytes from which SQLCipher derives the key, which takes about 100 ms for each
        /// connection.
        case passphrase
        /// The 32 bytes of the key itself; the salt is in the database file.
        case rawKey
        /// The 32 bytes of the key and the 16 bytes of the salt.
        case rawKeyAndSalt
    }

    /// Whether the key is a passphrase, a raw key, or a raw key with its salt.
    public let form: Form

    /// What `sqlite3_key_v2` takes: the passphrase's bytes, or the text `x'…'`.
    private let text: SecretBytes

    private init(form: Form, text: consuming SecretBytes) {
        self.form = form
        self.text = text
    }

    convenience init(passphrase text: consuming SecretBytes) throws(CipherKeyError) {
        if let error = text.withUnsafeBytes({ RawKeyText.refusalAsPassphrase($0) }) {
            throw error
        }
        self.init(form: .passphrase, text: text)
    }

    /// Creates a passphrase from a string's UTF-8, without normalization.
    ///
    /// - Throws: ``CipherKeyError`` if it is empty, contains a NUL, or is a text that SQLCipher
    ///   would take for a raw key.
    public convenience init(passphrase: String) throws(CipherKeyError) {
        var passphrase = passphrase
        var text = SecretBytes(capacity: passphrase.utf8.count)
        passphrase.withUTF8 { text.append(UnsafeRawBufferPointer($0)) }
        try self.init(passphrase: text)
    }

    /// Creates a passphrase from any bytes except NUL; they need not be UTF-8.
    ///
    /// - Throws: ``CipherKeyError`` if it is empty, contains a NUL, or is a text that SQLCipher
    ///   would take for a raw key.
    public convenience init(passphrase: Data) throws(CipherKeyError) {
        var text = SecretBytes(capacity: passphrase.count)
        passphrase.withUnsafeBytes { text.append($0) }
        try self.init(passphrase: text)
    }

    /// Creates a raw key of 32 bytes. No key is derived, so opening takes a thousandth of the time.
    ///
    /// With a salt, a new database gets this salt, and in an existing one, the salt in the file is
    /// ignored. Without a salt, a new database gets a random one.
    ///
    /// - Throws: ``CipherKeyError`` if the key does not have 32 bytes, or the salt 16.
    public convenience init(rawKey: Data, salt: Data? = nil) throws(CipherKeyError) {
        guard rawKey.count == RawKeyText.keyByteCount else {
            throw .wrongLength("a raw key", has: rawKey.count, needs: RawKeyText.keyByteCount)
        }
        if let salt, salt.count != RawKeyText.saltByteCount {
            throw .wrongLength("a salt", has: salt.count, needs: RawKeyText.saltByteCount)
        }
        var text = SecretBytes()
        rawKey.withUnsafeBytes { key in
            if let salt {
                salt.withUnsafeBytes { RawKeyText.write(key: key, salt: $0, to: &text) }
            } else {
                RawKeyText.write(key: key, salt: nil, to: &text)
            }
        }
        self.init(form: salt == nil ? .rawKey : .rawKeyAndSalt, text: text)
    }

    /// Parses a key file: a passphrase, or a raw key `x'…'` with 64 or 96 hexadecimal digits.
    ///
    /// One final newline (`\n` or `\r\n`) is ignored. SQLCipher silently takes a raw key of another
    /// length for a passphrase; here, a text that begins like a raw key must be one.
    ///
    /// - Throws: ``CipherKeyError`` if it is empty, contains a NUL, or begins like a raw key but is
    ///   none.
    public convenience init(parsing bytes: UnsafeRawBufferPointer) throws(CipherKeyError) {
        let line = RawKeyText.droppingFinalNewline(bytes)
        if let form = try RawKeyText.form(of: line) {
            self.init(form: form, text: SecretBytes(copying: line))
        } else {
            try self.init(passphrase: SecretBytes(copying: line))
        }
    }

    /// The same key, in memory of its own.
    convenience init(copying key: CipherKey) {
        let text = key.text.withUnsafeBytes { SecretBytes(copying: $0) }
        self.init(form: key.form, text: text)
    }

    /// Creates a raw key of 32 bytes from the system's random source.
    ///
    ///     let key = try CipherKey.generated()
    ///     try key.write(toNewFile: "app.key")
    ///
    /// - Throws: ``CipherKeyError`` if the system provides no random bytes.
    public static func generated() throws(CipherKeyError) -> CipherKey {
        guard let bytes = SecretBytes.random(count: RawKeyText.keyByteCount) else {
            throw CipherKeyError(.randomUnavailable, "the system gave no random bytes for a key")
        }
        var text = SecretBytes()
        bytes.withUnsafeBytes { RawKeyText.write(key: $0, salt: nil, to: &text) }
        return CipherKey(form: .rawKey, text: text)
    }

    /// The bytes that `sqlite3_key_v2` takes: those of the passphrase, or the text `x'…'`.
    package func withSQLCipherBytes<R: ~Copyable, E: Error>(
        _ body: (UnsafeRawBufferPointer) throws(E) -> R
    ) throws(E) -> R {
        try text.withUnsafeBytes(body)
    }

    /// Whether both are the same bytes, in a time that depends on their number alone.
    ///
    /// A passphrase and the raw key that SQLCipher derives from it are not the same in this sense.
    package func isSame(as other: CipherKey) -> Bool {
        text.isEqual(to: other.text)
    }
}

extension CipherKey: CustomStringConvertible, CustomReflectable {
    /// The form of the key, without its content.
    public var description: String {
        switch form {
        case .passphrase: "CipherKey (passphrase)"
        case .rawKey: "CipherKey (raw key)"
        case .rawKeyAndSalt: "CipherKey (raw key and salt)"
        }
    }

    /// A mirror without children.
    public var customMirror: Mirror {
        Mirror(self, children: [])
    }
}
