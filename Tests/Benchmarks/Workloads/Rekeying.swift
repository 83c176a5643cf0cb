import CSQLCipher
import Foundation
import Strongroom

/// A file of 16,000 pages brought under another key: by the codec, page by page into a new file, and
/// by SQLCipher, in place. In the end, either is on the disk.
func rekeyingWorkloads() -> [Workload] {
    [
        rekeying("encrypt pages again, 1 thread", threads: 1, aim: 0.45),
        rekeying("encrypt pages again, 2 threads", threads: 2, aim: 0.25),
    ]
}

private func rekeying(_ name: String, threads: Int, aim: Double) -> Workload {
    Workload(
        name: name, aim: .ratio(aim), operations: RekeyedFile.rowCount,
        prepare: { try RekeyedFile(in: $0).prepare() },
        library: { database in
            let pageCount = try RekeyedFile(in: database).reencrypt(threads: threads)
            return { pageCount }
        },
        c: { database in
            let pageCount = try RekeyedFile(in: database).rekeyInC()
            return { pageCount }
        })
}

/// A file beside the benchmark database, and a copy of it, which SQLCipher changes.
private struct RekeyedFile {
    /// Each row takes a page.
    static let rowCount = 16000
    private static let oldKey = "x'" + String(repeating: "a5", count: 32) + "'"
    private static let newKey = "x'" + String(repeating: "5a", count: 32) + "'"

    private let path: String
    private let copy: String

    init(in database: BenchmarkDatabase) {
        let folder = URL(fileURLWithPath: database.rawKeyPath).deletingLastPathComponent()
        path = folder.appendingPathComponent("old-key.db").path
        copy = folder.appendingPathComponent("new-key.db").path
    }

    func prepare() throws {
        if !FileManager.default.fileExists(atPath: path) { try create() }
        try? FileManager.default.removeItem(atPath: copy)
        try FileManager.default.copyItem(atPath: path, toPath: copy)
    }

    private func create() throws {
        let queue = try BenchmarkDatabase.open(path, Self.oldKey)
        try queue.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE t (a BLOB);
                    WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < \
                    \(Self.rowCount)) INSERT INTO t SELECT randomblob(3900) FROM c;
                    """)
        }
        try queue.close()
    }

    func reencrypt(threads: Int) throws -> UInt64 {
        let settings = CipherSettings.version(.v4)
        let file = try PageSource(path: path, pageSize: settings.pageSize)
        let key = try PageKey(Self.key(Self.oldKey), fileSalt: file.salt(), settings: settings)
        let newKey = try PageKey(
            Self.key(Self.newKey), fileSalt: CipherSalt.random(), settings: settings)
        let fileSystem = FileSystem.system
        let descriptor = try fileSystem.create(path + "-copy")
        defer {
            fileSystem.close(descriptor)
            try? fileSystem.remove(path + "-copy")
        }
        try file.reencrypt(from: key, to: newKey, threads: threads) { bytes, offset in
            try fileSystem.writeAll(bytes, to: descriptor, at: offset)
        }
        try fileSystem.synchronize(descriptor)
        return UInt64(file.pageCount)
    }

    private static func key(_ text: String) throws -> CipherKey {
        try Array(text.utf8).withUnsafeBytes { try CipherKey(parsing: $0) }
    }

    func rekeyInC() throws -> UInt64 {
        var opened: OpaquePointer?
        defer { sqlite3_close_v2(opened) }
        let code = sqlite3_open_v2(copy, &opened, SQLITE_OPEN_READWRITE, nil)
        guard code == SQLITE_OK, let opened else { throw CFailure(code: code) }
        sqlite3_key_v2(opened, "main", Self.oldKey, Int32(Self.oldKey.utf8.count))
        try CStatement.execute(opened, "SELECT COUNT(*) FROM sqlite_master")
        let rekeyCode = sqlite3_rekey_v2(opened, "main", Self.newKey, Int32(Self.newKey.utf8.count))
        guard rekeyCode == SQLITE_OK else { throw CFailure(code: rekeyCode) }
        let statement = try CStatement(opened, "PRAGMA page_count")
        defer { statement.finalize() }
        return try statement.step() ? UInt64(statement.int64(0)) : 0
    }
}
