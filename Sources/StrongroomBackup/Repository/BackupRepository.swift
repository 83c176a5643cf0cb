package import StrongroomCore
package import StrongroomEssentials
package import StrongroomKeyrings
internal import StrongroomSFTP

/// A folder with backups of a database, here or on a server: files whose pages stay encrypted.
///
/// ```swift
/// let repository = try BackupRepository.create(at: "/backup/shop")
/// let file = DatabaseFile(path: "shop.db", key: key)
/// try repository.backUp(file, tag: "nightly")
/// try repository.restore(to: "shop-of-today.db", key: key)
/// ```
///
/// Files never change once they are written, except for the small file `head`, which is replaced
/// last: an interrupted operation has no effect. Errors are ``BackupError``, those of a database
/// `DatabaseFileError`, and what a `progress` closure throws.
public struct BackupRepository: Sendable {
    /// The path of the repository, or its URL.
    public let path: String

    /// Nil for a folder of this machine.
    let server: RemoteServer?

    /// The calls on files, which tests replace.
    package var fileSystem: FileSystem
    /// The time of day, which tests replace.
    package var now: @Sendable () -> Date = { Date() }

    /// Whether a repository of the first format keeps that format.
    ///
    /// Earlier versions of this library can then still use it. Otherwise, the next backup or
    /// `rekey(from:to:)` seals and signs its head, and so does every later run.
    public var keepsFormat = false

    /// Whether the repository accepts backups of another database.
    ///
    /// Otherwise, such a backup throws ``BackupError`` `.otherDatabase`. Best use a repository for
    /// one database: its last backup is then that database's last backup.
    public var takesOtherDatabases = false

    /// Whether a backup reads the whole database even if file and log look unchanged.
    ///
    /// Otherwise, a backup reads no page if the file and the log have the inode numbers, sizes,
    /// times and beginnings that this host's ``memory`` recorded at the last backup. Reading
    /// everything finds changes that the file system does not show: lost sectors, or writes to the
    /// device itself.
    public var readsUnchangedFiles = false

    /// Which keyrings backups store, of databases that have one.
    public var storedKeyrings = StoredKeyrings.all

    /// Secrets that open the keyring of a database that is backed up. If the keyring no longer gives a key that
    /// signs, what they give by the keyrings stored here introduces the present one, or a key file that the
    /// database had before there was a keyring.
    package var unlockers: [Unlocker] = []

    /// Whether the keys come from a keyring that nothing vouches for: then nobody is trusted because of them.
    package var doubtsKeys = false

    /// Whether a backup fails if the database seems to be an older copy of what was backed up last.
    var refusesOlderCopies = false

    /// The store of the keys of the database to be backed up.
    var keyStore: KeyStore?

    /// Whether it is one of a ``BackupRoot``: its own name is then no link.
    var isMember = false

    /// What this host remembers about repositories; if nil, nothing.
    ///
    /// If it cannot be written, the operation continues, and adds a notice.
    public var memory: BackupMemory?

    /// Whether to accept a repository that contradicts ``memory``. Its current state is remembered
    /// from then on.
    public var acceptsRollback = false

    /// Opens an existing repository, whose content only the operations read.
    ///
    /// The path of a folder, or a URL: `sftp://USER@HOST/PATH` runs `ssh`, `rclone:REMOTE:PATH` runs `rclone`, and
    /// `exec:COMMAND` runs a command that speaks SFTP. They decide how to reach the server and with which
    /// credentials; none asks for a password. An idle connection ends after a minute. It waits for the server:
    /// ``startOpening(path:)`` waits on another thread, and can be cancelled.
    ///
    ///     var repository = try BackupRepository(path: "/backup/shop")
    ///     repository.memory = BackupMemory(folder: "/var/lib/shop/strongroom")
    ///
    /// - Throws: ``BackupError`` if there is none.
    public init(path: String) throws {
        try self.init(path: path, fileSystem: .system)
    }

    package init(path: String, fileSystem: FileSystem) throws {
        self.path = path
        self.fileSystem = fileSystem
        server = try RemoteServer.leading(to: path)
        try opened { _ = try $0.readHead() }
    }

    /// One that may have lost its head.
    package init(headlessAt path: String) throws {
        self.init(new: path, .system, try RemoteServer.leading(to: path))
        try opened { _ in }
    }

    private init(new path: String, _ fileSystem: FileSystem, _ server: RemoteServer?) {
        self.path = path
        self.fileSystem = fileSystem
        self.server = server
    }

    /// One of a root, which may not be there yet.
    init(memberAt path: String, _ fileSystem: FileSystem, _ server: RemoteServer?) {
        self.init(new: path, fileSystem, server)
        isMember = true
    }

    /// Creates an empty repository in a new folder, or in an empty one.
    ///
    /// It also completes a repository whose creation was interrupted: such a folder holds nothing,
    /// and ``BackupRoot/isRepository(_:)`` does not take it for a repository.
    ///
    ///     let repository = try BackupRepository.create(at: "/backup/shop")
    ///     try repository.backUp(dbPool)
    ///
    /// - Throws: ``BackupError`` if the folder is not empty.
    public static func create(at path: String) throws -> BackupRepository {
        let repository = BackupRepository(new: path, .system, try RemoteServer.leading(to: path))
        try repository.explaining { try repository.make() }
        return repository
    }

    /// The calls on files, those of the server among them.
    var files: FileSystem { server?.fileSystem(over: fileSystem) ?? fileSystem }

    private func make() throws {
        let fileSystem = files
        try server?.makeRoot()
        let place = path.withoutFinalSlashes.splitAtLastSlash
        if try server == nil && fileSystem.statusIfPresent(path) == nil {
            try RepositoryFolder(path: place.directory, fileSystem).makeFolder(place.name)
        }
        let root = try RepositoryFolder(path: path, fileSystem)
        guard try Self.isUnused(root) else {
            throw BackupError(
                .exists, path, "\(path) is not empty",
                hint: "name a folder that is not there yet, or an empty one")
        }
        try fill(root)
        if server == nil { try fileSystem.synchronizeDirectory(place.directory) }
    }

    /// Whether there is nothing in a folder but what a run has left that ended before the head.
    private static func isUnused(_ root: RepositoryFolder) throws -> Bool {
        let own = [
            RepositoryLayout.packs, RepositoryLayout.backups, RepositoryLayout.temporary,
        ]
        for name in try root.names() {
            guard own.contains(name), let folder = try? root.folder(name),
                try folder.names().allSatisfy(RepositoryLayout.isTemporary)
            else { return false }
        }
        return true
    }

    /// Whether a folder is what is left of a creation that was interrupted: nothing is lost with it.
    static func isUnfinished(_ path: String, _ fileSystem: FileSystem) -> Bool {
        guard let root = try? RepositoryFolder(path: path, fileSystem),
            (try? root.contains(RepositoryLayout.packs)) == true
        else { return false }
        return (try? isUnused(root)) == true
    }

    /// Makes what belongs to a new repository, as far as it is not there yet.
    func fill(_ root: RepositoryFolder) throws {
        let folders = [
            RepositoryLayout.packs, RepositoryLayout.backups, RepositoryLayout.temporary,
        ]
        for name in folders where try !root.contains(name) { try root.makeFolder(name) }
        let name = (1...4).map { _ in
            let digits = String(UInt32.random(in: .min ... .max), radix: 16)
            return String(repeating: "0", count: 8 - digits.count) + digits
        }
        var head = Head(
            repository: name.joined(), created: WrittenTime.text(of: now()),
            format: keepsFormat ? .unsigned : .signed)
        try OpenRepository(self).writeHead(&head, nil)
    }

    /// Remembers a repository that was just made, in place of any that was there before.
    ///
    /// - Returns: What there is to tell if that can't be noted.
    package func rememberAsNew(in memory: BackupMemory?) throws -> [String] {
        var repository = self
        repository.memory = memory
        repository.acceptsRollback = true
        return try repository.opened {
            _ = try $0.readHead()
            let missing = try server?.shortcomings() ?? []
            return $0.remember() + missing
        }
    }

    /// Holds the folders of the repository open for one operation.
    ///
    /// - Parameter operation: That operation, if it can be stopped.
    func opened<Result>(
        _ operation: LongOperation? = nil, _ body: (OpenRepository) throws -> Result
    ) throws -> Result {
        try explaining { try body(OpenRepository(self, operation)) }
    }

    /// Turns errors of the system into those that name the next step.
    func explaining<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as AfterCommit {
            throw BackupError(
                .failed, path,
                "the change to \(path) is complete, but may not survive a power failure: "
                    + "\(error.underlying)",
                hint: "check the disk, and run the command again", underlying: error.underlying)
        } catch let error as SystemError {
            throw BackupError(error, path)
        } catch let error as DatabaseError {
            throw BackupError(
                .failed, path, error.message ?? "\(error)", underlying: error)
        }
    }
}
