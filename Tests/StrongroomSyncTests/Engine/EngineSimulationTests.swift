import StrongroomTestSupport
import Testing

@testable import StrongroomSync

@Suite struct EngineSimulationTests {
    @Test(.proves("SYN-250"), arguments: 0..<12)
    func `devices that did things at random have the same in the end`(part: Int) async throws {
        for seed in 0..<5 {
            let seed = UInt64(part * 1000 + seed)
            let simulation = EngineSimulation(seed: seed)
            do {
                try await simulation.begin(2 + Int(seed % 3))
                for _ in 0..<60 { try await simulation.step() }
                try await simulation.settle()
            } catch {
                Issue.record(error, "seed \(seed)")
            }
        }
    }

    @Test(.proves("SYN-115"), arguments: 0..<12)
    func `files that were restored or copied lose nothing and send nothing twice`(part: Int)
        async throws
    {
        for seed in 0..<5 {
            let seed = UInt64(20_000 + part * 1000 + seed)
            let simulation = EngineSimulation(seed: seed)
            simulation.hasCopies = true
            do {
                try await simulation.begin(2 + Int(seed % 2))
                for _ in 0..<70 { try await simulation.step() }
                try await simulation.settle()
            } catch {
                Issue.record(error, "seed \(seed)")
            }
        }
    }
}
