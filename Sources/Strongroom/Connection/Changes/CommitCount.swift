internal import Synchronization

/// How many transactions a connection has committed that may have changed the database.
///
/// It grows after the commit, on the connection's executor, and may be read on any thread: who reads
/// the same number twice knows that in between no commit has ended.
package final class CommitCount: Sendable {
    private let count = Atomic(0)

    package var value: Int { count.load(ordering: .acquiring) }

    func increment() {
        count.add(1, ordering: .releasing)
    }
}
