extension ValueObservation {
    /// Starts observing a database.
    ///
    /// The database stays open as long as the observation goes on.
    ///
    ///     let cancellable = observation.start(
    ///         in: dbQueue, onError: { print($0) }, onChange: { print("\($0) players") })
    ///
    /// - Parameters:
    ///   - reader: The queue, pool or snapshot to observe.
    ///   - scheduler: Where and when values arrive.
    ///   - onError: Called once when a fetch fails; the observation is then over.
    ///   - onChange: Called with each value.
    /// - Returns: What stops the observation: when it is cancelled, or when it is released.
    @preconcurrency public func start(
        in reader: any DatabaseReader, scheduling scheduler: some ValueObservationScheduler,
        onError: @escaping @Sendable (any Error) -> Void,
        onChange: @escaping @Sendable (Reducer.Value) -> Void
    ) -> AnyDatabaseCancellable {
        let run = ObservationRun(
            self, scheduler: scheduler, onError: onError, onChange: onChange)
        run.start(in: reader)
        return AnyDatabaseCancellable { run.cancel() }
    }

    /// Starts observing a database, whose values arrive on the main actor.
    ///
    /// The database stays open as long as the observation goes on. On Linux the main actor gets its
    /// turn only where the program's main function is `async`, or the main thread runs a run loop or
    /// `dispatchMain()`.
    ///
    /// - Parameters:
    ///   - reader: The queue, pool or snapshot to observe.
    ///   - scheduler: Whether the first value arrives before this returns (`.immediate`).
    ///   - onError: Called once when a fetch fails; the observation is then over.
    ///   - onChange: Called with each value.
    /// - Returns: What stops the observation: when it is cancelled, or when it is released.
    @preconcurrency @MainActor public func start(
        in reader: any DatabaseReader,
        scheduling scheduler: some ValueObservationMainActorScheduler = .mainActor,
        onError: @escaping @MainActor (any Error) -> Void,
        onChange: @escaping @MainActor (Reducer.Value) -> Void
    ) -> AnyDatabaseCancellable {
        let run = ObservationRun(self, scheduler: scheduler) { error in
            MainActor.assumeIsolated { onError(error) }
        } onChange: { value in
            MainActor.assumeIsolated { onChange(value) }
        }
        run.start(in: reader)
        return AnyDatabaseCancellable { run.cancel() }
    }
}
