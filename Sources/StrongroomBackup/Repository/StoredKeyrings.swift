import StrongroomCore
internal import StrongroomEssentials
import StrongroomKeyrings

// The keyrings of databases that are backed up: `keyrings/00000007-HASH.keyring`, by the number of the
// revision. A manifest names the one in force by its hash.
//
// 1. A keyring is stored only if it belongs to the key of the database, and its authority is that of the
//    keyring before, or was introduced by it.
// 2. What is stored is the file, byte for byte: nothing in it is believed that its signature does not cover.

extension OpenRepository {
    static let keyringSuffix = ".keyring"

    private func keyringFolder() throws -> RepositoryFolder? {
        guard try folders.root.contains(RepositoryLayout.keyrings) else { return nil }
        return try folders.root.folder(RepositoryLayout.keyrings)
    }

    /// What is to be stored with the next backup of a database: nothing if it has no keyring.
    ///
    /// - Parameter key: The identifier of the database's key.
    /// - Throws: ``BackupError``, `.otherDatabase`, for a keyring that does not follow from the last one.
    func keyringToStore(
        of path: String, key: String, _ authority: BackupAuthority, _ head: Head
    ) throws -> (keyring: Keyring?, notices: [String]) {
        let keyring: Keyring?
        do {
            keyring = try Keyring.ifPresent(for: path, fileSystem)
        } catch let error as KeyringError {
            return (nil, ["\(error.message), and was not stored"])
        }
        guard let keyring else { return (nil, []) }
        guard keyring.keyIdentifiers.contains(key) else {
            return (
                nil, ["\(keyring.path) does not know the key of \(path), and was not stored"]
            )
        }
        let name = path.splitAtLastSlash.name
        let all = try kept(head)
        let earlier = all.last { $0.databaseName == name && $0.manifest.keyring != nil }
        if case .newBeginning = authority { return (keyring, []) }
        if let earlier, let last = try self.keyring(of: earlier, head), !keyring.succeeds(last) {
            throw BackupError(
                .otherDatabase, keyring.path,
                "\(keyring.path) was not written by those who wrote the keyring of backup "
                    + "\(earlier.number)",
                hint:
                    "compare it with the keyring in that backup; if it is right, back up once with a "
                    + "new authority", step: BackupStep.beginAnew)
        }
        return (keyring, [])
    }

    /// Writes a keyring, unless it is there.
    ///
    /// - Returns: Its hash.
    func store(_ keyring: Keyring) throws -> String {
        let bytes = keyring.bytes
        let digest = try bytes.withUnsafeBytes { try ContentDigest(of: $0) }
        guard let number = UInt32(exactly: keyring.revision) else {
            throw BackupError(.failed, path, "the keyring was changed too often")
        }
        if try !folders.root.contains(RepositoryLayout.keyrings) {
            try folders.root.makeFolder(RepositoryLayout.keyrings)
            try folders.root.synchronize()
        }
        let folder = try folders.root.folder(RepositoryLayout.keyrings)
        let name = RepositoryLayout.name(number, digest, suffix: Self.keyringSuffix)
        if try folder.byteCount(of: name) != Int64(bytes.count) {
            try write(bytes, to: name, in: folder)
            try folder.synchronize()
        }
        return digest.hexadecimal
    }

    /// The keyrings that manifests name, of all databases, in the order of the backups that had them last.
    ///
    /// Others count for nothing: anybody could have put them there.
    private func keyrings(_ head: Head) throws -> [(name: String, keyring: Keyring)] {
        guard let folder = try keyringFolder() else { return [] }
        var named: [String: UInt32] = [:]
        // From the last one to the first.
        for link in try BackupChain(self, head) where link.isVouchedFor {
            guard let manifest = try? link.backup.get().manifest, let hash = manifest.keyring
            else { continue }
            named[hash] = named[hash] ?? manifest.sequence
        }
        var files: [(sequence: UInt32, digest: ContentDigest, name: String)] = []
        for name in try folder.names() {
            guard
                let digest = RepositoryLayout.parse(name, suffix: Self.keyringSuffix)?.digest,
                let sequence = named[digest.hexadecimal]
            else { continue }
            files.append((sequence, digest, name))
        }
        files.sort { ($0.sequence, $0.name) < ($1.sequence, $1.name) }
        return try files.map { ($0.name, try keyring($0.name, $0.digest, folder)) }
    }

    private func keyring(
        _ name: String, _ digest: ContentDigest, _ folder: RepositoryFolder
    ) throws -> Keyring {
        let path = folder.path(of: name)
        let bytes = try folder.content(of: name, limit: 1 << 20)
        guard try bytes.withUnsafeBytes({ try ContentDigest(of: $0) }) == digest else {
            throw BackupError.damaged(path, "it does not agree with its own hash")
        }
        do {
            return try Keyring(stored: bytes, at: path, for: path)
        } catch let error as KeyringError {
            throw BackupError.damaged(path, error.message)
        }
    }

    /// The newest keyring that knows the key of a backup; nil if the backup has none.
    ///
    /// - Throws: ``BackupError``, `.damaged`, if it had one, and none is left.
    func keyring(of backup: Backup, _ head: Head) throws -> Keyring? {
        guard backup.manifest.keyring != nil else { return nil }
        let key = backup.keyIdentifier
        guard
            let found = try keyrings(head).last(where: { $0.keyring.keyIdentifiers.contains(key) })
        else {
            throw BackupError.damaged(
                folders.root.path(of: RepositoryLayout.keyrings),
                "the keyring of backup \(backup.number) is missing")
        }
        return found.keyring
    }

    /// Removes the keyrings that no kept backup needs: of each database's, the newest is kept for each key.
    ///
    /// A slot that was removed from a keyring is then gone from here, too.
    func collectKeyrings(_ kept: [Backup], _ head: Head) throws {
        guard let folder = try keyringFolder() else { return }
        var needed: Set<String> = []
        let all = try keyrings(head)
        let keys = Set(kept.filter { $0.manifest.keyring != nil }.map(\.keyIdentifier))
        for key in keys {
            if let newest = all.last(where: { $0.keyring.keyIdentifiers.contains(key) }) {
                needed.insert(newest.name)
            }
        }
        for (name, _) in all where !needed.contains(name) { try folder.remove(name) }
        try folder.synchronize()
    }
}

extension BackupAuthority {
    /// The earlier keys of a database with a keyring introduce its key: the key itself gives them.
    func orKeys(of keyring: Keyring?, _ key: PageKey) throws -> BackupAuthority {
        guard case .known = self, let keyring else { return self }
        return .introducedByOneOf(try keyring.allKeys(unlockingWith: .key(key.cipherKey())))
    }
}
