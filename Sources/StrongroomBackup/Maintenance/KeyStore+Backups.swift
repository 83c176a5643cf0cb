public import StrongroomCore

extension KeyStore {
    /// The retired keys that no backup of these repositories needs, the oldest first.
    ///
    /// The answer covers these repositories, and the databases that were opened with the store and
    /// are still there: other repositories, and other copies of the database, may need the keys. As
    /// long as a repository has no backup with the current key, it needs all of them, because one of
    /// them may have to introduce the current key.
    ///
    ///     for key in try store.unneededKeys(backups: [repository]) { print(key.id) }
    ///
    /// - Throws: ``BackupError`` if a repository cannot be read; `CipherKeyError` if the store cannot be.
    public func unneededKeys(backups repositories: [BackupRepository]) throws -> [StoredKey] {
        let keys = try keys()
        var needed = try keysOfDatabases()
        for repository in repositories {
            needed.formUnion(try repository.keysNeeded(of: keys))
        }
        return keys.filter { $0.state == .retired && !needed.contains($0.id) }
    }

    /// Removes the retired keys that no backup of these repositories needs.
    ///
    /// It does not remove a key that the store only starts with, because that key is stored
    /// elsewhere.
    ///
    ///     try store.removeUnneededKeys(backups: [repository, repositoryElsewhere])
    ///
    /// - Parameter repositories: All repositories with backups that need these keys.
    /// - Returns: The keys that were removed.
    /// - Throws: `CipherKeyError`: `.needed`, before anything is removed, if you leave out a
    ///   repository that this store was used with, by its notes or by the
    ///   ``BackupRepository/memory`` of the repositories; `.inUse` during a rotation.
    ///   ``BackupError`` if a repository cannot be read.
    @discardableResult
    public func removeUnneededKeys(backups repositories: [BackupRepository]) throws -> [StoredKey] {
        try withLock {
            try requireAll(repositories)
            let keys = try unneededKeys(backups: repositories).filter { $0.id != "0000" }
            for key in keys { try remove(key) }
            return keys
        }
    }

    private func requireAll(_ named: [BackupRepository]) throws {
        let identifiers = Set(
            try named.map { repository in
                try repository.opened { try $0.readHead().repository }
            })
        let noted = try repositories()
        let missing = noted.filter { !identifiers.contains($0.identifier) }
        guard let first = missing.first else {
            return try requireNoOther(
                than: identifiers.union(noted.map(\.identifier)), Set(named.map(\.memory?.folder)))
        }
        throw CipherKeyError(
            .needed,
            "backups in \(first.path) may need the retired keys in \(path)"
                + (missing.count > 1 ? ", and in \(missing.count - 1) more repositories" : ""),
            hint: "name that repository, or, if it is gone for good, delete "
                + "\(path)/repository-\(first.identifier); no key was removed")
    }

    /// A copy of the store that was put back may be older than its first use with a repository, which the host
    /// remembers.
    private func requireNoOther(than known: Set<String>, _ memories: Set<String?>) throws {
        let databases = Set(try databases().map { try BackupMemory.digest(ofDatabase: $0) })
        for folder in memories.compactMap({ $0 }).sorted() {
            let memory = BackupMemory(folder: folder)
            for entry in try memory.entries() where !known.contains(entry.repository) {
                guard !databases.isDisjoint(with: entry.databases ?? []) else { continue }
                throw CipherKeyError(
                    .needed,
                    "backups in \(entry.path) may need the retired keys in \(path), which does not list "
                        + "that repository: the store was put back from an older copy",
                    hint: "name that repository, or, if it is gone for good, delete "
                        + "\(try memory.file(of: entry)); no key was removed")
            }
        }
    }
}

extension BackupRepository {
    /// The names of keys that backups need.
    fileprivate func keysNeeded(of keys: [KeyStore.StoredKey]) throws -> [String] {
        try opened { repository in
            let backups = Dictionary(grouping: try repository.keptBackups(), by: \.keyIdentifier)
                .values.compactMap(\.first)
            if backups.isEmpty { return [] }
            var found: Set<String> = []
            for key in keys {
                let isNeeded = try backups.contains { try $0.key(derivedFrom: key.key) != nil }
                if isNeeded { found.insert(key.id) }
            }
            let current = keys.first { $0.state == .current }
            let isIntroduced = current.map { found.contains($0.id) } ?? false
            return isIntroduced ? Array(found) : keys.map(\.id)
        }
    }
}
