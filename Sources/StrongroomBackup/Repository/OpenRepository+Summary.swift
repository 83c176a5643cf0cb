import StrongroomCore

extension OpenRepository {
    /// What this host knows of all backups up to a head, from what it remembers of an earlier one; nil if it does
    /// not know, and all manifests are to be read.
    ///
    /// - Returns: Also the backups that came since, the first one first.
    func summary(
        _ text: HeadText, _ known: BackupMemory.Entry?
    ) throws -> (summary: ChainSummary, new: [Backup])? {
        guard var summary = try known?.chain ?? ChainSummary.empty(text) else { return nil }
        let hash = text.digest.hexadecimal
        guard known == nil || known?.repository == text.head.repository else { return nil }
        if summary.head == hash { return (summary, []) }
        let first = summary.last?.number ?? 0
        guard text.head.sequence >= first else { return nil }
        var new: [Backup] = []
        if text.head.sequence > first {
            for link in try BackupChain(self, text.head) {
                guard link.isVouchedFor, let backup = try? link.backup.get() else { return nil }
                new.append(backup)
                if link.number == first + 1 { break }
            }
        }
        new.reverse()
        return try summary.goOn(to: text, with: new) ? (summary, new) : nil
    }

    /// What a backup has to know of earlier ones: where a host remembers nothing of them, all are read.
    ///
    /// - Returns: Nil if they are better read in order, because nothing can be remembered or some are damaged.
    func summaryIfNeeded(_ head: Head) -> ChainSummary? {
        guard let memory, let text = current.value, text.head == head else { return nil }
        if let known = try? summary(text, current.known ?? memory.entry(at: place)) {
            return known.summary
        }
        return (try? kept(head)).flatMap { try? readSummary(text, $0) }
    }

    /// - Parameter kept: The kept backups.
    /// - Returns: Nil if it is too large, or if not all manifests can be read.
    func readSummary(_ text: HeadText, _ kept: [Backup]) throws -> ChainSummary? {
        var manifests: [Backup] = []
        for link in try BackupChain(self, text.head) {
            guard link.isVouchedFor, let backup = try? link.backup.get() else { return nil }
            if backup.manifest.keyring != nil { manifests.append(backup) }
        }
        return try ChainSummary(text, kept: kept, manifests: manifests)
    }

    /// What is known after a backup of what was known before it.
    ///
    /// - Parameter packNames: The packs that it has written.
    /// - Returns: Nil if that is not known.
    func summary(
        after known: ChainSummary?, _ backup: Backup, packNames: [String]
    ) throws -> ChainSummary? {
        guard var summary = known, let text = current.value,
            try summary.goOn(to: text, with: [backup])
        else { return nil }
        let name = "\(RepositoryLayout.digits(backup.manifest.sequence))-\(backup.hash).backup"
        try summary.manifests?.add(name, folders.backups.status(of: name), .identity)
        for name in packNames.sorted(by: PackFormat.isBefore) {
            try summary.packs?.add(name, folders.packs.status(of: name), .size)
        }
        summary.folder = try folders.backups.stamp
        return summary
    }

    /// Whether no manifest was added or removed since this host has written the head.
    ///
    /// Where the times of a file system have long steps, one that was added within the same step is not seen.
    /// It counts for nothing without a head that names it.
    var hasSameManifests: Bool {
        guard !acceptsRollback, let text = current.value, let known = current.known?.chain else {
            return false
        }
        return known.head == text.digest.hexadecimal && known.folder != nil
            && known.folder == (try? folders.backups.stamp)
    }

    /// The packs, whose names are read only once by who alone may write.
    func packStore() throws -> PackStore {
        try PackStore(folders.packs, names: current.packNames)
    }

    /// A backup that the chain from the head vouches for.
    func backup(_ link: ChainSummary.Link, in head: Head) throws -> Backup {
        guard let digest = ContentDigest(hexadecimal: link.hash) else {
            throw BackupError.damaged(folders.backups.path, "backup \(link.number) has no hash")
        }
        return try BackupChain.read(link.number, digest, in: self, head)
    }
}

extension RepositoryFolder {
    /// Is another one after each name that is added or removed.
    fileprivate var stamp: String {
        get throws {
            let status = try ownStatus()
            return "\(status.identity.number) \(status.written) \(status.changed)"
        }
    }
}

extension PackFormat {
    /// In the order of their numbers.
    fileprivate static func isBefore(_ one: String, _ other: String) -> Bool {
        (parse(one)?.number ?? 0, one) < (parse(other)?.number ?? 0, other)
    }
}
