import StrongroomCore
internal import Synchronization

extension Verification {
    func verifyTrees(_ backups: [Backup], _ store: PackStore) throws {
        let damaged = damaged.value.withLock { $0 }
        // Each page has an entry of its own: a tree with more of them is not followed.
        let entryCount = store.entryCount()
        let nodes = nodes.value.withLock { nodes in
            defer { nodes = KeptNodes() }
            return nodes
        }
        var walk = TreeWalk(store: store, damaged: damaged, nodes: nodes)
        for backup in backups {
            guard let root = backup.manifest.rootReference else { continue }
            try operation.check()
            guard backup.pageCount <= entryCount else {
                try note(
                    BackupError.damaged(
                        store.folder.path,
                        "backup \(backup.number) has more pages than they hold: packs are missing, or cut"
                    ))
                report.value.withLock { _ = $0.damagedBackups.insert(backup.number) }
                continue
            }
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
