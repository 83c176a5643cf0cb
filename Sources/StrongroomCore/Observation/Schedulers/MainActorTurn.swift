internal import Dispatch
internal import Synchronization

/// The way to the main actor, and whether anybody ever got there.
///
/// On Linux nobody runs the main queue for a program whose main thread waits for something else:
/// its values would wait for ever, and nobody would know why.
enum MainActorTurn {
    /// 0 at first, 1 while somebody waits for the first turn, 2 once there was one.
    private static let state = Atomic(0)

    /// How long the first turn may take before the log is told.
    static let patience = DispatchTimeInterval.seconds(5)

    private static let key: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    /// Whether this is the main thread, or what stands for it: on Linux other threads serve the main
    /// queue once the main thread has given itself up to it.
    static var isNow: Bool {
        SystemThread.isMain || DispatchQueue.getSpecific(key: key) == true
    }

    static func run(_ action: @escaping @MainActor () -> Void) {
        DispatchQueue.main.async {
            if state.load(ordering: .relaxed) != 2 { state.store(2, ordering: .relaxed) }
            MainActor.assumeIsolated { action() }
        }
        guard state.load(ordering: .relaxed) == 0,
            state.compareExchange(expected: 0, desired: 1, ordering: .relaxed).exchanged
        else { return }
        DispatchQueue.global().asyncAfter(deadline: .now() + patience) { complainUnlessReached() }
    }

    private static func complainUnlessReached() {
        guard state.compareExchange(expected: 1, desired: 0, ordering: .relaxed).exchanged else {
            return
        }
        ErrorLog.function?(
            .SQLITE_WARNING,
            """
            a value of a ValueObservation waits for the main actor, which nobody runs: let main be \
            async, call dispatchMain(), or start the observation with scheduling: .async(onQueue:)
            """)
    }
}
