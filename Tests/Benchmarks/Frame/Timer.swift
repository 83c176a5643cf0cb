import Foundation

/// What a run is measured by.
enum Timer {
    /// What a user waits for.
    case wallTime
    /// What all threads of this process have worked.
    case cpuTime

    func now() -> Duration {
        var time = timespec()
        clock_gettime(self == .wallTime ? CLOCK_MONOTONIC : CLOCK_PROCESS_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
