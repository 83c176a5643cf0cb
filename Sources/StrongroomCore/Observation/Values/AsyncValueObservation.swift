/// The values of an observation, to be iterated.
///
///     for try await count in observation.values(in: dbPool) { … }
///
/// Each iteration is an observation of its own, which ends when its task is cancelled, its iterator
/// goes, or a fetch fails. A slow iteration delays no writer: values are kept for it as the
/// buffering policy says, all of them by default, only the latest with `.bufferingNewest(1)`.
public struct AsyncValueObservation<Element: Sendable>: AsyncSequence, Sendable {
    /// Which values are kept for an iteration that does not keep up.
    public typealias BufferingPolicy =
        AsyncThrowingStream<Element, any Error>.Continuation.BufferingPolicy

    let bufferingPolicy: BufferingPolicy
    let start:
        @Sendable (
            _ onError: @escaping @Sendable (any Error) -> Void,
            _ onChange: @escaping @Sendable (Element) -> Void
        ) -> AnyDatabaseCancellable

    /// Starts the observation.
    public func makeAsyncIterator() -> Iterator {
        let (stream, continuation) = AsyncThrowingStream<Element, any Error>.makeStream(
            bufferingPolicy: bufferingPolicy)
        let cancellable = start({ continuation.finish(throwing: $0) }, { continuation.yield($0) })
        continuation.onTermination = { _ in cancellable.cancel() }
        return Iterator(base: stream.makeAsyncIterator(), cancellable: cancellable)
    }

    /// Gives the values one after the other.
    public struct Iterator: AsyncIteratorProtocol {
        private var base: AsyncThrowingStream<Element, any Error>.AsyncIterator
        private let cancellable: AnyDatabaseCancellable

        init(
            base: AsyncThrowingStream<Element, any Error>.AsyncIterator,
            cancellable: AnyDatabaseCancellable
        ) {
            self.base = base
            self.cancellable = cancellable
        }

        /// Waits for the next value; nil when the task has been cancelled.
        ///
        /// - Throws: Why the observation failed.
        public mutating func next() async throws -> Element? {
            try await base.next()
        }
    }
}

extension ValueObservation {
    /// The values, to be iterated by tasks.
    ///
    ///     for try await count in observation.values(in: dbPool) { … }
    ///
    /// - Parameters:
    ///   - reader: The queue, pool or snapshot to observe.
    ///   - scheduler: Where and when values are delivered.
    ///   - bufferingPolicy: Which values are kept for a task that does not keep up.
    public func values(
        in reader: any DatabaseReader, scheduling scheduler: some ValueObservationScheduler = .task,
        bufferingPolicy: AsyncValueObservation<Reducer.Value>.BufferingPolicy = .unbounded
    ) -> AsyncValueObservation<Reducer.Value> {
        AsyncValueObservation(bufferingPolicy: bufferingPolicy) { onError, onChange in
            start(in: reader, scheduling: scheduler, onError: onError, onChange: onChange)
        }
    }
}
