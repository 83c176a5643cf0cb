import Foundation
import StrongroomTestSupport
import Testing

@testable import StrongroomCore

/// `changePassphrase` of processes that are killed. `Tests/Proofs/rotation kill-passphrase` kills more.
@Suite("A change of the passphrase that is killed", .tags(.slow))
struct KilledPassphraseChangeTests {
    // In this form SQLCipher derives nothing, and the salt stays what it is.
    private static let keys = KilledRotationTests.keys
    private static let rowCount = 6000

    private static var killCount: Int {
        ProcessInfo.processInfo.environment["STRONGROOM_KILLS"].flatMap { Int($0) } ?? 8
    }

    @Test(
        "leaves a whole file that exactly one of the two opens, at every instant",
        .proves("ENC-029"), arguments: ["DELETE", "WAL"])
    func killed(journalMode: String) async throws {
        let folder = try TemporaryDirectory()
        let path = folder.path(of: "app.db")
        try SQLCipherShell(path: path, key: .content(Self.keys[0])).create(
            """
            PRAGMA journal_mode = \(journalMode);
            CREATE TABLE t (a TEXT);
            WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < \(Self.rowCount))
              INSERT INTO t SELECT hex(randomblob(500)) FROM c;
            """)
        let sum = try content(path, Self.keys[0])
        let duration = try ContinuousClock().measure {
            try Self.change(path, from: Self.keys[0], to: Self.keys[1])
        }
        var current = 1
        var horizon = Double(duration.components.attoseconds) / 1e9
        horizon += Double(duration.components.seconds) * 1e9
        var outcomes = [0, 0]
        for _ in 0..<Self.killCount {
            let nanoseconds = Int(Double.random(in: 0..<1.3) * horizon)
            try await Self.changeAndDie(path, from: current, after: nanoseconds)
            let found = Self.keys.map { key in Result { try content(path, key) } }
            let opening = found.indices.filter { (try? found[$0].get()) == sum }
            try #require(opening.count == 1, "neither key opens the file, or both do: \(found)")
            let isNew = opening[0] != current
            outcomes[isNew ? 1 : 0] += 1
            horizon *= isNew ? 0.85 : 1.1
            current = opening[0]
        }
        print("\(journalMode): \(outcomes[0]) with the old key, \(outcomes[1]) with the new one")
        #expect(outcomes[0] > 0)
    }

    /// A checksum of the content, and SQLCipher's own checks. A hot journal is played back, and a
    /// log is copied into the file first: SQLCipher looks at the HMACs of the file alone, whose
    /// pages may all still be under the old key while the new ones are in the log.
    private func content(_ path: String, _ key: String) throws -> [[SQLCipherShell.Cell]] {
        let shell = SQLCipherShell(path: path, key: .content(key))
        return try shell.rows(
            """
            SELECT count(*), sum(unicode(a)), sum(unicode(substr(a, 700))) FROM t;
            PRAGMA wal_checkpoint(TRUNCATE);
            PRAGMA cipher_integrity_check; PRAGMA integrity_check;
            """)
    }

    private static func change(_ path: String, from old: String, to new: String) throws {
        let key = try EncryptedSample.key(old)
        let newKey = try EncryptedSample.key(new)
        var configuration = Configuration()
        configuration.prepareDatabase { try $0.useKey(key) }
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        try queue.writeWithoutTransaction { db in
            try newKey.withSQLCipherBytes { try db.changeKey(bytes: $0) }
        }
        try queue.close()
    }

    private static func changeAndDie(
        _ path: String, from index: Int, after nanoseconds: Int
    ) async throws {
        await #expect(processExitsWith: .signal(SIGKILL)) { [path, index, nanoseconds] in
            DispatchQueue.global(qos: .userInteractive)
                .asyncAfter(deadline: .now() + .nanoseconds(nanoseconds)) {
                    kill(getpid(), SIGKILL)
                }
            let keys = KilledRotationTests.keys
            try KilledPassphraseChangeTests.change(path, from: keys[index], to: keys[1 - index])
            while true { pause() }
        }
    }
}
