import StrongroomCore

/// Nodes of trees that were read and verified with their packs, so that they need not be fetched again: a server sends
/// more than a node for each of them.
struct KeptNodes: Sendable {
    /// Enough for the trees of 6 GB.
    private static let byteLimit = 64 << 20

    private var nodes: [UInt64: (digest: ContentDigest, bytes: [UInt8])] = [:]
    private var byteCount = 0

    /// Keeps a node, if there is room for it.
    mutating func insert(_ bytes: UnsafeRawBufferPointer, _ reference: PageReference) {
        guard byteCount + bytes.count <= Self.byteLimit else { return }
        if nodes.updateValue((reference.digest, Array(bytes)), forKey: reference.place) == nil {
            byteCount += bytes.count
        }
    }

    /// What a node leads to; nil if it is not kept, or is not what the reference says.
    func node(_ reference: PageReference) -> [PageReference]? {
        guard let kept = nodes[reference.place], kept.digest == reference.digest else { return nil }
        return kept.bytes.withUnsafeBytes { TreeNode.decode($0) }
    }
}
