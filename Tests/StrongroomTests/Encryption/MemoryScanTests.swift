import Foundation
import StrongroomTestSupport
import Testing

@testable import StrongroomCore

/// A look through all memory of a process that has used keys.
@Suite struct MemoryScanTests {
    @Test(
        .proves("ENC-028"),
        .enabled(
            if: FileManager.default.fileExists(atPath: "/proc/self/mem"), "needs Linux's /proc"))
    func `After its use, no key is left in memory, neither as text nor as bytes`() async throws {
        let directory = try TemporaryDirectory()
        await scan(directory.path(of: "app.db"))
    }

    private func scan(_ path: String) async {
        await #expect(processExitsWith: .success) { [path] in
            let passphrase = MaskedBytes(count: 32, in: 97...122)
            let newPassphrase = MaskedBytes(count: 32, in: 97...122)
            var derived: [MaskedBytes] = []
            try MemoryScanTests.use(path, passphrase, newPassphrase, &derived)
            for secret in [passphrase, newPassphrase] + derived {
                precondition(MemoryScan().findings(of: secret).count == 0, "A key is left")
            }
        }
    }

    /// Creates, writes, diagnoses, salvages and rotates under the one key, then opens with the other.
    private static func use(
        _ path: String, _ passphrase: MaskedBytes, _ newPassphrase: MaskedBytes,
        _ derived: inout [MaskedBytes]
    ) throws {
        let key = try passphrase.withClearBytes { try CipherKey(parsing: $0) }
        let newKey = try newPassphrase.withClearBytes { try CipherKey(parsing: $0) }
        // The scan finds what is there.
        precondition(MemoryScan().findings(of: passphrase).count > 0, "The scan is blind")
        var configuration = Configuration()
        configuration.prepareDatabase { try $0.useKey(key) }
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        try queue.write { try $0.execute(sql: "CREATE TABLE t (a); INSERT INTO t VALUES (1)") }
        try queue.close()
        derived.append(try rawKey(path, key))
        let file = DatabaseFile(path: path, key: key)
        let verdict = try file.diagnose().verdict
        precondition(verdict == .sound)
        try file.salvage(to: DatabaseFile(path: path + ".saved", key: newKey))
        try file.rotateKey(to: newKey)
        derived.append(try rawKey(path, newKey))
        let rotated = try DatabaseFile(path: path, key: newKey).open()
        let value = try rotated.read { try Int.fetchOne($0, sql: "SELECT a FROM t") }
        precondition(value == 1)
        try rotated.close()
    }

    /// What SQLCipher derives from the passphrase.
    private static func rawKey(_ path: String, _ key: CipherKey) throws -> MaskedBytes {
        let settings = CipherSettings.version(.v4)
        let salt = try PageSource(path: path, pageSize: settings.pageSize).salt()
        let parameters = KeyDerivation.Parameters(
            salt: try #require(salt).bytes, iterations: settings.kdfIterations,
            algorithm: settings.kdfAlgorithm.kdfName)
        let raw = try key.withSQLCipherBytes { try KeyDerivation.key(from: $0, parameters) }
        guard let raw else { throw CancellationError() }
        return raw.withUnsafeBytes { MaskedBytes($0) }
    }
}
