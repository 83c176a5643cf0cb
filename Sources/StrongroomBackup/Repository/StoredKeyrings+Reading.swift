import StrongroomCore
import StrongroomKeyrings

/// The files of keyrings that manifests name.
struct KeyringFiles {
    static let largestByteCount = 1 << 20

    struct File {
        let name: String
        let digest: ContentDigest
        var keyring: Keyring?
        /// Why there is none.
        var problem: BackupError?
    }

    var files: [File] = []
}

extension OpenRepository {
    /// The keyrings that manifests name and that are as they were stored, of all databases, in the order of the
    /// backups that had them last. One that another replaces comes before that one, whatever backup has it:
    /// somebody who was removed may go on to back up an old copy with its keyring.
    ///
    /// - Parameter summary: What is known of the manifests; without it, all are read.
    func keyrings(
        _ head: Head, _ summary: ChainSummary? = nil
    ) throws -> [(name: String, keyring: Keyring)] {
        var ordered: [(name: String, keyring: Keyring)] = []
        for file in try keyringFiles(head, summary).files {
            guard let keyring = file.keyring else { continue }
            let place = ordered.firstIndex { $0.keyring.replaces(keyring) }
            ordered.insert((file.name, keyring), at: place ?? ordered.endIndex)
        }
        return ordered
    }

    /// The keyrings that no other replaces, newest first: one of each database, or more if they do not follow from
    /// each other.
    func presentKeyrings(_ head: Head) throws -> [Keyring] {
        var present: [Keyring] = []
        for keyring in try keyrings(head).reversed().map(\.keyring)
        where !present.contains(where: { $0.succeeds(keyring) }) {
            present.append(keyring)
        }
        return present
    }

    /// The present keyrings of which another one belongs to the same database, and neither follows from the other.
    func forks(_ head: Head) throws -> [Keyring] {
        let present = try presentKeyrings(head)
        return present.filter { keyring in present.contains { $0.isFork(of: keyring) } }
    }

    func noticeOfForks(_ forks: [Keyring]) -> String {
        "two keyrings of one database (\(forks.first?.identifier.prefix(8) ?? "")) in \(path) do not follow from "
            + "each other: somebody with an earlier key has backed up an old copy, or you have restored one; "
            + "compare the last backups with what you know"
    }

    /// Others than those that manifests name count for nothing: anybody could have put them there.
    func keyringFiles(_ head: Head, _ summary: ChainSummary? = nil) throws -> KeyringFiles {
        guard let folder = try keyringFolder() else { return KeyringFiles() }
        let named = try summary?.keyrings ?? namedKeyrings(head)
        var files: [(sequence: UInt32, digest: ContentDigest, name: String)] = []
        for name in try folder.names() {
            guard
                let digest = RepositoryLayout.parse(name, suffix: Self.keyringSuffix)?.digest,
                let sequence = named[digest.hexadecimal]
            else { continue }
            files.append((sequence, digest, name))
        }
        files.sort { ($0.sequence, $0.name) < ($1.sequence, $1.name) }
        return KeyringFiles(
            files: try files.map { file in
                do {
                    let keyring = try keyring(file.name, file.digest, folder)
                    return .init(name: file.name, digest: file.digest, keyring: keyring)
                } catch let error as BackupError {
                    return .init(name: file.name, digest: file.digest, problem: error)
                }
            })
    }

    /// The hashes of keyrings, with the last backup that names each.
    ///
    /// Behind a damaged manifest, nothing but their own vouches and the keys of backups vouches for keyrings; without
    /// them, no secret would restore a backup.
    private func namedKeyrings(_ head: Head) throws -> [String: UInt32] {
        var named: [String: UInt32] = [:]
        // From the last one to the first.
        for link in try BackupChain(self, head) {
            guard let manifest = try? link.backup.get().manifest, let hash = manifest.keyring
            else { continue }
            named[hash] = named[hash] ?? manifest.sequence
        }
        return named
    }

    private func keyring(
        _ name: String, _ digest: ContentDigest, _ folder: RepositoryFolder
    ) throws -> Keyring {
        let path = folder.path(of: name)
        let bytes = try folder.content(of: name, limit: KeyringFiles.largestByteCount)
        guard try bytes.withUnsafeBytes({ try ContentDigest(of: $0) }) == digest else {
            throw BackupError.damaged(path, "it does not agree with its own hash")
        }
        do {
            return try Keyring(stored: bytes, at: path)
        } catch let error as KeyringError {
            throw BackupError.damaged(path, error.message)
        }
    }

    /// The newest keyring that knows the key of a backup; nil if there is none.
    ///
    /// A backup from the time before the database had a keyring may be known to a later one.
    func keyring(
        of backup: Backup, _ head: Head, _ summary: ChainSummary? = nil
    ) throws -> Keyring? {
        try keyrings(head, summary).last {
            $0.keyring.keyIdentifiers.contains(backup.keyIdentifier)
        }?
        .keyring
    }

    /// What is wrong with the keyrings that kept backups need: damaged files, and keys that no keyring gives.
    func problemsOfKeyrings(_ kept: [Backup], _ head: Head) throws -> [(
        backup: Backup?, BackupError
    )] {
        guard kept.contains(where: { $0.manifest.keyring != nil }) else { return [] }
        let files = try keyringFiles(head).files
        let known = Set(files.flatMap { $0.keyring?.keyIdentifiers ?? [] })
        let inForce = Self.backupsWithKeyringInForce(kept)
        let damaged = files.compactMap { file in
            file.problem.map { (inForce[file.digest.hexadecimal], $0) }
        }
        let there = Set(files.map(\.digest.hexadecimal))
        let missing = kept.filter { backup in
            guard let hash = backup.manifest.keyring else { return false }
            return !known.contains(backup.keyIdentifier)
                || !there.contains(hash) && inForce[hash]?.number == backup.number
        }
        return damaged
            + missing.map { backup in
                (
                    backup,
                    BackupError.damaged(
                        folders.root.path(of: RepositoryLayout.keyrings),
                        "the keyring of backup \(backup.number) is missing")
                )
            }
    }

    /// The last backup of each database with a keyring, by the hash of that: the secrets of this one count.
    private static func backupsWithKeyringInForce(_ kept: [Backup]) -> [String: Backup] {
        var last: [String: Backup] = [:]
        for backup in kept where backup.manifest.keyring != nil {
            last[backup.databaseName] = backup
        }
        return Dictionary(
            last.values.compactMap { backup in backup.manifest.keyring.map { ($0, backup) } },
            uniquingKeysWith: { $0.number > $1.number ? $0 : $1 })
    }

    /// Whether no keyring is missing that kept backups need, or damaged, by what is known of these.
    func hasAllKeyrings(_ head: Head, _ summary: ChainSummary) throws -> Bool {
        guard !summary.keysWithKeyring.isEmpty else { return true }
        let files = try keyringFiles(head, summary).files
        let known = Set(files.flatMap { $0.keyring?.keyIdentifiers ?? [] })
        let there = Set(files.compactMap { summary.keyrings[$0.digest.hexadecimal] })
        return summary.keysWithKeyring.isSubset(of: known)
            && files.allSatisfy { $0.problem == nil }
            && summary.databases.allSatisfy { database in
                database.lastWithKeyring.map { there.contains($0.number) } ?? true
            }
    }

    /// Whether the keyring that a backup was stored with is there as it was.
    func hasOwnKeyring(
        _ backup: Backup, _ head: Head, _ summary: ChainSummary?
    ) throws -> Bool {
        try keyringFiles(head, summary).files.contains {
            $0.keyring != nil && $0.digest.hexadecimal == backup.manifest.keyring
        }
    }

    /// The hashes of keyrings that kept backups need, and that are not there as they were.
    func lostKeyrings(_ kept: [Backup], _ head: Head) throws -> [String] {
        let files = try keyringFiles(head).files
        let known = Set(files.flatMap { $0.keyring?.keyIdentifiers ?? [] })
        let damaged = files.filter { $0.problem != nil }.map(\.digest.hexadecimal)
        let missing = kept.filter { !known.contains($0.keyIdentifier) }.compactMap(
            \.manifest.keyring)
        let inForce = Set(Self.backupsWithKeyringInForce(kept).keys)
            .subtracting(files.map(\.digest.hexadecimal))
        return inForce.union(damaged + missing).sorted()
    }

    /// The bytes of a keyring by its hash, whatever its name says.
    func keyringBytes(_ hash: String) throws -> [UInt8]? {
        guard let folder = try keyringFolder() else { return nil }
        for name in try folder.names() where name.contains(hash) {
            let bytes = try folder.content(of: name, limit: KeyringFiles.largestByteCount)
            let digest = try bytes.withUnsafeBytes { try ContentDigest(of: $0) }
            if digest.hexadecimal == hash { return bytes }
        }
        return nil
    }

    /// The hash of the newest keyring that knows a key; nil if none does.
    func keyringHash(knowing key: String, _ head: Head) throws -> String? {
        let newest = try keyrings(head).last { $0.keyring.keyIdentifiers.contains(key) }
        return newest.flatMap {
            RepositoryLayout.parse($0.name, suffix: Self.keyringSuffix)?.digest.hexadecimal
        }
    }

    /// What there is to say of keyrings after backups got another key: that it opens what a keyring opened.
    func keyringNotices(_ rekeyed: [Backup], _ head: Head) throws -> [String] {
        let known = Set(try keyrings(head).flatMap(\.keyring.keyIdentifiers))
        let origins = Set(
            rekeyed.filter { !known.contains($0.keyIdentifier) }.compactMap(\.manifest.rekeyed))
        guard !known.isEmpty, !origins.isEmpty else { return [] }
        let hadKeyring = try BackupChain(self, head).contains { link in
            guard origins.contains(link.number), let origin = try? link.backup.get() else {
                return false
            }
            return origin.manifest.keyring != nil || known.contains(origin.keyIdentifier)
        }
        guard hadKeyring else { return [] }
        return [
            "no keyring in \(path) gives the new key: keep it until a later backup stores a keyring that "
                + "does, or no one can restore these backups"
        ]
    }

    /// Removes every keyring of a database.
    ///
    /// - Parameter identifier: ``Keyring/identifier``.
    /// - Returns: How many there were.
    func removeKeyrings(of identifier: String, _ head: Head) throws -> Int {
        guard let folder = try keyringFolder() else { return 0 }
        let names = try keyringNames(of: identifier)
        for name in names { try folder.remove(name) }
        try folder.synchronize()
        return names.count
    }

    /// The names of the files with keyrings of a database.
    func keyringNames(of identifier: String) throws -> [String] {
        guard let folder = try keyringFolder() else { return [] }
        return try folder.names().filter { name in
            guard name.hasSuffix(Self.keyringSuffix) else { return false }
            let bytes = try folder.content(of: name, limit: KeyringFiles.largestByteCount)
            return (try? Keyring(stored: bytes, at: folder.path(of: name)))?.identifier
                == identifier
        }
    }

    /// Removes the keyrings that no kept backup needs: of each database's, the newest is kept for each key, and that of the
    /// last backup.
    ///
    /// A slot that was removed from a keyring is then gone from here, too.
    func collectKeyrings(_ kept: [Backup], _ head: Head) throws {
        guard let folder = try keyringFolder() else { return }
        var needed: Set<String> = []
        let all = try keyrings(head)
        let hashes = Set(kept.compactMap(\.manifest.keyring))
        let named = all.filter { ring in hashes.contains { ring.name.contains($0) } }
        for key in Set(kept.map(\.keyIdentifier)) {
            guard let newest = all.last(where: { $0.keyring.keyIdentifiers.contains(key) }) else {
                continue
            }
            // One that does not follow from those of kept backups goes with the backups that had it.
            let genuine =
                named.contains { $0.name == newest.name }
                ? nil
                : named.last {
                    $0.keyring.keyIdentifiers.contains(key) && $0.keyring.isFork(of: newest.keyring)
                }
            needed.insert((genuine ?? newest).name)
        }
        let inForce = Self.backupsWithKeyringInForce(kept).keys
        for (name, _) in all
        where !needed.contains(name) && !inForce.contains(where: name.contains) {
            try folder.remove(name)
        }
        try folder.synchronize()
    }
}

extension BackupRepository {
    /// Which of the keyrings that kept backups need are damaged or missing.
    package func keyringProblems() throws -> [BackupError] {
        try opened { repository in
            let head = try repository.readHead()
            return try repository.problemsOfKeyrings(repository.kept(head), head).map(\.1)
        }
    }
}
