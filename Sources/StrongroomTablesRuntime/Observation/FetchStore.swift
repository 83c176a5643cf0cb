internal import Observation
internal import StrongroomCore
internal import Synchronization

/// What a wrapper shows, and where it comes from.
///
/// Invariants:
/// 1. Only the attachment of the current generation changes the value and the error, and only by
///    what is newer than what it brought before.
/// 2. `isLoading` belongs to the load that began last.
/// 3. No value is compared or let go under the lock, and no observer is told. Streams get their values
///    under it: in the order in which the value had them.
final class FetchStore<Value: Sendable>: Observable, Sendable {
    private struct State {
        var value: Value
        var error: (any Error)?
        var isLoading = false
        var query: FetchQuery<Value>?
        var settings: FetchSettings
        var madeIdentity: FetchIdentity?
        var generation = 0
        var loadNumber = 0
        /// The numbers of what the attachment brought last.
        var number = -1
        var valueNumber = -1
        var fetch: SharedFetch<Value>?
        var attachment: FetchAttachment?
        var streams: [Int: AsyncStream<Value>.Continuation] = [:]
        var nextStream = 0
    }

    private let registrar = ObservationRegistrar()
    private let state: Mutex<State>

    init(
        _ value: Value, _ query: FetchQuery<Value>?, _ settings: FetchSettings, _ first: FirstFetch
    ) {
        state = Mutex(State(value: value, query: query, settings: settings))
        guard let query else { return }
        state.withLock { $0.madeIdentity = FetchIdentity(query, settings) }
        guard settings.hasDatabase else {
            state.withLock { $0.error = DefaultDatabaseMissing() }
            return
        }
        guard first != .onLoad else { return }
        if first == .background { state.withLock { $0.isLoading = true } }
        attach(query, settings, first)
    }

    deinit {
        let (attachment, streams) = state.withLock { ($0.attachment, $0.streams) }
        attachment?.end()
        for stream in streams.values { stream.finish() }
    }

    // MARK: What is read

    var value: Value {
        registrar.access(self, keyPath: \.value)
        return state.withLock { $0.value }
    }

    var error: (any Error)? {
        registrar.access(self, keyPath: \.error)
        return state.withLock { $0.error }
    }

    var isLoading: Bool {
        registrar.access(self, keyPath: \.isLoading)
        return state.withLock { $0.isLoading }
    }

    /// The value as it is, and each that is published.
    var values: AsyncStream<Value> {
        let (stream, continuation) = AsyncStream<Value>.makeStream()
        let id = state.withLock { state in
            state.nextStream += 1
            state.streams[state.nextStream] = continuation
            continuation.yield(state.value)
            return state.nextStream
        }
        continuation.onTermination = { [weak self] _ in
            _ = self?.state.withLock { $0.streams.removeValue(forKey: id) }
        }
        return stream
    }

    // MARK: What is fetched

    /// The query that the wrapper was made with, and where it runs; nil without one.
    var madeIdentity: FetchIdentity? { state.withLock { $0.madeIdentity } }

    /// The settings of a load, which keeps those that it does not name.
    func settings(
        _ database: (any DatabaseReader)?, _ scheduler: any ValueObservationScheduler & Hashable
    ) -> FetchSettings {
        state.withLock { $0.settings }.with(database, scheduler)
    }

    @discardableResult
    private func attach(
        _ query: FetchQuery<Value>, _ settings: FetchSettings, _ first: FirstFetch
    ) -> FetchAttachment {
        let (generation, old) = state.withLock { state in
            state.generation += 1
            state.query = query
            state.settings = settings
            (state.number, state.valueNumber) = (-1, -1)
            defer { (state.fetch, state.attachment) = (nil, nil) }
            return (state.generation, state.attachment)
        }
        // The new one joins before the old one leaves: what both share goes on.
        let (fetch, id, isNew) = FetchRegistry.join(query, settings) { [weak self] update in
            self?.receive(update, generation, query.areEqual)
        }
        let attachment = FetchAttachment { FetchRegistry.leave(fetch, id) }
        let isCurrent = state.withLock { state in
            guard state.generation == generation else { return false }
            (state.fetch, state.attachment) = (fetch, attachment)
            return true
        }
        old?.end()
        if !isCurrent { attachment.end() }
        guard first != .onLoad else { return attachment }
        let latest = fetch.latest
        if latest.number > 0 {
            receive(latest, generation, query.areEqual)
        } else if isNew || first == .immediate {
            fetch.start(isImmediate: first == .immediate)
        }
        return attachment
    }

    /// Fetches now, with another query if one is given.
    ///
    /// - Throws: Why there is no value; `CancellationError` when the task is cancelled, which ends the
    ///   observation of another query.
    func load(
        _ query: FetchQuery<Value>? = nil, _ settings: FetchSettings? = nil
    ) async throws -> FetchSubscription {
        let own = state.withLock { ($0.query, $0.settings, $0.fetch, $0.attachment) }
        guard let wanted = query ?? own.0 else { return FetchSubscription(attachment: nil) }
        let settings = settings ?? own.1
        let number = beginLoading()
        defer { endLoading(number) }
        guard settings.hasDatabase else {
            fail(DefaultDatabaseMissing())
            throw DefaultDatabaseMissing()
        }
        let attachment: FetchAttachment
        let isNew: Bool
        if query == nil, let kept = own.3, !kept.isOver {
            (attachment, isNew) = (kept, false)
        } else {
            (attachment, isNew) = (attach(wanted, settings, .onLoad), true)
        }
        // Without one, another load has followed already.
        guard let fetch = state.withLock({ $0.attachment === attachment ? $0.fetch : nil }) else {
            return FetchSubscription(attachment: attachment)
        }
        do {
            try await fetch.load()
        } catch let error as CancellationError {
            if isNew { attachment.end() }
            throw error
        }
        return FetchSubscription(attachment: attachment)
    }

    /// Takes over what another store fetches and shows.
    func adopt(_ other: FetchStore) {
        guard other !== self else { return }
        let taken = other.state.withLock { $0 }
        let old = state.withLock { state in
            state.generation += 1
            state.query = taken.query
            state.madeIdentity = taken.madeIdentity
            state.settings = taken.settings
            state.loadNumber += 1
            defer { (state.fetch, state.attachment) = (nil, nil) }
            return state.attachment
        }
        if let query = taken.query, let attachment = taken.attachment, !attachment.isOver {
            attach(query, taken.settings, .background)
        }
        old?.end()
        change([.value, .error, .isLoading]) { state in
            (state.value, state.error) = (taken.value, taken.error)
            state.isLoading = taken.isLoading
            return true
        }
    }
}

// MARK: - Changes

extension FetchStore {
    private struct Aspects: OptionSet {
        let rawValue: Int
        static var value: Self { Self(rawValue: 1) }
        static var error: Self { Self(rawValue: 2) }
        static var isLoading: Self { Self(rawValue: 4) }
    }

    /// Changes the state between the two calls that observers are told by.
    ///
    /// - Parameter body: Returns whether the value is to be published.
    private func change(_ aspects: Aspects, _ body: (inout State) -> Bool) {
        if aspects.isEmpty { return }
        if aspects.contains(.value) { registrar.willSet(self, keyPath: \.value) }
        if aspects.contains(.error) { registrar.willSet(self, keyPath: \.error) }
        if aspects.contains(.isLoading) { registrar.willSet(self, keyPath: \.isLoading) }
        let old = state.withLock { state in
            let old = (state.value, state.error)
            if body(&state) {
                for stream in state.streams.values { stream.yield(state.value) }
            }
            return old
        }
        withExtendedLifetime(old) {}
        if aspects.contains(.value) { registrar.didSet(self, keyPath: \.value) }
        if aspects.contains(.error) { registrar.didSet(self, keyPath: \.error) }
        if aspects.contains(.isLoading) { registrar.didSet(self, keyPath: \.isLoading) }
    }

    private func receive(
        _ update: FetchUpdate<Value>, _ generation: Int,
        _ areEqual: (@Sendable (Value, Value) -> Bool)?
    ) {
        let own = state.withLock { $0 }
        guard own.generation == generation, update.number >= own.number else { return }
        var aspects: Aspects = own.isLoading ? [.isLoading] : []
        if update.number > own.number,
            (update.error == nil) != (own.error == nil)
                || update.error != nil
        {
            aspects.insert(.error)
        }
        if update.valueNumber > own.valueNumber, let value = update.value {
            // The first value of another query, or of another load.
            let isSame =
                own.valueNumber < 0 && own.settings.removesDuplicates
                && (areEqual.map { $0(own.value, value) } ?? false)
            if !isSame { aspects.insert(.value) }
        }
        change(aspects) { state in
            guard state.generation == generation, update.number >= state.number else {
                return false
            }
            let isNew = aspects.contains(.value) && update.valueNumber > state.valueNumber
            if isNew, let value = update.value { state.value = value }
            state.error = update.error
            state.isLoading = false
            (state.number, state.valueNumber) = (update.number, update.valueNumber)
            return isNew
        }
    }

    private func fail(_ error: any Error) {
        change([.error]) { state in
            state.error = error
            return false
        }
    }

    private func beginLoading() -> Int {
        var number = 0
        change([.isLoading]) { state in
            state.loadNumber += 1
            state.isLoading = true
            number = state.loadNumber
            return false
        }
        return number
    }

    private func endLoading(_ number: Int) {
        let isLast = state.withLock { $0.loadNumber == number && $0.isLoading }
        guard isLast else { return }
        change([.isLoading]) { state in
            if state.loadNumber == number { state.isLoading = false }
            return false
        }
    }
}
