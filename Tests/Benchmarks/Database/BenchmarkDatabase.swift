import Foundation
import Strongroom

/// The encrypted database that every workload runs on, in a folder of its own.
///
/// The table `item` is fetched from and never changed; `stock` is written.
final class BenchmarkDatabase {
    static let rawKey = "x'" + String(repeating: "2b7e151628aed2a6", count: 4) + "'"
    static let passphrase = "benchmarks only"

    let queue: DatabaseQueue
    /// Reads the same database.
    let pool: DatabasePool
    /// A small database that a raw key opens.
    let rawKeyPath: String
    /// Where ``makePassphraseDatabase()`` puts a small database that a passphrase opens, after the
    /// key is derived from it.
    let passphrasePath: String
    private let folder: URL

    init(rows: Int) throws {
        folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("strongroom-benchmarks-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        rawKeyPath = folder.appendingPathComponent("raw-key.db").path
        passphrasePath = folder.appendingPathComponent("passphrase.db").path
        queue = try Self.open(folder.appendingPathComponent("items.db").path, Self.rawKey)
        try queue.inDatabase { db in
            // What is measured is the work above the pager: all pages fit into the cache, and no
            // commit waits for the disk.
            try db.execute(
                sql: """
                    PRAGMA cache_size = -262144;
                    PRAGMA journal_mode = WAL;
                    PRAGMA synchronous = OFF;
                    """)
        }
        try queue.write { db in
            try Self.createTables(db)
            try Self.insertItems(db, count: rows)
        }
        pool = try DatabasePool(
            path: queue.path, configuration: Self.configuration(Self.rawKey))
        try Self.createSmallDatabase(rawKeyPath, Self.rawKey)
    }

    /// Makes the database of a passphrase unless it is there: derivation takes long under valgrind.
    func makePassphraseDatabase() throws {
        guard !FileManager.default.fileExists(atPath: passphrasePath) else { return }
        try Self.createSmallDatabase(passphrasePath, Self.passphrase)
    }

    func remove() {
        try? pool.close()
        try? queue.close()
        try? FileManager.default.removeItem(at: folder)
    }

    /// Runs C code on the connection of the queue.
    func withConnection<Result>(
        _ body: (OpaquePointer) throws -> Result
    ) throws -> Result {
        try queue.inDatabase { db in
            guard let connection = db.sqliteConnection else { throw CFailure(code: -1) }
            return try body(connection)
        }
    }

    static func open(_ path: String, _ key: String) throws -> DatabaseQueue {
        try DatabaseQueue(path: path, configuration: configuration(key))
    }

    static func configuration(
        _ key: String, _ change: (inout Configuration) -> Void = { _ in }
    ) -> Configuration {
        var configuration = Configuration()
        change(&configuration)
        configuration.prepareDatabase { db in
            try db.usePassphrase(key)
        }
        return configuration
    }

    private static func createSmallDatabase(_ path: String, _ key: String) throws {
        let queue = try open(path, key)
        try queue.write { db in
            try createTables(db)
        }
        try queue.close()
    }

    private static func createTables(_ db: Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE item (
                    id INTEGER PRIMARY KEY,
                    name TEXT NOT NULL,
                    category TEXT NOT NULL,
                    quantity INTEGER NOT NULL,
                    price REAL NOT NULL,
                    weight REAL,
                    updated INTEGER NOT NULL,
                    note TEXT
                );
                CREATE TABLE stock (
                    id INTEGER PRIMARY KEY,
                    name TEXT NOT NULL,
                    quantity INTEGER NOT NULL,
                    price REAL NOT NULL
                );
                """)
    }

    private static func insertItems(_ db: Database, count: Int) throws {
        let insertion = try db.makeStatement(
            sql: "INSERT INTO item VALUES (?, ?, ?, ?, ?, ?, ?, ?)")
        var random = SeededGenerator(seed: 42)
        for id in 1...Int64(count) {
            let item = Item.random(id: id, using: &random)
            try insertion.execute(arguments: [
                item.id, item.name, item.category, item.quantity,
                item.price, item.weight, item.updated, item.note,
            ])
        }
    }
}
