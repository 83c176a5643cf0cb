extension ValueObservation {
    /// Makes other values of the observed ones, outside of the database.
    ///
    /// The function runs on no connection and not on the main thread, but for a first value that
    /// arrives immediately. When it throws, the observation fails.
    ///
    ///     let texts = observation.map { "\($0) players" }
    public func map<T: Sendable>(
        _ transform: @escaping @Sendable (Reducer.Value) throws -> T
    ) -> ValueObservation<ValueReducers.Map<Reducer, T>> {
        with(ValueReducers.Map(base: reducer, transform: transform))
    }

    /// Drops values that equal the one before.
    ///
    ///     let changes = observation.removeDuplicates()
    public func removeDuplicates(
        by areEqual: sending @escaping (Reducer.Value, Reducer.Value) -> Bool
    ) -> ValueObservation<ValueReducers.RemoveDuplicates<Reducer>> {
        with(ValueReducers.RemoveDuplicates(base: reducer, areEqual: areEqual))
    }

    /// Tells the first value at once, and then one value at most in each interval, the latest.
    ///
    ///     let observation = ValueObservation.tracking { try Player.fetchAll($0) }
    ///         .throttle(for: .milliseconds(200))
    ///
    /// Values are still fetched after each commit, and `map` and `removeDuplicates` see all of them,
    /// wherever they stand. An error comes at once; a value that is waiting is then dropped.
    ///
    /// - Parameters:
    ///   - interval: The shortest time between two values.
    ///   - clock: The clock that measures the interval.
    public func throttle(
        for interval: Duration, clock: some Clock<Duration> = ContinuousClock()
    ) -> Self {
        var observation = self
        observation.pace = ObservationPace(.throttled, interval, clock)
        return observation
    }

    /// Tells the first value at once, and then a value when no other has followed it for an interval.
    ///
    /// It takes the place of `throttle(for:clock:)`, which describes what both have in common.
    ///
    ///     let calm = observation.debounce(for: .milliseconds(200))
    ///
    /// - Parameters:
    ///   - interval: How long no other value must follow.
    ///   - clock: The clock that measures the interval.
    public func debounce(
        for interval: Duration, clock: some Clock<Duration> = ContinuousClock()
    ) -> Self {
        var observation = self
        observation.pace = ObservationPace(.debounced, interval, clock)
        return observation
    }

    /// Calls functions when things happen.
    ///
    ///     let traced = observation.handleEvents(didReceiveValue: { print($0) })
    ///
    /// - Parameter willStart: The observation starts.
    /// - Parameter willFetch: A value is going to be fetched.
    /// - Parameter willTrackRegion: From now on, changes of this region give values.
    /// - Parameter databaseDidChange: A commit has touched the region.
    /// - Parameter didReceiveValue: A value is there, which the observer is going to be given.
    /// - Parameter didFail: The observation fails.
    /// - Parameter didCancel: The observation was cancelled.
    public func handleEvents(
        willStart: (@Sendable () -> Void)? = nil,
        willFetch: (@Sendable () -> Void)? = nil,
        willTrackRegion: (@Sendable (DatabaseRegion) -> Void)? = nil,
        databaseDidChange: (@Sendable () -> Void)? = nil,
        didReceiveValue: (@Sendable (Reducer.Value) -> Void)? = nil,
        didFail: (@Sendable (any Error) -> Void)? = nil,
        didCancel: (@Sendable () -> Void)? = nil
    ) -> ValueObservation<ValueReducers.Trace<Reducer>> {
        var observation = with(
            ValueReducers.Trace(
                base: reducer, willFetch: willFetch, didReceiveValue: didReceiveValue))
        observation.events.add(
            ObservationEvents(
                willStart: willStart, willTrackRegion: willTrackRegion,
                databaseDidChange: databaseDidChange, didFail: didFail, didCancel: didCancel))
        return observation
    }

    /// Prints what happens, a line for each event.
    ///
    ///     let traced = observation.print("players")
    ///
    /// - Parameter prefix: Stands before each line, and a colon, unless it is empty.
    /// - Parameter stream: Where to print; the standard output if nil.
    public func `print`(
        _ prefix: String = "", to stream: (any TextOutputStream)? = nil
    ) -> ValueObservation<ValueReducers.Trace<Reducer>> {
        let lines = EventLines(prefix: prefix, stream: stream)
        return handleEvents(
            willStart: { lines.write("start") },
            willFetch: { lines.write("fetch") },
            willTrackRegion: { lines.write("tracked region: \($0)") },
            databaseDidChange: { lines.write("database did change") },
            didReceiveValue: { lines.write("value: \($0)") },
            didFail: { lines.write("failure: \($0)") },
            didCancel: { lines.write("cancel") })
    }
}

extension ValueObservation where Reducer.Value: Equatable {
    /// Drops values that equal the one before.
    public func removeDuplicates()
        -> ValueObservation<ValueReducers.RemoveDuplicates<Reducer>>
    {
        removeDuplicates(by: ==)
    }
}
