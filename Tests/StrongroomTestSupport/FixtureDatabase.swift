public import Strongroom

/// An encrypted database in a folder of its own, which goes with it.
public struct FixtureDatabase: Sendable {
    /// A raw key as text, which `usePassphrase` and the shell take as such: from a passphrase, every
    /// connection derives its key by 256,000 hashes, which were most of the time of all tests.
    public static let rawKey = "x'" + String(repeating: "5eedcafe", count: 8) + "'"
    /// For tests of what passphrases need.
    public static let passphrase = "correct horse battery staple"

    public let directory: TemporaryDirectory
    public let path: String
    /// The raw key, or the passphrase, with which it is opened where no other is given.
    public let key: String

    public init(named name: String = "database.sqlite", key: String = rawKey) throws {
        directory = try TemporaryDirectory()
        path = directory.path(of: name)
        self.key = key
    }

    /// A configuration that gives the key.
    public static func configuration(
        passphrase: String = rawKey, _ change: (inout Configuration) -> Void = { _ in }
    ) -> Configuration {
        var configuration = Configuration()
        configuration.prepareDatabase { try $0.usePassphrase(passphrase) }
        change(&configuration)
        return configuration
    }

    /// Opens the database, which the first call creates.
    public func open(
        passphrase: String? = nil, _ change: (inout Configuration) -> Void = { _ in }
    ) throws -> DatabaseQueue {
        try DatabaseQueue(
            path: path, configuration: Self.configuration(passphrase: passphrase ?? key, change))
    }

    /// The independent witness, given the key.
    public func shell(passphrase: String? = nil) -> SQLCipherShell {
        SQLCipherShell(path: path, key: .passphrase(passphrase ?? key))
    }
}
