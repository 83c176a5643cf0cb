internal import Dispatch
internal import StrongroomCore
internal import Synchronization

/// One observation of a query, for all wrappers that want the same.
///
/// Invariants:
/// 1. What comes from an earlier run is ignored, by its number.
/// 2. A run that is told to begin after a write shows that write: whoever waits for a load waits for
///    the first value of a run with its number or a later one.
/// 3. Nobody is called, and no value is compared, under the lock.
/// 4. It holds no wrapper. It is in `FetchRegistry` as long as it has a subscriber.
final class SharedFetch<Value: Sendable>: Sendable {
    typealias Outcome = Result<Value, any Error>
    typealias Subscriber = SharedFetchState<Value>.Subscriber

    let identity: FetchIdentity
    private let query: FetchQuery<Value>
    private let settings: FetchSettings
    private let state = Mutex(SharedFetchState<Value>())

    init(_ query: FetchQuery<Value>, _ settings: FetchSettings, _ identity: FetchIdentity) {
        self.query = query
        self.settings = settings
        self.identity = identity
    }

    var latest: FetchUpdate<Value> { state.withLock { $0.latest } }

    // MARK: Subscribers, under the lock of the registry

    func add(_ subscriber: @escaping Subscriber) -> Int {
        state.withLock { state in
            state.nextID += 1
            state.subscribers[state.nextID] = subscriber
            return state.nextID
        }
    }

    /// - Returns: nil when others are left, else what is to be done outside of the lock.
    func remove(_ id: Int) -> (@Sendable () -> Void)? {
        state.withLock { state in
            guard state.subscribers.removeValue(forKey: id) != nil, state.subscribers.isEmpty
            else { return nil }
            state.runNumber += 1
            let (run, waiters) = (state.run, state.waiters)
            state.run = nil
            state.waiters = [:]
            return {
                run?.cancel()
                for waiter in waiters.values { waiter.continuation.resume() }
            }
        }
    }

    // MARK: Runs

    /// Begins a run in place of the one under way.
    func start(isImmediate: Bool) {
        let (number, old) = state.withLock { $0.beginRun() }
        old?.cancel()
        start(number, isImmediate)
    }

    private func start(_ number: Int, _ isImmediate: Bool) {
        let scheduler = FirstFetchScheduler(base: settings.scheduler, isImmediate: isImmediate)
        let run = observation().start(in: settings.database, scheduling: scheduler) {
            [weak self] in
            self?.receive(.failure($0), number, isOver: true)
        } onChange: { [weak self] in
            self?.receive($0, number)
        }
        let isWanted = state.withLock { state in
            guard state.runNumber == number, !state.subscribers.isEmpty else { return false }
            state.run = run
            return true
        }
        if !isWanted { run.cancel() }
    }

    private func observation() -> ValueObservation<ValueReducers.Fetch<Outcome>> {
        let fetch: @Sendable (Database) throws -> Outcome = { [query] db in
            do {
                return .success(try query.fetch(db))
            } catch  where error.endsObservation {
                throw error
            } catch {
                // What it would have read is not known: a missing table may be any.
                if !(error is NotFound) { try db.registerAccess(to: DatabaseRegion.fullDatabase) }
                return .failure(error)
            }
        }
        return query.isConstant ? .trackingConstantRegion(fetch) : .tracking(fetch)
    }

    /// Begins a run, and waits for its first value.
    ///
    /// - Throws: Why there is none; `CancellationError` when the task is cancelled.
    func load() async throws {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let begun = state.withLock {
                    state -> (number: Int, old: AnyDatabaseCancellable?)? in
                    if state.subscribers.isEmpty { return nil }
                    let begun = state.beginRun()
                    state.waiters[id] = .init(runNumber: begun.number, continuation: continuation)
                    return begun
                }
                guard let (number, old) = begun else { return continuation.resume() }
                old?.cancel()
                start(number, false)
                if Task.isCancelled { giveUp(id) }
            }
        } onCancel: {
            giveUp(id)
        }
    }

    private func giveUp(_ id: Int) {
        let waiter = state.withLock { $0.waiters.removeValue(forKey: id) }
        waiter?.continuation.resume(throwing: CancellationError())
    }
}

// MARK: - Values

extension SharedFetch {
    /// Called where values are to arrive, by one run after the other.
    private func receive(_ outcome: Outcome, _ number: Int, isOver: Bool = false) {
        let isSame = isLatest(outcome, number)
        let accepted = state.withLock { state in
            state.accept(outcome, number, isSame: isSame, isOver: isOver)
        }
        guard let accepted else { return }
        for subscriber in accepted.subscribers { subscriber(accepted.update) }
        for waiter in accepted.waiters { waiter.continuation.resume(with: outcome.map { _ in }) }
        if accepted.isToStart { start(isImmediate: false) }
        if let delay = accepted.delay {
            DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(delay)) {
                [weak self] in self?.restart(after: number)
            }
        }
    }

    /// Whether the value equals the latest one, and need not be published.
    private func isLatest(_ outcome: Outcome, _ number: Int) -> Bool {
        guard settings.removesDuplicates, let areEqual = query.areEqual,
            case .success(let value) = outcome
        else { return false }
        let latest = state.withLock { $0.runNumber == number ? $0.latest.value : nil }
        return latest.map { areEqual($0, value) } ?? false
    }

    private func restart(after number: Int) {
        let isWanted = state.withLock { $0.runNumber == number && !$0.subscribers.isEmpty }
        if isWanted { start(isImmediate: false) }
    }
}

extension Error {
    /// Whether the database could not be read at all; else the query is wrong, or a row.
    fileprivate var endsObservation: Bool {
        guard let error = self as? DatabaseError else { return self is CancellationError }
        let codes: [ResultCode] = [
            .SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_INTERRUPT, .SQLITE_ABORT, .SQLITE_IOERR,
            .SQLITE_NOMEM, .SQLITE_CANTOPEN, .SQLITE_MISUSE, .SQLITE_NOTADB, .SQLITE_CORRUPT,
        ]
        return codes.contains(error.resultCode)
    }

    /// Whether another attempt is vain: a closed database is never opened again.
    var isFinal: Bool {
        (self as? DatabaseError)?.resultCode == .SQLITE_MISUSE
    }
}

/// Has the first value arrive at once if that is wanted, on whatever thread.
private struct FirstFetchScheduler: ValueObservationScheduler, LateScheduler {
    let base: any ValueObservationScheduler
    let isImmediate: Bool

    func immediateInitialValue() -> Bool { isImmediate }

    func schedule(_ action: @escaping @Sendable () -> Void) { base.schedule(action) }
}
