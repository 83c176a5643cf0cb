/// What makes the values of an observation: fetches them, and changes or drops them.
///
/// Apps name its conformers, which `ValueObservation` makes, and add none.
public protocol ValueReducer<Value>: Sendable {
    /// What is fetched from the database.
    associatedtype Fetched: Sendable
    /// What the observer is given.
    associatedtype Value: Sendable

    /// Fetches, in an access of the database.
    func _fetch(_ db: Database) throws -> Fetched

    /// Makes a value of what was fetched, outside of any access; nil for none.
    mutating func _value(_ fetched: Fetched) throws -> Value?

    /// Whether what was fetched is the value, so that to make it takes no time and calls nobody.
    static var _isIdentity: Bool { get }
}

extension ValueReducer {
    public static var _isIdentity: Bool { false }
}

/// What makes the values of observations.
public enum ValueReducers {
    /// Gives what a function fetches.
    public struct Fetch<Value: Sendable>: ValueReducer {
        let fetch: @Sendable (Database) throws -> Value

        public func _fetch(_ db: Database) throws -> Value { try fetch(db) }

        public mutating func _value(_ fetched: Value) -> Value? { fetched }

        public static var _isIdentity: Bool { true }
    }

    /// Makes other values of those of another reducer.
    public struct Map<Base: ValueReducer, Value: Sendable>: ValueReducer {
        var base: Base
        let transform: @Sendable (Base.Value) throws -> Value

        public func _fetch(_ db: Database) throws -> Base.Fetched { try base._fetch(db) }

        public mutating func _value(_ fetched: Base.Fetched) throws -> Value? {
            try base._value(fetched).map(transform)
        }
    }

    /// Drops values that equal the one before.
    public struct RemoveDuplicates<Base: ValueReducer>: ValueReducer {
        var base: Base
        // Safety: whoever makes the reducer has given the function away, and one thread at a time makes
        // values (`ObservationRun`).
        nonisolated(unsafe) let areEqual: (Base.Value, Base.Value) -> Bool
        private var previous: Base.Value?

        init(base: Base, areEqual: sending @escaping (Base.Value, Base.Value) -> Bool) {
            self.base = base
            self.areEqual = areEqual
        }

        public func _fetch(_ db: Database) throws -> Base.Fetched { try base._fetch(db) }

        public mutating func _value(_ fetched: Base.Fetched) throws -> Base.Value? {
            guard let value = try base._value(fetched) else { return nil }
            if let previous, areEqual(previous, value) { return nil }
            previous = value
            return value
        }
    }

    /// Tells functions what another reducer does.
    public struct Trace<Base: ValueReducer>: ValueReducer {
        var base: Base
        let willFetch: (@Sendable () -> Void)?
        let didReceiveValue: (@Sendable (Base.Value) -> Void)?

        public func _fetch(_ db: Database) throws -> Base.Fetched {
            willFetch?()
            return try base._fetch(db)
        }

        public mutating func _value(_ fetched: Base.Fetched) throws -> Base.Value? {
            let value = try base._value(fetched)
            if let value { didReceiveValue?(value) }
            return value
        }
    }
}
