internal import Synchronization

extension ContentDigest {
    /// The digests of blocks that lie one after the other; side by side where that is possible.
    ///
    /// - Parameter blockByteCount: The size of each block.
    package static func digests(
        ofBlocksIn bytes: UnsafeRawBufferPointer, blockByteCount: Int
    ) throws(DatabaseError) -> [ContentDigest] {
        let starts = stride(from: 0, to: bytes.count, by: blockByteCount)
        return try unsafe digests(
            of: starts.map {
                unsafe UnsafeRawBufferPointer(
                    rebasing: bytes[$0..<Swift.min(bytes.count, $0 + blockByteCount)])
            })
    }

    /// The digests of several pieces; side by side where that is possible.
    package static func digests(
        of pieces: [UnsafeRawBufferPointer]
    ) throws(DatabaseError) -> [ContentDigest] {
        let sizes = SideBySideHasher.messageByteCounts
        if unsafe pieces.count > 1, unsafe pieces.allSatisfy({ sizes.contains($0.count) }),
            let digests = unsafe IdleHashers.shared.digests(of: pieces)
        {
            return digests
        }
        var hasher = try ContentHasher()
        var digests: [ContentDigest] = []
        unsafe digests.reserveCapacity(pieces.count)
        for index in unsafe pieces.indices {
            try unsafe digests.append(hasher.digest(of: pieces[index]))
        }
        return digests
    }
}

/// The hashers that no thread uses at the moment: to make one takes as long as to hash half a
/// megabyte. There are never more than threads that hashed at once.
private final class IdleHashers: Sendable {
    static let shared = IdleHashers()

    private final class Lane {
        var hasher: SideBySideHasher

        init(_ hasher: consuming SideBySideHasher) {
            self.hasher = hasher
        }
    }

    // Safety: a lane is used by the thread that took it out.
    private struct Lanes: @unchecked Sendable {
        var idle: [Lane] = []
    }

    private let lanes = Mutex(Lanes())

    func digests(of pieces: [UnsafeRawBufferPointer]) -> [ContentDigest]? {
        guard let lane = takeLane() else { return nil }
        let size = ContentDigest.byteCount
        let digests = unsafe withUnsafeTemporaryAllocation(
            byteCount: pieces.count * size, alignment: 64
        ) { results -> [ContentDigest]? in
            guard unsafe lane.hasher.hash(pieces, to: results) else { return nil }
            return stride(from: 0, to: results.count, by: size).compactMap {
                unsafe ContentDigest(UnsafeRawBufferPointer(rebasing: results[$0..<($0 + size)]))
            }
        }
        // One that refused is not used again.
        if digests != nil { lanes.withLock { $0.idle.append(lane) } }
        return digests
    }

    private func takeLane() -> Lane? {
        if let idle = lanes.withLock({ $0.idle.popLast() }) { return idle }
        guard let hasher = SideBySideHasher.sha256() else { return nil }
        return Lane(hasher)
    }
}
