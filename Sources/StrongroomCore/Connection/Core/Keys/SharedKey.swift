internal import Synchronization

/// The key that was derived from a passphrase once, for all connections of a pool.
///
/// Invariants:
/// 1. It lives in locked memory, is wiped when the pool goes or the passphrase changes, and the
///    passphrase itself is not kept.
/// 2. A connection gets it only if it gives the passphrase that it was derived from.
/// 3. Connections that want it at the same time derive it once: the others wait.
package final class SharedKey: Sendable {
    private let known = Mutex<Known?>(nil)

    private struct Known: ~Copyable, Sendable {
        let parameters: KeyDerivation.Parameters
        /// What `sqlite3_key_v2` takes: `x'…'` with key and salt.
        let text: SecretBytes
        /// What only the passphrase that the key was derived from gives.
        let proof: SecretBytes

        func isDerived(from passphrase: UnsafeRawBufferPointer) -> Bool {
            let claim = text.withUnsafeBytes { KeyDerivation.proof(of: passphrase, for: $0) }
            return claim?.isEqual(to: proof) ?? false
        }
    }

    /// Calls a closure with the key, if it was derived from that passphrase.
    ///
    /// - Returns: The salt that the key goes with; nil if there is no such key.
    func use<E: Error>(
        for passphrase: UnsafeRawBufferPointer,
        _ body: (UnsafeRawBufferPointer) throws(E) -> Void
    ) throws(E) -> [UInt8]? {
        let text: SecretBytes? = known.withLock { known in
            known?.isDerived(from: passphrase) == true
                ? known?.text.withUnsafeBytes { SecretBytes(copying: $0) } : nil
        }
        guard let text = consume text else { return nil }
        try text.withUnsafeBytes(body)
        return known.withLock { $0?.parameters.salt }
    }

    /// Derives the key, unless it is known already.
    ///
    /// - Throws: `SQLITE_INTERRUPT` if the work was stopped.
    func derive(
        from passphrase: UnsafeRawBufferPointer, _ parameters: KeyDerivation.Parameters
    ) throws(DatabaseError) {
        try known.withLock { known throws(DatabaseError) in
            if known?.parameters == parameters, known?.isDerived(from: passphrase) == true {
                return
            }
            known = nil
            guard let key = try KeyDerivation.key(from: passphrase, parameters) else { return }
            var text = SecretBytes(capacity: 99)
            key.withUnsafeBytes { key in
                parameters.salt.withUnsafeBytes { RawKeyText.write(key: key, salt: $0, to: &text) }
            }
            let proof = text.withUnsafeBytes { KeyDerivation.proof(of: passphrase, for: $0) }
            guard let proof else { return }
            known = Known(parameters: parameters, text: text, proof: proof)
        }
    }

    /// The key with its salt, if it was derived.
    package var cipherKey: CipherKey? {
        known.withLock { known in
            known?.text.withUnsafeBytes { try? CipherKey(parsing: $0) }
        }
    }

    func forget() {
        known.withLock { $0 = nil }
    }
}
