import Foundation
import Strongroom
import StrongroomCore
import StrongroomTestSupport

@testable import StrongroomKeyrings

/// A database with a keyring, in a folder of its own.
struct KeyringFixture {
    let folder: TemporaryDirectory
    /// The least that a keyring may ask for: the tests derive many passphrases.
    static let work = 14

    let passphrase = "correct horse battery staple"

    init() throws {
        folder = try TemporaryDirectory()
    }

    var path: String { folder.path(of: "app.db") }
    var keyringPath: String { path + "-keyring" }

    var me: Unlocker { .passphrase(passphrase) }

    func keyring() throws -> Keyring { try Keyring(of: path) }

    /// Makes the keyring, with a slot `me` for the passphrase, and the database.
    func create(
        _ more: (inout KeyringChange) throws -> Void = { _ in }
    ) throws {
        try Keyring.create(forNew: path) { change in
            try change.addPassphrase(passphrase, name: "me", work: Self.work)
            try more(&change)
        }
        let queue = try open(me)
        try queue.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE note (text TEXT);
                    INSERT INTO note VALUES ('a secret that only keys show');
                    """)
        }
        try queue.close()
    }

    func open(_ unlocker: Unlocker) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.prepareDatabase { db in try db.unlock(with: unlocker) }
        return try DatabaseQueue(path: path, configuration: configuration)
    }

    func pool(_ unlocker: Unlocker) throws -> DatabasePool {
        var configuration = Configuration()
        configuration.prepareDatabase { db in try db.unlock(with: unlocker) }
        return try DatabasePool(path: path, configuration: configuration)
    }

    /// What the database holds, for somebody with a secret.
    func note(_ unlocker: Unlocker) throws -> String? {
        let queue = try open(unlocker)
        defer { try? queue.close() }
        return try queue.read { try String.fetchOne($0, sql: "SELECT text FROM note") }
    }

    /// What the `sqlcipher` shell reads with a key.
    func noteInShell(_ key: CipherKey) throws -> SQLCipherShell.Cell {
        try SQLCipherShell(path: path, key: .content(key.text)).cell("SELECT text FROM note")
    }

    func bytes() throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(filePath: keyringPath))) }

    func put(_ bytes: [UInt8]) throws {
        try Data(bytes).write(to: URL(filePath: keyringPath))
    }
}

extension CipherKey {
    /// What a key file holds.
    var text: String { withSQLCipherBytes { String(decoding: $0, as: UTF8.self) } }
}
