/// A value of the database, observed: first as it is, and then whenever it may have changed.
///
///     let observation = ValueObservation.tracking { db in try Player.fetchCount(db) }
///     let cancellable = observation.start(in: dbPool, scheduling: .async(onQueue: queue)) { error in
///         …
///     } onChange: { count in
///         …
///     }
///
/// After a commit that touches what the value was read from, the observer eventually gets the value
/// of that state or of a later one. Values come in the order of the commits, one at a time. Several
/// commits may give one value, and a commit may give a value that equals the one before: see
/// `removeDuplicates()`. Nothing that was not committed is ever seen.
///
/// Changes by other connections and processes, by statements that the library does not run, changes
/// of the schema, and those of internal tables are not noticed: `Database.notifyChanges(in:)` tells
/// them, and `DatabaseWriter.observeExternalChanges()` those of other processes. Of virtual tables and
/// tables `WITHOUT ROWID` SQLite tells no rows: each statement that writes to one counts as a change.
public struct ValueObservation<Reducer: ValueReducer>: Sendable {
    /// Whether the function that fetches may write.
    ///
    /// It then runs in a savepoint, on the connection that writes. What it writes itself gives no
    /// other value.
    public var requiresWriteAccess = false

    let tracking: ObservationTracking
    let reducer: Reducer
    var events = ObservationEvents()
    var pace: ObservationPace?

    init(tracking: ObservationTracking, reducer: Reducer) {
        self.tracking = tracking
        self.reducer = reducer
    }

    /// The same observation, whose values are made in another way.
    func with<Other: ValueReducer>(_ reducer: Other) -> ValueObservation<Other> {
        var other = ValueObservation<Other>(
            tracking: tracking, reducer: reducer)
        other.requiresWriteAccess = requiresWriteAccess
        other.events = events
        other.pace = pace
        return other
    }
}

extension ValueObservation {
    /// Observes what a function fetches, whatever it reads each time.
    ///
    ///     let names = ValueObservation.tracking { db in
    ///         try String.fetchAll(db, sql: "SELECT name FROM player")
    ///     }
    ///
    /// - Parameter fetch: Sees one state of the database. It is called for the first value, and
    ///   after each transaction that may have changed it, by the thread that committed.
    @preconcurrency public static func tracking<Value: Sendable>(
        _ fetch: @escaping @Sendable (Database) throws -> Value
    ) -> Self where Reducer == ValueReducers.Fetch<Value> {
        Self(tracking: .everyFetch, reducer: ValueReducers.Fetch(fetch: fetch))
    }

    /// Observes what a function fetches that always reads the same tables, columns and rows.
    ///
    /// A pool then fetches values while it goes on writing. Changes of what only a later fetch has
    /// read are missed.
    ///
    ///     let counts = ValueObservation.trackingConstantRegion { db in try Player.fetchCount(db) }
    @preconcurrency public static func trackingConstantRegion<Value: Sendable>(
        _ fetch: @escaping @Sendable (Database) throws -> Value
    ) -> Self where Reducer == ValueReducers.Fetch<Value> {
        Self(tracking: .firstFetch, reducer: ValueReducers.Fetch(fetch: fetch))
    }

    /// Observes what a function fetches, whenever something has changed in given regions.
    @preconcurrency public static func tracking<Value: Sendable>(
        region: any DatabaseRegionConvertible, _ otherRegions: any DatabaseRegionConvertible...,
        fetch: @escaping @Sendable (Database) throws -> Value
    ) -> Self where Reducer == ValueReducers.Fetch<Value> {
        tracking(regions: [region] + otherRegions, fetch: fetch)
    }

    /// Observes what a function fetches, whenever something has changed in given regions.
    @preconcurrency public static func tracking<Value: Sendable>(
        regions: [any DatabaseRegionConvertible],
        fetch: @escaping @Sendable (Database) throws -> Value
    ) -> Self where Reducer == ValueReducers.Fetch<Value> {
        Self(tracking: .regions(regions), reducer: ValueReducers.Fetch(fetch: fetch))
    }
}
