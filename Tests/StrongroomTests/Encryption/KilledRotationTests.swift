import Foundation
import StrongroomTestSupport
import Testing

@testable import StrongroomCore

@Suite("A rotation that is killed", .tags(.slow))
struct KilledRotationTests {
    static let keys = ["11", "22"].map { "x'" + String(repeating: $0, count: 32) + "'" }
    static let rowCount = 20_000

    @Test(
        "leaves a whole file that exactly one of the two keys opens, at every instant",
        arguments: ["DELETE", "WAL"])
    func killed(journalMode: String) async throws {
        let folder = try TemporaryDirectory()
        let path = folder.path(of: "app.db")
        try create(path, journalMode)
        let files = try Self.keys.map { try Self.file(path, $0) }
        // How long one takes here; that of the next ones is learnt from what the kills have met.
        let duration = try ContinuousClock().measure {
            try files[0].rotateKey(to: #require(files[1].key))
        }
        var current = 1

        let seed = UInt64.random(in: 0...9999)
        print("seed \(seed), rotation takes \(duration)")
        var random = LinearCongruence(state: seed)
        var horizon = duration.nanoseconds
        var outcomes = [0, 0]
        for _ in 0..<12 {
            let nanoseconds = Int(Double(random.next()) * horizon * 1.3)
            try await Self.rotateAndDie(path, from: current, after: nanoseconds)
            let opening = files.indices.filter {
                (try? files[$0].check(quick: true).isSound) == true
            }
            try #require(opening.count == 1, "neither key opens the file, or both do")
            let witness = SQLCipherShell(path: path, key: .content(Self.keys[opening[0]]))
            #expect(try witness.cell("SELECT count(*) FROM t") == .integer(Int64(Self.rowCount)))
            let isNew = opening[0] != current
            outcomes[isNew ? 1 : 0] += 1
            horizon *= isNew ? 0.85 : 1.1
            current = opening[0]
        }
        print("\(journalMode): \(outcomes[0]) with the old key, \(outcomes[1]) with the new one")
        #expect(outcomes[0] > 0)
        // The next one cleans up.
        try files[current].rotateKey(to: #require(files[1 - current].key))
        #expect(try folder.names() == ["app.db"])
    }

    private static func rotateAndDie(
        _ path: String, from index: Int, after nanoseconds: Int
    ) async throws {
        await #expect(processExitsWith: .signal(SIGKILL)) { [path, index, nanoseconds] in
            let keys = KilledRotationTests.keys
            let file = try KilledRotationTests.file(path, keys[index])
            let newKey = try #require(KilledRotationTests.file(path, keys[1 - index]).key)
            DispatchQueue.global(qos: .userInteractive)
                .asyncAfter(deadline: .now() + .nanoseconds(nanoseconds)) {
                    kill(getpid(), SIGKILL)
                }
            try file.rotateKey(to: newKey)
            while true { pause() }
        }
    }

    private static func file(_ path: String, _ key: String) throws -> DatabaseFile {
        DatabaseFile(
            path: path, key: try Data(key.utf8).withUnsafeBytes { try CipherKey(parsing: $0) })
    }

    private func create(_ path: String, _ journalMode: String) throws {
        try SQLCipherShell(path: path, key: .content(Self.keys[0])).create(
            """
            PRAGMA journal_mode = \(journalMode);
            CREATE TABLE t (a TEXT);
            WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < \(Self.rowCount))
              INSERT INTO t SELECT hex(randomblob(100)) FROM c;
            """)
    }
}

/// Numbers from 0 to 1 that a seed determines.
private struct LinearCongruence {
    var state: UInt64

    mutating func next() -> Float {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Float(state >> 40) / Float(1 << 24)
    }
}

extension Duration {
    fileprivate var nanoseconds: Double {
        Double(components.seconds) * 1e9 + Double(components.attoseconds) / 1e9
    }
}
