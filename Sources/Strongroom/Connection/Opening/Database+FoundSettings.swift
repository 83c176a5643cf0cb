extension Database {
    /// Seeks the cipher settings with which the app's key opens the file, for this connection's
    /// configuration.
    ///
    /// - Returns: Whether it is worth another try.
    func findSettings() throws -> Bool {
        guard let found = configuration.foundSettings, case .success(let key)? = keying.note?.key
        else { return false }
        let (file, parameters, listing) = try withHandle { handle throws(DatabaseError) in
            (
                handle.rawFile(), try handle.keyParameters(),
                try handle.texts("PRAGMA cipher_settings")
            )
        }
        guard let file, let tried = try? CipherSettings(listing: listing) else { return false }
        let search = SettingsSearch(
            byteCount: file.byteCount, read: file.read, key: keying.override ?? key,
            knownSalt: parameters.flatMap { CipherSalt($0.salt) }, tried: tried)
        guard case .found(let settings, let salt) = try search.run() else { return false }
        let pragmas = settings.pragmas(salt: salt)
        guard pragmas != found.pragmas else { return false }
        found.pragmas = pragmas
        // It was derived with the settings that are wrong.
        keying.shared?.forget()
        return true
    }
}
