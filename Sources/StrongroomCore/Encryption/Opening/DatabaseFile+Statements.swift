extension DatabaseFile {
    /// The statements that another program runs after `PRAGMA key`, to open the file as it is opened
    /// here; none where the settings are SQLCipher 4's.
    package var settingStatements: [String] {
        if !foundCipherSettings.isEmpty { return foundCipherSettings }
        let (settings, salt) = prepared()
        return settings.shortPragmas(salt: salt, isRaw: key.map { $0.form != .passphrase } ?? false)
    }
}
