import Strongroom
import StrongroomCore
import StrongroomTestSupport
import Testing

@testable import StrongroomSync

/// An encrypted database with an app's tables, which devices share over a hub.
struct EngineFixture {
    let database: FixtureDatabase
    let queue: DatabaseQueue
    var tables: [SyncedTable]
    /// How far the app's schema is, where a test has several versions.
    var version = 0

    static let sql = """
        CREATE TABLE list (id TEXT PRIMARY KEY NOT NULL, title TEXT, stars INTEGER NOT NULL DEFAULT 0);
        CREATE TABLE item (
            id TEXT PRIMARY KEY NOT NULL, list TEXT NOT NULL REFERENCES list ON DELETE CASCADE,
            title TEXT, price REAL, data);
        CREATE INDEX item_list ON item (list);
        CREATE TABLE tag (
            id TEXT PRIMARY KEY NOT NULL, title TEXT NOT NULL COLLATE NOCASE UNIQUE,
            item TEXT REFERENCES item ON DELETE SET NULL);
        CREATE INDEX tag_item ON tag (item);
        """

    static let tables = [
        SyncedTable("list", merge: ["stars": .counter], onConflictingDelete: .editWins),
        SyncedTable("item"), SyncedTable("tag"),
    ]

    init(_ sql: String = Self.sql, _ tables: [SyncedTable] = Self.tables) throws {
        database = try FixtureDatabase()
        queue = try database.open()
        self.tables = tables
        try Self.forgoDurability(queue)
        try queue.write { try $0.execute(sql: sql) }
    }

    /// Nothing here outlives the power, so nothing waits for the disk.
    private static func forgoDurability(_ queue: DatabaseQueue) throws {
        try queue.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY")
        }
    }

    private init(copying other: EngineFixture) throws {
        database = try FixtureDatabase()
        queue = try database.open()
        tables = other.tables
        version = other.version
        try Self.forgoDurability(queue)
        try other.queue.backup(to: queue)
    }

    /// A file of its own with the same content.
    func copied() throws -> EngineFixture { try EngineFixture(copying: self) }

    func engine(_ hub: any SyncTransport, _ name: String = "laptop") async throws -> SyncEngine {
        try await SyncEngine(for: queue, transport: hub, name: name, tables: tables)
    }

    func join(_ ticket: String, _ hub: any SyncTransport) async throws -> SyncEngine {
        try await SyncEngine.join(ticket, for: queue, transport: hub, name: "phone", tables: tables)
    }

    /// An engine of a new space whose options a test sets.
    func creating(_ hub: any SyncTransport, _ options: SyncOptions) async throws -> SyncEngine {
        try await SyncEngine.create(queue, hub, tables: tables, name: "laptop", options)
    }

    func joining(
        _ ticket: String, _ hub: any SyncTransport, _ options: SyncOptions
    ) async throws -> SyncEngine {
        try await SyncEngine.join(
            ticket, for: queue, transport: hub, name: "phone", tables: tables, options)
    }

    func setJournal(_ mode: String) throws {
        try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = \(mode)") }
    }

    func write(_ sql: String) throws { try queue.write { try $0.execute(sql: sql) } }

    /// All rows of the shared tables, as text.
    func rows() throws -> [String] {
        try queue.read { db in
            try tables.flatMap { table in
                try Row.fetchAll(db, sql: "SELECT * FROM \(table.name) ORDER BY 1").map {
                    "\(table.name) \($0)"
                }
            }
        }
    }

    func values(_ sql: String) throws -> [String] {
        try queue.read { try String.fetchAll($0, sql: sql) }
    }

    func texts(_ sql: String) throws -> [String] {
        try queue.read { try Row.fetchAll($0, sql: sql).map { "\($0)" } }
    }

    /// Which constraints rows break, and what is damaged.
    func brokenConstraints() throws -> [String] {
        try queue.read { db throws in
            let problems = try String.fetchAll(db, sql: "PRAGMA integrity_check")
            let orphans = try Row.fetchAll(db, sql: "PRAGMA foreign_key_check").map { "\($0)" }
            return (problems == ["ok"] ? [] : problems) + orphans
        }
    }

    /// What no step may break.
    func check() throws {
        try queue.read { db throws in
            #expect(try String.fetchAll(db, sql: "PRAGMA integrity_check") == ["ok"])
            #expect(try Row.fetchAll(db, sql: "PRAGMA foreign_key_check").isEmpty)
        }
    }
}

/// Two devices of one space.
struct TwoDevices {
    let hub: any SyncTransport
    let a: EngineFixture
    let b: EngineFixture
    let first: SyncEngine
    let second: SyncEngine

    init(
        _ hub: any SyncTransport = MemoryHub(), _ sql: String = EngineFixture.sql,
        _ tables: [SyncedTable] = EngineFixture.tables, rows: String = ""
    ) async throws {
        self.hub = hub
        a = try EngineFixture(sql, tables)
        b = try EngineFixture(sql, tables)
        if !rows.isEmpty { try a.write(rows) }
        first = try await a.engine(hub)
        let ticket = try await first.inviteDevice().ticket
        second = try await b.join(ticket, hub)
    }

    /// Exchanges until nothing is new, and compares the rows.
    func settle() async throws {
        for _ in 0..<3 {
            try await first.synchronize()
            try await second.synchronize()
        }
        try await first.synchronize()
        #expect(try a.rows() == b.rows())
        try a.check()
        try b.check()
    }
}
