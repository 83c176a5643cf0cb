import StrongroomCore
internal import StrongroomEssentials

/// The manifests of a repository, from the last one to the first.
///
/// 1. The head names the last manifest by its hash, and each manifest the one before it.
/// 2. A manifest is read once, here and nowhere else. What was hashed is parsed, and its seal is
///    checked on the same bytes (``AuthenticBackup``).
/// 3. No number is used before ``Manifest/isPossible(_:in:)`` was asked.
/// 4. Before a manifest that is missing or damaged, nothing vouches for the others: of these, a file
///    counts if it is the only one with its number.
/// 5. The folder is listed for these alone: how many backups there are does not matter to the reader of a few.
struct BackupChain: Sequence, IteratorProtocol {
    struct Link {
        let number: UInt32
        let backup: Result<Backup, any Error>
        /// Whether it is the one that the chain from the head names, without a gap.
        let isVouchedFor: Bool
        /// The hash that the one after it names, or the head.
        let digest: ContentDigest?
    }

    /// So many manifests may be missing before a count is not believed.
    private static let missingLimit = 1 << 16

    private let repository: OpenRepository
    private let head: Head
    /// Of all files, by their numbers.
    private var digests: [UInt32: [ContentDigest]]?
    private var number: UInt32
    private var expected: ContentDigest?
    private var isBroken = false

    init(_ repository: OpenRepository, _ head: Head) throws {
        self.repository = repository
        self.head = head
        number = head.sequence
        expected = head.lastDigest
        guard Int(head.sequence) > Self.missingLimit else { return }
        let count = try listedDigests().count
        guard Int(head.sequence) <= count + Self.missingLimit else {
            throw BackupError.damaged(
                repository.folders.root.path(of: RepositoryLayout.head),
                "it counts \(head.sequence) backups, and there are \(count) manifests")
        }
    }

    private mutating func listedDigests() throws -> [UInt32: [ContentDigest]] {
        if let digests { return digests }
        let names = try repository.folders.backups.names().compactMap(Manifest.parse)
        let listed = Dictionary(grouping: names, by: \.number).mapValues { $0.map(\.digest) }
        digests = listed
        return listed
    }

    mutating func next() -> Link? {
        guard number > 0 else { return nil }
        let digest = expected
        if digest == nil { isBroken = true }
        let backup: Result<Backup, any Error>
        do { backup = .success(try read()) } catch { backup = .failure(error) }
        expected = (try? backup.get())?.manifest.previous
            .flatMap { ContentDigest(hexadecimal: $0) }
        defer { number -= 1 }
        return Link(number: number, backup: backup, isVouchedFor: !isBroken, digest: digest)
    }

    private mutating func read() throws -> Backup {
        try Self.read(number, expected ?? onlyDigest(), in: repository, head)
    }

    /// The backup of a manifest that something else vouches for.
    static func read(
        _ number: UInt32, _ digest: ContentDigest, in repository: OpenRepository, _ head: Head
    ) throws -> Backup {
        let folder = repository.folders.backups
        let name = Manifest.name(number, digest)
        let bytes: [UInt8]
        do {
            bytes = try folder.content(of: name, limit: Manifest.largestByteCount)
        } catch let error as SystemError where error.isMissing {
            throw missing(number, folder)
        }
        guard try bytes.withUnsafeBytes({ try ContentDigest(of: $0) }) == digest else {
            throw BackupError.damaged(folder.path(of: name), "it is not what its name says")
        }
        guard let text = SealedText(bytes),
            let manifest = try? JSONDecoder().decode(Manifest.self, from: Data(text.content)),
            manifest.isPossible(number, in: head)
        else {
            throw BackupError.damaged(folder.path(of: name), "its format is invalid")
        }
        return Backup(manifest, text, hash: digest)
    }

    private static func missing(_ number: UInt32, _ folder: RepositoryFolder) -> BackupError {
        .damaged(folder.path, "backup \(number) is missing")
    }

    /// That of a manifest which nothing names.
    private mutating func onlyDigest() throws -> ContentDigest {
        let known = try listedDigests()[number] ?? []
        guard let digest = known.first else {
            throw Self.missing(number, repository.folders.backups)
        }
        guard known.count == 1 else {
            throw BackupError.damaged(
                repository.folders.backups.path,
                "\(known.count) manifests have the number \(number)")
        }
        return digest
    }
}

/// A backup whose manifest was sealed with a key: only of such a one, settings and numbers are used
/// together with the key.
struct AuthenticBackup: Sendable {
    let backup: Backup
    let settings: CipherSettings

    /// - Throws: ``BackupError`` for a manifest that somebody without the key has written.
    init(_ backup: Backup, _ key: BackupKey, in repository: OpenRepository) throws {
        let folder = repository.folders.backups
        guard backup.keyIdentifier == key.identifier, backup.text.kind == "hmac-sha256",
            try key.seal(of: backup.text.content).isSame(as: backup.text.seal),
            let settings = backup.manifest.cipher.settings
        else {
            let number = RepositoryLayout.digits(backup.manifest.sequence)
            throw BackupError(
                .damaged, folder.path(of: "\(number)-\(backup.hash).backup"),
                "the manifest of backup \(backup.number) was not written with the key",
                hint: "fetch it from another copy of the repository")
        }
        self.backup = backup
        self.settings = settings
    }
}

extension OpenRepository {
    /// The keys of a backup's pages, if the key is theirs, and the backup, if the key has sealed it.
    ///
    /// From a manifest that is not yet proved, no more is used than what the key is derived with.
    func authentic(
        _ backup: Backup, with key: CipherKey
    ) throws -> (backup: AuthenticBackup, key: PageKey) {
        guard let settings = backup.manifest.cipher.settings,
            let salt = backup.manifest.cipher.saltValue
        else { throw BackupError.damaged(folders.backups.path, "settings that are not known") }
        // It may take a minute with the settings of a forger; who stops the work does not wait for it.
        let pageKey = try PageKey(key, fileSalt: salt, settings: settings)
        let backupKey = try BackupKey(pageKey)
        guard backupKey.identifier == backup.keyIdentifier else {
            throw BackupError(
                .wrongKey, path,
                "the key does not open backup \(backup.number), of \(backup.manifest.created)",
                hint: "give the key that the database had then (identifier \(backup.keyIdentifier))"
            )
        }
        return (try AuthenticBackup(backup, backupKey, in: self), pageKey)
    }
}
