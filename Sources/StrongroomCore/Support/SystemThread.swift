internal import LibC

/// A thread of the operating system, to be joined or detached once. It has a part in the work of the
/// thread that starts it (``LongOperation/current``).
package struct SystemThread {
    private let thread: pthread_t

    /// Starts a thread.
    ///
    /// - Parameters:
    ///   - stackSize: The bytes of its stack that are free for the body; as the system sets it if nil.
    ///   - body: What the thread does. Whoever joins the thread knows when it has ended.
    /// - Returns: Nil if the system gives no more threads.
    package init?(stackSize: Int? = nil, _ body: @escaping () -> Void) {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        if let stackSize {
            // In whole pages, as some systems want it.
            pthread_attr_setstacksize(&attributes, (stackSize + (64 << 10)) & ~0xffff)
        }
        let operation = LongOperation.current
        let work = Unmanaged.passRetained(
            Work { LongOperation.ofThisThread.withValue(operation, operation: body) })
        guard let thread = Self.create(&attributes, work.toOpaque()) else {
            work.release()
            return nil
        }
        self.thread = thread
    }

    /// Runs a body on a thread that nobody waits for; here if the system gives no more threads.
    package static func run(_ body: @escaping @Sendable () -> Void) {
        if let thread = SystemThread(body) {
            thread.detach()
        } else {
            body()
        }
    }

    /// Runs a body on several threads, this one among them, and waits for all of them.
    ///
    /// The body takes work from a list that the threads share: where the system gives fewer threads, these do it
    /// all. (A dispatch queue would wait, and not return, until there is a thread for it.)
    package static func share(among count: Int, _ body: @Sendable () -> Void) {
        withoutActuallyEscaping(body) { body in
            let others = (1..<max(1, count)).compactMap { _ in SystemThread { body() } }
            body()
            for thread in others { thread.join() }
        }
    }

    /// Waits for the end of the body.
    func join() {
        pthread_join(thread, nil)
    }

    /// Lets the thread go on by itself.
    package func detach() {
        pthread_detach(thread)
    }

    private final class Work {
        private let body: () -> Void

        init(_ body: @escaping () -> Void) { self.body = body }

        static func run(_ pointer: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
            Unmanaged<Work>.fromOpaque(pointer).takeRetainedValue().body()
            return nil
        }
    }

    #if canImport(Darwin)
    /// Whether this is the thread that the program began with.
    static var isMain: Bool { pthread_main_np() != 0 }

    private static func create(
        _ attributes: inout pthread_attr_t, _ work: UnsafeMutableRawPointer
    ) -> pthread_t? {
        var thread: pthread_t?
        return pthread_create(&thread, &attributes, { Work.run($0) }, work) == 0 ? thread : nil
    }
    #else
    /// Whether this is the thread that the program began with.
    static var isMain: Bool { getThread?() == getpid() }

    private static let getThread = loadedFunction(
        "gettid", as: (@convention(c) () -> pid_t).self)

    private static func create(
        _ attributes: inout pthread_attr_t, _ work: UnsafeMutableRawPointer
    ) -> pthread_t? {
        var thread = pthread_t()
        let code = pthread_create(&thread, &attributes, { $0.flatMap { Work.run($0) } }, work)
        return code == 0 ? thread : nil
    }
    #endif
}
