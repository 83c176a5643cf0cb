package import StrongroomCore

/// A batch that counts, decrypted.
package struct VerifiedBatch: Sendable {
    package let header: BatchHeader
    package let body: BatchBody
    package let hash: ContentDigest

    /// How far its run is merged with it.
    package var tail: LogTail {
        LogTail(header.number, hash, roster: header.start.roster.number)
    }
}

/// Decides what of a hub counts, from bytes, roster and keys alone: all readers decide alike.
///
/// The signature is verified before anything that an object says of the roster is believed: a stranger cannot
/// make a device believe in a fork.
package struct ObjectVerification: Sendable {
    package let roster: Roster
    package let keys: SpaceKeys

    package init(_ roster: Roster, _ keys: SpaceKeys) {
        self.roster = roster
        self.keys = keys
    }

    /// Verifies a batch and decrypts it.
    ///
    /// - Parameters:
    ///   - bytes: What the hub has under the name.
    ///   - name: The name without the space's.
    ///   - tail: How far the run is merged; nil if nothing of it is.
    /// - Throws: ``Refusal``.
    package func batch(
        _ bytes: [UInt8], under name: HubName, after tail: LogTail?
    ) throws -> VerifiedBatch {
        let batch = try SealedBatch(bytes)
        let header = batch.header
        guard header.name == name else { throw Refusal.misplaced }
        let author = try author(of: header.start)
        try batch.requireSignature(by: author.keys.signing)
        try requireMember(author, header.start)
        guard try header.run.belongs(to: header.start.device) else { throw Refusal.foreignRun }
        let hash = try batch.hash()
        try requireCounted(author, header, hash)
        try requireEpoch(header.epoch, header.start)
        try requireNext(header, hash, tail)
        guard let key = keys[header.epoch] else { throw Refusal.noKey }
        let body = try BatchBody(try batch.open(with: key))
        guard body.part < header.number, body.seen[header.run] == header.number - 1 - body.part
        else { throw Refusal.impossible("a part that begins before the run") }
        return VerifiedBatch(header: header, body: body, hash: hash)
    }

    /// Verifies the head of a device.
    ///
    /// - Throws: ``Refusal``.
    package func head(_ bytes: [UInt8], under name: HubName) throws -> DeviceHead {
        let (head, signed) = try DeviceHead.read(bytes)
        guard name == .head(head.start.device) else { throw Refusal.misplaced }
        let author = try author(of: head.start)
        try signed.require(by: author.keys.signing)
        try requireMember(author, head.start)
        guard try head.run.belongs(to: head.start.device) else { throw Refusal.foreignRun }
        return head
    }

    /// Verifies a manifest and decrypts it.
    ///
    /// - Throws: ``Refusal``.
    package func manifest(
        _ bytes: [UInt8], under name: HubName
    ) throws -> (manifest: SnapshotManifest, header: SnapshotManifest.Header, key: SpaceKey) {
        let sealed = try SnapshotManifest.Sealed(bytes)
        guard name == .manifest(try sealed.header.id()) else { throw Refusal.misplaced }
        let author = try author(of: sealed.header.start)
        try sealed.signed.require(by: author.keys.signing)
        try requireMember(author, sealed.header.start)
        // One by a device that was removed since is not needed by anybody.
        guard author.isActive else { throw Refusal.removed }
        try requireEpoch(sealed.header.epoch, sealed.header.start)
        guard let key = keys[sealed.header.epoch] else { throw Refusal.noKey }
        return (try sealed.open(with: key), sealed.header, key)
    }

    // MARK: - Steps

    private func author(of start: ObjectStart) throws(Refusal) -> Roster.Device {
        guard start.space == roster.space else { throw .otherSpace }
        guard let device = roster.devices[start.device] else { throw .unknownDevice }
        return device
    }

    private func requireMember(
        _ author: Roster.Device, _ start: ObjectStart
    ) throws(Refusal) {
        guard author.isReal else { throw .provisional }
        guard let hash = roster.hash(at: start.roster.number) else { throw .rosterFuture }
        guard hash == start.roster.hash else { throw .rosterFork }
        guard start.roster.number >= author.added else { throw .notYetMember }
        guard author.isActive(at: start.roster.number) else { throw .removed }
    }

    private func requireCounted(
        _ author: Roster.Device, _ header: BatchHeader, _ hash: ContentDigest
    ) throws(Refusal) {
        guard let removal = author.removal else { return }
        guard let last = removal.lastBatches.first(where: { $0.run == header.run }),
            header.number < last.number || header.number == last.number && hash == last.hash
        else { throw .removed }
    }

    private func requireEpoch(_ epoch: UInt32, _ start: ObjectStart) throws(Refusal) {
        guard !roster.isEpochPending(at: start.roster.number) else { throw .epochPending }
        guard epoch == roster.epoch(at: start.roster.number) else { throw .wrongEpoch }
    }

    private func requireNext(
        _ header: BatchHeader, _ hash: ContentDigest, _ tail: LogTail?
    ) throws {
        guard let tail else {
            guard header.number == 1 else { throw Refusal.gap }
            guard try header.previous == BatchHeader.noBatch else { throw Refusal.brokenChain }
            return
        }
        if header.number == tail.number {
            throw hash == tail.hash ? Refusal.known : Refusal.numberReused
        }
        guard header.number > tail.number else { throw Refusal.known }
        guard header.number == tail.number + 1 else { throw Refusal.gap }
        guard header.previous == tail.hash else { throw Refusal.brokenChain }
        guard header.start.roster.number >= tail.roster else { throw Refusal.rosterBackwards }
    }
}
