/// How it is known what an observed value is read from.
enum ObservationTracking: Sendable {
    /// Found anew by each fetch.
    case everyFetch
    /// Found by the first fetch.
    case firstFetch
    case regions([any DatabaseRegionConvertible])

    var isConstant: Bool {
        if case .everyFetch = self { return false }
        return true
    }
}

/// Who wants to know what an observation does.
struct ObservationEvents: Sendable {
    var willStart: (@Sendable () -> Void)?
    var willTrackRegion: (@Sendable (DatabaseRegion) -> Void)?
    var databaseDidChange: (@Sendable () -> Void)?
    var didFail: (@Sendable (any Error) -> Void)?
    var didCancel: (@Sendable () -> Void)?
}

extension ObservationEvents {
    /// Calls other functions after those that are called already.
    mutating func add(_ other: ObservationEvents) {
        func both(_ first: (@Sendable () -> Void)?, _ second: (@Sendable () -> Void)?)
            -> (@Sendable () -> Void)?
        {
            guard let first, let second else { return first ?? second }
            return {
                first()
                second()
            }
        }
        func both<T>(_ first: (@Sendable (T) -> Void)?, _ second: (@Sendable (T) -> Void)?)
            -> (@Sendable (T) -> Void)?
        {
            guard let first, let second else { return first ?? second }
            return {
                first($0)
                second($0)
            }
        }
        willStart = both(willStart, other.willStart)
        willTrackRegion = both(willTrackRegion, other.willTrackRegion)
        databaseDidChange = both(databaseDidChange, other.databaseDidChange)
        didFail = both(didFail, other.didFail)
        didCancel = both(didCancel, other.didCancel)
    }
}
