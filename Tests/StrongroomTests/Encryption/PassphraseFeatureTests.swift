import CSQLCipher
import Foundation
import StrongroomTestSupport
import Testing

@testable import StrongroomCore

@Suite("Passphrases, as an app of GRDB's uses them")
struct PassphraseFeatureTests {
    let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
    }

    private func configuration(_ passphrase: String) -> Configuration {
        var configuration = Configuration()
        configuration.prepareDatabase { try $0.usePassphrase(passphrase) }
        return configuration
    }

    @Test("after a change, opening takes the new passphrase", .proves("ENC-006"))
    func change() throws {
        let path = folder.path(of: "app.db")
        let queue = try DatabaseQueue(path: path, configuration: configuration("old"))
        try queue.write { try $0.execute(sql: "CREATE TABLE t (a); INSERT INTO t VALUES (1)") }
        try queue.writeWithoutTransaction { try $0.changePassphrase("new") }
        try queue.close()
        #expect(throws: DatabaseError.self) {
            try DatabaseQueue(path: path, configuration: configuration("old"))
        }
        let again = try DatabaseQueue(path: path, configuration: configuration("new"))
        #expect(try again.read { try Int.fetchOne($0, sql: "SELECT a FROM t") } == 1)
    }

    @Test("a plain database is exported into an encrypted one", .proves("ENC-009"))
    func export() throws {
        let encrypted = folder.path(of: "encrypted.db")
        let plain = try DatabaseQueue(path: folder.path(of: "plain.db"))
        try plain.write { try $0.execute(sql: "CREATE TABLE t (a); INSERT INTO t VALUES ('x')") }
        try plain.inDatabase { db in
            try db.execute(
                sql: "ATTACH DATABASE ? AS encrypted KEY ?", arguments: [encrypted, "secret"])
            try db.execute(sql: "SELECT sqlcipher_export('encrypted')")
            try db.execute(sql: "DETACH DATABASE encrypted")
        }
        let witness = SQLCipherShell(path: encrypted, key: .passphrase("secret"))
        #expect(try witness.rows("SELECT a FROM t") == [["x"]])
        #expect(
            try DatabaseFile(path: encrypted, key: CipherKey(passphrase: "secret")).check().isSound)
    }

    @Test("a key can be given in C, byte for byte", .proves("ENC-010"))
    func bytes() throws {
        let path = folder.path(of: "app.db")
        let bytes: [UInt8] = [0xff, 0xfe, 0x01, 0x80]
        var configuration = Configuration()
        configuration.prepareDatabase { db in
            let code = sqlite3_key(db.sqliteConnection, bytes, CInt(bytes.count))
            guard code == SQLITE_OK else {
                throw DatabaseError(
                    resultCode: ResultCode(rawValue: code), message: db.lastErrorMessage)
            }
        }
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        try queue.write { try $0.execute(sql: "CREATE TABLE t (a); INSERT INTO t VALUES (1)") }
        try queue.close()
        let key = try CipherKey(passphrase: Data(bytes))
        #expect(try DatabaseFile(path: path, key: key).check().isSound)
        let again = try DatabaseQueue(
            path: path,
            configuration: {
                var configuration = Configuration()
                configuration.prepareDatabase { try $0.useKey(key) }
                return configuration
            }())
        #expect(try again.read { try Int.fetchOne($0, sql: "SELECT a FROM t") } == 1)
    }
}
