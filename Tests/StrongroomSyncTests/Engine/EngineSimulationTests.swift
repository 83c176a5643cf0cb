import Foundation
import StrongroomTestSupport
import Testing

@testable import StrongroomSync

@Suite("Random histories of engines", .tags(.slow))
struct EngineSimulationTests {
    private static let parts = 10
    /// `STRONGROOM_SYNC_SEEDS=10000` is the full proof.
    private static let count =
        UInt64(ProcessInfo.processInfo.environment["STRONGROOM_SYNC_SEEDS"] ?? "") ?? 200
    private static let firstSeed =
        UInt64(ProcessInfo.processInfo.environment["STRONGROOM_FUZZ_SEED"] ?? "") ?? 0

    /// The seeds of a part: of each of the five kinds of history as many.
    private static func seeds(_ part: Int) -> [UInt64] {
        (0..<count / 5).filter { Int($0) % parts == part }.map { firstSeed + $0 }
    }

    @Test(
        "end with the same rows on all devices", .proves("SYN-250", "SYN-251", "SYN-252"),
        arguments: 0..<parts)
    func histories(part: Int) async {
        for seed in Self.seeds(part) { await EngineSchedule(seed: seed, count: 40).check() }
    }

    @Test(
        "lose nothing and send nothing twice where files are put back and copied",
        .proves("SYN-115", "SYN-250", "SYN-251"), arguments: 0..<parts)
    func copies(part: Int) async {
        for seed in Self.seeds(part) {
            await EngineSchedule(seed: seed, count: 40, hasCopies: true).check()
        }
    }

    @Test(
        "forget what was deleted, and nothing comes back", .proves("SYN-151", "SYN-250"),
        arguments: 0..<parts)
    func floors(part: Int) async {
        for seed in Self.seeds(part) {
            await EngineSchedule(
                seed: seed, count: 60, hasCopies: seed % 3 == 0, hasFloors: true
            ).check()
        }
    }

    @Test(
        "end with the same rows where apps migrate at any time", .proves("SYN-145", "SYN-250"),
        arguments: 0..<parts)
    func upgrades(part: Int) async {
        for seed in Self.seeds(part) {
            await EngineSchedule(
                seed: seed, count: 50, hasCopies: seed % 2 == 0, world: .upgraded
            ).check()
        }
    }

    @Test(
        "end with the same rows where keys are odd and the app has triggers",
        .proves("SYN-028", "SYN-065", "SYN-250"), arguments: 0..<parts)
    func oddTables(part: Int) async {
        for seed in Self.seeds(part) {
            await EngineSchedule(
                seed: seed, count: 40, hasCopies: seed % 2 == 0, world: .odd
            ).check()
        }
    }

    @Test("are the same whenever a seed is run", .proves("SYN-250"), arguments: [true, false])
    func deterministic(hasCopies: Bool) async throws {
        for seed in [3, 4, 5] as [UInt64] {
            let schedule = EngineSchedule(seed: seed, count: 60, hasCopies: hasCopies)
            let one = try await schedule.run()
            let other = try await schedule.run()
            let place = zip(one, other).enumerated().first { $0.element.0 != $0.element.1 }
            #expect(place == nil, "seed \(seed)")
            #expect(one.count == other.count)
        }
    }
}
