internal import Synchronization

extension Verification {
    func verifyTrees(_ backups: [Backup], _ store: PackStore) throws {
        let damaged = damaged.value.withLock { $0 }
        var walk = TreeWalk(store: store, damaged: damaged)
        for backup in backups {
            guard let root = backup.manifest.rootReference else { continue }
            try work.check()
            let isSound = try walk.verify(
                root, height: TreeNode.height(pageCount: backup.manifest.pageCount),
                pages: 1...backup.manifest.pageCount, pageSize: UInt32(backup.pageSize)
            ) { try note($0) }
            if !isSound {
                report.value.withLock { _ = $0.damagedBackups.insert(backup.number) }
            }
        }
    }
}
