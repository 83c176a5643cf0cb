import Dispatch
import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

/// A pool that checkpoints beside a plain SQLCipher that writes and checkpoints, in a process of its
/// own, for `STRONGROOM_STRESS_SECONDS` (2 if unset). The moment in which SQLite's WAL-reset defect
/// can strike is made longer.
///
/// `STRONGROOM_STRESS_UNGUARDED` runs what the guard is for without it, in rounds of three seconds,
/// and `STRONGROOM_STRESS_RATES` compares how many commits the other process gets done.
@Suite(.serialized, .timeLimit(.minutes(30))) struct CheckpointStressTests {
    private struct Outcome: CustomStringConvertible {
        var commitCount = 0
        var acknowledgedCount = 0
        var checkpointCount = 0
        var problems: [String] = []

        var description: String {
            "\(commitCount) commits, \(checkpointCount) checkpoints, problems: \(problems)"
        }
    }

    private static let slotCount = 5000

    /// Commits that number their rows, so that one that is lost leaves a gap. Each fills pages that
    /// no other writes, until all slots are full: then it reads what is in the slot before.
    private static func batch() -> String {
        var lines: [String] = []
        for _ in 0..<30 {
            lines.append(
                """
                BEGIN IMMEDIATE; UPDATE total SET n = n + 1;
                INSERT OR REPLACE INTO slot SELECT n % \(slotCount), n, randomblob(5000) FROM total;
                COMMIT; PRAGMA wal_checkpoint(PASSIVE);
                """)
        }
        return lines.joined(separator: "\n")
            + "\n.output stdout\nSELECT n FROM total;\n.output /dev/null\n"
    }

    /// The other process, which writes until there is a file `stop`.
    private static func startWriter(_ fixture: FixtureDatabase) throws -> Subprocess {
        let setup = """
            .output /dev/null
            PRAGMA key = "\(fixture.key)"; PRAGMA cipher_log_level = NONE;
            PRAGMA synchronous = NORMAL;
            .timeout 60000

            """
        try fixture.directory.write(Data(setup.utf8), to: "setup.sql")
        try fixture.directory.write(Data(batch().utf8), to: "batch.sql")
        let script = """
            { cat setup.sql; while [ ! -e stop ] && kill -0 $PPID; do cat batch.sql; done; } |
                sqlcipher -batch -bail -init /dev/null "$0" > numbers
            """
        return try Subprocess(
            starting: "sh", ["-c", script, fixture.path],
            workingDirectory: fixture.directory.path)
    }

    private static func run(
        seconds: Double, isGuarded: Bool, pausing microseconds: UInt32
    ) throws -> Outcome {
        let fixture = try FixtureDatabase()
        try fixture.shell().create(
            """
            PRAGMA journal_mode = WAL;
            CREATE TABLE total(n INTEGER); INSERT INTO total VALUES (0);
            CREATE TABLE slot(id INTEGER PRIMARY KEY, n INTEGER, a BLOB);
            """)
        let pool = try DatabasePool(
            path: isGuarded ? fixture.path : "file:\(fixture.path)?vfs=unix",
            configuration: FixtureDatabase.configuration())
        let writer = try startWriter(fixture)
        var outcome = Outcome()
        let deadline = ContinuousClock.now + .seconds(seconds)
        // The window in which commits were lost, made wider.
        let pause = CheckpointPause {
            guard microseconds > 0 else { return }
            _ = DispatchSemaphore(value: 0).wait(
                timeout: .now() + .microseconds(Int(microseconds)))
        }
        while ContinuousClock.now < deadline {
            do {
                try pool.writeWithoutTransaction { db in
                    let connection = try db.connection()
                    try pause.during(connection) { _ = try db.checkpoint(.passive) }
                }
                outcome.checkpointCount += 1
            } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
                // The other process is in a checkpoint.
            } catch {
                outcome.problems.append("\(error)")
                break
            }
        }
        try fixture.directory.write(Data(), to: "stop")
        let result = try writer.wait()
        if !result.isSuccess { outcome.problems.append(result.errorText) }
        let numbers = try String(
            contentsOfFile: fixture.directory.path(of: "numbers"), encoding: .utf8)
        outcome.acknowledgedCount = numbers.split(separator: "\n").compactMap { Int($0) }.last ?? 0
        try? pool.close()
        check(fixture, &outcome)
        return outcome
    }

    private static func check(_ fixture: FixtureDatabase, _ outcome: inout Outcome) {
        do {
            let shell = fixture.shell()
            let soundness = try shell.rows("PRAGMA integrity_check; PRAGMA cipher_integrity_check")
            if soundness != [["ok"]] { outcome.problems.append("\(soundness.prefix(3))") }
            guard case .integer(let count) = try shell.cell("SELECT n FROM total") else { return }
            outcome.commitCount = Int(count)
            if outcome.commitCount < outcome.acknowledgedCount {
                outcome.problems.append("\(outcome.acknowledgedCount) were acknowledged")
            }
            let rows = try shell.rows(
                """
                SELECT count(*), sum(slot.n % \(slotCount) = id),
                    sum(slot.n > total.n - \(slotCount) AND slot.n <= total.n) FROM slot, total
                """)
            let wanted = SQLCipherShell.Cell.integer(min(count, Int64(slotCount)))
            if rows != [[wanted, wanted, wanted]] { outcome.problems.append("rows: \(rows)") }
        } catch {
            outcome.problems.append("\(error)")
        }
    }

    @Test("Two processes write and checkpoint, and no commit is lost", .proves("ENG-01"))
    func guarded() throws {
        let outcome = try Self.run(
            seconds: ConcurrencyStressTests.seconds, isGuarded: true, pausing: 400)
        print(outcome)
        #expect(outcome.problems == [])
        #expect(outcome.commitCount > 0 && outcome.checkpointCount > 0)
    }

    private static func isAsked(_ name: String) -> Bool {
        ProcessInfo.processInfo.environment["STRONGROOM_STRESS_\(name)"] != nil
    }

    @Test("Without the guard, commits are lost", .enabled(if: isAsked("UNGUARDED")))
    func unguarded() throws {
        let folder = try TemporaryDirectory()
        let hasDefect = try LogResetProbe.findsDefect(inFolder: folder.path)
        var lossCount = 0
        for number in 1...10 {
            let outcome = try Self.run(seconds: 3, isGuarded: false, pausing: 400)
            print("unguarded, round \(number): \(outcome)")
            if !outcome.problems.isEmpty { lossCount += 1 }
        }
        #expect((lossCount > 0) == hasDefect)
    }

    @Test("Commit rates with the guard and without", .enabled(if: isAsked("RATES")))
    func rates() throws {
        var counts: [Bool: Int] = [:]
        for _ in 1...10 {
            for isGuarded in [true, false] {
                let outcome = try Self.run(seconds: 2, isGuarded: isGuarded, pausing: 0)
                counts[isGuarded, default: 0] += outcome.acknowledgedCount
                print("guarded \(isGuarded): \(outcome)")
            }
        }
        print("guarded / unguarded: \(Double(counts[true] ?? 0) / Double(counts[false] ?? 1))")
    }
}
