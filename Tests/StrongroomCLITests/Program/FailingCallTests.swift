import Foundation
import StrongroomTestSupport
import Testing

@Suite("A system call that fails") struct FailingCallTests {
    /// Some calls of each command; `Tests/Proofs/calls` without `--quick` lets all of them fail.
    @Test(
        "takes nothing back that was done, and loses nothing that was promised",
        .proves("OPR-33"), .timeLimit(.minutes(10)))
    func everyCommand() throws {
        var environment = ProcessInfo.processInfo.environment
        environment["STRONGROOM"] = PackageFiles.program("strongroom")
        let result = try Subprocess.run(
            "python3", [PackageFiles.path(of: "Tests/Proofs/calls"), "--quick"],
            environment: environment, timeout: .seconds(500))
        #expect(result.isSuccess, "\(result.outputText)\(result.errorText)")
        #expect(result.outputText.contains(", 0 failures"))
    }
}
