import Foundation
import StrongroomTestSupport
import Testing

@testable import StrongroomSync

/// What `Tests/Proofs/sync_mutants` runs with a broken rule in the sources: a random history has to notice it.
@Suite("A broken rule")
struct BrokenRuleTests {
    /// The kinds of histories: each seed has one.
    private enum History: String, CaseIterable {
        case engines, copies, floors, upgrades, oddTables, hubLoss, hubAndCopies
        case merge, projection, capture
    }

    private static let isWanted =
        ProcessInfo.processInfo.environment["STRONGROOM_SYNC_MUTANT"] != nil
    private static let limit: UInt64 = 500

    @Test("is noticed by the history of a seed", .enabled(if: isWanted), .proves("SYN-254"))
    func search() async {
        for seed in 0..<Self.limit {
            let history = History.allCases[Int(seed) % History.allCases.count]
            // A rule may be broken so that the process ends here.
            Self.write("seed \(seed), \(history.rawValue)")
            guard let reason = await Self.failure(of: history, seed) else { continue }
            return Self.write("noticed: \(reason.split(separator: "\n").last ?? "")")
        }
        Issue.record("no seed notices it")
    }

    private static func write(_ line: String) {
        FileHandle.standardOutput.write(Data((line + "\n").utf8))
    }

    private static func failure(of history: History, _ seed: UInt64) async -> String? {
        switch history {
        case .merge: return mergeFailure(seed)
        case .projection:
            var random = SeededGenerator(seed: seed)
            return reason { try IncrementalProjectionTests.history(&random) }
        case .capture:
            let program = RandomProgram(random: SeededGenerator(seed: seed))
            return reason { _ = try RandomProgramTests.run(program) }
        default: return await schedule(history, seed).failure()?.reason
        }
    }

    private static func schedule(_ history: History, _ seed: UInt64) -> EngineSchedule {
        let isOdd = seed / UInt64(History.allCases.count) % 2 == 1
        return switch history {
        case .floors: EngineSchedule(seed: seed, count: 60, hasCopies: isOdd, hasFloors: true)
        case .upgrades: EngineSchedule(seed: seed, count: 50, hasCopies: isOdd, world: .upgraded)
        case .oddTables: EngineSchedule(seed: seed, count: 40, hasCopies: isOdd, world: .odd)
        case .hubLoss: EngineSchedule(seed: seed, count: 80, losesHub: true)
        case .hubAndCopies:
            EngineSchedule(seed: seed, count: 80, hasCopies: true, losesHub: true)
        default: EngineSchedule(seed: seed, count: 40, hasCopies: history == .copies)
        }
    }

    private static func reason(_ body: () throws -> Void) -> String? {
        do {
            try body()
            return nil
        } catch { return "\(error)" }
    }

    /// A schedule of the merge, which the second implementation looks at, too.
    private static func mergeFailure(_ seed: UInt64) -> String? {
        var lines: [String] = []
        if let failure = ScheduleTests.failure(of: seed, lines: &lines) { return failure }
        guard Witness.isThere else { return nil }
        do {
            return try Witness.differences(in: [lines]).values.first
        } catch { return "\(error)" }
    }
}
