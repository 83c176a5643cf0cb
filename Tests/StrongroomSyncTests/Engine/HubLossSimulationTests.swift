import StrongroomTestSupport
import Testing

@testable import StrongroomSync

@Suite struct HubLossSimulationTests {
    @Test(.proves("SYN-166", "SYN-167", "SYN-250"), arguments: 0..<6)
    func `devices whose hub is put back at random have the same in the end`(part: Int) async {
        await run(40_000 + part * 1000, hasCopies: false)
    }

    @Test(.proves("SYN-117"), arguments: 0..<6)
    func `files and the hub are put back at random, and all have the same in the end`(
        part: Int
    ) async {
        await run(60_000 + part * 1000, hasCopies: true)
    }

    private func run(_ first: Int, hasCopies: Bool) async {
        for seed in 0..<3 {
            await EngineSchedule(
                seed: UInt64(first + seed), count: 80, hasCopies: hasCopies, losesHub: true
            ).check()
        }
    }
}
