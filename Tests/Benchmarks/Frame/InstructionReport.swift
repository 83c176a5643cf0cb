import Strongroom

/// The instructions that each side of a workload needs, as lines of `SIDE NAME: COUNT`.
///
/// The work is that of `Measurement`: each side runs once to warm up, and to look at its outcome is
/// not counted. Under valgrind, nothing is printed and the counts are in callgrind's files.
struct InstructionReport {
    let counter: InstructionCounter

    func add(_ workload: Workload, runs: Int, on database: BenchmarkDatabase) throws {
        var outcomes: Set<UInt64> = []
        for index in 0...runs {
            for (side, body) in [("library", workload.library), ("c", workload.c)] {
                let name = index == 0 ? "warm-up" : "\(side) \(workload.name)"
                try outcomes.insert(count(name, workload, body, on: database))
            }
        }
        guard outcomes.count == 1 else {
            throw Measurement.DifferentOutcomeError(workload: workload.name)
        }
    }

    private func count(
        _ name: String, _ workload: Workload,
        _ side: (BenchmarkDatabase) throws -> Workload.Outcome, on database: BenchmarkDatabase
    ) throws -> UInt64 {
        try workload.prepare(database)
        var outcome: Workload.Outcome?
        let working = try counter.count(name) { outcome = try side(database) }
        var digest = Digest()
        digest.add(bits: outcome?() ?? 0)
        digest.add(bits: try database.queue.inDatabase(workload.inspect))
        let freeing = counter.count(name) { outcome = nil }
        if let working, let freeing, name != "warm-up" {
            print("\(name): \(working + freeing)")
        }
        return digest.value
    }
}
