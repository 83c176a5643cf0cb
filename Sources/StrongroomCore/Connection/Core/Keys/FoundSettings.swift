internal import Synchronization

/// The cipher settings that were found to open the file of a queue or a pool.
///
/// They travel with the configuration to its connections and snapshots, so that only the first one
/// seeks them.
package final class FoundSettings: Sendable {
    private let found = Mutex<[String]>([])

    package init() {}

    /// The statements that follow the key; none while the file's settings are the usual ones.
    package var pragmas: [String] {
        get { found.withLock { $0 } }
        set { found.withLock { $0 = newValue } }
    }
}
