/// What decides where and when the values of an observation arrive.
///
/// Values arrive in their order, one at a time, whatever the scheduler does with its functions.
public protocol ValueObservationScheduler: Sendable {
    /// Whether the first value is to arrive before the observation's start returns.
    func immediateInitialValue() -> Bool

    /// Runs a function soon.
    func schedule(_ action: @escaping @Sendable () -> Void)
}

/// A scheduler that runs functions later, never before `schedule` returns.
package protocol LateScheduler: ValueObservationScheduler {}

/// What has the values of an observation arrive on the main actor.
public protocol ValueObservationMainActorScheduler: ValueObservationScheduler {
    /// Runs a function soon, on the main actor.
    func scheduleOnMainActor(_ action: @escaping @MainActor () -> Void)
}

extension ValueObservationMainActorScheduler {
    /// Runs a function soon, on the main actor.
    public func schedule(_ action: @escaping @Sendable () -> Void) {
        scheduleOnMainActor(action)
    }
}
