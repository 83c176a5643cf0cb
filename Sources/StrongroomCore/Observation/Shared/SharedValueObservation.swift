public import Dispatch
internal import Synchronization

/// How long a shared observation goes on.
public enum SharedValueObservationExtent: Sendable {
    /// As long as somebody is subscribed; the next subscriber starts it afresh.
    case whileObserved
    /// From the first subscriber on, as long as the shared observation lives.
    case observationLifetime
}

/// An observation that several observers share: each value is fetched once for all of them.
///
///     let shared = ValueObservation.tracking { db in try Player.fetchAll(db) }.shared(in: dbPool)
///     let cancellable = shared.start { error in … } onChange: { players in … }
///
/// One who subscribes while it goes on is given the latest value. After an error it is over for all
/// who are subscribed; the next subscriber starts it afresh.
///
/// Invariants:
/// 1. There is a `run` if and only if the observation goes on; what comes from an earlier one is
///    ignored, by its number.
/// 2. A subscriber gets the latest value first, then each that comes: both are put into its line
///    under the lock.
/// 3. One thread at a time calls a subscriber; none is called under the lock.
public final class SharedValueObservation<Element: Sendable>: Sendable {
    typealias Outcome = Result<Element, any Error>
    typealias Start = @Sendable (@escaping @Sendable (Outcome) -> Void) -> AnyDatabaseCancellable

    private let startRun: Start
    private let scheduler: any ValueObservationScheduler
    private let extent: SharedValueObservationExtent
    private let state = Mutex(State())

    private struct State {
        var runNumber = 0
        var isRunning = false
        var run: AnyDatabaseCancellable?
        var latest: Element?
        var subscribers: [ObjectIdentifier: SharedSubscriber<Element>] = [:]
    }

    init(
        scheduler: any ValueObservationScheduler, extent: SharedValueObservationExtent,
        start: @escaping Start
    ) {
        self.scheduler = scheduler
        self.extent = extent
        startRun = start
    }

    deinit {
        state.withLock { $0.run }?.cancel()
    }

    /// Subscribes to the values.
    ///
    ///     let cancellable = observation.shared(in: dbQueue)
    ///         .start(onError: { print($0) }, onChange: { print($0) })
    ///
    /// - Parameter onError: Called once when a fetch fails.
    /// - Parameter onChange: Called with each value.
    /// - Returns: What ends the subscription: when it is cancelled, or when it is released.
    @preconcurrency public func start(
        onError: @escaping @Sendable (any Error) -> Void,
        onChange: @escaping @Sendable (Element) -> Void
    ) -> AnyDatabaseCancellable {
        let isImmediate = scheduler.immediateInitialValue()
        let subscriber = SharedSubscriber<Element> { outcome in
            switch outcome {
            case .success(let value): onChange(value)
            case .failure(let error): onError(error)
            }
        }
        let (number, isFirst, hasValue) = state.withLock { state in
            state.subscribers[ObjectIdentifier(subscriber)] = subscriber
            let isFirst = !state.isRunning
            if isFirst {
                state.isRunning = true
                state.runNumber += 1
                state.latest = nil
            } else if let latest = state.latest {
                subscriber.accept(.success(latest))
            }
            return (state.runNumber, isFirst, state.latest != nil)
        }
        if isFirst {
            startRun(number)
        } else if hasValue {
            deliver(subscriber, isImmediate)
        }
        return AnyDatabaseCancellable { self.cancel(subscriber) }
    }

    /// The values, to be iterated by tasks.
    ///
    ///     for try await count in observation.shared(in: dbQueue).values() { print(count) }
    ///
    /// - Parameter bufferingPolicy: Which values are kept for a task that does not keep up.
    public func values(
        bufferingPolicy: AsyncValueObservation<Element>.BufferingPolicy = .unbounded
    ) -> AsyncValueObservation<Element> {
        AsyncValueObservation(bufferingPolicy: bufferingPolicy) { onError, onChange in
            self.start(onError: onError, onChange: onChange)
        }
    }

    private func startRun(_ number: Int) {
        let run = startRun { [weak self] outcome in self?.receive(outcome, number) }
        let isWanted = state.withLock { state in
            guard state.isRunning, state.runNumber == number else { return false }
            state.run = run
            return true
        }
        if !isWanted { run.cancel() }
    }

    /// Called where values are to arrive.
    private func receive(_ outcome: Outcome, _ number: Int) {
        let (subscribers, ended) = state.withLock {
            state -> ([SharedSubscriber<Element>], AnyDatabaseCancellable?) in
            guard state.isRunning, state.runNumber == number else { return ([], nil) }
            let subscribers = Array(state.subscribers.values)
            for subscriber in subscribers { subscriber.accept(outcome) }
            switch outcome {
            case .success(let value):
                state.latest = value
                return (subscribers, nil)
            case .failure:
                defer { state.run = nil }
                state.isRunning = false
                state.latest = nil
                state.subscribers = [:]
                return (subscribers, state.run)
            }
        }
        for subscriber in subscribers { subscriber.deliver() }
        ended?.cancel()
    }

    private func deliver(_ subscriber: SharedSubscriber<Element>, _ isImmediate: Bool) {
        if isImmediate { subscriber.deliver() } else { scheduler.schedule { subscriber.deliver() } }
    }

    private func cancel(_ subscriber: SharedSubscriber<Element>) {
        subscriber.cancel()
        let ended = state.withLock { state -> AnyDatabaseCancellable? in
            state.subscribers[ObjectIdentifier(subscriber)] = nil
            guard state.subscribers.isEmpty, extent == .whileObserved else { return nil }
            defer { state.run = nil }
            state.isRunning = false
            state.latest = nil
            return state.run
        }
        ended?.cancel()
    }
}

extension ValueObservation {
    /// Shares the observation between several observers.
    ///
    ///     let shared = observation.shared(in: dbQueue)
    ///
    /// - Parameters:
    ///   - reader: The queue, pool or snapshot to observe.
    ///   - scheduler: Where and when values arrive.
    ///   - extent: How long the observation goes on.
    public func shared(
        in reader: any DatabaseReader,
        scheduling scheduler: some ValueObservationScheduler = .async(onQueue: .main),
        extent: SharedValueObservationExtent = .whileObserved
    ) -> SharedValueObservation<Reducer.Value> {
        SharedValueObservation(scheduler: scheduler, extent: extent) { observer in
            start(
                in: reader, scheduling: scheduler, onError: { observer(.failure($0)) },
                onChange: { observer(.success($0)) })
        }
    }
}
