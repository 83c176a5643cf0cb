/// A database file and the key that opens it: what can be done to it as a whole.
///
/// ```swift
/// let plain = DatabaseFile(path: "app.sqlite")
/// let encrypted = DatabaseFile(path: "app.db", key: try CipherKey(passphrase: passphrase))
/// try plain.transfer(to: encrypted)
/// ```
///
/// Files appear under their name only when they are whole and verified, and nothing here ever
/// changes a source. Errors are ``DatabaseFileError``, except what a `progress` closure throws.
public struct DatabaseFile: Sendable {
    /// Where the file is.
    public var path: String

    /// The key that opens the file; `nil` for a plain SQLite database.
    public var key: CipherKey?

    /// Settings and preparations of the connections that the operations open.
    ///
    /// Put here what the database needs besides its key: SQLCipher's settings (such as
    /// `cipher_compatibility = 3`), functions, collations. The journal mode is left as the file has
    /// it.
    public var configuration: Configuration

    /// The statements of the cipher settings that ``findingCipherSettings()`` has found.
    ///
    /// None if the file has the usual ones, or those of ``configuration``.
    public internal(set) var foundCipherSettings: [String] = []

    /// Whether ``key`` takes the place of the one that ``configuration`` gives.
    var overridesKey = false

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

    /// A file and its key; nothing is opened yet.
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

extension DatabaseFile {
    /// Files that live and die with a database.
    static let sidecarSuffixes = ["-wal", "-shm", "-journal"]

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
