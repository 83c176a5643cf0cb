internal import StrongroomCore

/// The latest of a shared fetch.
struct FetchUpdate<Value: Sendable>: Sendable {
    var value: Value?
    var error: (any Error)?
    /// Grows with each other value.
    var valueNumber = 0
    /// Grows with each other value or error.
    var number = 0
}

/// What a shared fetch knows, under its lock.
struct SharedFetchState<Value: Sendable> {
    typealias Subscriber = @Sendable (FetchUpdate<Value>) -> Void

    struct Waiter {
        let runNumber: Int
        let continuation: CheckedContinuation<Void, any Error>
    }

    var subscribers: [Int: Subscriber] = [:]
    var nextID = 0
    var latest = FetchUpdate<Value>()
    var run: AnyDatabaseCancellable?
    var runNumber = 0
    /// Whether the run has brought nothing yet.
    var isFirst = true
    /// Whether the region of the run is that of a fetch that failed.
    var beganWithFailure = false
    var failures = 0
    var waiters: [Int: Waiter] = [:]
}

extension SharedFetchState {
    struct Accepted {
        let update: FetchUpdate<Value>
        let subscribers: [Subscriber]
        let waiters: [Waiter]
        var isToStart = false
        /// In how many milliseconds to begin another run.
        var delay: Int?
    }

    /// - Returns: The number of the run, and the run before.
    mutating func beginRun() -> (number: Int, old: AnyDatabaseCancellable?) {
        runNumber += 1
        isFirst = true
        beganWithFailure = false
        defer { run = nil }
        return (runNumber, run)
    }

    /// - Returns: Whom to tell what; nil when it comes from an earlier run.
    mutating func accept(
        _ outcome: Result<Value, any Error>, _ number: Int, isSame: Bool, isOver: Bool
    ) -> Accepted? {
        guard runNumber == number else { return nil }
        let loaded = waiters.filter { $0.value.runNumber <= number }
        for id in loaded.keys { waiters[id] = nil }
        var isToStart = false
        var delay: Int?
        switch outcome {
        case .success(let value):
            isToStart = beganWithFailure
            beganWithFailure = false
            failures = 0
            if !isSame || latest.error != nil { latest.number += 1 }
            if !isSame {
                latest.valueNumber += 1
                latest.value = value
            }
            latest.error = nil
        case .failure(let error):
            latest.number += 1
            latest.error = error
            if isFirst { beganWithFailure = true }
            if isOver, !error.isFinal {
                delay = min(100 << min(failures, 7), 10_000)
                failures += 1
            }
        }
        isFirst = false
        return Accepted(
            update: latest, subscribers: Array(subscribers.values),
            waiters: Array(loaded.values), isToStart: isToStart, delay: delay)
    }
}
