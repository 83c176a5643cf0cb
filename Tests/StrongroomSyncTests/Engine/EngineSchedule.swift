import StrongroomTestSupport
import Testing

@testable import StrongroomSync

/// A history of the engine simulation: a seed, and which of its steps are done.
///
/// Each step draws from numbers of its own, so the others stay the same when one is left out.
struct EngineSchedule: Sendable, CustomStringConvertible {
    var seed: UInt64
    var steps: [Int]
    /// Whether files are put back and copied.
    var hasCopies = false
    /// Whether days pass, so that tombstones and logs are dropped.
    var hasFloors = false
    /// Whether the hub is put back to an older state.
    var losesHub = false
    var world = EngineWorld.plain

    init(
        seed: UInt64, steps: [Int], hasCopies: Bool = false, hasFloors: Bool = false,
        losesHub: Bool = false, world: EngineWorld = .plain
    ) {
        self.seed = seed
        self.steps = steps
        self.hasCopies = hasCopies
        self.hasFloors = hasFloors
        self.losesHub = losesHub
        self.world = world
    }

    init(
        seed: UInt64, count: Int, hasCopies: Bool = false, hasFloors: Bool = false,
        losesHub: Bool = false, world: EngineWorld = .plain
    ) {
        self.init(
            seed: seed, steps: Array(0..<count), hasCopies: hasCopies, hasFloors: hasFloors,
            losesHub: losesHub, world: world)
    }

    /// The line of a test that does the same.
    var description: String {
        """
        try await EngineSchedule(
            seed: \(seed), steps: \(steps), hasCopies: \(hasCopies), hasFloors: \(hasFloors),
            losesHub: \(losesHub), world: .\(world.name)
        ).run()
        """
    }

    /// Does what the seed says.
    ///
    /// - Returns: The history: what was done, and what came of it.
    /// - Throws: What did not hold, with the history up to there.
    @discardableResult
    func run() async throws -> [String] {
        let simulation = EngineSimulation(seed: seed, world)
        simulation.hasCopies = hasCopies
        simulation.hasFloors = hasFloors
        simulation.losesHub = losesHub
        do {
            try await simulation.begin()
            for step in steps { try await simulation.step(step) }
            try await simulation.settle()
        } catch {
            throw Failure(reason: "\(error)", history: simulation.history)
        }
        return simulation.history
    }

    struct Failure: Error, CustomStringConvertible {
        let reason: String
        let history: [String]
        var description: String { (history + [reason]).joined(separator: "\n") }
    }

    /// What does not hold; nil if all does.
    func failure() async -> Failure? {
        do {
            try await run()
            return nil
        } catch let failure as Failure {
            return failure
        } catch {
            return Failure(reason: "\(error)", history: [])
        }
    }

    /// As few of the steps as still fail: halves are left out, then quarters, down to single steps.
    func shrunk() async -> EngineSchedule {
        var smallest = self
        var size = max(steps.count / 2, 1)
        while true {
            var start = 0
            var hasShrunk = false
            while start < smallest.steps.count {
                var fewer = smallest
                fewer.steps.removeSubrange(start..<min(start + size, fewer.steps.count))
                if await fewer.failure() != nil {
                    smallest = fewer
                    hasShrunk = true
                } else {
                    start += size
                }
            }
            if size > 1 { size /= 2 } else if !hasShrunk { return smallest }
        }
    }

    /// Records what does not hold, as a test of the fewest steps.
    func check() async {
        guard await failure() != nil else { return }
        let smallest = await shrunk()
        let failure = await smallest.failure()
        let text =
            failure.map { "\($0)" } ?? "it holds when it is done again: it is not deterministic"
        Issue.record("\(smallest)\n\(text)")
    }
}
