import StrongroomCore
public import StrongroomEssentials

/// What a repository holds, and how old it is, as far as can be told without reading pages.
public struct RepositoryStatus: Sendable {
    /// The newest backup of one database.
    public struct Database: Sendable {
        /// The name of the file, without its folder.
        public let name: String
        /// The last backup.
        ///
        /// Its size is the room that it takes to restore it, and its ``Backup/keyIdentifier`` and
        /// ``Backup/cipherPragmas`` tell what opens it.
        public let last: Backup
        /// How many backups of it are kept.
        public let backupCount: Int
        /// How long ago the last one was made; negative if a clock is wrong.
        public let age: TimeInterval
    }

    /// The databases, by their names.
    public let databases: [Database]
    /// When this host last found the whole to be sound, with or without a key; nil for never.
    public let verified: Date?
    /// The same, with the key.
    public let authenticated: Date?
    /// The public key that has signed it; nil for the first format, and without a backup.
    public let signer: String?
}

extension BackupRepository {
    /// What a monitor asks: how old the last backups are, and when they were verified.
    ///
    /// Only the head and manifests are read. What was verified when is known from ``memory``.
    ///
    ///     let status = try BackupRepository(path: "/backup/shop").status()
    ///     print(status)
    ///
    /// - Throws: ``BackupError``; also `.rolledBack`.
    public func status() throws -> RepositoryStatus {
        try opened { repository in
            let backups = try repository.keptBackups()
            repository.rememberAccepted()
            let date = now()
            let databases = Dictionary(grouping: backups, by: \.databaseName).compactMap {
                name, members in
                members.last.map {
                    RepositoryStatus.Database(
                        name: name, last: $0, backupCount: members.count,
                        age: date.timeIntervalSince($0.date))
                }
            }
            let head = repository.current.value?.head
            let known = try memory?.entry(at: repository.place)
            return RepositoryStatus(
                databases: databases.sorted { $0.name < $1.name },
                verified: known?.verified.flatMap(ManifestTime.date),
                authenticated: known?.authenticated.flatMap(ManifestTime.date),
                signer: head?.signer)
        }
    }
}
