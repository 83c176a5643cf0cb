import StrongroomCore
import StrongroomKeyrings
import StrongroomTestSupport
import Testing

@testable import StrongroomCLI

/// What meets the rotation of a database with a keyring.
@Suite(.proves("OPR-211")) struct RotatedKeyTests {
    private let fixture: KeyringFixture
    private let unlocker: Unlocker

    init() throws {
        fixture = try KeyringFixture()
        unlocker = try Array(fixture.code.utf8.filter { $0 != 10 }).withUnsafeBytes {
            Unlocker.parsing(try CipherKey(parsing: $0))
        }
    }

    private func rotate() throws {
        let run = try fixture.run(["rotate-key", fixture.database], fixture.code)
        #expect(run.exitCode == .done, "\(run.errors)")
    }

    private func opens(_ key: CipherKey) throws {
        try DatabaseFile(path: fixture.database, key: key).open().close()
    }

    @Test func `a key that is replaced meanwhile is asked for again`() throws {
        let key = try Keyring(of: fixture.database).unlock(with: unlocker)
        var attempts = 0
        try RotatedKey.trying(key, of: fixture.database, [unlocker]) { key in
            attempts += 1
            if attempts == 1 { try rotate() }
            try opens(key)
        }
        #expect(attempts == 2)
        // Without what opens the keyring, and where nothing was rotated, the error stands.
        for unlockers in [[], [unlocker]] {
            let old = try CipherKey.generated()
            var count = 0
            #expect(throws: (any Error).self) {
                try RotatedKey.trying(old, of: fixture.database, unlockers) { _ in
                    count += 1
                    try opens(old)
                }
            }
            #expect(count == (unlockers.isEmpty ? 1 : 2))
        }
    }

    @Test func `a keyring that is replaced while it is read is read again`() throws {
        var attempts = 0
        let result = try RotatedKey.reading(for: fixture.database) {
            attempts += 1
            guard attempts > 1 else {
                try rotate()
                throw KeyringError(.wrongKey, fixture.database, "the key does not open it")
            }
            return attempts
        }
        #expect(result == 2)
        attempts = 0
        #expect(throws: KeyringError.self) {
            try RotatedKey.reading(for: fixture.database) {
                attempts += 1
                throw KeyringError(.wrongKey, fixture.database, "the key does not open it")
            }
        }
        #expect(attempts == 1)
    }
}
