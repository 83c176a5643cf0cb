internal import Dispatch
internal import Synchronization

/// Read-only connections that are opened when they are needed, up to a number.
///
/// Invariants:
/// 1. Whoever uses a connection holds a permit; there are as many as there may be connections.
/// 2. A connection is idle, or in use by one access.
/// 3. A connection that was opened before the latest `invalidate()` serves no further access, nor
///    does one that has met a damaged page.
/// 4. Once closed, no connection is opened again.
final class ReaderPool: Sendable {
    private let maximumCount: Int
    private let permits: FairSemaphore
    private let open: @Sendable (_ number: Int) throws -> SerializedDatabase
    private let state = Mutex(State())

    fileprivate struct Reader {
        let connection: SerializedDatabase
        /// What it was when the connection was opened.
        let generation: Int
    }

    fileprivate struct State {
        /// The connections that are open, in use or not.
        var readers: [Reader] = []
        var idle: [Reader] = []
        var generation = 0
        var openedCount = 0
        var isClosed = false
    }

    /// - Parameter open: Opens a connection, given its number from 1 on.
    init(
        maximumCount: Int, open: @escaping @Sendable (_ number: Int) throws -> SerializedDatabase
    ) {
        trap(unless: maximumCount > 0, "maximumReaderCount must be at least 1")
        self.maximumCount = maximumCount
        self.open = open
        permits = FairSemaphore(permits: maximumCount)
    }

    /// Runs a closure with a connection, when there is one to be had.
    func sync<T>(_ body: (Database) throws -> T) throws -> T {
        permits.wait()
        defer { permits.signal() }
        let reader = try checkOut()
        defer { checkIn(reader) }
        return try reader.connection.sync(body)
    }

    /// Runs a closure with a connection for a task, when there is one to be had.
    func execute<T: Sendable>(_ body: @Sendable (Database) throws -> T) async throws -> T {
        try await TaskAccess.run(body) { [self] access in
            access.wait(for: permits) { [self] in
                checkOut { [self] reader in
                    switch reader {
                    case .success(let reader):
                        access.hold { [self] in checkIn(reader) }
                        reader.connection.enter(access)
                    case .failure(let error):
                        access.leave(throwing: error)
                    }
                }
            }
        }
    }

    /// Runs a closure later, when there is a connection to be had.
    func async(_ body: @escaping @Sendable (Result<Database, any Error>) -> Void) {
        permits.wait { [self] in
            checkOut { [self] reader in
                switch reader {
                case .success(let reader):
                    reader.connection.async { [self] db in
                        body(.success(db))
                        checkIn(reader)
                        permits.signal()
                    }
                case .failure(let error):
                    Self.newThread().async { [self] in
                        body(.failure(error))
                        permits.signal()
                    }
                }
            }
        }
    }

    /// Lets a closure start on a connection, and gives the thread back once it says so.
    ///
    /// - Parameter body: Given a function to call as soon as the caller may go on.
    func start(
        _ body:
            @escaping @Sendable (_ db: Result<Database, any Error>, _ go: @escaping () -> Void) ->
            Void
    ) {
        permits.wait()
        let isStarted = DispatchSemaphore(value: 0)
        do {
            let reader = try checkOut()
            reader.connection.async { [self] db in
                body(.success(db)) { isStarted.signal() }
                checkIn(reader)
                permits.signal()
            }
            isStarted.wait()
        } catch {
            permits.signal()
            body(.failure(error)) {}
        }
    }

    /// Runs a closure while no connection is in use, and none comes into use.
    func barrier<T>(_ body: () throws -> T) rethrows -> T {
        permits.wait(maximumCount)
        defer { permits.signal(maximumCount) }
        return try body()
    }

    /// Waits until no connection is in use, and runs a closure; none comes into use until
    /// `endBarrier()`, unless the closure throws.
    func beginBarrier(_ body: () throws -> Void) rethrows {
        permits.wait(maximumCount)
        do {
            try body()
        } catch {
            endBarrier()
            throw error
        }
    }

    /// Calls a function when no connection is in use; none comes into use until the access ends.
    func beginBarrier(for access: TaskAccess, then enter: @escaping @Sendable () -> Void) {
        access.wait(for: permits, maximumCount, then: enter)
    }

    /// Calls a function when no connection is in use; none comes into use until `endBarrier()`.
    func beginBarrier(then enter: @escaping @Sendable () -> Void) {
        permits.wait(maximumCount, then: enter)
    }

    func endBarrier() {
        permits.signal(maximumCount)
    }

    /// Has connections closed when they are not, or no more, in use.
    func invalidate() {
        let released = state.withLock { state in
            state.generation += 1
            return state.removeIdle()
        }
        // Closing may take time: not under the lock.
        _ = released
    }

    /// Closes all connections for good; call it in a barrier.
    ///
    /// - Throws: `SQLITE_BUSY` when a statement of a connection is alive; the pool stays open.
    func close() throws {
        for reader in state.withLock({ $0.readers }) { try reader.connection.close() }
        state.withLock { state in
            state.isClosed = true
            state.readers = []
            state.idle = []
        }
    }

    /// Closes all connections; later reads open new ones. Call it in a barrier.
    ///
    /// - Throws: `SQLITE_BUSY` when a statement of a connection is alive.
    func closeConnections() throws {
        for reader in state.withLock({ $0.readers }) {
            try reader.connection.close()
            state.withLock { state in
                state.readers.removeAll { $0.connection === reader.connection }
                state.idle.removeAll { $0.connection === reader.connection }
            }
        }
    }

    /// Ends what runs on the connections.
    func interrupt() {
        for reader in state.withLock({ $0.readers }) { reader.connection.interrupt() }
    }
}

extension ReaderPool {
    private func checkOut() throws -> Reader {
        try takeIdle() ?? openReader()
    }

    /// The same, without holding up the caller's thread, or one of those that tasks share: a
    /// connection is opened on another.
    private func checkOut(then use: @escaping @Sendable (Result<Reader, any Error>) -> Void) {
        do {
            if let reader = try takeIdle() { return use(.success(reader)) }
        } catch {
            return use(.failure(error))
        }
        Self.newThread().async { [self] in use(Result { try openReader() }) }
    }

    /// A serial queue of its own gets a thread at once, whatever the threads of the global queues
    /// and of tasks are waiting for.
    private static func newThread() -> DispatchQueue {
        DispatchQueue(label: "ReaderPool")
    }

    private func takeIdle() throws(DatabaseError) -> Reader? {
        let (isClosed, reader) = state.withLock { ($0.isClosed, $0.idle.popLast()) }
        if isClosed { throw Database.closedError }
        return reader
    }

    private func openReader() throws -> Reader {
        let (number, generation) = state.withLock { state in
            state.openedCount += 1
            return (state.openedCount, state.generation)
        }
        let reader = Reader(connection: try open(number), generation: generation)
        state.withLock { $0.readers.append(reader) }
        return reader
    }

    private func checkIn(_ reader: Reader) {
        state.withLock { state in
            let isUsable = !reader.connection.signals.hasMetDamage
            if isUsable, reader.generation == state.generation, !state.isClosed {
                state.idle.append(reader)
            } else {
                state.readers.removeAll { $0.connection === reader.connection }
            }
        }
    }
}

extension ReaderPool.State {
    mutating func removeIdle() -> [ReaderPool.Reader] {
        defer { idle = [] }
        readers.removeAll { reader in idle.contains { $0.connection === reader.connection } }
        return idle
    }
}

extension ReaderPool {
    /// Whether a queue is seen to run two things at once. The writer waits for readers, in
    /// `spawnConcurrentRead` for one, while it stands on its target queue: readers that had to wait for
    /// the same serial queue would wait for ever. Of a queue that is busy nothing is seen.
    static func runsSideBySide(_ queue: DispatchQueue) -> Bool {
        let isSecondRunning = DispatchSemaphore(value: 0)
        let answer = DispatchSemaphore(value: 0)
        let result = Answer()
        queue.async {
            if isSecondRunning.wait(timeout: .now() + .milliseconds(50)) == .success {
                result.value.store(true, ordering: .releasing)
            }
            answer.signal()
        }
        queue.async { isSecondRunning.signal() }
        _ = answer.wait(timeout: .now() + .milliseconds(100))
        return result.value.load(ordering: .acquiring)
    }
}

/// What a closure on a queue has found.
private final class Answer: Sendable {
    let value = Atomic(false)
}
