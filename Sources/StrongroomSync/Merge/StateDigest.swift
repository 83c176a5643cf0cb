package import StrongroomCore

/// Stands for a merged state: the sum, modulo 2^256, of the SHA-256 of each row's digested form.
///
/// That form has who wrote what and when, and not the contents of cells: so the digest can be followed where the former
/// content is gone, because the app has written to its row. One row more or less is one addition.
package struct StateDigest: Sendable, Hashable {
    /// Highest word first.
    package private(set) var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

    package init() {}

    /// - Parameter bytes: As ``bytes``; nil if there are not 32 of them.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count == 32 else { return nil }
        func word(_ index: Int) -> UInt64 {
            bytes[index * 8..<index * 8 + 8].reduce(0) { $0 << 8 | UInt64($1) }
        }
        words = (word(0), word(1), word(2), word(3))
    }

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

    /// Follows a change of a row.
    ///
    /// - Parameters:
    ///   - old: The state before, in which the contents of cells do not matter; nil if there was none.
    ///   - new: The state after; nil if it was dropped.
    package mutating func follow(
        _ row: RowID, in table: MergeTable, from old: RowState?, to new: RowState?
    ) throws(DatabaseError) {
        for (state, isRemoved) in [(old, true), (new, false)] {
            guard let state else { continue }
            var bytes: [UInt8] = []
            bytes.reserveCapacity(row.key.bytes.count + 80 + state.cells.count * 48)
            RowBytes(table: table, row: row, state: state).appendDigested(to: &bytes)
            try count(bytes, isRemoved)
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
