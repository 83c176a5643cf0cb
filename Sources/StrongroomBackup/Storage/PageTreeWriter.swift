import StrongroomCore

/// Builds the tree over the pages of a new backup, and takes nodes that did not change from the
/// tree of the one before.
struct PageTreeWriter {
    private var pending: [[PageReference]]
    private var nextIndex: [UInt32]
    private let previous: PageTree?
    private let packs: PackWriter

    init(pageCount: UInt32, previous: PageTree?, packs: PackWriter) {
        let height = TreeNode.height(pageCount: pageCount)
        pending = Array(repeating: [], count: height)
        nextIndex = Array(repeating: 0, count: height)
        self.previous = previous
        self.packs = packs
    }

    mutating func append(_ reference: PageReference) throws {
        try append(reference, level: 0)
    }

    private mutating func append(_ reference: PageReference, level: Int) throws {
        pending[level].append(reference)
        if pending[level].count == TreeNode.fanOut, level + 1 < pending.count {
            try append(try flush(level), level: level + 1)
        }
    }

    /// Writes the node of a level, unless it is there already.
    private mutating func flush(_ level: Int) throws -> PageReference {
        let bytes = TreeNode.encode(pending[level])
        let index = nextIndex[level]
        pending[level] = []
        nextIndex[level] += 1
        return try bytes.withUnsafeBytes { bytes in
            let digest = try ContentDigest(of: bytes)
            // A tree that is damaged here has nothing to take over.
            let known = try? previous?.reference(level: level, index: index)
            if let known, known.digest == digest { return known }
            return try packs.append(bytes, CollectionOfOne(digest), page: 0)[0]
        }
    }

    /// The root.
    mutating func finish() throws -> PageReference {
        for level in 0..<(pending.count - 1) where !pending[level].isEmpty {
            try append(try flush(level), level: level + 1)
        }
        return try flush(pending.count - 1)
    }
}

/// Builds a tree of references that come chunk by chunk, in any order.
struct PageTreeAssembly {
    private var tree: PageTreeWriter
    private var next: UInt32 = 1
    private var waiting: [UInt32: [PageReference]] = [:]

    init(_ tree: PageTreeWriter) {
        self.tree = tree
    }

    mutating func add(_ references: [PageReference], from page: UInt32) throws {
        waiting[page] = references
        while let references = waiting.removeValue(forKey: next) {
            for reference in references { try tree.append(reference) }
            next += UInt32(references.count)
        }
    }

    /// The root.
    mutating func finish() throws -> PageReference {
        try tree.finish()
    }
}
