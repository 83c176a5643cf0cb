import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

@testable import StrongroomKeyrings

@Suite("A process that changes a keyring and is killed", .tags(.slow))
struct KilledKeyringTests {
    /// `STRONGROOM_KILLS=300` is the full proof.
    private static let rounds =
        Int(ProcessInfo.processInfo.environment["STRONGROOM_KILLS"] ?? "") ?? 12

    /// What the processes do until they are killed.
    enum Work: String, CaseIterable, Codable, CustomTestStringConvertible {
        case changing, rotating, rotatingLogged, rotatingLive

        var testDescription: String { rawValue }
    }

    private static let passphrases = ["one of two", "two of two"]

    @Test(
        "leaves a keyring of which each slot opens the file",
        .proves("KSL-021", "KSL-041"), arguments: Work.allCases)
    func killed(_ work: Work) async throws {
        let folder = try TemporaryDirectory()
        let path = folder.path(of: "app.db")
        try Keyring.create(forNew: path) { change in
            for (number, passphrase) in Self.passphrases.enumerated() {
                try change.addPassphrase(passphrase, name: "\(number)", work: 14)
            }
        }
        try Self.fill(path, isLogged: work != .rotating)
        let seed = UInt64.random(in: 0...9999)
        var random = SeededGenerator(seed: seed)
        var horizon = 300_000_000.0
        var revision = 0
        var doubleCount = 0
        for round in 1...Self.rounds {
            let nanoseconds = Int(Double.random(in: 0...1, using: &random) * horizon)
            try await Self.liveAndDie(path, work, after: nanoseconds)
            let keyring = try Keyring(of: path)
            horizon *= keyring.revision > revision + 2 ? 0.9 : 1.2
            #expect(keyring.revision >= revision)
            revision = keyring.revision
            if keyring.isChangingKey { doubleCount += 1 }
            for passphrase in Self.passphrases {
                #expect(try Self.sum(path, passphrase) == 5050, "round \(round), seed \(seed)")
            }
            // A keyring holds 512 retired keys.
            if round % 25 == 0 {
                try keyring.forgetKeys(unlockingWith: .passphrase(Self.passphrases[1])) { _, _ in
                    true
                }
            }
        }
        let last = try Keyring(of: path).rotate(unlockingWith: .passphrase(Self.passphrases[0]))
        #expect(!last.isChangingKey)
        // The next one removes what the killed ones left.
        try last.change(unlockingWith: .passphrase(Self.passphrases[1])) {
            try $0.rename("0", to: "zero")
        }
        for passphrase in Self.passphrases { #expect(try Self.sum(path, passphrase) == 5050) }
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(!left.contains { $0.contains(".strongroom-") }, "\(left)")
        print(
            "\(work), seed \(seed): \(Self.rounds) kills, revision \(revision), \(doubleCount) with two keys"
        )
    }

    private static func configuration(_ passphrase: String) -> Configuration {
        var configuration = Configuration()
        configuration.prepareDatabase { try $0.unlock(with: .passphrase(passphrase)) }
        return configuration
    }

    private static func fill(_ path: String, isLogged: Bool) throws {
        let queue = try DatabaseQueue(path: path, configuration: configuration(passphrases[0]))
        if isLogged {
            try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = WAL") }
        }
        try queue.write { db in
            try db.execute(sql: "CREATE TABLE t (a, b)")
            for number in 1...100 {
                try db.execute(
                    sql: "INSERT INTO t VALUES (?, randomblob(2000))", arguments: [number])
            }
        }
        try queue.close()
    }

    private static func sum(_ path: String, _ passphrase: String) throws -> Int? {
        let queue = try DatabaseQueue(path: path, configuration: configuration(passphrase))
        defer { try? queue.close() }
        return try queue.read { db in
            guard try String.fetchOne(db, sql: "PRAGMA integrity_check") == "ok" else { return nil }
            return try Int.fetchOne(db, sql: "SELECT sum(a) FROM t")
        }
    }

    private static func liveAndDie(
        _ path: String, _ work: Work, after nanoseconds: Int
    ) async throws {
        await #expect(processExitsWith: .signal(SIGKILL)) { [path, work, nanoseconds] in
            let unlocker = Unlocker.passphrase(KilledKeyringTests.passphrases[0])
            let pool =
                work == .rotatingLive
                ? try DatabasePool(
                    path: path,
                    configuration: KilledKeyringTests.configuration(
                        KilledKeyringTests.passphrases[0]))
                : nil
            DispatchQueue.global(qos: .userInteractive)
                .asyncAfter(deadline: .now() + .nanoseconds(nanoseconds)) {
                    kill(getpid(), SIGKILL)
                }
            while true {
                let keyring = try Keyring(of: path)
                switch work {
                case .changing:
                    try keyring.change(unlockingWith: unlocker) {
                        try $0.rename("1", to: "other")
                        try $0.rename("other", to: "1")
                    }
                case .rotating, .rotatingLogged: try keyring.rotate(unlockingWith: unlocker)
                case .rotatingLive: try pool?.rotateKey(unlockingWith: unlocker)
                }
            }
        }
    }
}
