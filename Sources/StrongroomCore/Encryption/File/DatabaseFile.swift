/// A database file and its key, with operations on the whole file.
///
/// ```swift
/// let plain = DatabaseFile(path: "app.sqlite")
/// let encrypted = DatabaseFile(path: "app.db", key: try CipherKey(passphrase: passphrase))
/// try plain.transfer(to: encrypted)
/// ```
///
/// New files get their name only when they are complete and verified, and no operation changes its
/// source. Errors are ``DatabaseFileError``, except those that a `progress` closure throws.
public struct DatabaseFile: Sendable {
    /// The path of the file.
    public var path: String

    /// The key that opens the file; `nil` for a plaintext database.
    public var key: CipherKey?

    /// The configuration of the connections that the operations open.
    ///
    /// Use it for what the database needs besides its key: SQLCipher's settings (such as
    /// `cipher_compatibility = 3`), functions, collations. The journal mode of the file does not
    /// change.
    public var configuration: Configuration

    /// The statements for the cipher settings that ``findingCipherSettings()`` found.
    ///
    /// Empty if the file has the default settings, or those in ``configuration``.
    public internal(set) var foundCipherSettings: [String] = []

    /// Whether ``rotateKey(to:changing:threads:progress:)`` overwrites the blocks of the old file.
    ///
    /// It does so once, after the new file has its name. ``RotationReport/oldBlocks`` says whether that was of
    /// use: ``OldBlocks``.
    public var overwritesOldFile = false

    /// Whether ``key`` takes the place of the one that ``configuration`` gives.
    var overridesKey = false

    /// Whether ``rotateKey(to:changing:threads:progress:)`` is asked for by the database's keyring,
    /// which then knows the new key.
    package var isRotatedByKeyring = false

    /// Whether ``key`` came from a rotation by the database's keyring, which has to be there for others to
    /// get at it.
    package var hasKeyOfKeyring = false

    /// Which file ``rotateKey(to:changing:threads:progress:)`` has to find, if a connection had it open before.
    var expectedIdentity: FileStatus.Identity?

    /// Called directly before a file with another key gets the name: what keeps the key may have lost it
    /// since.
    package var confirmNewKey: KeyConfirmation = {}

    /// The file is a temporary one, which nobody else is to read or write, but whose folder may be
    /// another user's.
    package var temporary: FileReplacement.Temporary?

    /// Whether operations that find settings by themselves do so: whoever has found them before need
    /// not wait for that twice.
    package var findsSettings = true

    /// Whether SQLite's modules of virtual tables read and write this file.
    var runsModules = false

    /// The salt of a file that may have a plaintext header, for a key that does not bring it.
    package var knownSalt: CipherSalt?

    /// The calls on files, which tests replace.
    package var fileSystem = FileSystem.system

    /// Creates a value for a file and its key, without opening the file.
    ///
    ///     let file = DatabaseFile(path: "app.db", key: try CipherKey(contentsOfFile: "app.key"))
    ///     let queue = try file.open()
    public init(
        path: String, key: CipherKey? = nil, configuration: Configuration = Configuration()
    ) {
        self.path = path
        self.key = key
        self.configuration = configuration
    }
}

/// Looks for a new key where it is kept, and throws if it is not there.
package typealias KeyConfirmation = @Sendable () throws -> Void

extension DatabaseFile {
    /// Files that live and die with a database.
    static let sidecarSuffixes = ["-wal", "-shm", "-journal"]

    /// What follows the name of a database in the name of its keyring.
    package static let keyringSuffix = "-keyring"

    /// Refuses to change the key of a file whose keyring would not know the new one.
    func requireNoKeyring() throws {
        guard !isRotatedByKeyring else { return }
        let keyring = try fileSystem.resolve(path) + Self.keyringSuffix
        guard try fileSystem.statusIfPresent(keyring) != nil else { return }
        throw DatabaseFileError(
            .hasKeyring, path, "\(path) has a keyring, which would not know the new key",
            hint: "rotate with rotateKey(unlockingWith:) of StrongroomKeyrings, or remove "
                + "\(keyring) first, if it is not needed any more",
            step: DatabaseFileStep.rotateByKeyring)
    }

    func requireFile() throws -> FileStatus {
        let status = try fileSystem.status(path)
        switch status.kind {
        case .file:
            return status
        case .directory:
            throw DatabaseFileError(
                .notAFile, path, "\(path) is a directory", hint: "name the database file in it")
        case .link, .other:
            throw DatabaseFileError(
                .notAFile, path, "\(path) is not a regular file", hint: "name a database file")
        }
    }

    typealias Purpose = ConnectionOpening.Purpose

    /// How a file is opened with the key and the preparation of this one.
    func opening(
        of name: String, _ flags: ConnectionHandle.OpenFlags, for purpose: Purpose
    ) -> ConnectionOpening {
        var opening = ConnectionOpening(
            name, flags, for: purpose, configuration, label: "DatabaseFile")
        if let key { opening.giveKey = { try $0.useKey(key) } }
        if overridesKey { opening.override = key }
        opening.runsModules = runsModules
        return opening
    }
}
