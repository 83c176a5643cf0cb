internal import Synchronization

/// What other threads ask of a connection while it is being used, and what they should know of it.
///
/// What is asked is looked at before each statement; whoever asks also interrupts what runs.
final class ConnectionSignals: Sendable {
    private let raised = Atomic<UInt8>(0)
    private let damage = Atomic<Bool>(false)

    /// The connection has met a page that is not what was written, and may read nothing more.
    var hasMetDamage: Bool {
        get { damage.load(ordering: .acquiring) }
        set { damage.store(newValue, ordering: .releasing) }
    }

    var isAnyRaised: Bool { raised.load(ordering: .relaxed) != 0 }

    /// The task on whose behalf the connection is being used has been cancelled.
    var isCancelled: Bool {
        get { raised.load(ordering: .relaxed) & (1 | 8) == 1 }
        set { set(1, newValue) }
    }

    /// What runs does so on behalf of others than that task.
    var isForOthers: Bool {
        get { isRaised(8) }
        set { set(8, newValue) }
    }

    /// Whether what runs for others may have been interrupted by the cancellation, which came just
    /// before.
    var hasCancellationForOthers: Bool { raised.load(ordering: .relaxed) & (1 | 8) == 1 | 8 }

    /// No lock may be taken until further notice.
    var isSuspended: Bool {
        get { isRaised(2) }
        set { set(2 | 4, newValue) }
    }

    /// What runs is to end, whether or not SQLite has heard of it.
    ///
    /// Of a suspension it is true until a statement has been asked about: those that may run then
    /// are not interrupted.
    var isInterruptionDue: Bool { isCancelled || isRaised(4) }

    /// Called when a statement has heeded all that was raised.
    func noteHeeded() {
        if isRaised(4) { set(4, false) }
    }

    private func isRaised(_ bit: UInt8) -> Bool {
        raised.load(ordering: .relaxed) & bit != 0
    }

    private func set(_ bit: UInt8, _ isRaised: Bool) {
        if isRaised {
            raised.bitwiseOr(bit, ordering: .sequentiallyConsistent)
        } else {
            raised.bitwiseAnd(~bit, ordering: .sequentiallyConsistent)
        }
    }
}
