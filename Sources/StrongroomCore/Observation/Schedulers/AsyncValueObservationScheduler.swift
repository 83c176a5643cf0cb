public import Dispatch

/// Has values arrive on a dispatch queue, the first one too.
public struct AsyncValueObservationScheduler: ValueObservationScheduler, LateScheduler {
    private let queue: DispatchQueue

    /// Has values arrive on a queue, which should be a serial one.
    public init(queue: DispatchQueue) {
        self.queue = queue
    }

    public func immediateInitialValue() -> Bool { false }

    public func schedule(_ action: @escaping @Sendable () -> Void) {
        queue.async(execute: action)
    }
}

extension AsyncValueObservationScheduler: Hashable {
    /// Whether both have values arrive on the same queue.
    public static func == (lhs: Self, rhs: Self) -> Bool { lhs.queue === rhs.queue }

    /// Hashes the queue's identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(queue)) }
}

extension ValueObservationScheduler where Self == AsyncValueObservationScheduler {
    /// Has values arrive on a dispatch queue, the first one too.
    public static func async(onQueue queue: DispatchQueue) -> Self {
        AsyncValueObservationScheduler(queue: queue)
    }
}
