internal import Synchronization

/// What other threads ask of a connection while it is being used.
///
/// Both are looked at before each statement; whoever raises one also interrupts what runs.
final class ConnectionSignals: Sendable {
    private let raised = Atomic<UInt8>(0)

    var isAnyRaised: Bool { raised.load(ordering: .relaxed) != 0 }

    /// The task on whose behalf the connection is being used has been cancelled.
    var isCancelled: Bool {
        get { isRaised(1) }
        set { set(1, newValue) }
    }

    /// No lock may be taken until further notice.
    var isSuspended: Bool {
        get { isRaised(2) }
        set { set(2, newValue) }
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
