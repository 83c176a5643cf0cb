import Foundation
import Strongroom
import StrongroomBackup
import StrongroomTestSupport
import Testing

/// Nothing of this uses SQLCipher: OpenSSL is used first, and alone, by threads that come and go.
@Suite("A process that ends while other threads verify backups without a key")
struct ProcessEndOfBackupTests {
    @Test("ends in order, at whatever moment", .proves("ENG-06"))
    func verifying() async throws {
        let fixture = try BackupFixture(rowCount: 1000)
        try fixture.repository.backUp(fixture.file)
        for round in 0..<12 { await Self.end(fixture.repository.path, round: round) }
    }

    private static func end(_ path: String, round: Int) async {
        await #expect(processExitsWith: .success) { [path, round] in
            let repository = try BackupRepository(path: path)
            let done = DispatchSemaphore(value: 0)
            for _ in 0..<3 {
                Thread.detachNewThread {
                    // With progress, the work has a thread of its own, which ends with it.
                    while (try? repository.verify { _ in })?.isSound == true { done.signal() }
                }
            }
            for _ in 0..<(5 + round) { done.wait() }
            exit(EXIT_SUCCESS)
        }
    }
}
