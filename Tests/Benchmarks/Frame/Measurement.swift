import Strongroom

/// How long a workload took on either side.
struct Measurement {
    let workload: Workload
    private let timer: Timer
    private(set) var library: [Duration] = []
    private(set) var c: [Duration] = []

    /// The sides told different outcomes: one of them does not do what it should.
    struct DifferentOutcomeError: Error, CustomStringConvertible {
        var workload: String
        var description: String { "'\(workload)' has different outcomes" }
    }

    init(_ workload: Workload, timer: Timer) {
        self.workload = workload
        self.timer = timer
    }

    /// Measures the sides in turns, after each has run once to warm up.
    mutating func run(_ runs: Int, only side: Options.Side?, on database: BenchmarkDatabase) throws
    {
        var outcomes: Set<UInt64> = []
        for index in 0...runs {
            if side != .c {
                let (duration, outcome) = try time(workload.library, on: database)
                outcomes.insert(outcome)
                if index > 0 { library.append(duration) }
            }
            if side != .library {
                let (duration, outcome) = try time(workload.c, on: database)
                outcomes.insert(outcome)
                if index > 0 { c.append(duration) }
            }
        }
        guard outcomes.count == 1 else { throw DifferentOutcomeError(workload: workload.name) }
    }

    /// The time of one operation in the median run.
    var libraryMicroseconds: Double? { microseconds(library) }
    var cMicroseconds: Double? { microseconds(c) }

    /// How many times what the C API needs the library needs.
    var ratio: Double? {
        guard let library = libraryMicroseconds, let c = cMicroseconds else { return nil }
        return library / c
    }

    /// Whether the aim is reached, where there is one.
    var reachesAim: Bool? {
        switch workload.aim {
        case nil: nil
        case .ratio(let aim): ratio.map { $0 <= aim }
        case .microseconds(let aim): libraryMicroseconds.map { $0 <= aim }
        }
    }

    /// To free what was fetched is part of the task; to look at it is not.
    private func time(
        _ side: (BenchmarkDatabase) throws -> Workload.Outcome, on database: BenchmarkDatabase
    ) throws -> (Duration, UInt64) {
        try workload.prepare(database)
        let start = timer.now()
        var outcome: Workload.Outcome? = try side(database)
        let end = timer.now()
        var digest = Digest()
        digest.add(bits: outcome?() ?? 0)
        digest.add(bits: try database.queue.inDatabase(workload.inspect))
        let startOfFreeing = timer.now()
        outcome = nil
        return (end - start + (timer.now() - startOfFreeing), digest.value)
    }

    private func microseconds(_ durations: [Duration]) -> Double? {
        guard !durations.isEmpty else { return nil }
        let sorted = durations.sorted()
        let middle = sorted.count / 2
        let median =
            sorted.count.isMultiple(of: 2)
            ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
        return median / .microseconds(1) / Double(workload.operations)
    }
}
