import StrongroomCore

extension OpenRepository {
    /// Writes manifests, and then the head: from that instant on the backups are there.
    func commit(
        _ manifests: [Manifest], _ key: BackupKey, _ packs: PackWriter, pruned: [UInt32] = [],
        _ head: inout Head
    ) throws -> [Backup] {
        var next = head
        next.nextPack = packs.totals.nextPack
        var backups: [Backup] = []
        for var manifest in manifests {
            manifest.format = next.format
            manifest.sequence = next.sequence + 1
            manifest.previous = next.manifest
            // What would not be read is not written.
            guard manifest.isPossible(manifest.sequence, in: next) else {
                throw BackupError(.failed, path, "settings or sizes that no repository can have")
            }
            let text = try manifest.sealed(with: key)
            let bytes = text.bytes
            let digest = try bytes.withUnsafeBytes { try ContentDigest(of: $0) }
            try write(bytes, to: Manifest.name(manifest.sequence, digest), in: folders.backups)
            next.sequence = manifest.sequence
            next.manifest = digest.hexadecimal
            backups.append(Backup(manifest, text, hash: digest))
        }
        try folders.backups.synchronize()
        next.prunedNumbers.formUnion(pruned)
        try packs.requirePresence()
        for backup in backups {
            let name = "\(RepositoryLayout.digits(backup.manifest.sequence))-\(backup.hash).backup"
            guard try folders.backups.contains(name) else {
                throw BackupError.changedMeanwhile(folders.backups.path)
            }
        }
        try writeHead(&next, key)
        head = next
        return backups
    }
}
