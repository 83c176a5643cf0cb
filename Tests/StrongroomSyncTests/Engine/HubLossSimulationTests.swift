import StrongroomTestSupport
import Testing

@testable import StrongroomSync

extension EngineSimulation {
    /// A step in which the hub may also be put back to an older state.
    fileprivate func step(_ number: Int, _ kept: inout [String: [UInt8]]?) async throws {
        var fate = SeededGenerator(seed: seed &* 1000 &+ UInt64(number))
        switch Int.random(in: 0..<100, using: &fate) {
        case 0..<4: kept = hub.contents
        case 4..<7:
            if let old = kept { hub.restore(old) }
            hubContents = [:]
            kept = nil
        default: try await step(number)
        }
    }

    /// Exchanges until those who wrote what is missing had time enough to send it again.
    fileprivate func waitForLost() async throws {
        for _ in 0..<3 {
            time.withLock { $0 += 11 * 60_000 }
            for index in devices.indices { try await devices[index].engine.synchronize() }
        }
    }
}

@Suite struct HubLossSimulationTests {
    @Test(.proves("SYN-166", "SYN-167", "SYN-250"), arguments: 0..<6)
    func `devices whose hub is put back at random have the same in the end`(part: Int) async throws
    {
        try await run(40_000 + part * 1000, hasCopies: false)
    }

    @Test(.proves("SYN-117"), arguments: 0..<6)
    func `files and the hub are put back at random, and all have the same in the end`(part: Int)
        async throws
    {
        try await run(60_000 + part * 1000, hasCopies: true)
    }

    private func run(_ first: Int, hasCopies: Bool) async throws {
        for seed in 0..<5 {
            let seed = UInt64(first + seed)
            let simulation = EngineSimulation(seed: seed)
            simulation.hasCopies = hasCopies
            do {
                try await simulation.begin()
                var kept: [String: [UInt8]]?
                for number in 0..<80 { try await simulation.step(number, &kept) }
                try await simulation.waitForLost()
                try await simulation.settle()
            } catch {
                Issue.record(error, "seed \(seed)")
            }
        }
    }
}
