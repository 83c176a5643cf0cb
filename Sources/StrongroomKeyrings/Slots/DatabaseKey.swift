import StrongroomCore

/// The key of a database: a raw key and the salt, with what follows from them.
final class DatabaseKey: Sendable {
    private static let byteCount = KeyringContent.keyByteCount
    private static let rawByteCount = 32

    let cipherKey: CipherKey
    let stored: StoredSettings
    let settings: CipherSettings
    /// Tells keys apart, and tells nothing of them.
    let identifier: String
    private let bytes: SecretBytes

    /// - Parameter stored: Possible ones; their salt is replaced by the key's.
    init(_ key: CipherKey, _ stored: StoredSettings) throws {
        guard let raw = key.rawKey(), let salt = key.salt, let settings = stored.settings else {
            throw KeyringError(.failed, "", "the key of a database is a raw key with its salt")
        }
        cipherKey = key
        self.settings = settings
        self.stored = StoredSettings(settings, salt: salt)
        let pageKey = try PageKey(key, fileSalt: salt, settings: settings)
        identifier = try KeyIdentifier.text(ofVerificationKey: try pageKey.verificationKey())
        var bytes = SecretBytes(capacity: Self.byteCount)
        raw.withUnsafeBytes { bytes.append($0) }
        salt.bytes.withUnsafeBytes { bytes.append($0) }
        self.bytes = bytes
    }

    /// Whether a key file with SQLCipher's raw key opens a slot.
    func opens(
        _ slot: KeyringContent.StoredSlot, in content: KeyringContent
    ) throws -> Bool {
        guard slot.kind == .keyFile, let raw = cipherKey.rawKey() else { return false }
        let secret = SlotSecret(
            SharedSecret(raw), .keyFile, keyring: Hexadecimal.bytes(content.keyring) ?? [],
            id: slot.idBytes)
        guard let recipient = slot.recipient else {
            return try secret.vouching(of: slot, in: content) != nil
        }
        return try secret.identity().recipient == recipient
    }

    /// A new random one, for a database with these settings.
    ///
    /// - Parameter salt: The salt that a file with a plaintext header keeps; nil for a random one.
    static func generated(_ settings: CipherSettings, salt: CipherSalt?) throws -> DatabaseKey {
        guard let raw = SecretBytes.random(count: rawByteCount) else {
            throw KeyringError.noRandomness
        }
        let salt = try salt ?? CipherSalt.random()
        let key = try raw.withUnsafeBytes { try CipherKey(rawKey: $0, salt: salt) }
        return try DatabaseKey(key, StoredSettings(settings, salt: salt))
    }

    /// Another secret that follows from the key: `D(label)` of the format.
    func derived(_ label: String, keyring: [UInt8]) throws -> SecretBytes {
        try bytes.withUnsafeBytes {
            try ExpandedKey.key(
                from: $0, salt: keyring, purpose: KeyringContent.formatName + " " + label)
        }
    }

    /// The key as `--key-file` takes it.
    var fileText: SecretBytes {
        cipherKey.withSQLCipherBytes { text in
            var line = SecretBytes(capacity: text.count + 1)
            line.append(text)
            line.append(UInt8(ascii: "\n"))
            return line
        }
    }

    /// The key of the database whose keyring has it sealed; nil if it is not what was sealed.
    convenience init?(fileText: borrowing SecretBytes, _ stored: StoredSettings) throws {
        let key = fileText.withUnsafeBytes { try? CipherKey(parsing: $0) }
        guard let key, key.form == .rawKeyAndSalt, key.salt == stored.saltValue else { return nil }
        try self.init(key, stored)
    }

    /// What a connection needs besides the key.
    var pragmas: [String] { Self.pragmas(settings, cipherKey.salt) }

    static func pragmas(_ settings: CipherSettings, _ salt: CipherSalt?) -> [String] {
        settings == .version(.v4) ? [] : settings.pragmas(salt: salt)
    }

    // MARK: Retired keys

    /// The key, sealed for holders of a newer one.
    func sealed(under newer: DatabaseKey, keyring: [UInt8]) throws -> [UInt8] {
        let key = try newer.derived("previous " + identifier, keyring: keyring)
        return try bytes.withUnsafeBytes { try SealedBox.seal($0, key: key) }
    }

    /// A retired key.
    ///
    /// - Returns: nil if it was not sealed so.
    func opened(
        _ retired: KeyringContent.RetiredKey, keyring: [UInt8]
    ) throws -> DatabaseKey? {
        let key = try derived("previous " + retired.key, keyring: keyring)
        guard let sealed = Base64.bytes(retired.wrapped),
            let bytes = try SealedBox.open(sealed, key: key), bytes.count == Self.byteCount,
            let salt = bytes.withUnsafeBytes({ CipherSalt($0[Self.rawByteCount...]) })
        else { return nil }
        let cipherKey = try bytes.withUnsafeBytes {
            try CipherKey(
                rawKey: UnsafeRawBufferPointer(rebasing: $0[..<Self.rawByteCount]), salt: salt)
        }
        let old = try DatabaseKey(cipherKey, retired.cipher)
        return old.identifier == retired.key && old.stored == retired.cipher ? old : nil
    }

    // MARK: The authority

    private func authorityKey(_ publicKey: String, keyring: [UInt8]) throws -> SecretBytes {
        try derived("authority " + publicKey, keyring: keyring)
    }

    func sealAuthority(
        _ seed: borrowing SecretBytes, publicKey: PublicKey, keyring: [UInt8]
    ) throws -> [UInt8] {
        let key = try authorityKey(publicKey.hexadecimal, keyring: keyring)
        return try seed.withUnsafeBytes { try SealedBox.seal($0, key: key) }
    }

    /// The authority's seed; nil if it was not sealed with this key.
    func openAuthority(
        _ sealed: String, publicKey: String, keyring: [UInt8]
    ) throws -> SecretBytes? {
        guard let bytes = Base64.bytes(sealed) else { return nil }
        let seed = try SealedBox.open(bytes, key: authorityKey(publicKey, keyring: keyring))
        guard let seed = consume seed,
            try SigningKey(seed: seed).publicKey.hexadecimal == publicKey
        else { return nil }
        return seed
    }
}
