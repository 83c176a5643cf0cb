import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

@testable import StrongroomBackup

@Suite("A run that is killed")
struct KilledBackupTests {
    private static let seed = UInt64(ProcessInfo.processInfo.processIdentifier)

    /// What the processes do that are killed.
    private enum Run: Int, CaseIterable {
        case backUp, prune, restore
    }

    /// As `Documentation/Daemons.md` says, of a kill before the head was written.
    @Test("leaves an incomplete repository, which creating it again completes", .proves("BKP-018"))
    func incomplete() throws {
        let fixture = try BackupFixture(rowCount: 10)
        let files = FileManager.default
        for step in 1...3 {
            let path = fixture.path("new-\(step)")
            for name in ["packs", "backups", "tmp"].prefix(step) {
                try files.createDirectory(
                    atPath: "\(path)/\(name)", withIntermediateDirectories: true)
            }
            let error = #expect(throws: BackupError.self) {
                try BackupRepository(path: path).backUp(fixture.file)
            }
            #expect(error?.path.hasPrefix(path) == true)
            let repository = try BackupRepository.create(at: path)
            #expect(try repository.backUp(fixture.file).number == 1)
            #expect(try repository.verify(key: .database(BackupFixture.databaseKey)).isSound)
        }
    }

    @Test(
        "leaves a repository that verifies, and every backup made before", .proves("BKP-018"))
    func killed() async throws {
        let fixture = try BackupFixture(rowCount: 10_000)
        var random = SeededGenerator(seed: Self.seed)
        var originals: [String: Data] = [:]
        try fixture.repository.backUp(fixture.file)
        var horizon = Array(repeating: 30_000_000.0, count: Run.allCases.count)
        var leftovers = 0
        for round in 1...7 {
            try fixture.shell("app.db").run(
                "UPDATE t SET n = \(round) WHERE id % 20 = \(round % 20)")
            let source = try fixture.content("app.db")
            for run in Run.allCases {
                let nanoseconds = Int(
                    Double.random(in: 0...1, using: &random) * horizon[run.rawValue])
                let before = try fixture.repository.backups().count
                try await Self.runAndDie(
                    fixture.repository.path, fixture.file.path, fixture.path("out.db"),
                    run.rawValue,
                    after: nanoseconds)
                let hasEnded =
                    run == .restore
                    ? FileManager.default.fileExists(atPath: fixture.path("out.db"))
                    : try fixture.repository.backups().count != before
                horizon[run.rawValue] *= hasEnded ? 0.8 : 1.3
                leftovers += try FileManager.default.contentsOfDirectory(
                    atPath: fixture.repository.path + "/tmp"
                ).count
                // Before anything cleans up.
                let report = try fixture.repository.verify()
                #expect(report.isSound, "\(run), seed \(Self.seed): \(report.problems)")
            }
            try? FileManager.default.removeItem(atPath: fixture.path("out.db"))
            #expect(try fixture.content("app.db") == source)
            try check(fixture, &originals)
        }
        // Where a kill meets the work is up to the machine: Tests/Proofs/backup has hundreds of them.
        print("seed \(Self.seed), \(leftovers) unfinished files met")
        try fixture.repository.backUp(fixture.file)
        try fixture.repository.restore(to: fixture.path("out.db"))
        #expect(try fixture.folder.names().filter { $0.hasPrefix(".out.db") } == [])
        let temporary = fixture.repository.path + "/tmp"
        #expect(try FileManager.default.contentsOfDirectory(atPath: temporary) == [])
    }

    /// What was restored once is restored again.
    private func check(_ fixture: BackupFixture, _ originals: inout [String: Data]) throws {
        for backup in try fixture.repository.backups() {
            try fixture.repository.restore(
                backup.id, to: fixture.path("check.db"), key: fixture.file.key, overwrite: true)
            let content = try fixture.content("check.db")
            if let original = originals[backup.id] { #expect(content == original) }
            originals[backup.id] = content
        }
    }

    private static func runAndDie(
        _ repository: String, _ database: String, _ out: String, _ run: Int, after nanoseconds: Int
    ) async throws {
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [repository, database, out, run, nanoseconds] in
            let repository = try BackupRepository(path: repository)
            let key = try BackupFixture.key(BackupFixture.keyText)
            DispatchQueue.global(qos: .userInteractive)
                .asyncAfter(deadline: .now() + .nanoseconds(nanoseconds)) {
                    kill(getpid(), SIGKILL)
                }
            switch run {
            case 0: try repository.backUp(DatabaseFile(path: database, key: key))
            case 1:
                try repository.prune(
                    keeping: RetentionPolicy(last: 3), key: BackupFixture.databaseKey)
            default: try repository.restore(to: out)
            }
            while true { pause() }
        }
    }
}
