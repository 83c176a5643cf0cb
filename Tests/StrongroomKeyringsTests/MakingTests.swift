import Foundation
import Strongroom
import StrongroomCore
import StrongroomTestSupport
import Testing

@testable import StrongroomKeyrings

@Suite("Making the keyring of a database")
struct MakingTests {
    let fixture: KeyringFixture

    init() throws {
        fixture = try KeyringFixture()
    }

    private func makeDatabase(_ key: CipherKey, _ pragmas: [String] = []) throws {
        var configuration = Configuration()
        configuration.prepareDatabase { db in
            try db.useKey(key)
            for pragma in pragmas { try db.execute(sql: pragma) }
        }
        let queue = try DatabaseQueue(path: fixture.path, configuration: configuration)
        try queue.write { db in
            try db.execute(sql: "CREATE TABLE note AS SELECT 'from before' AS text")
        }
        try queue.close()
    }

    private func addMe(_ change: inout KeyringChange) throws {
        try change.addPassphrase(fixture.passphrase, name: "me", work: KeyringFixture.work)
    }

    @Test("The old passphrase opens nothing afterwards", .proves("KSL-035"))
    func rotated() throws {
        let old = try CipherKey(passphrase: "the old one")
        try makeDatabase(old)
        let file = DatabaseFile(path: fixture.path, key: old)
        let keyring = try Keyring.create(for: file, addMe)
        #expect(try fixture.note(fixture.me) == "from before")
        #expect(throws: (any Error).self) { try DatabaseFile(path: fixture.path, key: old).open() }
        #expect(throws: (any Error).self) { try fixture.noteInShell(old) }
        #expect(keyring.keys[0].origin == .rotated && keyring.keys[0].previous.count == 1)
        #expect(keyring.events.map(\.what) == ["init", "add", "rotate"])
        #expect(code { try Keyring.create(for: file, addMe) } == .exists)
        #expect(code { try Keyring.create(forNew: fixture.path, addMe) } == .exists)
    }

    @Test(
        "With the key kept, it goes on opening the file, and the keyring says so",
        .proves("KSL-036"))
    func kept() throws {
        let old = try CipherKey(passphrase: "the old one")
        try makeDatabase(old)
        let file = DatabaseFile(path: fixture.path, key: old)
        let bytes = try Data(contentsOf: URL(filePath: fixture.path))
        let keyring = try Keyring.create(for: file, keepingKey: true, addMe)
        #expect(try Data(contentsOf: URL(filePath: fixture.path)) == bytes)
        #expect(keyring.keys[0].origin == .imported)
        #expect(try fixture.note(fixture.me) == "from before")
        #expect(try fixture.noteInShell(old) == .text("from before"))
        try keyring.rotate(unlockingWith: fixture.me)
        #expect(try fixture.keyring().keys[0].origin == .rotated)
        #expect(throws: (any Error).self) { try fixture.noteInShell(old) }
    }

    @Test(
        "Unusual settings are found, recorded and applied",
        .proves("KSL-038"),
        arguments: [
            ["PRAGMA cipher_compatibility = 3"], ["PRAGMA cipher_page_size = 8192"],
            [
                "PRAGMA cipher_plaintext_header_size = 32",
                "PRAGMA cipher_salt = \"x'000102030405060708090a0b0c0d0e0f'\"",
            ],
        ])
    func settings(_ pragmas: [String]) throws {
        let old = try CipherKey(passphrase: "the old one")
        try makeDatabase(old, pragmas)
        var file = DatabaseFile(path: fixture.path, key: old)
        for pragma in pragmas.suffix(pragmas.count - 1) {
            file.configuration.prepareDatabase { try $0.execute(sql: pragmas[0] + ";" + pragma) }
        }
        try Keyring.create(for: file, addMe)
        #expect(try fixture.note(fixture.me) == "from before")
        let pool = try fixture.pool(fixture.me)
        try pool.rotateKey(unlockingWith: fixture.me)
        #expect(
            try pool.read { try String.fetchOne($0, sql: "SELECT text FROM note") } == "from before"
        )
        try pool.close()
        #expect(try fixture.note(fixture.me) == "from before")
    }

    @Test("A keyring without slots is not made; a damaged one is not replaced", .proves("KSL-035"))
    func refused() throws {
        let old = try CipherKey(passphrase: "the old one")
        try makeDatabase(old)
        let file = DatabaseFile(path: fixture.path, key: old)
        #expect(code { try Keyring.create(for: file) { _ in } } == .lastSlot)
        #expect(try !Keyring.exists(for: fixture.path))
        try fixture.put(Array("no keyring\n".utf8))
        #expect(code { try Keyring.create(for: file, addMe) } == .damaged)
        #expect(try fixture.bytes() == Array("no keyring\n".utf8))
        try FileManager.default.removeItem(atPath: fixture.keyringPath)
        let wrong = DatabaseFile(path: fixture.path, key: try CipherKey(passphrase: "wrong"))
        #expect(throws: DatabaseFileError.self) { try Keyring.create(for: wrong, addMe) }
        #expect(try !Keyring.exists(for: fixture.path))
    }

    @Test("A pool derives the passphrase once", .proves("KSL-010"))
    func derivesOnce() throws {
        try Keyring.create(forNew: fixture.path) {
            try $0.addPassphrase(fixture.passphrase, name: "me", work: 17)
        }
        let clock = ContinuousClock()
        let pool = try fixture.pool(fixture.me)
        try pool.write { try $0.execute(sql: "CREATE TABLE note AS SELECT 'x' AS text") }
        let derivation = try clock.measure {
            _ = try Scrypt(salt: Array(repeating: 0, count: 16), cost: 1 << 17)
                .key(from: UnsafeRawBufferPointer(start: nil, count: 0))
        }
        let reading = clock.measure {
            let group = DispatchGroup()
            let queue = DispatchQueue(label: "readers", attributes: .concurrent)
            for _ in 0..<4 {
                queue.async(group: group) {
                    _ = try? pool.read { try String.fetchOne($0, sql: "SELECT text FROM note") }
                }
            }
            group.wait()
        }
        // Four more connections, together faster than one derivation.
        #expect(reading < derivation, "\(reading) \(derivation)")
        try pool.close()
    }
}
