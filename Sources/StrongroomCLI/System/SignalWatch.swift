import LibC
import StrongroomCore

/// Turns SIGINT, SIGTERM and SIGHUP into a wish to stop.
///
/// The signals are blocked in every thread and awaited by one, so that what runs on their arrival is
/// ordinary code: no handler interrupts a write, and no memory is touched half-way.
enum SignalWatch {
    private static let watched: [(signal: Int32, exitCode: ExitCode)] = [
        (SIGINT, .interrupted), (SIGTERM, .terminated), (SIGHUP, .hungUp),
    ]

    /// Call it before the first thread starts: threads inherit what is blocked.
    static func start(_ cancellation: Cancellation) {
        signal(SIGPIPE, SIG_IGN)
        // A write beyond the limit of file sizes then fails, and what was begun is removed.
        signal(SIGXFSZ, SIG_IGN)
        // What the parent ignores (nohup, background jobs) stays ignored.
        let awaited = watched.filter { !isIgnored($0.signal) }
        var set = signalSet(awaited.map(\.signal))
        pthread_sigmask(SIG_BLOCK, &set, nil)
        let thread = SystemThread {
            var set = signalSet(awaited.map(\.signal))
            while true {
                var received: Int32 = 0
                guard sigwait(&set, &received) == 0 else { return }
                if !cancellation.isCancelled { TemporaryFileKeeper.hold() }
                for (signal, exitCode) in awaited where signal == received {
                    cancellation.cancel(exitCode)
                }
            }
        }
        // Without a thread that awaits them, they end the program as they do by default.
        guard let thread else {
            pthread_sigmask(SIG_UNBLOCK, &set, nil)
            return
        }
        thread.detach()
    }

    /// Asks by setting what a new program starts with anyway.
    private static func isIgnored(_ number: Int32) -> Bool {
        let inherited = signal(number, SIG_DFL)
        // SIG_IGN is the address 1, which Swift cannot compare as a function.
        guard unsafeBitCast(inherited, to: Int.self) == 1 else { return false }
        signal(number, SIG_IGN)
        return true
    }

    private static func signalSet(_ signals: [Int32]) -> sigset_t {
        var set = sigset_t()
        sigemptyset(&set)
        for signal in signals { sigaddset(&set, signal) }
        return set
    }
}
