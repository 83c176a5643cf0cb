internal import COpenSSL
internal import LibC
internal import Synchronization

/// What keeps other threads from the libraries below once the process calls `exit`.
///
/// SQLCipher 4.10 and later overwrite and free the keys of all connections at `exit`, OpenSSL 3
/// frees what it works with, and neither asks whether a thread is at work. One that is then crashes
/// the process, or encrypts pages with random bytes and writes them: the database is lost
/// (`Documentation/SQLCipher.md`, "Known defects of the engine"). Functions given to `atexit` run in
/// reverse order, so one that is given last runs first. Ours does two things:
///
/// 1. From then on other threads stop for good at the next page that they read or write (``passPage``),
///    and where they begin or end to use a connection (``use``). What they had encrypted before is
///    written by nobody, as at a loss of power, which SQLite is made for.
/// 2. It waits until the threads that are using a connection have stopped, for a tenth of a second at
///    most: a thread that computes without touching a page is left alone. This spares the process a
///    crash in nearly all cases; that no page is lost rests on the first alone.
///
/// The thread that ends the process may go on using connections that no stopped thread holds. A
/// function given to `atexit` that waits for a stopped thread waits for ever.
package enum ProcessEnd {
    /// 1 for the end of the process, if it has begun, and 2 for each use of a connection in progress,
    /// those of threads that have stopped not among them.
    private static let state = Atomic(0)
    // Safety: it is set before the end begins, and read after that.
    private nonisolated(unsafe) static var endingThread = pthread_self()

    private static let longestWait = Duration.milliseconds(100)

    /// With this option OpenSSL frees nothing at all, unless another library was first here.
    private static let keepsLibcrypto =
        OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_ATEXIT), nil) == 1

    private static let isPrepared = keepsLibcrypto && atexit { ProcessEnd.begin() } == 0

    /// Comes before the first use of libcrypto, with SQLCipher or without: also a thread that is only
    /// about to end frees what OpenSSL has for it, which `exit` would free a second time.
    static func keepLibcrypto() {
        _ = keepsLibcrypto
    }

    /// Comes before the end of the libraries below, which have to be in use already.
    static func prepare() {
        _ = isPrepared
    }

    private static func begin() {
        unsafe endingThread = pthread_self()
        state.bitwiseOr(1, ordering: .sequentiallyConsistent)
        let clock = ContinuousClock()
        let end = clock.now + longestWait
        while state.load(ordering: .sequentiallyConsistent) > 1, clock.now < end { usleep(100) }
    }

    /// Runs a function that uses connections.
    package static func use<T, E: Error>(_ body: () throws(E) -> T) throws(E) -> T {
        enter()
        defer { leave() }
        return try body()
    }

    /// The same in two calls, for where a closure costs too much.
    static func enter() {
        if state.wrappingAdd(2, ordering: .sequentiallyConsistent).oldValue & 1 == 1 { stop() }
    }

    /// Comes after each ``enter()``, on the same thread.
    static func leave() {
        state.wrappingSubtract(2, ordering: .sequentiallyConsistent)
    }

    /// Comes after a page was read, before it is decrypted, and before one is written that was
    /// encrypted: perhaps with what is no longer a key.
    static func passPage() {
        // What this thread saw until now, when it encrypted, comes before what it sees next.
        atomicMemoryFence(ordering: .sequentiallyConsistent)
        if state.load(ordering: .sequentiallyConsistent) & 1 == 1 { stop() }
    }

    /// Stops this thread for good, unless it is the one that ends the process.
    private static func stop() {
        guard unsafe pthread_equal(pthread_self(), endingThread) == 0 else { return }
        leave()
        while true { pause() }
    }
}
