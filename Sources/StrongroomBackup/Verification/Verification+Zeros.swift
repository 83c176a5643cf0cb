import StrongroomCore
internal import Synchronization

extension Verification {
    /// Finds pages of zeros that a backup's database uses. No hash and no HMAC shows them: the
    /// list of free pages does, and only the key of the database reads it.
    func verifyZeros(
        _ backups: [Backup], _ key: BackupVerificationKey?, _ store: PackStore
    ) throws {
        guard let databaseKeys = key?.databaseKeys, !databaseKeys.isEmpty else { return }
        let known = report.value.withLock { $0.damagedBackups.union($0.otherKeyBackups) }
        var pageKeys: [String: PageKey] = [:]
        var search = ZeroSearch(store: store)
        for backup in backups where !known.contains(backup.number) {
            try operation.check()
            do {
                let pages = try search.pages(of: backup)
                guard !pages.isEmpty else { continue }
                let pageKey =
                    try pageKeys[backup.keyIdentifier]
                    ?? repository.authentic(backup, withOneOf: databaseKeys).key
                pageKeys[backup.keyIdentifier] = pageKey
                let tree = try repository.tree(of: backup, store)
                let unused = UnusedPages(of: tree.pages(pageSize: backup.pageSize), key: pageKey)
                guard let page = try pages.first(where: { try !unused.contains($0) }) else {
                    continue
                }
                throw BackupError.damaged(
                    repository.path,
                    "page \(page) of backup \(backup.number) is in use, and all zeros")
            } catch {
                try note(error)
                report.value.withLock { _ = $0.damagedBackups.insert(backup.number) }
            }
        }
    }
}

/// Follows trees to their pages of zeros; parts that trees share and that have none are followed once.
private struct ZeroSearch {
    let store: PackStore
    /// By size, the digest of a page of zeros, and the nodes that lead to none.
    private var sizes: [Int: (digest: ContentDigest, clean: Set<UInt64>)] = [:]

    init(store: PackStore) {
        self.store = store
    }

    mutating func pages(of backup: Backup) throws -> [UInt32] {
        guard let root = backup.manifest.rootReference else { return [] }
        let size = backup.pageSize
        if sizes[size] == nil {
            let zeros = [UInt8](repeating: 0, count: size)
            sizes[size] = (try zeros.withUnsafeBytes { try ContentDigest(of: $0) }, [])
        }
        let height = TreeNode.height(pageCount: backup.manifest.pageCount)
        return try pages(below: root, height: height, from: 1, size)
    }

    private mutating func pages(
        below reference: PageReference, height: Int, from first: UInt64, _ size: Int
    ) throws -> [UInt32] {
        guard sizes[size]?.clean.contains(reference.place) == false else { return [] }
        var result: [UInt32] = []
        let reach = UInt64(1) << UInt64(6 * (height - 1))
        for (index, child) in try store.node(reference).enumerated() {
            let page = first + UInt64(index) * reach
            if height > 1 {
                result += try pages(below: child, height: height - 1, from: page, size)
            } else if child.digest == sizes[size]?.digest {
                result.append(UInt32(clamping: page))
            }
        }
        if result.isEmpty { sizes[size]?.clean.insert(reference.place) }
        return result
    }
}
