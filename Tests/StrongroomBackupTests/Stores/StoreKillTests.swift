import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

@testable import StrongroomBackup

/// Runs over a store that are killed, and servers that are.
@Suite(.enabled(if: StoreKind.hasServer, "openssh-sftp-server is not installed"))
struct StoreKillTests {
    /// `STRONGROOM_KILLS=300` for a long run.
    private static let rounds =
        Int(ProcessInfo.processInfo.environment["STRONGROOM_KILLS"] ?? "") ?? 5
    private static let seed = UInt64(ProcessInfo.processInfo.processIdentifier)

    private let fixture: StoreFixture
    private let key: CipherKey

    init() throws {
        fixture = try StoreFixture(.sftp, rowCount: 5000)
        key = try BackupFixture.databaseKey
        try fixture.repository.backUp(fixture.base.file)
    }

    private func expectSound(_ what: String) throws {
        let report = try fixture.local().verify()
        #expect(report.isSound, "\(what), seed \(Self.seed): \(report.problems)")
    }

    private func expectCurrent(_ number: Int) throws {
        try fixture.repository.restore(
            to: fixture.base.path("restored.db"), key: key, overwrite: true)
        #expect(try fixture.sum("restored.db") == .integer(125 * Int64(number)))
    }

    @Test(.proves("OBJ-004", "OBJ-007"))
    func `A run that is killed leaves the earlier backups, and the next one goes on`() async throws
    {
        var random = SeededGenerator(seed: Self.seed)
        var horizon = 300_000_000.0
        for round in 1...Self.rounds {
            try fixture.change(round)
            let before = try fixture.local().backups().count
            try await Self.runAndDie(
                fixture.repository.path, fixture.base.file.path,
                after: Int(.random(in: 0...1, using: &random) * horizon))
            // The server may still write what it has received: it ends when it has read the end of it.
            try expectSound("killed in round \(round)")
            let hasEnded = try fixture.local().backups().count != before
            horizon *= hasEnded ? 0.8 : 1.2
            try fixture.repository.backUp(fixture.base.file)
            try expectCurrent(round)
        }
        #expect(try fixture.local().verify(key: .database(key)).isSound)
    }

    private static func runAndDie(
        _ repository: String, _ database: String, after nanoseconds: Int
    ) async throws {
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [repository, database, nanoseconds] in
            let repository = try BackupRepository(path: repository)
            let key = try BackupFixture.key(BackupFixture.keyText)
            DispatchQueue.global(qos: .userInteractive)
                .asyncAfter(deadline: .now() + .nanoseconds(nanoseconds)) {
                    kill(getpid(), SIGKILL)
                }
            try repository.backUp(DatabaseFile(path: database, key: key), full: true)
            while true { pause() }
        }
    }

    @Test(.proves("OBJ-004", "OBJ-007"))
    func `A server that is killed is started again, and the run goes on`() throws {
        var random = SeededGenerator(seed: Self.seed)
        let pidFile = fixture.base.path("pid")
        let server =
            "exec:echo $$ > '\(pidFile)'; exec \(StoreKind.sftpServer) -d '\(fixture.folder)'"
        var killCount = 0
        for round in 1...Self.rounds {
            try fixture.change(round)
            let moment = Int.random(in: 1...2, using: &random)
            var (isKilled, reportCount) = (false, 0)
            let repository = try BackupRepository(path: server)
            let backup = try repository.backUp(fixture.base.file, full: true) { _ in
                // One comes before pages are read, one before they are stored.
                reportCount += 1
                guard !isKilled, reportCount >= moment else { return }
                isKilled = true
                let text = try String(contentsOfFile: pidFile, encoding: .utf8)
                if let id = pid_t(text.split(whereSeparator: \.isNewline).first ?? "") {
                    kill(id, SIGKILL)
                    killCount += 1
                }
            }
            #expect(backup.number == round + 1)
            try expectSound("the server was killed in round \(round)")
            try expectCurrent(round)
        }
        #expect(killCount == Self.rounds)
        #expect(try fixture.local().verify(key: .database(key)).isSound)
    }

    @Test(.proves("OBJ-009", "OPR-195"))
    func `A host that lets nothing be removed takes backups, and another prunes them`() throws {
        let denied = "remove,rmdir,rename,setstat,fsetstat,lsetstat,symlink,hardlink,copy-data"
        let url = "exec:exec \(StoreKind.sftpServer) -d '\(fixture.folder)' -P \(denied)"
        // What an interrupted run has left.
        let left = fixture.folder + "/packs/00000099-" + String(repeating: "0", count: 64) + ".pack"
        try Data([1]).write(to: URL(fileURLWithPath: left))
        try Data([1]).write(to: URL(fileURLWithPath: fixture.folder + "/tmp/00000000000000aa"))
        for round in 1...2 {
            try fixture.change(round)
            #expect(try BackupRepository(path: url).backUp(fixture.base.file).number == round + 1)
        }
        try expectSound("append-only")
        struct Waiting: Error {}
        let error = #expect(throws: BackupError.self) {
            try BackupRepository(path: url).prune(keeping: RetentionPolicy(last: 1), key: key)
        }
        #expect(error?.code == .permission)
        for change in [
            { _ = try BackupRepository(path: url).forget(["1"], keys: [self.key]) },
            { _ = try BackupRepository(path: url).rekey(from: [self.key], to: .generated()) },
        ] {
            #expect(throws: BackupError.self) { try change() }
        }
        // Nothing was removed that the next run on the host would free.
        #expect(try fixture.local().backups().map(\.number) == [1, 2, 3])
        try expectCurrent(2)
        _ = try fixture.local().prune(keeping: RetentionPolicy(last: 1), key: key)
        #expect(try fixture.local().backups().map(\.number) == [3])
        #expect(try BackupRepository(path: url).backUp(fixture.base.file).number == 4)
        #expect(try fixture.local().verify(key: .database(key)).isSound)
    }
}
