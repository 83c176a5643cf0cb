import CSQLCipher
import Strongroom

private let schemaSQL = "SELECT COUNT(*) FROM sqlite_master"

/// A small database opened, read once and closed.
func openingWorkloads() -> [Workload] {
    [
        opening("open with a raw key", { $0.rawKeyPath }, key: BenchmarkDatabase.rawKey, times: 50),
        opening(
            "open with a passphrase", { $0.passphrasePath }, key: BenchmarkDatabase.passphrase,
            times: 1, prepare: { try $0.makePassphraseDatabase() }),
        Workload(
            name: "open a pool and 4 more readers", aim: .ratio(1.1), operations: 1,
            prepare: { try $0.makePassphraseDatabase() },
            library: { try openPool($0.passphrasePath, BenchmarkDatabase.passphrase) },
            c: { database in
                let sum = try openInC(database.passphrasePath, key: BenchmarkDatabase.passphrase)
                return { sum }
            }),
    ]
}

/// Five connections; a snapshot is a reader that stays open.
private func openPool(_ path: String, _ key: String) throws -> Workload.Outcome {
    let pool = try DatabasePool(path: path, configuration: BenchmarkDatabase.configuration(key))
    let readers = try (0..<4).map { _ in try pool.makeSnapshot() }
    let counts = try readers.map { reader in
        try reader.read { try UInt64(Int.fetchOne($0, sql: schemaSQL) ?? 0) }
    }
    try readers.forEach { try $0.close() }
    try pool.close()
    return { counts[0] }
}

private func opening(
    _ name: String, _ path: @escaping (BenchmarkDatabase) -> String, key: String, times: Int,
    prepare: @escaping (BenchmarkDatabase) throws -> Void = { _ in }
) -> Workload {
    Workload(
        name: name, operations: times, prepare: prepare,
        library: { database in
            var sum: UInt64 = 0
            for _ in 0..<times {
                let queue = try BenchmarkDatabase.open(path(database), key)
                let count = try queue.read { try Int.fetchOne($0, sql: schemaSQL) }
                sum += UInt64(count ?? 0)
                try queue.close()
            }
            return { sum }
        },
        c: { database in
            var sum: UInt64 = 0
            for _ in 0..<times {
                sum += try openInC(path(database), key: key)
            }
            return { sum }
        })
}

private func openInC(_ path: String, key: String) throws -> UInt64 {
    var opened: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX
    let code = sqlite3_open_v2(path, &opened, flags, nil)
    defer { sqlite3_close_v2(opened) }
    guard code == SQLITE_OK, let opened else { throw CFailure(code: code) }
    let keyCode = sqlite3_key_v2(opened, "main", key, Int32(key.utf8.count))
    guard keyCode == SQLITE_OK else { throw CFailure(code: keyCode) }
    let statement = try CStatement(opened, schemaSQL)
    defer { statement.finalize() }
    return try statement.step() ? UInt64(statement.int64(0)) : 0
}
