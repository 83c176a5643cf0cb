/// Something that happened, of which an app may tell its users.
///
///     for await event in engine.events { log(event.message) }
public struct SyncEvent: Sendable, Hashable {
    /// The kinds of events; later versions may add kinds.
    public struct Kind: RawRepresentable, Sendable, Hashable {
        /// The name of the kind.
        public let rawValue: String

        /// A kind by its name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// A device has joined the space. The subject is its id.
        public static let joined = Kind(rawValue: "joined")
        /// A device was removed from the space. The subject is its id, which may be that of this device.
        public static let removed = Kind(rawValue: "removed")
        /// A device has merged the same batches and has another state. The subject is its id.
        public static let diverged = Kind(rawValue: "diverged")
        /// The hub has lost batches. The subject is the id of the device that wrote them.
        public static let hubBehind = Kind(rawValue: "hubBehind")
        /// Something in the hub does not count. The subject is the id of the device that wrote it.
        public static let refused = Kind(rawValue: "refused")
        /// Rows were merged that cannot be shown. The subject is the reason.
        public static let heldRow = Kind(rawValue: "heldRow")
        /// A table is not synchronised, because the space has other policies. The subject is the table.
        public static let policyMismatch = Kind(rawValue: "policyMismatch")
        /// A trigger of the app was turned off for rows. The subject is the trigger.
        public static let triggerFought = Kind(rawValue: "triggerFought")
        /// Rows were dropped that others had deleted long ago. The subject is the table.
        public static let lostRows = Kind(rawValue: "lostRows")
        /// The space waits for a later version of the app. The subject is that version.
        public static let outdatedApp = Kind(rawValue: "outdatedApp")
    }

    /// What kind of event it is.
    public let kind: Kind
    /// What it is about; see ``Kind``.
    public let subject: String
    /// The event in words, without keys and values of rows.
    public let message: String

    init(_ kind: Kind, _ subject: String, _ message: String) {
        self.kind = kind
        self.subject = subject
        self.message = message
    }
}

/// Hears of events.
///
///     final class Log: SyncEngineDelegate {
///         func syncEngine(_ engine: SyncEngine, didReceive event: SyncEvent) async {
///             print(event.message)
///         }
///     }
public protocol SyncEngineDelegate: AnyObject, Sendable {
    /// Called for each event, one after the other.
    func syncEngine(_ engine: SyncEngine, didReceive event: SyncEvent) async
}

extension SyncEvent {
    /// What has happened from one status to the next.
    static func events(from old: SyncStatus, to new: SyncStatus) -> [SyncEvent] {
        devices(old, new) + hub(old, new) + tables(old, new)
    }

    private static func devices(_ old: SyncStatus, _ new: SyncStatus) -> [SyncEvent] {
        var events: [SyncEvent] = []
        // Nobody is known before the roster was read.
        if !old.devices.isEmpty {
            for (id, name) in new.devices.sorted(by: { $0.key < $1.key })
            where old.devices[id] == nil {
                events.append(SyncEvent(.joined, id, "the device \(name) has joined the space"))
            }
            for (id, name) in old.devices.sorted(by: { $0.key < $1.key })
            where new.devices[id] == nil {
                events.append(
                    SyncEvent(.removed, id, "the device \(name) was removed from the space"))
            }
        }
        if new.isRemoved && !old.isRemoved {
            events.append(
                SyncEvent(.removed, new.device, "this device was removed from the space"))
        }
        if let version = new.requiredAppVersion, old.requiredAppVersion != version {
            events.append(
                SyncEvent(
                    .outdatedApp, "\(version)",
                    "the space waits for version \(version) of the app; what is written here stays until then"
                ))
        }
        return events
    }

    private static func hub(_ old: SyncStatus, _ new: SyncStatus) -> [SyncEvent] {
        func name(_ device: String) -> String { new.devices[device] ?? device }
        let diverged = new.divergedDevices.filter { !old.divergedDevices.contains($0) }.map {
            SyncEvent(
                .diverged, $0, "the device \(name($0)) has merged the same, and has another state")
        }
        let behind = new.missingBatches.filter { !old.missingBatches.contains($0) }.map {
            SyncEvent(
                .hubBehind, $0.device,
                "the hub has lost batches \($0.first) to \($0.last) of the device \(name($0.device))"
            )
        }
        let refused = new.findings.filter { !old.findings.contains($0) }.map {
            SyncEvent(
                .refused, $0.device,
                "something of the device \(name($0.device)) does not count: \($0.reason)")
        }
        return diverged + behind + refused
    }

    private static func tables(_ old: SyncStatus, _ new: SyncStatus) -> [SyncEvent] {
        func grown(_ kind: Kind, _ before: [String: Int], _ now: [String: Int]) -> [SyncEvent] {
            now.sorted { $0.key < $1.key }.compactMap { key, count in
                let more = count - (before[key] ?? 0)
                guard more > 0 else { return nil }
                let rows = more == 1 ? "one row is" : "\(more) rows are"
                let what =
                    kind == .heldRow
                    ? "held: \(key)" : "gone from \(key), which others had deleted long ago"
                return SyncEvent(kind, key, "\(rows) \(what)")
            }
        }
        let withheld = new.withheldTables.sorted { $0.key < $1.key }
            .filter { old.withheldTables[$0.key] != $0.value }.map {
                SyncEvent(
                    .policyMismatch, $0.key, "the table \($0.key) is not synchronised: \($0.value)")
            }
        let fought = new.overruledTriggers.filter { !old.overruledTriggers.contains($0) }.map {
            SyncEvent(.triggerFought, $0, "the trigger \($0) was turned off for rows")
        }
        return withheld + fought + grown(.heldRow, old.heldRows, new.heldRows)
            + grown(.lostRows, old.lostRows, new.lostRows)
    }
}

extension StatusBoard {
    /// What happens from now on, and what of it was so already when the engine was opened.
    var events: AsyncStream<SyncEvent> {
        let statuses = statuses
        return AsyncStream { continuation in
            let task = Task {
                var old: SyncStatus?
                for await status in statuses {
                    var before = old ?? status
                    if old == nil { before.withheldTables = [:] }
                    for event in SyncEvent.events(from: before, to: status) {
                        continuation.yield(event)
                    }
                    old = status
                }
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }
}
