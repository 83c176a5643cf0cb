internal import Synchronization

/// What the connections of a queue or pool remember of the keyring that opens their file: what scrypt
/// made of passphrases, and the cipher settings.
///
/// 1. What was derived is in locked memory, is wiped when the queue or pool goes, and no passphrase is
///    kept.
/// 2. A passphrase gets only what was derived from it.
/// 3. The key itself is remembered, as each open connection has it.
/// 4. Connections that want it at the same time derive it once: the others wait.
package final class KeyringMemory: Sendable {
    private let known = Mutex<[Known]>([])
    private static let limit = 16

    private final class Known: Sendable {
        let parameters: Scrypt
        let secret: SecretBytes
        /// What only the passphrase that the secret was derived from gives.
        let proof: SecretBytes

        init(_ parameters: Scrypt, _ secret: consuming SecretBytes, _ proof: consuming SecretBytes)
        {
            self.parameters = parameters
            self.secret = secret
            self.proof = proof
        }

        func isDerived(from passphrase: UnsafeRawBufferPointer, _ parameters: Scrypt) -> Bool {
            guard parameters == self.parameters else { return false }
            let claim = secret.withUnsafeBytes { KeyDerivation.proof(of: passphrase, for: $0) }
            return claim?.isEqual(to: proof) ?? false
        }
    }

    /// The key that the first connection was given.
    package struct Unlocked: Sendable {
        package let path: String
        package let identifier: String
        package let key: CipherKey

        package init(path: String, identifier: String, key: CipherKey) {
            self.path = path
            self.identifier = identifier
            self.key = key
        }
    }

    private let unlockedKey = Mutex<Unlocked?>(nil)

    /// What later connections need no secret for, as long as the keyring has that key: a secret that was changed
    /// since does not keep an open queue or pool from its file.
    package var unlocked: Unlocked? {
        get { unlockedKey.withLock { $0 } }
        set { if keepsSecrets { unlockedKey.withLock { $0 = newValue } } }
    }

    private let keepsSecrets: Bool
    private let pragmas = Mutex<[String]?>(nil)

    /// - Parameter keepsSecrets: Whether what was derived is kept.
    package init(keepsSecrets: Bool) {
        self.keepsSecrets = keepsSecrets
    }

    /// What a connection needs besides the key; nil before the keyring was opened.
    package var settings: [String]? {
        get { pragmas.withLock { $0 } }
        set { pragmas.withLock { $0 = newValue } }
    }

    /// What the passphrase gives, derived now unless it was before.
    package func secret(
        from passphrase: UnsafeRawBufferPointer, _ parameters: Scrypt
    ) throws(DatabaseError) -> SecretBytes {
        guard keepsSecrets else { return try parameters.key(from: passphrase) }
        return try known.withLock { known throws(DatabaseError) in
            if let found = known.first(where: { $0.isDerived(from: passphrase, parameters) }) {
                return found.secret.withUnsafeBytes { SecretBytes(copying: $0) }
            }
            let secret = try parameters.key(from: passphrase)
            let proof = secret.withUnsafeBytes { KeyDerivation.proof(of: passphrase, for: $0) }
            if let proof = consume proof {
                if known.count == Self.limit { known.removeFirst() }
                let copy = secret.withUnsafeBytes { SecretBytes(copying: $0) }
                known.append(Known(parameters, copy, proof))
            }
            return secret
        }
    }
}
