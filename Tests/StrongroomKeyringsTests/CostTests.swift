import Foundation
import StrongroomCore
import StrongroomTestSupport
import Testing

@testable import StrongroomKeyrings

/// What unlocking and changing costs this thread, whatever else the machine does.
@Suite struct CostTests {
    private let fixture: KeyringFixture
    private static let identity =
        "AGE-SECRET-KEY-1LF8DQCNKVMHYNYY6MJSZQ2GW7WE7X2RU66GJVPCJVV5MYAQEC4JS4V5UUS"
    private static let recipient = "age109l9su08kxnsrmz57hr79ucc5dv4dkru5499kmme22zc6h6pjg7q44s672"

    /// Code that is not optimised takes that much longer, at most.
    #if DEBUG
    private static let factor = 10.0
    #else
    private static let factor = 1.0
    #endif

    init() throws {
        fixture = try KeyringFixture()
    }

    /// Processor time of this thread in milliseconds.
    private func milliseconds(_ body: () throws -> Void) throws -> Double {
        func now() -> Double {
            var time = timespec()
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
            return Double(time.tv_sec) * 1000 + Double(time.tv_nsec) / 1e6
        }
        let start = now()
        try body()
        return now() - start
    }

    @Test("A key file, a code and an identity unlock in 2 ms", .proves("KSL-010"))
    func unlocking() throws {
        let code = try RecoveryCode.generated()
        let key = try CipherKey.generated()
        try fixture.create { change in
            try change.addRecoveryCode(code, name: "code")
            try change.addKeyFile(key, name: "file")
            try change.addRecipient(Self.recipient, name: "ops")
        }
        let keyring = try fixture.keyring()
        for unlocker in [.recoveryCode(code), .key(key), try Unlocker.identity(Self.identity)] {
            let costs = try (0..<10).map { _ in
                try milliseconds { _ = try keyring.open(with: unlocker) }
            }
            #expect(try #require(costs.min()) < 2 * Self.factor)
        }
    }

    @Test(
        "A passphrase is changed in two derivations, also if the slot that it opens is asked for first",
        .proves("KSL-010"))
    func changing() throws {
        let work = 16
        try Keyring.create(forNew: fixture.path) {
            try $0.addPassphrase("0", name: "me", work: work)
        }
        let salt = [UInt8](repeating: 0, count: 16)
        let derivation = try (0..<2).map { _ in
            try milliseconds {
                _ = try Scrypt(salt: salt, cost: 1 << work)
                    .key(from: UnsafeRawBufferPointer(start: nil, count: 0))
            }
        }.min()
        let costs = try (0..<3).map { number in
            let unlocker = Unlocker.passphrase("\(number)").remembering()
            return try milliseconds {
                let keyring = try fixture.keyring()
                _ = try keyring.open(with: unlocker)
                try keyring.change(unlockingWith: unlocker) { change in
                    try change.remove("me")
                    try change.addPassphrase("\(number + 1)", name: "me", work: work)
                }
            }
        }
        let cost = try #require(costs.min()), one = try #require(derivation)
        #expect(cost < 2.5 * one + 20 * Self.factor, "\(cost) \(one)")
    }

    @Test("A recipient is added and one removed in 100 keyrings, in 10 ms each", .proves("KSL-028"))
    func rewrapping() throws {
        let me = try Unlocker.identity(Self.identity)
        let other = try CipherKey.generated()
        let paths = (0..<100).map { fixture.folder.path(of: "\($0).db") }
        for path in paths {
            try Keyring.create(forNew: path) { change in
                try change.addRecipient(Self.recipient, name: "ops")
                try change.addKeyFile(other, name: "old")
            }
        }
        let keys = try paths.map { try Keyring(of: $0).unlock(with: me) }
        let next = try CipherKey.generated()
        let cost = try milliseconds {
            for path in paths {
                try Keyring(of: path).change(unlockingWith: me) { change in
                    try change.remove("old")
                    try change.addKeyFile(next, name: "new")
                }
            }
        }
        #expect(cost / Double(paths.count) < 10 * Self.factor)
        for (path, key) in zip(paths, keys) {
            let keyring = try Keyring(of: path)
            #expect(try keyring.unlock(with: .key(next)).isSame(as: key))
            #expect(throws: KeyringError.self) { try keyring.unlock(with: .key(other)) }
        }
    }
}
