import Foundation
import StrongroomTestSupport
import Testing

@testable import StrongroomCore

/// A database that the `sqlcipher` shell has written with settings of any kind.
struct EncryptedSample {
    static let rawKey = "x'" + String(repeating: "0b1d", count: 16) + "'"
    static let otherRawKey = "x'" + String(repeating: "7e", count: 32) + "'"
    /// Rows of all sizes, so that there are overflow pages and free pages too.
    static let content = """
        CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b BLOB);
        CREATE INDEX by_a ON t (a);
        WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 300)
          INSERT INTO t SELECT n, 'row ' || n, randomblob(n * 7 % 5000) FROM c;
        DELETE FROM t WHERE id % 10 = 3;
        """
    static let question = """
        SELECT count(*), sum(id), sum(length(b)), group_concat(hex(substr(b, -8))) FROM t
        """

    let directory: TemporaryDirectory
    let path: String
    let keyText: String
    let settings: CipherSettings
    let salt: CipherSalt?

    init(
        _ settings: CipherSettings, keyText: String = rawKey, sql: String = content,
        keepsReserveSmall: Bool = false
    ) throws {
        directory = try TemporaryDirectory()
        path = directory.path(of: "sample.db")
        self.keyText = keyText
        self.settings = settings
        salt = settings.hasSaltInFile ? nil : try CipherSalt.random()
        if keepsReserveSmall || settings.pageSize == 512 {
            try creatorWithSmallReserve.create(sql)
        } else {
            try shell.create(sql)
        }
    }

    /// With the usual HMAC as its default, SQLCipher reserves more of a page than those of 512 bytes
    /// can spare, and keeps to it without the HMAC: nobody opens such a file again.
    private var creatorWithSmallReserve: SQLCipherShell {
        let pragmas = ["PRAGMA cipher_default_use_hmac = OFF", "PRAGMA key = \"\(keyText)\""]
        return SQLCipherShell(path: path, settings: pragmas + settings.pragmas(salt: salt))
    }

    var shell: SQLCipherShell {
        SQLCipherShell(
            path: path, key: .content(keyText), settings: settings.pragmas(salt: salt))
    }

    func open() throws -> PageSource {
        try PageSource(path: path, pageSize: settings.pageSize)
    }

    func pageKey(_ text: String? = nil) throws -> PageKey {
        let key = try Self.key(text ?? keyText)
        return try PageKey(
            key, fileSalt: try salt ?? open().salt(), settings: settings)
    }

    static func key(_ text: String) throws -> CipherKey {
        try Array(text.utf8).withUnsafeBytes { try CipherKey(parsing: $0) }
    }

    func change(_ edit: (inout Data) -> Void) throws {
        var content = try Data(contentsOf: URL(fileURLWithPath: path))
        edit(&content)
        try content.write(to: URL(fileURLWithPath: path))
    }
}

/// A new file that is written at any place.
final class NewFile: Sendable {
    private let descriptor: FileSystem.Descriptor

    init(_ path: String) throws {
        descriptor = try FileSystem.system.create(path)
    }

    deinit {
        FileSystem.system.close(descriptor)
    }

    var write: PageSource.Write {
        { try FileSystem.system.writeAll($0, to: self.descriptor, at: $1) }
    }
}
