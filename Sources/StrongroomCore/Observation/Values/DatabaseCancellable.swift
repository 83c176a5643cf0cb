internal import Synchronization

/// What can be stopped: an observation that is under way.
public protocol DatabaseCancellable: Sendable {
    /// Stops it; stopping again does nothing.
    ///
    ///     let cancellable: any DatabaseCancellable = observation.start(
    ///         in: dbQueue, onError: { _ in }, onChange: { print($0) })
    ///     cancellable.cancel()
    func cancel()
}

/// An observation that is under way, and stops when this object is released.
public final class AnyDatabaseCancellable: DatabaseCancellable {
    private let action: Mutex<(@Sendable () -> Void)?>

    /// Calls a function once: when it is cancelled, or else when it goes.
    ///
    ///     let cancellable = AnyDatabaseCancellable { print("no more values") }
    ///     _ = cancellable
    public init(cancel: @escaping @Sendable () -> Void) {
        action = Mutex(cancel)
    }

    /// Cancels something else.
    public convenience init(_ base: some DatabaseCancellable) {
        self.init { base.cancel() }
    }

    deinit {
        cancel()
    }

    public func cancel() {
        let action = action.withLock { action in
            defer { action = nil }
            return action
        }
        action?()
    }
}
