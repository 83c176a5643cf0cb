package import StrongroomCore

/// How far the batches of a run are merged.
package struct LogTail: Hashable, Sendable {
    package var number: UInt64
    package var hash: ContentDigest
    /// The position in the roster that the last batch names.
    package var roster: UInt64

    package init(_ number: UInt64, _ hash: ContentDigest, roster: UInt64) {
        self.number = number
        self.hash = hash
        self.roster = roster
    }
}
