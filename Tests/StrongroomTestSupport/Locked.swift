internal import Foundation

/// A value that threads share.
///
/// Synchronization's `Mutex` would do, but that the thread sanitizer does not see how it hands the
/// value on between threads that wait for it, and reports races that are none.
public final class Locked<Value>: @unchecked Sendable {
    // Safety: the value is touched under the lock only.
    private var value: Value
    private let lock = NSLock()

    public init(_ value: Value) {
        self.value = value
    }

    public func withLock<R>(_ body: (inout Value) throws -> R) rethrows -> R {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}
