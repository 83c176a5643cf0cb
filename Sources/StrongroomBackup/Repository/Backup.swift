import StrongroomCore
public import StrongroomEssentials

/// One backup in a repository: what `list` prints about it, without a key.
public struct Backup: Sendable, Identifiable {
    /// Its name in commands: the first digits of the hash of its manifest.
    public let id: String
    /// The number of the backup, counted from 1.
    public let number: Int
    /// The date of the state that it stores.
    public let date: Date
    /// Its tag.
    public let tag: String?
    /// The name of the database file, without its folder.
    public let databaseName: String
    /// How many pages the database had.
    public let pageCount: Int
    /// The page size in bytes.
    public let pageSize: Int
    /// Which key opens it: two backups of one key, and one salt, have the same identifier.
    ///
    /// It reveals nothing about the key. After a rotation, it is different.
    public let keyIdentifier: String
    /// SQLCipher's settings, as statements after the key; empty for the default settings.
    public let cipherPragmas: [String]
    /// `PRAGMA schema_version`
    public let schemaVersion: Int
    /// `PRAGMA user_version`
    public let userVersion: Int
    /// The number of the backup whose pages were not stored again; `nil` for a full one.
    public let base: Int?
    /// How many pages were stored for it.
    public let storedPageCount: Int
    /// How many bytes were written for it.
    public let storedByteCount: Int64
    /// The hash of its manifest, which covers all backups up to this one.
    public let hash: String
    /// Whether writers had to wait during the backup, as with a rollback journal.
    ///
    /// `nil` for a backup that was not just created.
    public internal(set) var madeWritersWait: Bool?
    /// Whether an earlier backup has a later date, because a clock was or is wrong.
    ///
    /// The numbers, not the dates, decide which backup is the last one.
    public internal(set) var isDatedBack = false
    /// Notices from its creation, one sentence each.
    ///
    /// Empty for a backup that was not just created.
    public internal(set) var notices: [String] = []

    /// The size of the database.
    public var byteCount: Int64 { Int64(pageCount) * Int64(pageSize) }

    /// The date as manifests have it: `2026-11-21T15:04:05.678Z`.
    package var dateText: String { WrittenTime.text(of: date) }

    let manifest: Manifest
    /// The bytes that were parsed: the key's seal is checked on these, and no others.
    let text: SealedText
    /// The number of the backup that this one is, encrypted again, or else its own: the later a
    /// state was backed up, the larger.
    var position: Int

    init(_ manifest: Manifest, _ text: SealedText, hash: ContentDigest) {
        self.manifest = manifest
        self.text = text
        self.hash = hash.hexadecimal
        id = String(hash.hexadecimal.prefix(8))
        number = Int(manifest.sequence)
        position = number
        date = manifest.date
        tag = manifest.tag
        databaseName = manifest.database
        pageCount = Int(manifest.pageCount)
        pageSize = manifest.cipher.pageSize
        keyIdentifier = manifest.key
        let settings = manifest.cipher.settings
        cipherPragmas =
            settings == .version(.v4)
            ? [] : settings?.pragmas(salt: manifest.cipher.saltValue) ?? []
        schemaVersion = Int(manifest.schemaVersion)
        userVersion = Int(manifest.userVersion)
        base = manifest.base.map(Int.init)
        storedPageCount = Int(manifest.storedPageCount)
        storedByteCount = manifest.storedByteCount
    }
}

extension BackupRepository {
    /// The kept backups, the oldest state first, in the order of their creation.
    ///
    /// A re-encrypted backup has its original's place.
    ///
    ///     let repository = try BackupRepository(path: "/backup/shop")
    ///     for backup in try repository.backups() {
    ///         print(backup)
    ///     }
    ///
    /// - Throws: ``BackupError`` if the repository cannot be read, or is damaged.
    public func backups() throws -> [Backup] {
        try opened { repository in
            let backups = try repository.keptBackups()
            repository.rememberAccepted()
            return backups
        }
    }

    /// ``backups()``, and what is wrong with the manifests of those that cannot be read.
    package func readableBackups() throws -> (backups: [Backup], damage: [any Error]) {
        try opened { repository in
            let kept = try repository.readKept(repository.readHead())
            repository.rememberAccepted()
            return (
                kept.readable, kept.damage.sorted { $0.key < $1.key }.map(\.value)
            )
        }
    }

    /// The last of ``backups()``; nil if there is none.
    ///
    /// - Throws: ``BackupError`` if the repository cannot be read, or that backup is damaged.
    package func lastBackup() throws -> Backup? {
        try opened { repository in
            let head = try repository.readHead()
            repository.rememberAccepted()
            let pruned = head.prunedNumbers
            for link in try BackupChain(repository, head) where !pruned.contains(link.number) {
                let backup = try link.backup.get()
                // One that was encrypted again has the place of an earlier one.
                guard backup.manifest.rekeyed == nil else { break }
                return backup
            }
            return try repository.kept(head).last
        }
    }

    /// Whether the chain of manifests that ends in the head contains this hash.
    ///
    /// It reads each manifest on the way, and compares its hash with the next manifest. To also
    /// verify the repository, use the report of
    /// ``BackupRepository/verify(key:authority:sample:threads:progress:)``.
    ///
    ///     let noted = "0f63cb5e"
    ///     guard try BackupRepository(path: "/backup/shop").hasBackup(hash: noted) else {
    ///         print("the noted backup is gone")
    ///         return
    ///     }
    ///
    /// - Throws: ``BackupError`` if the repository cannot be read, or is damaged.
    public func hasBackup(hash: String) throws -> Bool {
        try opened { repository in
            for link in try BackupChain(repository, repository.readHead()) {
                guard link.isVouchedFor, let backup = try? link.backup.get() else { return false }
                if backup.hash == hash { return true }
            }
            return false
        }
    }
}
