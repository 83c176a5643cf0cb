// How the connections of a pool come to their key without each deriving it from the passphrase.
//
// 1. A connection whose passphrase the shared key was derived from gets that key at once; the
//    app's settings, made afterwards, apply to it as to a passphrase.
// 2. Another one is given its passphrase, which SQLCipher only notes. When the app has made its
//    settings, the key is derived by these, and replaces the passphrase unless it is in use already.
// 3. If the file has another salt by now, the passphrase itself decides.

/// A passphrase, from when a connection is given it until the connection is open.
final class SharedKeyOpening {
    let sharedKey: SharedKey
    fileprivate var passphrase: SecretBytes?
    /// The salt of the shared key that the connection uses.
    fileprivate var salt: [UInt8]?

    init(_ sharedKey: SharedKey) {
        self.sharedKey = sharedKey
    }
}

extension Database {
    /// Gives SQLCipher the shared key in place of its passphrase, or else the passphrase.
    func useSharedKey(
        passphrase: UnsafeRawBufferPointer, in opening: SharedKeyOpening
    ) throws(DatabaseError) {
        opening.passphrase = SecretBytes(copying: passphrase)
        opening.salt = try opening.sharedKey.use(for: passphrase) { key throws(DatabaseError) in
            try withHandle { handle throws(DatabaseError) in try handle.setKey(key) }
        }
        guard opening.salt == nil else { return }
        try withHandle { handle throws(DatabaseError) in try handle.setKey(passphrase) }
    }

    /// Derives the key by the settings that the app has made, and uses it if there is time.
    func takeSharedKey() throws(DatabaseError) {
        guard let opening = keying.opening, opening.salt == nil else { return }
        try opening.withPassphrase { passphrase throws(DatabaseError) in
            try withHandle { handle throws(DatabaseError) in
                guard let parameters = try handle.keyParameters() else { return }
                try opening.sharedKey.derive(from: passphrase, parameters)
                guard !handle.hasUsedPages else { return }
                let settings = try handle.cipherSettings()
                opening.salt = try opening.sharedKey.use(for: passphrase) {
                    key throws(DatabaseError) in try handle.setKey(key)
                }
                // A new key comes with new settings.
                if opening.salt != nil { try handle.execute(settings) }
            }
        }
    }

    /// Goes back to the passphrase, if the shared key is for another salt than the file's.
    ///
    /// - Returns: Whether it is worth another try.
    func giveUpSharedKey() throws(DatabaseError) -> Bool {
        guard let opening = keying.opening, let salt = opening.salt else { return false }
        var isWorthIt = false
        try opening.withPassphrase { passphrase throws(DatabaseError) in
            isWorthIt = try withHandle { handle throws(DatabaseError) in
                let settings = try handle.cipherSettings()
                guard settings.contains(where: { $0.hasSuffix("plaintext_header_size = 0;") }),
                    let found = handle.rawBytes(count: salt.count), found != salt
                else { return false }
                try handle.setKey(passphrase)
                try handle.execute(settings)
                return true
            }
        }
        if isWorthIt { opening.sharedKey.forget() }
        return isWorthIt
    }
}

extension SharedKeyOpening {
    fileprivate func withPassphrase(
        _ body: (UnsafeRawBufferPointer) throws(DatabaseError) -> Void
    ) throws(DatabaseError) {
        switch passphrase {
        case .some(let passphrase): try passphrase.withUnsafeBytes(body)
        case .none: break
        }
    }
}
