internal import LibC

/// How much of its stack a thread has left: what calls itself asks before it goes deeper.
package enum StackSpace {
    /// Where the stack of the thread ends, found out once for each thread.
    private static let end = ThreadLocal<UInt8>()

    /// The bytes that are left for the calls of this thread.
    package static var bytesLeft: Int {
        var local: UInt8 = 0
        let position = withUnsafePointer(to: &local) { UInt(bitPattern: $0) }
        let end = UInt(bitPattern: self.end.pointer ?? findEnd())
        // A fiber has a stack that the thread does not know.
        return position > end ? Int(position - end) : Int.max
    }

    /// Runs a body where so much is left of the stack: on a thread of its own, if need be.
    ///
    /// What the body calls must not depend on its thread.
    package static func run(withRoomFor size: Int, _ body: () -> Void) {
        guard bytesLeft < size else { return body() }
        let hasRun = withoutActuallyEscaping(body) { body in
            let thread = SystemThread(stackSize: size, body)
            thread?.join()
            return thread != nil
        }
        // There is no thread to be had: it may still be enough.
        if !hasRun { body() }
    }

    private static func findEnd() -> UnsafePointer<UInt8>? {
        let end = lowestAddress().map { UnsafePointer($0.assumingMemoryBound(to: UInt8.self)) }
        self.end.set(end)
        return end
    }

    #if canImport(Darwin)
    private static func lowestAddress() -> UnsafeMutableRawPointer? {
        let thread = pthread_self()
        return pthread_get_stackaddr_np(thread) - pthread_get_stacksize_np(thread)
    }
    #else
    private static let getAttributes = loadedFunction(
        "pthread_getattr_np",
        as: (@convention(c) (pthread_t, UnsafeMutablePointer<pthread_attr_t>) -> CInt).self)

    private static func lowestAddress() -> UnsafeMutableRawPointer? {
        var attributes = pthread_attr_t()
        guard getAttributes?(pthread_self(), &attributes) == 0 else { return nil }
        defer { pthread_attr_destroy(&attributes) }
        var address: UnsafeMutableRawPointer?
        var size = 0
        pthread_attr_getstack(&attributes, &address, &size)
        return address
    }
    #endif
}
