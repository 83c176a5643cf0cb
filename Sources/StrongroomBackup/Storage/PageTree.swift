import StrongroomCore
internal import Synchronization

/// The tree over the pages of a backup, read node by node as they are asked for.
///
/// Threads take turns.
final class PageTree: Sendable {
    let pageCount: UInt32
    let height: Int
    private let root: PageReference
    private let store: PackStore
    /// The node last read on each level, from the leaves up, and its index.
    private let cache: Mutex<[(index: UInt32, references: [PageReference])?]>

    init(root: PageReference, pageCount: UInt32, store: PackStore) {
        self.root = root
        self.pageCount = pageCount
        self.store = store
        height = TreeNode.height(pageCount: pageCount)
        cache = Mutex(Array(repeating: nil, count: height))
    }

    /// Where the pages from one on are; fewer where the database ends.
    func references(from page: UInt32, count: Int) throws -> [PageReference] {
        guard page <= pageCount, count > 0 else { return [] }
        let last = UInt32(min(UInt64(pageCount), UInt64(page) + UInt64(count) - 1))
        return try cache.withLock { cache in
            var result: [PageReference] = []
            var page = page
            while page <= last {
                let leaf = try node(0, (page - 1) / TreeNode.fanOut, &cache)
                let start = Int((page - 1) % TreeNode.fanOut)
                let end = min(leaf.count, start + Int(last - page) + 1)
                guard start < end else { throw incomplete }
                result += leaf[start..<end]
                page += UInt32(end - start)
            }
            return result
        }
    }

    /// The reference to a node; nil where the tree has none.
    func reference(level: Int, index: UInt32) throws -> PageReference? {
        guard level < height else { return nil }
        return try cache.withLock { try reference(level, index, &$0) }
    }

    private func reference(
        _ level: Int, _ index: UInt32,
        _ cache: inout [(index: UInt32, references: [PageReference])?]
    ) throws -> PageReference? {
        if level == height - 1 { return index == 0 ? root : nil }
        guard UInt64(index) << UInt64(6 * (level + 1)) < UInt64(pageCount) else { return nil }
        let parent = try node(level + 1, index / TreeNode.fanOut, &cache)
        let position = Int(index % TreeNode.fanOut)
        return position < parent.count ? parent[position] : nil
    }

    private func node(
        _ level: Int, _ index: UInt32,
        _ cache: inout [(index: UInt32, references: [PageReference])?]
    ) throws -> [PageReference] {
        if let known = cache[level], known.index == index { return known.references }
        guard let reference = try reference(level, index, &cache) else { throw incomplete }
        let node = try store.node(reference)
        cache[level] = (index, node)
        return node
    }

    private var incomplete: BackupError {
        BackupError.damaged(store.folder.path, "a backup has fewer pages than it should have")
    }

    /// The pages as a file that is read, and verified by hashes on the way.
    func pages(pageSize: Int) -> PageSource {
        PageSource(byteCount: Int64(pageCount) * Int64(pageSize), pageSize: pageSize) {
            [self] buffer, offset in
            let page = UInt32(offset / Int64(pageSize)) + 1
            let references = try references(from: page, count: buffer.count / pageSize)
            let memory = UnsafeMutableRawBufferPointer(
                rebasing: buffer[..<(references.count * pageSize)])
            try store.read(references, firstPage: page, pageSize: pageSize, to: memory)
            return memory.count
        }
    }
}
