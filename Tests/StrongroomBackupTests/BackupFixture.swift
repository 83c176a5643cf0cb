import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

@testable import StrongroomBackup

/// A database in WAL mode under a raw key, a repository, and those who read both without our code.
struct BackupFixture {
    // Raw keys: nothing is derived for each connection.
    static let keyText = "x'" + String(repeating: "5a", count: 32) + "'"
    static let otherKeyText = "x'" + String(repeating: "c3", count: 32) + "'"

    let folder: TemporaryDirectory
    let file: DatabaseFile
    let repository: BackupRepository

    init(wal: Bool = true, settings: [String] = [], rowCount: Int = 2000) throws {
        folder = try TemporaryDirectory()
        var file = DatabaseFile(
            path: folder.path(of: "app.db"), key: try Self.key(Self.keyText))
        try SQLCipherShell(path: file.path, key: .content(Self.keyText), settings: settings)
            .create(
                """
                PRAGMA journal_mode = \(wal ? "WAL" : "DELETE");
                PRAGMA synchronous = OFF;
                PRAGMA user_version = 7;
                CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, n INTEGER DEFAULT 0);
                WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < \(rowCount))
                  INSERT INTO t (a) SELECT hex(randomblob(100)) FROM c;
                """)
        for setting in settings {
            file.configuration.prepareDatabase { try $0.execute(sql: setting) }
        }
        self.file = file
        repository = try BackupRepository.create(at: folder.path(of: "repository"))
    }

    /// The key of the database.
    static var databaseKey: CipherKey {
        get throws { try key(keyText) }
    }

    static func key(_ text: String) throws -> CipherKey {
        let bytes = Array(text.utf8)
        return try bytes.withUnsafeBytes { try CipherKey(parsing: $0) }
    }

    /// The file under a name of the fixture's folder.
    func content(_ name: String) throws -> Data {
        try Data(contentsOf: URL(fileURLWithPath: folder.path(of: name)))
    }

    func path(_ name: String) -> String { folder.path(of: name) }

    /// What the shell, which we did not write, says of a database.
    func shell(_ name: String, key: String = keyText, settings: [String] = []) -> SQLCipherShell {
        SQLCipherShell(path: folder.path(of: name), key: .content(key), settings: settings)
    }

    /// Restores with the decoder in Python, which knows the description of the format alone.
    func decode(
        _ number: Int, to name: String, verificationKey: String? = nil
    ) throws -> Subprocess.Result {
        try Subprocess.run(
            "python3",
            [
                PackageFiles.path(of: "Tests/Decoder/restore.py"), repository.path, "\(number)",
                folder.path(of: name),
            ] + (verificationKey.map { [$0] } ?? []))
    }

    /// The verification key of the database, in hexadecimal digits.
    func verificationKey() throws -> String {
        let pages = try CommittedPages(of: file)
        defer { try? pages.close() }
        let key = try pages.key.verificationKey()
        return key.withUnsafeBytes { bytes in
            bytes.map { byte in
                (byte < 16 ? "0" : "") + String(byte, radix: 16)
            }.joined()
        }
    }

    /// What seals and signs backups of the database.
    func backupKey() throws -> BackupKey {
        let pages = try CommittedPages(of: file)
        defer { try? pages.close() }
        return try BackupKey(pages.key)
    }

    func open() throws -> DatabasePool {
        var configuration = file.configuration
        let key = try Self.key(Self.keyText)
        configuration.prepareDatabase { try $0.useKey(key) }
        return try DatabasePool(path: file.path, configuration: configuration)
    }

    /// The names of all files of the repository, and their content.
    func repositoryFiles() throws -> [String: Data] {
        var files: [String: Data] = [:]
        for name in FileManager.default.enumerator(atPath: repository.path) ?? .init() {
            guard let name = name as? String else { continue }
            let path = repository.path + "/" + name
            var isFolder: ObjCBool = false
            _ = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
            if !isFolder.boolValue {
                files[name] = try Data(contentsOf: URL(fileURLWithPath: path))
            }
        }
        return files
    }
}
