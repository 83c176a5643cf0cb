import Foundation
import StrongroomSync
import StrongroomTestSupport
import Testing

@Suite("Random schedules of the merge", .tags(.slow))
struct ScheduleTests {
    /// `STRONGROOM_SCHEDULES=10000` is the full proof.
    private static let count =
        UInt64(ProcessInfo.processInfo.environment["STRONGROOM_SCHEDULES"] ?? "") ?? 20
    private static let firstSeed =
        UInt64(ProcessInfo.processInfo.environment["STRONGROOM_FUZZ_SEED"] ?? "") ?? 1

    /// Runs a schedule to its end; nil, or what did not hold.
    static func failure(
        of seed: UInt64, steps: Int = 150, mutant: DeviceMutant? = nil, lines: inout [String]
    ) -> String? {
        do {
            var simulation = try Simulation(seed: seed, mutant: mutant, isRecorded: mutant == nil)
            do {
                for _ in 0..<steps { try simulation.step() }
                try simulation.finish()
                try simulation.close()
            } catch {
                return "seed \(seed): \(error)"
            }
            lines = simulation.script.lines
            return nil
        } catch {
            return "seed \(seed): \(error)"
        }
    }

    @Test(
        "end equal everywhere, and the second implementation agrees after each step",
        .enabled(if: Witness.isThere, "python3 is not there"))
    func schedules() throws {
        var seed = Self.firstSeed
        let end = seed + Self.count
        while seed < end {
            let seeds = seed..<min(seed + 50, end)
            var schedules: [[String]] = []
            for seed in seeds {
                var lines: [String] = []
                let failure = Self.failure(of: seed, lines: &lines)
                #expect(failure == nil)
                schedules.append(lines)
            }
            let differences = try Witness.differences(in: schedules)
            for (number, difference) in differences {
                Issue.record("seed \(seeds.lowerBound + UInt64(number)): \(difference)")
            }
            seed = seeds.upperBound
        }
    }

    private static let isLong =
        ProcessInfo.processInfo.environment["STRONGROOM_SCHEDULES"] != nil

    /// The first seed that notices a mutant and stands the rules as they are.
    private static func firstSeed(noticing mutant: DeviceMutant, upTo last: UInt64) -> UInt64? {
        var lines: [String] = []
        return (1...last).first { seed in
            let kind: UInt64? =
                switch mutant {
                case .countersNotMoved: 0
                case .noSnapshots: 1
                case .earlyFloor: 2
                default: nil
                }
            guard kind == nil || seed % 3 == kind else { return false }
            return failure(of: seed, mutant: mutant, lines: &lines) != nil
                && failure(of: seed, lines: &lines) == nil
        }
    }

    @Test(
        "notice a device that breaks a rule", .proves("SYN-254"),
        arguments: DeviceMutant.allCases.filter { isLong || !$0.isRare })
    func deviceMutants(_ mutant: DeviceMutant) throws {
        let found = try #require(Self.firstSeed(noticing: mutant, upTo: Self.isLong ? 500 : 60))
        print("\(mutant): noticed by seed \(found)")
    }

    @Test(
        "notice a rule of the merge that one side breaks", .proves("SYN-254"),
        .enabled(if: Witness.isThere, "python3 is not there"))
    func mergeMutants() throws {
        var schedules: [[String]] = []
        for seed in 1...UInt64(Self.isLong ? 60 : 12) {
            var lines: [String] = []
            #expect(Self.failure(of: seed, lines: &lines) == nil)
            schedules.append(lines)
        }
        for mutant in Witness.mutants {
            let found = try Witness.differences(in: schedules, mutant: mutant).keys.min()
            if let found { print("\(mutant): noticed by seed \(found + 1)") }
            #expect(
                found != nil || (!Self.isLong && Witness.rareMutants.contains(mutant)), "\(mutant)")
        }
    }
}
