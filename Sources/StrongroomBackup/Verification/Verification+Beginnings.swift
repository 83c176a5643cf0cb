import StrongroomCore
internal import Synchronization

extension Verification {
    /// Finds backups whose page 1 does not begin as their settings say. No HMAC covers these bytes.
    func verifyBeginnings(_ backups: [Backup], _ store: PackStore) throws {
        let known = report.value.withLock { $0.damagedBackups }
        var sound: Set<Beginning> = []
        for backup in backups where !known.contains(backup.number) {
            try operation.check()
            do {
                let cipher = backup.manifest.cipher
                guard let settings = cipher.settings, let salt = cipher.saltValue else { continue }
                let tree = try repository.tree(of: backup, store)
                guard let reference = try tree.references(from: 1, count: 1).first else { continue }
                let beginning = Beginning(digest: reference.digest, cipher: cipher)
                guard !sound.contains(beginning) else { continue }
                var page = [UInt8](repeating: 0, count: backup.pageSize)
                try page.withUnsafeMutableBytes {
                    try tree.pages(pageSize: backup.pageSize).readPage(1, to: $0)
                }
                if let problem = PageBeginning.problem(of: page, settings, salt: salt) {
                    throw BackupError.damaged(
                        repository.path,
                        "page 1 of backup \(backup.number) was damaged when it was stored: \(problem)"
                    )
                }
                sound.insert(beginning)
            } catch {
                try note(error)
                report.value.withLock { _ = $0.damagedBackups.insert(backup.number) }
            }
        }
    }
}

/// The page 1 that backups share, and what it has to begin with.
private struct Beginning: Hashable {
    let digest: ContentDigest
    let cipher: Manifest.Cipher
}
