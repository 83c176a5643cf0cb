import Foundation

/// A thread with as little stack as the threads of Dispatch and of Swift's tasks have on some systems.
enum SmallStack {
    /// Runs a body on such a thread, and waits for its end.
    static func run(_ body: @escaping @Sendable () -> Void) {
        let end = DispatchSemaphore(value: 0)
        let thread = Thread {
            body()
            end.signal()
        }
        thread.stackSize = 512 << 10
        thread.start()
        end.wait()
    }
}
