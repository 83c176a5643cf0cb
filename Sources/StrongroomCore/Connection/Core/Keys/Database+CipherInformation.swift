/// How much SQLCipher writes to its log.
public enum SQLCipherLogLevel: String, Sendable {
    /// Nothing.
    case none = "NONE"
    /// Errors only.
    case error = "ERROR"
    /// Errors and warnings.
    case warn = "WARN"
    /// Also what SQLCipher does.
    case info = "INFO"
    /// Also what helps SQLCipher's developers.
    case debug = "DEBUG"
    /// Everything. SQLCipher 4.19.0 crashes at this level.
    case trace = "TRACE"
}

/// Where SQLCipher writes its log.
public enum SQLCipherLogTarget: Sendable {
    /// Standard output.
    case stdout
    /// Standard error.
    case stderr
    /// The system log, on platforms for which SQLCipher supports one.
    case device
    /// A file, to which lines are appended.
    case file(String)

    fileprivate var sql: String {
        switch self {
        case .stdout: "stdout"
        case .stderr: "stderr"
        case .device: "device"
        case .file(let path): path.sqlLiteral
        }
    }
}

// What SQLCipher says of itself.
//
// <https://www.zetetic.net/sqlcipher/sqlcipher-api/>

extension Database {
    /// The version of SQLCipher, such as `4.6.1 community`; nil if plain SQLite is linked.
    ///
    /// - Throws: `DatabaseError` if the pragma fails.
    public var cipherVersion: String? {
        get throws { try cipherInformation("cipher_version") }
    }

    /// `1` if the cryptography library is in FIPS mode, else `0`; nil if plain SQLite is linked.
    ///
    /// It is nil before the connection has a key.
    ///
    /// - Throws: `DatabaseError` if the pragma fails.
    public var cipherFipsStatus: String? {
        get throws { try cipherInformation("cipher_fips_status") }
    }

    /// The cryptography library, such as `openssl`; nil before the connection has a key.
    ///
    /// - Throws: `DatabaseError` if the pragma fails.
    public var cipherProvider: String? {
        get throws { try cipherInformation("cipher_provider") }
    }

    /// The version of the cryptography library; nil before the connection has a key.
    ///
    /// - Throws: `DatabaseError` if the pragma fails.
    public var cipherProviderVersion: String? {
        get throws { try cipherInformation("cipher_provider_version") }
    }

    /// Passes the license code of a commercial edition to SQLCipher. Other editions ignore it.
    ///
    /// - Throws: `DatabaseError` if the pragma fails.
    public func applySQLCipherLicense(_ license: String) throws {
        try configureCipher("cipher_license = \(license.sqlLiteral)")
    }

    /// Turns SQLCipher's log on, for the whole process.
    ///
    /// Call it in `prepareDatabase`, after the key: before a key, it does nothing. By default, the
    /// library turns the log off.
    ///
    /// - Throws: `DatabaseError` if the pragma fails.
    public func enableCipherLogging(
        logLevel: SQLCipherLogLevel, target: SQLCipherLogTarget
    ) throws {
        try configureCipher("cipher_log = \(target.sql)")
        try configureCipher("cipher_log_level = \(logLevel.rawValue)")
    }

    /// Turns SQLCipher's log off, for the whole process.
    ///
    /// - Throws: `DatabaseError` if the pragma fails.
    public func disableCipherLogging() throws {
        try configureCipher("cipher_log_level = NONE")
    }

    private func cipherInformation(_ pragma: String) throws(DatabaseError) -> String? {
        try withHandle { handle throws(DatabaseError) in
            try handle.firstText("PRAGMA \(pragma)")
        }
    }

    private func configureCipher(_ pragma: String) throws(DatabaseError) {
        try withHandle { handle throws(DatabaseError) in
            try hooks.withoutRules { () throws(DatabaseError) in
                try handle.execute("PRAGMA \(pragma)")
            }
        }
    }
}
