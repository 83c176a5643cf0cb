internal import LibC

/// A pointer of which every thread has its own, nil at first.
package struct ThreadLocal<Pointee>: Sendable {
    private let key: pthread_key_t

    package init() {
        var key = pthread_key_t()
        let code = pthread_key_create(&key, nil)
        // A process has 1,024 keys, and this library takes three.
        precondition(code == 0, "The system has no thread-specific storage left")
        self.key = key
    }

    package var pointer: UnsafePointer<Pointee>? {
        UnsafeRawPointer(pthread_getspecific(key))?.assumingMemoryBound(to: Pointee.self)
    }

    package func set(_ pointer: UnsafePointer<Pointee>?) {
        pthread_setspecific(key, pointer)
    }
}
