public import Strongroom

/// An encrypted database in a folder of its own, which goes with it.
public struct FixtureDatabase: Sendable {
    public static let passphrase = "correct horse battery staple"

    public let directory: TemporaryDirectory
    public let path: String

    public init(named name: String = "database.sqlite") throws {
        directory = try TemporaryDirectory()
        path = directory.path(of: name)
    }

    /// A configuration that gives the passphrase.
    public static func configuration(
        passphrase: String = passphrase, _ change: (inout Configuration) -> Void = { _ in }
    ) -> Configuration {
        var configuration = Configuration()
        configuration.prepareDatabase { try $0.usePassphrase(passphrase) }
        change(&configuration)
        return configuration
    }

    /// Opens the database, which the first call creates.
    public func open(
        passphrase: String = passphrase, _ change: (inout Configuration) -> Void = { _ in }
    ) throws -> DatabaseQueue {
        try DatabaseQueue(
            path: path, configuration: Self.configuration(passphrase: passphrase, change))
    }

    /// The independent witness, given the passphrase.
    public func shell(passphrase: String = passphrase) -> SQLCipherShell {
        SQLCipherShell(path: path, key: .passphrase(passphrase))
    }
}
