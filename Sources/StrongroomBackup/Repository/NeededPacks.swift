import StrongroomCore

/// The packs that the trees of backups lead to, as far as their nodes can be read.
struct NeededPacks {
    let store: PackStore
    private(set) var numbers: Set<UInt32> = []
    /// Why nodes could not be read.
    private(set) var problems: [BackupError] = []
    private var visited: Set<UInt64> = []
    /// Nodes in packs with smaller numbers are not followed: all that they lead to is known.
    private let first: UInt32

    init(store: PackStore, from first: UInt32 = 0) {
        self.store = store
        self.first = first
    }

    /// - Parameter check: Called from time to time; what it throws ends the work.
    mutating func add(_ backup: Backup, check: () throws -> Void) throws {
        guard let root = backup.manifest.rootReference else { return }
        try add(root, height: TreeNode.height(pageCount: backup.manifest.pageCount), check)
    }

    private mutating func add(
        _ reference: PageReference, height: Int, _ check: () throws -> Void
    ) throws {
        numbers.insert(reference.pack)
        guard height > 0, reference.pack >= first, visited.insert(reference.place).inserted else {
            return
        }
        try check()
        do {
            for child in try store.node(reference) { try add(child, height: height - 1, check) }
        } catch let error as BackupError {
            problems.append(error)
        }
    }
}
