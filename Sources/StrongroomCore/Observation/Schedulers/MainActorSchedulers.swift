/// Has the first value arrive before the observation's start returns, and later ones on the main
/// actor.
public struct ImmediateValueObservationScheduler:
    ValueObservationMainActorScheduler, LateScheduler, Hashable
{
    /// Has the first value arrive at once.
    public init() {}

    /// - Precondition: It is called on the main thread, or the main actor.
    public func immediateInitialValue() -> Bool {
        trap(
            unless: MainActorTurn.isNow,
            "ValueObservation must be started from the main thread.")
        return true
    }

    public func scheduleOnMainActor(_ action: @escaping @MainActor () -> Void) {
        MainActorTurn.run(action)
    }
}

extension ValueObservationScheduler where Self == ImmediateValueObservationScheduler {
    /// Has the first value arrive before the start returns, and later ones on the main actor.
    ///
    /// The observation must be started on the main thread.
    public static var immediate: Self { ImmediateValueObservationScheduler() }
}

/// Has all values arrive on the main actor, the first one too after the start has returned.
///
/// The main actor gets its turn where the main thread runs a run loop, or the main function is
/// `async`. A server whose main thread does something else must choose another scheduler: see
/// `ValueObservationScheduler.async(onQueue:)`. Values that wait in vain are told to
/// `Database.logError`.
public struct DelayedMainActorValueObservationScheduler:
    ValueObservationMainActorScheduler, LateScheduler, Hashable
{
    /// Has all values arrive on the main actor.
    public init() {}

    public func immediateInitialValue() -> Bool { false }

    public func scheduleOnMainActor(_ action: @escaping @MainActor () -> Void) {
        MainActorTurn.run(action)
    }
}

extension ValueObservationScheduler where Self == DelayedMainActorValueObservationScheduler {
    /// Has all values arrive on the main actor.
    public static var mainActor: Self { DelayedMainActorValueObservationScheduler() }
}
