package import StrongroomCore

/// Stands for a merged state: the sum, modulo 2^256, of the SHA-256 of each piece of each row.
///
/// Equal states have equal digests. One piece more or less is one addition, so the digest follows each merge
/// at a cost that depends on what changed alone.
package struct StateDigest: Sendable, Hashable {
    /// Highest word first.
    package private(set) var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

    package init() {}

    /// 32 bytes, highest first.
    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        for word in [words.0, words.1, words.2, words.3] { bytes.append(fixed: word) }
        return bytes
    }

    package static func == (lhs: StateDigest, rhs: StateDigest) -> Bool {
        lhs.words == rhs.words
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(words.3)
    }

    fileprivate mutating func add(_ other: StateDigest) {
        var carry: UInt64 = 0
        func sum(_ one: UInt64, _ other: UInt64) -> UInt64 {
            let (first, overflow) = one.addingReportingOverflow(other)
            let (second, again) = first.addingReportingOverflow(carry)
            carry = overflow || again ? 1 : 0
            return second
        }
        words.3 = sum(words.3, other.words.3)
        words.2 = sum(words.2, other.words.2)
        words.1 = sum(words.1, other.words.1)
        words.0 = sum(words.0, other.words.0)
    }

    fileprivate var negated: StateDigest {
        var result = StateDigest()
        result.words = (~words.0, ~words.1, ~words.2, ~words.3)
        var one = StateDigest()
        one.words.3 = 1
        result.add(one)
        return result
    }

    fileprivate init(_ digest: ContentDigest) {
        let words = digest.withUnsafeBytes { bytes in
            (0..<4).map {
                UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: $0 * 8, as: UInt64.self))
            }
        }
        self.words = (words[0], words[1], words[2], words[3])
    }
}

/// Keeps a digest up to date with merges.
package struct DigestKeeper: ~Copyable {
    package var digest: StateDigest
    private var hasher: ContentHasher

    package init(digest: StateDigest = StateDigest()) throws(DatabaseError) {
        self.digest = digest
        hasher = try ContentHasher()
    }

    /// Follows a merge: takes out the pieces that it replaced, and adds those that are new.
    ///
    /// - Parameters:
    ///   - old: The state before; nil if there was none.
    ///   - new: The state after; nil if it was dropped.
    ///   - outcome: What the merge said that it changed; nil for everything.
    package mutating func follow(
        _ row: RowID, in table: MergeTable, from old: RowState?, to new: RowState?,
        outcome: MergeOutcome? = nil
    ) throws(DatabaseError) {
        if outcome?.kind == .nothing { return }
        let changes = outcome.flatMap { $0.kind == .joined ? $0 : nil }
        if let old {
            try count(RowBytes(table: table, row: row, state: old), changes, removed: true)
        }
        if let new {
            try count(RowBytes(table: table, row: row, state: new), changes, removed: false)
        }
    }

    private mutating func count(
        _ row: RowBytes, _ changes: MergeOutcome?, removed: Bool
    ) throws(DatabaseError) {
        let head = row.head
        if changes?.isFrameChanged != false {
            var bytes = head + [0]
            row.appendFrame(to: &bytes)
            try count(bytes, removed)
        }
        func isCounted(_ field: Int) -> Bool { changes?.fields.contains(field) ?? true }
        for cell in row.state.cells where isCounted(cell.field) {
            var bytes = head + [1]
            row.append(cell, to: &bytes)
            try count(bytes, removed)
        }
        for counter in row.state.counters where isCounted(counter.field) {
            var bytes = head + [2]
            row.append(counter, to: &bytes)
            try count(bytes, removed)
        }
        for extreme in row.state.extremes where isCounted(extreme.field) {
            var bytes = head + [3]
            row.append(extreme, to: &bytes)
            try count(bytes, removed)
        }
    }

    private mutating func count(_ bytes: [UInt8], _ isRemoved: Bool) throws(DatabaseError) {
        var result: Result<ContentDigest, DatabaseError>?
        bytes.withUnsafeBytes { pointer in
            do throws(DatabaseError) {
                result = .success(try hasher.digest(of: pointer))
            } catch {
                result = .failure(error)
            }
        }
        guard let result else { return }
        let piece = StateDigest(try result.get())
        digest.add(isRemoved ? piece.negated : piece)
    }
}
