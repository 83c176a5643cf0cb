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

    @Test("notice a device that breaks a rule", arguments: DeviceMutant.allCases)
    func deviceMutants(_ mutant: DeviceMutant) {
        var lines: [String] = []
        let found = (1...500).first { seed in
            Self.failure(of: seed, mutant: mutant, lines: &lines) != nil
        }
        #expect(found != nil, "\(mutant) was not noticed")
        if let found { print("\(mutant): noticed by seed \(found)") }
    }
}
