/// Why bytes from a hub do not count.
///
/// All readers of the same bytes with the same roster come to the same reason.
package enum Refusal: Error, Hashable, Sendable {
    // Of any object.
    case tooLarge
    /// The bytes are not in the format.
    case malformed(String)
    /// A later version wrote it: this one must not guess what it means.
    case unknownVersion
    case otherSpace
    /// The name in the hub is not that of what is in the object.
    case misplaced
    case badSignature

    // Of what a device wrote.
    case unknownDevice
    /// The device was not in the roster at the position that is named.
    case notYetMember
    /// The device was removed, and this comes after the last batch that counts.
    case removed
    /// The device may do nothing but replace itself.
    case provisional
    /// The named position does not exist here yet.
    case rosterFuture
    /// The roster that is named is another one.
    case rosterFork
    /// The position is lower than that of the batch before.
    case rosterBackwards
    /// A device was removed, and the new space key was missing at the position that is named.
    case epochPending
    /// The epoch is not that of the position that is named.
    case wrongEpoch
    /// This device does not have the space key of the epoch.
    case noKey
    /// It does not decrypt: the author had another key, or the bytes are changed.
    case notDecrypted

    // Of batches.
    /// Batches before it are missing.
    case gap
    /// It is merged already.
    case known
    /// Another batch with this number is merged already.
    case numberReused
    /// It follows another batch than the one that is merged.
    case brokenChain
    /// The run is that of another device.
    case foreignRun
    /// A number, a stamp or a state that no device writes.
    case impossible(String)

    // Of entries of a roster.
    case noRight
    case wrongPosition
    case timeBackwards
    case ticketUsed
    case ticketLapsed

    // Of snapshots.
    case missingPart
    case wrongDigest
}
