import Foundation
import StrongroomTestSupport
import Testing

@testable import StrongroomCore

/// An encrypted database, made by the shell, and the key that it is to get.
struct RotationFixture {
    // Raw keys: deriving one from a passphrase takes a tenth of a second for each connection.
    static let oldText = "x'" + String(repeating: "11", count: 32) + "'"
    static let newText = "x'" + String(repeating: "22", count: 32) + "'"
    static let rowCount = 2000

    let folder: TemporaryDirectory
    var file: DatabaseFile
    let newKey: CipherKey

    init(
        wal: Bool = false, settings: [String] = [], rowByteCount: Int = 50, name: String = "app.db",
        in directory: TemporaryDirectory? = nil
    ) throws {
        folder = try directory ?? TemporaryDirectory()
        newKey = try EncryptedSample.key(Self.newText)
        file = DatabaseFile(
            path: folder.path(of: name), key: try EncryptedSample.key(Self.oldText))
        try SQLCipherShell(path: file.path, key: .content(Self.oldText), settings: settings).create(
            """
            PRAGMA journal_mode = \(wal ? "WAL" : "DELETE");
            PRAGMA user_version = 42;
            CREATE TABLE t (a TEXT);
            WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 2000)
              INSERT INTO t SELECT hex(randomblob(\(rowByteCount))) FROM c;
            """)
        for setting in settings {
            file.configuration.prepareDatabase { try $0.execute(sql: setting) }
        }
    }

    func shell(_ content: String, settings: [String] = []) -> SQLCipherShell {
        SQLCipherShell(path: file.path, key: .content(content), settings: settings)
    }

    func content() throws -> Data {
        try Data(contentsOf: URL(fileURLWithPath: file.path))
    }
}
