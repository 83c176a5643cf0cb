import CSQLCipher

/// Connections of the C API to the benchmark database, which threads share out.
final class CConnections {
    /// Their addresses, which can be told to other threads.
    private(set) var connections: [Int] = []

    deinit {
        for address in connections { sqlite3_close_v2(OpaquePointer(bitPattern: address)) }
    }

    /// Opens as many as are wanted, the first time.
    func open(_ path: String, count: Int) throws {
        while connections.count < count {
            var opened: OpaquePointer?
            let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX
            let code = sqlite3_open_v2(path, &opened, flags, nil)
            guard code == SQLITE_OK, let opened else { throw CFailure(code: code) }
            connections.append(Int(bitPattern: opened))
            let key = BenchmarkDatabase.rawKey
            sqlite3_key_v2(opened, "main", key, Int32(key.utf8.count))
            // As the pool's: no commit waits for the disk, a checkpoint does.
            try CStatement.execute(opened, "PRAGMA synchronous = NORMAL")
            try CStatement.execute(opened, "SELECT count(*) FROM sqlite_master")
        }
    }
}
