import Foundation
import StrongroomTestSupport
import Testing

@Suite("Devices that are killed, put back, cloned, and have wrong clocks") struct KilledSyncTests {
    /// A few rounds; `Tests/Proofs/sync` has hundreds.
    @Test("end equal, and lose nothing", .proves("SYN-255"), .timeLimit(.minutes(10)))
    func someRounds() throws {
        var environment = ProcessInfo.processInfo.environment
        environment["STRONGROOM"] = PackageFiles.program("strongroom")
        environment["SHARED_LIST"] = PackageFiles.program("SharedList")
        let seed = "\(Int.random(in: 0..<1_000_000))"
        let result = try Subprocess.run(
            "python3", [PackageFiles.path(of: "Tests/Proofs/sync"), "12", seed],
            environment: environment, timeout: .seconds(500))
        #expect(result.isSuccess, "\(result.outputText)\(result.errorText)")
        for what in ["2 devices, round 12", "5 devices, round 12", "apps, round 12"] {
            #expect(result.outputText.contains(what), "\(result.outputText)")
        }
    }
}
