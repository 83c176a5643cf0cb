/// Small numbers for runs: what the states of rows keep instead of 16 bytes each. Each database has its own.
package struct RunTable: Sendable, Equatable {
    /// The runs by their numbers.
    package private(set) var runs: [Run] = []
    private var numbers: [Run: Int] = [:]

    /// - Parameter runs: As they were kept; each once.
    package init(_ runs: [Run] = []) {
        for run in runs { _ = number(noting: run) }
    }

    /// The number of a run, which gets the next one if it has none.
    package mutating func number(noting run: Run) -> Int {
        if let number = numbers[run] { return number }
        runs.append(run)
        numbers[run] = runs.count - 1
        return runs.count - 1
    }
}
