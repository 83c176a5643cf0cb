/// How many changes are merged while the write lock is held: as many as take some milliseconds.
struct HoldSize: Sendable {
    /// The longest time that the lock is held, if a unit allows.
    static let limit = 0.020
    private(set) var count = 200
    private let isFixed: Bool

    init(fixed count: Int? = nil) {
        isFixed = count != nil
        if let count { self.count = count }
    }

    mutating func learn(_ changes: Int, _ seconds: Double) {
        guard changes > 0, seconds > 0, !isFixed else { return }
        // Pages are encrypted and written by the commit, which takes about as long.
        let possible = Double(changes) * Self.limit * 0.45 / seconds
        count = min(max(Int(min(possible, Double(count) * 2)), 20), 20_000)
    }
}

/// How long the engine leaves the write lock alone between two transactions.
///
/// SQLite has no queue for the lock: a program that finds it taken looks again after 1 to 100 ms, and would never find it
/// free if the engine took it again at once. Programs that have to wait cannot be seen, only those that have written.
struct HoldPace: Sendable {
    /// A transaction of the engine.
    struct Hold: Sendable {
        let start: ContinuousClock.Instant
        let end: ContinuousClock.Instant
        /// SQLite's `data_version`, which other connections change.
        let version: Int64
    }

    /// How long another program counts as one that writes.
    private static let patience = Duration.seconds(10)
    private static let longest = Duration.milliseconds(50)

    private var last: Hold?
    private var othersWrote: ContinuousClock.Instant?

    mutating func note(_ hold: Hold) {
        if let last, last.version != hold.version { othersWrote = hold.start }
        last = hold
    }

    /// What is left of the pause: twice as long as the lock was held while another program writes, else a fifth of it.
    func pause(at now: ContinuousClock.Instant) -> Duration {
        guard let last else { return .zero }
        let isAlone = othersWrote.map { last.end - $0 > Self.patience } ?? true
        let held = last.end - last.start
        return max(.zero, min(isAlone ? held / 5 : held * 2, Self.longest) - (now - last.end))
    }
}

/// What came of a transaction of the engine.
struct EngineTransaction<T: Sendable>: Sendable {
    let store: SyncStore
    let result: T
    /// How long it worked, without the commit.
    let seconds: Double
    let start: ContinuousClock.Instant
    let version: Int64
}
