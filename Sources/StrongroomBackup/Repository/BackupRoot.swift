import StrongroomCore
internal import StrongroomEssentials
internal import StrongroomSFTP

/// A folder with a backup repository for each of many databases, on this machine or on a server.
///
/// ```swift
/// let root = try BackupRoot(path: "/backup")
/// let repository = try root.makeRepository(forDatabaseAt: "shops/north.db")
/// try repository.backUp(DatabaseFile(path: "/srv/shops/north.db", key: key))
/// ```
///
/// 1. Each repository is a folder in the root, named after its database by
///    `repositoryName(forDatabaseAt:)`.
/// 2. A repository gets its name when it is complete. A process that is killed before leaves a
///    folder whose name begins with `.new-`, which the next attempt completes.
/// 3. No repository of a root is reached through a link in the root.
public struct BackupRoot: Sendable {
    /// A repository in the root.
    public struct Member: Sendable {
        /// The name of its folder.
        public let name: String
        /// Its path.
        public let path: String
        /// The relative path of the database that gave the folder its name.
        ///
        /// Nil if the name has another origin, or the path was too long.
        public let databasePath: String?
    }

    /// Its path.
    public let path: String

    private let fileSystem: FileSystem
    /// Nil for a folder of this machine.
    let server: RemoteServer?
    private static let newPrefix = ".new-"
    private static let lock = "lock"

    /// Opens an existing folder, which may be empty.
    ///
    /// - Throws: ``BackupError`` if the folder does not exist, or is a repository.
    public init(path: String) throws {
        try self.init(path: path, fileSystem: .system)
    }

    init(path: String, fileSystem: FileSystem) throws {
        self.path = path
        server = try RemoteServer.leading(to: path)
        let fileSystem = server?.fileSystem(over: fileSystem) ?? fileSystem
        self.fileSystem = fileSystem
        let status = Result { try fileSystem.status(path) }
        if case .failure(let error as SystemError) = status, error.isUnreachable {
            throw BackupError(error, path)
        }
        guard (try? status.get())?.kind == .directory else {
            throw BackupError(
                .notARepository, path, "\(path) is no folder",
                hint:
                    "create it first: otherwise, a disk that is not mounted would be taken for an "
                    + "empty one")
        }
        if Self.isRepository(path, fileSystem) || BackupRepository.isUnfinished(path, fileSystem) {
            throw BackupError(
                .notARepository, path, "\(path) is a repository, and no folder of repositories",
                hint: "name a separate folder for them")
        }
    }

    /// Whether a path is a repository, rather than a root or nothing.
    ///
    /// A repository that has lost its head is one. What a process left that was killed in
    /// ``BackupRepository/create(at:)`` is none: it holds nothing, and `create(at:)` completes it.
    public static func isRepository(_ path: String) -> Bool {
        guard let server = try? RemoteServer.leading(to: path) else {
            return !RemotePlace.isURL(path) && isRepository(path, .system)
        }
        return isRepository(path, server.fileSystem(over: .system))
    }

    static func isRepository(_ path: String, _ fileSystem: FileSystem) -> Bool {
        func isThere(_ name: String) -> Bool {
            (try? fileSystem.status(path.appendingName(name))) != nil
        }
        if isThere(RepositoryLayout.head) { return true }
        // One that has lost another part as well.
        let folders = [
            RepositoryLayout.packs, RepositoryLayout.backups, RepositoryLayout.temporary,
        ]
        return folders.count(where: isThere) > 1
            && !BackupRepository.isUnfinished(path, fileSystem)
    }

    /// Whether this user may not look into a folder, which may be a repository: what it is not for, is for its
    /// opening to say. `lost+found` belongs to the file system.
    static func isClosed(_ path: String, _ fileSystem: FileSystem) -> Bool {
        guard path.splitAtLastSlash.name != "lost+found" else { return false }
        do {
            _ = try fileSystem.status(path.appendingName(RepositoryLayout.head))
            return false
        } catch {
            return error.isForbidden
        }
    }

    /// The repositories, sorted by name, including damaged ones.
    ///
    /// Also folders that this user may not look into, because they may be repositories.
    ///
    ///     for member in try BackupRoot(path: "/backup").members() {
    ///         print(member.name, member.databasePath ?? "")
    ///     }
    ///
    /// - Throws: ``BackupError`` if the folder cannot be read.
    public func members() throws -> [Member] {
        let names: [String]
        do {
            names = try fileSystem.names(path)
        } catch {
            throw BackupError(error.renamed(path), path)
        }
        return names.sorted().compactMap { name in
            let place = path.appendingName(name)
            guard !name.hasPrefix("."),
                Self.isRepository(place, fileSystem) || Self.isClosed(place, fileSystem)
            else { return nil }
            return Member(
                name: name, path: server?.place.url(ofMember: name) ?? place,
                databasePath: RepositoryName.decode(name))
        }
    }

    /// All of them, opened.
    package func repositories() throws -> [BackupRepository] {
        try members().map { try repository($0) }
    }

    /// Whether there is a folder of that name, whatever it holds.
    package func contains(_ name: String) -> Bool {
        (try? fileSystem.status(path.appendingName(name))) != nil
    }

    /// Opens an existing repository.
    ///
    /// - Throws: ``BackupError`` if it is a link, or is damaged.
    public func repository(_ member: Member) throws -> BackupRepository {
        let repository = self.member(member.name)
        _ = try repository.opened { try $0.readHead() }
        return repository
    }

    /// The repository for a database, which is created if it does not exist.
    ///
    /// Concurrent runs wait for each other during the creation.
    ///
    /// - Parameter databasePath: The path of the database below the folder that is backed up.
    /// - Throws: ``BackupError`` if the repository cannot be created or opened.
    public func makeRepository(forDatabaseAt databasePath: String) throws -> BackupRepository {
        let name = try Self.repositoryName(forDatabaseAt: databasePath)
        let repository = member(name)
        return try repository.explaining {
            let root = try RepositoryFolder(path: path, fileSystem)
            if try !root.contains(name) { try make(name, in: root) }
            _ = try repository.opened { try $0.readHead() }
            return repository
        }
    }

    private func member(_ name: String) -> BackupRepository {
        BackupRepository(memberAt: path.appendingName(name), fileSystem, server)
    }

    private func make(_ name: String, in root: RepositoryFolder) throws {
        let lock = try RepositoryLock.take(Self.lock, in: root, .alone, LongOperation())
        defer { withExtendedLifetime(lock) {} }
        guard try !root.contains(name) else { return }
        let newName = Self.newPrefix + name
        if try !root.contains(newName) { try root.makeFolder(newName) }
        let folder = try root.folder(newName)
        try member(newName).fill(folder)
        try folder.synchronize()
        try root.rename(newName, to: root, as: name)
        try root.synchronize()
    }

    /// Removes the repository for a database if no backup was ever made in it, and nobody uses it.
    ///
    /// Whatever stands in the way of that, it is left where it is: it holds nothing, and the next backup
    /// uses it.
    package func removeUnusedRepository(forDatabaseAt databasePath: String) {
        guard let name = try? Self.repositoryName(forDatabaseAt: databasePath),
            let root = try? RepositoryFolder(path: path, fileSystem)
        else { return }
        let repository = member(name)
        guard (try? repository.holdsNothing()) == true else { return }
        let newName = Self.newPrefix + name
        do {
            let lock = try RepositoryLock.take(
                Self.lock, in: root, .alone, LongOperation(), patience: .seconds(10))
            defer { withExtendedLifetime(lock) {} }
            let writer = try RepositoryLock.take(
                RepositoryLayout.writerLock, in: root.folder(name), .alone, LongOperation(),
                patience: .zero)
            defer { withExtendedLifetime(writer) {} }
            guard try repository.holdsNothing() else { return }
            try root.rename(name, to: root, as: newName)
            let place = path.appendingName(newName)
            try server?.removeTree(place) ?? FileManager.default.removeItem(atPath: place)
        } catch {}
    }

    /// The name of the repository for a database, from its path below the folder that is backed up.
    ///
    /// It is the path with `%2F` for each `/`. These are also written as `%` and two digits: `%`,
    /// control characters, `"*:<>?\|`, bytes that are not UTF-8, and a dot or a space at either
    /// end. If the result is longer than 200 bytes, it is cut, and ends in `%-` and 32 digits of
    /// its SHA-256.
    ///
    ///     let name = try BackupRoot.repositoryName(forDatabaseAt: "shops/north.db")
    ///     print(name)  // shops%2Fnorth.db
    ///
    /// - Throws: `DatabaseError` if the digest of a long path cannot be computed.
    public static func repositoryName(forDatabaseAt path: String) throws -> String {
        try repositoryName(forDatabaseAt: PathText.bytes(of: path))
    }

    /// The same for a path that may not be valid UTF-8.
    ///
    /// - Throws: As `repositoryName(forDatabaseAt:)` for a string.
    public static func repositoryName(forDatabaseAt path: [UInt8]) throws -> String {
        try RepositoryName.encode(path)
    }

    /// The folded name, which must differ between two databases on every file system.
    public static func foldedName(_ name: String) -> String { RepositoryName.folded(name) }
}

extension BackupRepository {
    /// Whether no backup was ever made in it, and nothing lies there that one could come from.
    fileprivate func holdsNothing() throws -> Bool {
        try opened { repository in
            try repository.readHead().sequence == 0
                && repository.folders.packs.names().isEmpty
                && repository.folders.backups.names().isEmpty
                && !repository.folders.root.contains(RepositoryLayout.aside)
        }
    }
}
