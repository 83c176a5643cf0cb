/// What an observation does with its values: the one who runs it need not know their types.
///
/// A generic one would ask the runtime for the types of optionals, results and arrays of the values
/// at each commit, which costs more than to fetch them.
struct ObservationSteps: Sendable {
    // Structures, because a function that is put into an optional, a result or an array is wrapped in
    // another, and again on its way out.

    /// A value, for the observer.
    struct Value: Sendable {
        let tell: @Sendable () -> Void
    }

    /// What was fetched: a value is made of it by one thread at a time, or none.
    struct Fetched: Sendable {
        let make: @Sendable () throws -> Value?
    }

    /// Fetches, in an access of the database.
    let fetch: @Sendable (Database) throws -> Fetched

    /// Calls the observer with an error.
    let fail: @Sendable (any Error) -> Void

    /// Whether to make a value takes no time and calls nobody.
    let makesAtOnce: Bool

    init<Reducer: ValueReducer>(
        _ reducer: Reducer, onError: @escaping @Sendable (any Error) -> Void,
        onChange: @escaping @Sendable (Reducer.Value) -> Void
    ) {
        let maker = ValueMaker(reducer)
        fetch = { db in
            let fetched = try reducer._fetch(db)
            return Fetched {
                guard let value = try maker.value(of: fetched) else { return nil }
                return Value { onChange(value) }
            }
        }
        fail = onError
        makesAtOnce = Reducer._isIdentity
    }
}

/// A reducer as it is after the values that it has made.
// Safety: one thread at a time makes values, and takes the lock of the run before and after.
private final class ValueMaker<Reducer: ValueReducer>: @unchecked Sendable {
    private var reducer: Reducer

    init(_ reducer: Reducer) {
        self.reducer = reducer
    }

    func value(of fetched: Reducer.Fetched) throws -> Reducer.Value? {
        try reducer._value(fetched)
    }
}
