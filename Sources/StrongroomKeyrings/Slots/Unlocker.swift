public import StrongroomCore
public import StrongroomEssentials

/// A secret that opens a slot of a keyring.
///
///     let key = try Keyring(of: "app.db").unlock(with: .passphrase("…"))
///
/// Secrets are in locked memory, which is overwritten when the last reference is released. You own the
/// `String` or `Data` that you pass in.
public struct Unlocker: Sendable {
    enum Secret: Sendable {
        case passphrase(SharedSecret)
        /// The database's own key, or that of a key file.
        case rawKey(CipherKey)
        case identities([AgeIdentity])
        case recoveryCode(RecoveryCode)
        case command(@Sendable ([UInt8]) throws -> SharedSecret)
        /// Nothing that can open a slot, with what is wrong with it.
        case refused(String)
    }

    let secret: Secret
    /// The only slot that is tried.
    var slot: String?
    /// What was derived from a passphrase; nil if it is derived each time.
    private(set) var memory: KeyringMemory?

    init(_ secret: Secret, slot: String? = nil) {
        self.secret = secret
        self.slot = slot
    }

    /// The same secret, from which each slot's key is derived once for all keyrings that it opens. What was derived is
    /// wiped when the last copy goes.
    package func remembering() -> Unlocker {
        var unlocker = self
        unlocker.memory = KeyringMemory(keepsSecrets: true)
        return unlocker
    }

    /// A passphrase, as UTF-8, without normalization.
    ///
    /// It is tried on each slot for passphrases; each takes half a second, and 128 MiB.
    public static func passphrase(_ passphrase: String) -> Unlocker {
        var passphrase = passphrase
        return passphrase.withUTF8 { self.passphrase(bytes: UnsafeRawBufferPointer($0)) }
    }

    /// A passphrase, as bytes.
    public static func passphrase(_ passphrase: Data) -> Unlocker {
        passphrase.withUnsafeBytes { self.passphrase(bytes: $0) }
    }

    private static func passphrase(bytes: UnsafeRawBufferPointer) -> Unlocker {
        Unlocker(.passphrase(SharedSecret(SecretBytes(copying: bytes))))
    }

    /// A raw key: that of a slot for key files, or the database's own key.
    ///
    /// A key that is a passphrase is read as ``parsing(_:)`` reads it.
    public static func key(_ key: CipherKey) -> Unlocker { parsing(key) }

    /// An age identity, `AGE-SECRET-KEY-1…`, or the content of an identity file with comments.
    ///
    ///     let unlocker = try Unlocker.identity("AGE-SECRET-KEY-1…")
    ///
    /// - Throws: ``KeyringError`` if it has no identity.
    public static func identity(_ text: String) throws -> Unlocker {
        var text = text
        let identities = try text.withUTF8 {
            try AgeIdentity.identities(in: UnsafeRawBufferPointer($0))
        }
        guard !identities.isEmpty else { throw noIdentity("") }
        return Unlocker(.identities(identities))
    }

    /// The age identities of a file.
    ///
    /// - Throws: ``KeyringError`` if it has none; `CipherKeyError` if it cannot be read.
    public static func identity(file path: String) throws -> Unlocker {
        let content = try CipherKey(contentsOfFile: path)
        let identities = try content.withSQLCipherBytes { try AgeIdentity.identities(in: $0) }
        guard !identities.isEmpty else { throw noIdentity(path) }
        return Unlocker(.identities(identities))
    }

    /// A recovery code.
    public static func recoveryCode(_ code: RecoveryCode) -> Unlocker {
        Unlocker(.recoveryCode(code))
    }

    /// What unwraps the blob of a slot for commands: a call of a key-management service, or of a chip.
    ///
    /// - Parameter unwrap: Gets the slot's blob, and returns the 32 bytes that were wrapped.
    public static func command(_ unwrap: @escaping @Sendable (Data) throws -> Data) -> Unlocker {
        Unlocker(
            .command { blob in
                try unwrap(Data(blob)).withUnsafeBytes { SharedSecret(SecretBytes(copying: $0)) }
            })
    }

    /// What unwraps the blob of a slot for commands, for a caller whose memory is wiped.
    package static func command(
        secretly unwrap: @escaping @Sendable ([UInt8]) throws -> SecretBytes
    ) -> Unlocker {
        Unlocker(.command { SharedSecret(try unwrap($0)) })
    }

    /// Tries one slot only, which saves the time of the others.
    ///
    /// - Parameter name: The slot's name.
    public func onlySlot(_ name: String) -> Unlocker {
        var unlocker = self
        unlocker.slot = name
        return unlocker
    }

    private static func noIdentity(_ path: String) -> KeyringError {
        KeyringError(
            .invalid, path, "there is no age identity in \(path.isEmpty ? "the text" : path)",
            hint: "age-keygen writes one: a line that begins AGE-SECRET-KEY-1")
    }
}

// MARK: - What somebody has typed

extension Unlocker {
    /// Reads what was given as a key by its form.
    ///
    /// A raw key is the database's own key or that of a key-file slot, `AGE-SECRET-KEY-1…` an identity, and
    /// 32 letters with the right checksum are a recovery code. Everything else is a passphrase.
    ///
    ///     let unlocker = Unlocker.parsing(try CipherKey(contentsOfFile: "secret.txt"))
    ///
    /// A recovery code that stands in groups of four and is mistyped opens nothing, and is not tried as a
    /// passphrase.
    public static func parsing(_ key: CipherKey) -> Unlocker {
        guard key.form == .passphrase else { return Unlocker(.rawKey(key)) }
        return key.withSQLCipherBytes { parsing(bytes: $0) }
    }

    private static func parsing(bytes: UnsafeRawBufferPointer) -> Unlocker {
        if let identities = try? AgeIdentity.identities(in: bytes), !identities.isEmpty {
            return Unlocker(.identities(identities))
        }
        if let code = RecoveryCode(bytes: bytes) { return Unlocker(.recoveryCode(code)) }
        if RecoveryCode.looksLikeCode(bytes) {
            return Unlocker(.refused("the recovery code is mistyped"))
        }
        if AgeIdentity.looksLikeIdentity(bytes) {
            return Unlocker(.refused("the age identity is mistyped, or cut off"))
        }
        if bytes.starts(with: "ssh-".utf8) || bytes.starts(with: "-----BEGIN ".utf8) {
            return Unlocker(
                .refused("SSH keys open no slot; age-keygen creates an identity that does"))
        }
        return passphrase(bytes: bytes)
    }
}

extension AgeIdentity {
    private static let start = Array("AGE-SECRET-KEY-1".utf8)

    /// The identities of an identity file; other lines are empty, or comments.
    ///
    /// - Returns: None if any other line is something else.
    static func identities(in text: UnsafeRawBufferPointer) throws -> [AgeIdentity] {
        var identities: [AgeIdentity] = []
        for line in text.split(separator: UInt8(ascii: "\n")) {
            var line = UnsafeRawBufferPointer(rebasing: line)
            if line.last == UInt8(ascii: "\r") {
                line = UnsafeRawBufferPointer(rebasing: line.dropLast())
            }
            if line.isEmpty || line.first == UInt8(ascii: "#") { continue }
            guard let identity = try AgeIdentity(line) else { return [] }
            identities.append(identity)
        }
        return identities
    }

    /// Whether somebody meant an identity.
    static func looksLikeIdentity(_ text: UnsafeRawBufferPointer) -> Bool {
        text.split(separator: UInt8(ascii: "\n")).contains { $0.starts(with: start) }
    }
}

extension Unlocker {
    /// Whether it opens what others may have encrypted, who do not have it.
    package var opensWhatOthersEncrypt: Bool {
        switch secret {
        case .identities, .command: true
        case .passphrase, .rawKey, .recoveryCode, .refused: false
        }
    }
}
