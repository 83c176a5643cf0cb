import Foundation
import Strongroom
import StrongroomBackup
import StrongroomTestSupport
import Testing

@Suite("Awaiting that a repository opens")
struct AwaitedOpeningTests {
    @Test("gives up a server that never answers, when it is cancelled", .proves("OPR-190"))
    func hungServer() async throws {
        // It reads nothing, writes nothing, and does not end by itself.
        let opening = BackupRepository.startOpening(path: "exec:exec sleep 1000")
        let start = ContinuousClock.now
        opening.cancel()
        await #expect(throws: CancellationError.self) { try await opening.value }
        #expect(ContinuousClock.now - start < .seconds(30))
    }

    @Test("gives the repository, or says that there is none", .proves("OPR-190"))
    func opened() async throws {
        let folder = try TemporaryDirectory()
        let path = folder.path(of: "repository")
        let error = await #expect(throws: BackupError.self) {
            try await BackupRepository.startOpening(path: path).value
        }
        #expect(error?.code == .notARepository)
        _ = try BackupRepository.create(at: path)
        #expect(try await BackupRepository.startOpening(path: path).value.backups().isEmpty)
    }
}
