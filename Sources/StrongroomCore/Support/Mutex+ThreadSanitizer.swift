#if THREAD_SANITIZER
internal import LibC

/// Replaces Synchronization's `Mutex`, in builds for the thread sanitizer only (`.ci/run`).
///
/// Where threads wait for each other, Synchronization's lock changes hands in code that the sanitizer
/// does not see, so that it reports races that are none; it knows the lock of the C library.
package struct SanitizedMutex<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
    // Safety: the value is touched under the lock only.
    private let value: UnsafeMutablePointer<Value>
    private let lock: UnsafeMutablePointer<pthread_mutex_t>

    package init(_ initialValue: consuming sending Value) {
        value = .allocate(capacity: 1)
        value.initialize(to: initialValue)
        lock = .allocate(capacity: 1)
        pthread_mutex_init(lock, nil)
    }

    deinit {
        pthread_mutex_destroy(lock)
        lock.deallocate()
        value.deinitialize(count: 1)
        value.deallocate()
    }

    package borrowing func withLock<R: ~Copyable, E: Error>(
        _ body: (inout sending Value) throws(E) -> sending R
    ) throws(E) -> sending R {
        pthread_mutex_lock(lock)
        defer { pthread_mutex_unlock(lock) }
        return try body(&value.pointee)
    }
}

// Each module has such a line, as files that import Synchronization would not know which one to take.
typealias Mutex<Value: ~Copyable> = SanitizedMutex<Value>
#endif
