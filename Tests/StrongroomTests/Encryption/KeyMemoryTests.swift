import Foundation
import StrongroomTestSupport
import Testing

@testable import StrongroomCore

/// Where copies of keys lie while they are in use. `Documentation/Threats.md` has the numbers.
@Suite(
    "Memory while keys are in use", .proves("HST-50"),
    .enabled(if: FileManager.default.fileExists(atPath: "/proc/self/mem"), "needs Linux's /proc"))
struct KeyMemoryTests {
    /// What a process knows of a key, and nobody else should.
    private struct Secrets {
        let passphrase: MaskedBytes
        let key: CipherKey
        let rawKey: MaskedBytes
        let authenticationKey: MaskedBytes

        /// A passphrase, and what is derived from it for a file.
        init(passphrase: MaskedBytes, path: String) throws {
            self.passphrase = passphrase
            key = try passphrase.withClearBytes { try CipherKey(parsing: $0) }
            let settings = CipherSettings.version(.v4)
            let salt = try #require(
                try PageSource(path: path, pageSize: settings.pageSize).salt()?.bytes)
            let raw = try key.withSQLCipherBytes {
                try Self.derive(from: $0, salt, iterations: settings.kdfIterations)
            }
            rawKey = raw.withUnsafeBytes { MaskedBytes($0) }
            let authentication = try raw.withUnsafeBytes {
                try Self.derive(from: $0, salt.map { $0 ^ settings.hmacSaltMask }, iterations: 2)
            }
            authenticationKey = authentication.withUnsafeBytes { MaskedBytes($0) }
        }

        private static func derive(
            from secret: UnsafeRawBufferPointer, _ salt: [UInt8], iterations: Int
        ) throws -> SecretBytes {
            let derived = try KeyDerivation.key(
                from: secret,
                .init(salt: salt, iterations: iterations, algorithm: "PBKDF2_HMAC_SHA512"))
            guard let derived else { throw CancellationError() }
            return derived
        }

        /// How many copies may be swapped.
        func openCopies() -> [Int] {
            [passphrase, rawKey, authenticationKey].map { MemoryScan().findings(of: $0).open }
        }
    }

    private static func makeDatabase(_ path: String, _ passphrase: MaskedBytes) throws {
        var configuration = Configuration()
        let key = try passphrase.withClearBytes { try CipherKey(parsing: $0) }
        configuration.prepareDatabase { try $0.useKey(key) }
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        try queue.write { try $0.execute(sql: "CREATE TABLE t AS SELECT zeroblob(30000000) AS a") }
        try queue.close()
    }

    /// What the process printed: the most copies that could be swapped of a passphrase, of the key
    /// derived from it, and of the key of its HMAC; then the same when all is closed.
    private static func expect(
        _ result: ExitTest.Result?, atMost bounds: [Int],
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let text = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)
        let lines = text.split(separator: "\n").compactMap { line in
            line.hasPrefix("copies") ? line.split(separator: " ").compactMap { Int($0) } : nil
        }
        #expect(
            lines.count == 2 && lines.last == [0, 0, 0], "\(text)", sourceLocation: sourceLocation)
        #expect(
            lines.first.map { zip($0, bounds).allSatisfy { $0 <= $1 } } == true, "\(text)",
            sourceLocation: sourceLocation)
    }

    private static func report(_ copies: [Int]) {
        print("copies", copies.map(String.init).joined(separator: " "))
        fflush(nil)
    }

    @Test("An idle connection keeps none open but SQLCipher's and libcrypto's own")
    func idle() async throws {
        let directory = try TemporaryDirectory()
        Self.expect(await scanIdle(directory.path(of: "app.db")), atMost: [0, 2, 2])
    }

    private func scanIdle(_ path: String) async -> ExitTest.Result? {
        await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) { [path] in
            let passphrase = MaskedBytes(count: 32, in: 97...122)
            try KeyMemoryTests.makeDatabase(path, passphrase)
            let secrets = try Secrets(passphrase: passphrase, path: path)
            let queue = try DatabaseFile(path: path, key: secrets.key).open()
            _ = try queue.read { try Int.fetchOne($0, sql: "SELECT length(a) FROM t") }
            KeyMemoryTests.report(secrets.openCopies())
            try queue.close()
            KeyMemoryTests.report(secrets.openCopies())
        }
    }

    @Test("A rotation keeps none open but SQLCipher's and libcrypto's own")
    func rotation() async throws {
        let directory = try TemporaryDirectory()
        // SQLCipher may be deriving a key from a passphrase at that moment.
        Self.expect(await scanRotation(directory.path(of: "app.db")), atMost: [2, 4, 4])
    }

    private func scanRotation(_ path: String) async -> ExitTest.Result? {
        await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) { [path] in
            let passphrase = MaskedBytes(count: 32, in: 97...122)
            try KeyMemoryTests.makeDatabase(path, passphrase)
            let secrets = try Secrets(passphrase: passphrase, path: path)
            let newPassphrase = MaskedBytes(count: 32, in: 97...122)
            let newKey = try newPassphrase.withClearBytes { try CipherKey(parsing: $0) }
            var most = [0, 0, 0]
            var looks = 0
            try DatabaseFile(path: path, key: secrets.key).rotateKey(to: newKey, threads: 2) {
                // A look takes longer than the work in between.
                guard $0.completedByteCount > 0, looks < 3 else { return }
                looks += 1
                most = zip(most, secrets.openCopies()).map(max)
                most[0] += MemoryScan().findings(of: newPassphrase).open
            }
            precondition(looks > 0, "No look was taken")
            KeyMemoryTests.report(most)
            KeyMemoryTests.report(secrets.openCopies())
        }
    }
}
