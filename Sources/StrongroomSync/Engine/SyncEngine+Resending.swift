internal import StrongroomCore

// Offering again what is merged here.

extension SyncEngine {
    /// Offers again all that this device has: every other device merges it, once.
    ///
    /// It is for devices that lack rows although they exchange, because a hub has lost batches that nobody keeps any more.
    /// First the rows are compared with what is known of them, as `strongroom sync verify` does. What is offered keeps its
    /// author and time: it overwrites no later edit, and is added to no counter twice. It is as large as a snapshot.
    ///
    /// - Returns: What the exchange did.
    /// - Throws: As ``synchronize()``; ``SyncError`` if this device does not have all that the space has: nothing is offered
    ///   then.
    @discardableResult
    public func resend() async throws -> SyncSummary {
        _ = try await verifyRows()
        try await exclusively {
            try await updateRoster()
            guard !isOutdated else {
                throw SyncError(
                    .outdatedApp, writer.path,
                    "the space waits for version \(membership.roster.minimumVersion) of the app",
                    hint: "update the app, or offer everything from another device")
            }
            guard store.space.isComplete, goneContents.vector == nil else {
                throw SyncError(
                    .missingTable, writer.path,
                    "this device does not have all tables and columns of the space",
                    hint: "offer everything from a device that has them")
            }
            try await writer.write { try StoreSetting.needsRepair.set($0, 1) }
        }
        return try await synchronize()
    }
}
