import CSQLCipher
import Foundation
import Strongroom

/// The key of an open database changed in place and proved, next to SQLCipher's `rekey` alone.
func keyChangeWorkloads() -> [Workload] {
    [(1, "1 MB"), (64, "64 MB")].flatMap { megabytes, size in
        [
            keyChange("change the passphrase of \(size)", megabytes, "old words", "new words"),
            keyChange("change the raw key of \(size)", megabytes, rawKey("a5"), rawKey("5a")),
        ]
    }
}

private func rawKey(_ byte: String) -> String {
    "x'" + String(repeating: byte, count: 32) + "'"
}

private func keyChange(
    _ name: String, _ megabytes: Int, _ oldKey: String, _ newKey: String
) -> Workload {
    let file = OpenFile(megabytes: megabytes, key: oldKey)
    return Workload(
        name: name, aim: .ratio(1.05), operations: 1,
        prepare: { try file.open(in: $0) },
        library: { _ in
            let queue = try file.queue()
            try queue.writeWithoutTransaction { try $0.changePassphrase(newKey) }
            return { file.pageCount }
        },
        c: { _ in
            try file.queue().writeWithoutTransaction { db in
                guard let connection = db.sqliteConnection else { throw CFailure(code: -1) }
                let code = sqlite3_rekey_v2(
                    connection, "main", newKey, Int32(newKey.utf8.count))
                guard code == SQLITE_OK else { throw CFailure(code: code) }
            }
            return { file.pageCount }
        })
}

/// A file that each run finds open, with its old key.
private final class OpenFile {
    private let megabytes: Int
    private let key: String
    private var opened: DatabaseQueue?

    struct NotOpenError: Error {}

    init(megabytes: Int, key: String) {
        self.megabytes = megabytes
        self.key = key
    }

    func queue() throws -> DatabaseQueue {
        guard let opened else { throw NotOpenError() }
        return opened
    }

    /// As the file has it, whose key is no longer known to its readers.
    var pageCount: UInt64 {
        let attributes = opened.flatMap {
            try? FileManager.default.attributesOfItem(atPath: $0.path)
        }
        return (attributes?[.size] as? UInt64 ?? 0) / 4096
    }

    func open(in database: BenchmarkDatabase) throws {
        let folder = URL(fileURLWithPath: database.rawKeyPath).deletingLastPathComponent()
        let original = folder.appendingPathComponent("\(megabytes) MB \(key.count)").path
        if !FileManager.default.fileExists(atPath: original) { try create(original) }
        try opened?.close()
        try? FileManager.default.removeItem(atPath: original + " copy")
        try FileManager.default.copyItem(atPath: original, toPath: original + " copy")
        let queue = try BenchmarkDatabase.open(original + " copy", key)
        // The work is what is compared, not the disk.
        try queue.inDatabase { try $0.execute(sql: "PRAGMA synchronous = OFF") }
        opened = queue
    }

    /// Each row takes a page.
    private func create(_ path: String) throws {
        let queue = try BenchmarkDatabase.open(path, key)
        try queue.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE t (a BLOB);
                    WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < \
                    \(megabytes * 256)) INSERT INTO t SELECT randomblob(3900) FROM c;
                    """)
        }
        try queue.close()
    }
}
