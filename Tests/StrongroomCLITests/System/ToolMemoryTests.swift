import Foundation
import Strongroom
import StrongroomCLI
import StrongroomTestSupport
import Testing

/// Where copies of keys lie in the memory of the built program, which root may lock.
@Suite(
    "Memory of the program", .proves("HST-50"),
    .enabled(
        if: getuid() == 0 && FileManager.default.fileExists(atPath: "/proc/self/mem"),
        "needs root, and Linux's /proc"))
struct ToolMemoryTests {
    private let fixture: CommandLineFixture
    /// The key, and the key of the HMAC that is derived from it.
    private let secrets: [MaskedBytes]

    init() throws {
        fixture = try CommandLineFixture()
        let key = try Array(CommandLineFixture.key.utf8).withUnsafeBytes {
            try CipherKey(parsing: $0)
        }
        let salt = try Data(contentsOf: URL(fileURLWithPath: fixture.database)).prefix(16)
        let parameters = KeyDerivation.Parameters(
            salt: salt.map { $0 ^ 0x3a }, iterations: 2, algorithm: "PBKDF2_HMAC_SHA512")
        guard let raw = key.rawKey(),
            let authentication = try raw.withUnsafeBytes({
                try KeyDerivation.key(from: $0, parameters)
            })
        else { throw CancellationError() }
        secrets = [
            raw.withUnsafeBytes { MaskedBytes($0) },
            authentication.withUnsafeBytes { MaskedBytes($0) },
        ]
    }

    /// Looks through the program, again and again while it has the database open.
    ///
    /// - Returns: How many copies were found, in locked memory too.
    private func scan(_ words: [String]) throws -> Int {
        let process = try Subprocess(
            starting: PackageFiles.program("strongroom"), words + ["--key-file", "shop.key"],
            workingDirectory: fixture.directory.path)
        var looks = 0
        var found = 0
        let deadline = ContinuousClock.now + .seconds(30)
        while looks < 20, !hasEnded(process.processIdentifier), ContinuousClock.now < deadline {
            guard isOpen(in: process.processIdentifier) else { continue }
            for secret in secrets {
                let findings = MemoryScan(of: process.processIdentifier).findings(of: secret)
                #expect(findings.open == 0, "\(words[0]): \(findings)")
                found += findings.count
            }
            looks += 1
        }
        process.signal(SIGKILL)
        _ = try process.wait()
        #expect(looks > 0)
        return found
    }

    private func hasEnded(_ process: pid_t) -> Bool {
        let status = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
        return status?.contains(") Z ") ?? true
    }

    private func isOpen(in process: pid_t) -> Bool {
        let folder = "/proc/\(process)/fd"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.contains {
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)"))
                == fixture.database
        }
    }

    @Test("No copy of a key may be swapped while a query runs")
    func query() throws {
        let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) "
        let found = try scan(["query", "shop.db", endless + "SELECT count(*) FROM n, album"])
        // SQLCipher hides its keys from 4.7 on.
        let version = try #require(LinkedEngine.cipherVersion)
        #expect(found > 0 || !version.hasPrefix("4.6."))
    }

    @Test(
        "No copy of a key may be swapped during a backup, a check or a rotation",
        arguments: [
            ["backup", "create", "shop.db", "--to", "repository"], ["check", "shop.db"],
            ["rotate-key", "shop.db", "--new-key-generate", "new.key"],
        ])
    func work(words: [String]) throws {
        #expect(try fixture.run("backup", "init", fixture.path("repository")).exitCode == .done)
        try fixture.shell.run(
            """
            WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 80)
              INSERT INTO album SELECT n + 3, 1, 'big', 0, randomblob(500000) FROM c;
            """)
        _ = try scan(words)
    }
}
