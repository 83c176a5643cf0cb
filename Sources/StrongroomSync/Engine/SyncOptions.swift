internal import StrongroomCore

/// What tests and tools give an engine instead of the machine's own.
package struct SyncOptions: Sendable {
    package var randomness = SyncRandomness.system
    /// The device's clock, in milliseconds since 1970.
    package var time: @Sendable () -> Int64 = MemoryHub.systemTime
    /// Whether a file is examined for having been restored or copied: see ``FileWitness``.
    package var looksForCopies = true
    /// Whether an engine waits for another one that has the file.
    package var waitsForLock = true
    /// The version of the app; nil for what the file says.
    package var appVersion: Int?
    /// What the lock's file names as its holder.
    package var program = "SyncEngine"
    package var padding = SyncPadding.padme
    /// How long the log has to be for a snapshot, in bytes.
    package var leastSnapshotLog: Int64 = 4 << 20
    /// After how many milliseconds a snapshot is due in any case.
    package var snapshotAge: Int64 = 30 * 86_400_000
    /// How long the body of a batch may be.
    package var capacity = UnitWriter.capacity
    /// How many changes are merged at a time; nil for as many as take some milliseconds.
    package var holdCount: Int?
    /// A unit of more changes is made and merged in slices.
    package var atomicLimit = 5000
    /// Called at each step between which a crash may happen.
    package var step: @Sendable (String) throws -> Void = { _ in }

    package init() {}
}
