internal import Synchronization

/// How many transactions a connection has committed that may have changed the database, and what the
/// latest of them wrote.
///
/// It grows after the commit, on the connection's executor, and may be read on any thread: who reads
/// the same number twice knows that in between no commit has ended. Whoever wants to know what was
/// written says so beforehand (`record()`): to find it out costs more than to count.
package final class CommitCount: Sendable {
    private let count = Atomic(0)
    private let recordingCount = Atomic(0)
    /// What each commit wrote, by its number; nil where that is not known. Empty while nobody asks.
    private let writes = Mutex<[Int: Set<DatabaseEventKind>?]>([:])

    package var value: Int { count.load(ordering: .acquiring) }

    /// Counts a commit.
    ///
    /// - Parameter written: What it wrote at most; nil if that is not known.
    func increment(written: Set<DatabaseEventKind>?) {
        if isRecorded {
            writes.withLock { $0[value + 1] = .some(written) }
        }
        count.add(1, ordering: .releasing)
    }

    /// Whether anybody wants to know what transactions write that begin now.
    var isRecorded: Bool { recordingCount.load(ordering: .acquiring) > 0 }

    /// Takes note of what transactions write, as long as the result lives.
    package func record() -> Recording {
        recordingCount.add(1, ordering: .acquiringAndReleasing)
        return Recording(commits: self)
    }

    package final class Recording: Sendable {
        private let commits: CommitCount

        fileprivate init(commits: CommitCount) {
            self.commits = commits
        }

        deinit {
            let left = commits.recordingCount.subtract(1, ordering: .acquiringAndReleasing)
            if left.newValue == 0 { commits.writes.withLock { $0 = [:] } }
        }

        /// Whether the commits after that of a number have left a region alone, for all one knows.
        package func haveLeftAlone(_ region: DatabaseRegion, since number: Int) -> Bool {
            let latest = commits.value
            guard number < latest else { return true }
            return commits.writes.withLock { writes in
                (number + 1...latest).allSatisfy { number in
                    guard let kinds = writes[number] ?? nil else { return false }
                    return !kinds.contains(where: region.isModified(byEventsOfKind:))
                }
            }
        }
    }
}
