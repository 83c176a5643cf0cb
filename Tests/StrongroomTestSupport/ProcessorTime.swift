import Foundation

/// Measures what a thread has worked, which other threads and a busy machine disturb less.
public enum ProcessorTime {
    /// The processor time that this thread takes for some work.
    public static func ofThread(_ body: () throws -> Void) rethrows -> Duration {
        let start = now
        try body()
        return now - start
    }

    private static var now: Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
