/// How a device stands with its space.
public struct SyncStatus: Sendable, Hashable {
    /// What the engine does.
    public enum Activity: String, Sendable, Hashable {
        /// Nothing.
        case idle
        /// It looks for what other devices have written.
        case fetching
        /// It sends what was written here.
        case sending
    }

    /// What no honest hub or device does, or what this version does not understand.
    public struct Finding: Sendable, Hashable, Codable {
        /// The device whose batches are concerned.
        public var device: String
        /// The number of the first batch that does not count.
        public var number: UInt64
        /// What is wrong.
        public var reason: String
    }

    /// Batches that are merged here, and that the hub does not have any more.
    ///
    /// It was put back, or has lost them.
    public struct MissingBatches: Sendable, Hashable, Codable {
        /// The device that wrote them, which sends them again when it exchanges.
        public var device: String
        /// The run of the device.
        public var run: String
        /// The number of the first one that is missing.
        public var first: UInt64
        /// The number of the last one.
        public var last: UInt64
        /// When this device missed them first, in milliseconds since 1970 by the hub's clock.
        public var since: Int64
    }

    /// What the engine does now.
    public var activity = Activity.idle
    /// Whether ``SyncEngine/start()`` was called.
    public var isRunning = false
    /// The space, in 64 hexadecimal digits.
    public var space: String
    /// This device, in 32 hexadecimal digits.
    public var device: String
    /// The tables that are not synchronised here, with the reasons.
    ///
    /// Their policies are not those that the space has. Their rows stay as they are, and what others write to them is kept
    /// until the policies are the same.
    public var withheldTables: [String: String] = [:]
    /// The names of the devices, by their ids.
    public var devices: [String: String] = [:]
    /// How many notes of changes wait to become a batch, at most.
    public var pendingChanges = 0
    /// How many rows are in tables that are shared for the first time, and have to be read.
    ///
    /// It is 0 if there are no such tables, and before the first exchange.
    public var rowsToScan = 0
    /// How many of them are read.
    ///
    /// What other devices have written is shown when all are.
    public var scannedRows = 0
    /// How many batches wait to be sent.
    public var unsentBatches = 0
    /// Whether this device was removed from the space, as the last exchange found.
    public var isRemoved = false
    /// The version of the app that the space waits for; nil if this one may send.
    public var requiredAppVersion: Int?
    /// How many rows were dropped, by their tables, when this device began again from a snapshot.
    ///
    /// It was away, or was put back, for so long that others have forgotten how they were deleted.
    public var lostRows: [String: Int] = [:]
    /// How many counters may lack what somebody has added, by table and column.
    ///
    /// The hub was put back, and two copies of a file have written under the same numbers.
    public var inexactCounters: [String: Int] = [:]
    /// How many rows are merged but not shown, by the reason.
    public var heldRows: [String: Int] = [:]
    /// Triggers of the app that changed or refused what was merged, and were turned off for it.
    ///
    /// Have them ask `(SELECT origin FROM strongroom_sync_state) = 0`.
    public var overruledTriggers: [String] = []
    /// The hub's clock minus this device's, in milliseconds; nil while it is unknown.
    public var clockOffset: Int64?
    /// When the last exchange with the hub ended, in milliseconds since 1970; nil if there was none.
    public var lastExchange: Int64?
    /// What was found in the hub at the last exchange.
    public var findings: [Finding] = []
    /// What the hub has lost of the batches of other devices.
    public var missingBatches: [MissingBatches] = []
    /// The devices that have merged the same batches as this one, and have another state.
    ///
    /// No order of merges explains it: one of them is damaged.
    public var divergedDevices: [String] = []
    /// Batches that wait for others that the hub does not have, by the device that wrote them.
    public var waitingBatches: [String: Int] = [:]
    /// The reason why the last exchange failed; nil if it did not.
    public var lastError: String?

    /// Whether an exchange is going on.
    public var isSynchronizing: Bool { activity != .idle }
    /// Whether changes are being sent.
    public var isSendingChanges: Bool { activity == .sending }
    /// Whether changes are being fetched.
    public var isFetchingChanges: Bool { activity == .fetching }
}

/// What an exchange did.
public struct SyncSummary: Sendable, Hashable {
    /// How many batches were sent.
    public var sentBatches = 0
    /// How many changes were in batches of this device that were made.
    public var localChanges = 0
    /// How many units of other devices were merged, and how many changes they had.
    public var mergedUnits = 0
    /// How many changes of other devices were merged, those of snapshots included.
    public var mergedChanges = 0
    /// How many snapshots were merged.
    public var mergedSnapshots = 0
    /// How many snapshots this device has written.
    public var sentSnapshots = 0
}
