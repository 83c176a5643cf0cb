/// How much SQLCipher writes to its log.
public enum SQLCipherLogLevel: String, Sendable {
    /// Nothing.
    case none = "NONE"
    /// Errors only.
    case error = "ERROR"
    /// Errors and warnings.
    case warn = "WARN"
    /// What it does, in addition.
    case info = "INFO"
    /// What helps those who work on SQLCipher.
    case debug = "DEBUG"
    /// Everything. SQLCipher 4.19.0 crashes when it writes that.
    case trace = "TRACE"
}

/// Where SQLCipher writes its log.
public enum SQLCipherLogTarget: Sendable {
    /// The standard output.
    case stdout
    /// The standard error.
    case stderr
    /// The log of the system, on platforms on which SQLCipher knows one.
    case device
    /// A file, at the end of which lines are added.
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
    /// The version of SQLCipher, such as `4.6.1 community`; nil where plain SQLite is linked.
    ///
    /// - Throws: `DatabaseError` when the pragma fails.
    public var cipherVersion: String? {
        get throws { try cipherInformation("cipher_version") }
    }

    /// `1` where the library for cryptography is in FIPS mode, else `0`; nil where plain SQLite is linked.
    ///
    /// It is asked of the connection's key, and nil before there is one.
    ///
    /// - Throws: `DatabaseError` when the pragma fails.
    public var cipherFipsStatus: String? {
        get throws { try cipherInformation("cipher_fips_status") }
    }

    /// The library for cryptography, such as `openssl`; nil before the connection has a key.
    ///
    /// - Throws: `DatabaseError` when the pragma fails.
    public var cipherProvider: String? {
        get throws { try cipherInformation("cipher_provider") }
    }

    /// The version of the library for cryptography; nil before the connection has a key.
    ///
    /// - Throws: `DatabaseError` when the pragma fails.
    public var cipherProviderVersion: String? {
        get throws { try cipherInformation("cipher_provider_version") }
    }

    /// Gives SQLCipher the license code of a commercial edition. Others ignore it.
    ///
    /// - Throws: `DatabaseError` when the pragma fails.
    public func applySQLCipherLicense(_ license: String) throws {
        try configureCipher("cipher_license = \(license.sqlLiteral)")
    }

    /// Has SQLCipher write a log, for the whole process.
    ///
    /// Call it in `prepareDatabase`, after the key: before a key it does nothing. By default the library
    /// has SQLCipher write none.
    ///
    /// - Throws: `DatabaseError` when the pragma fails.
    public func enableCipherLogging(
        logLevel: SQLCipherLogLevel, target: SQLCipherLogTarget
    ) throws {
        try configureCipher("cipher_log = \(target.sql)")
        try configureCipher("cipher_log_level = \(logLevel.rawValue)")
    }

    /// Has SQLCipher write no log, for the whole process.
    ///
    /// - Throws: `DatabaseError` when the pragma fails.
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
