import Strongroom
import StrongroomTestSupport
import Testing

/// What a trace shows of each access: the statements of the app, and the transaction around them.
@Suite struct TraceTextTests {
    private struct Player: Codable, FetchableRecord, PersistableRecord {
        var id: Int64
        var name: String
    }

    private let texts = Locked<[String]>([])
    private let fixture: FixtureDatabase

    init() throws {
        fixture = try FixtureDatabase()
        let queue = try fixture.open()
        try queue.write { db in
            try db.create(table: "player") { t in
                t.primaryKey("id", .integer)
                t.column("name", .text)
            }
        }
        try queue.close()
    }

    private var configuration: Configuration {
        FixtureDatabase.configuration(passphrase: fixture.key) { [texts] configuration in
            configuration.prepareDatabase { db in
                db.trace { event in texts.withLock { $0.append("\(event)") } }
            }
        }
    }

    private func openings() throws -> [any DatabaseWriter] {
        [
            try DatabaseQueue(path: fixture.path, configuration: configuration),
            try DatabasePool(path: fixture.path, configuration: configuration),
        ]
    }

    private func traces(of body: () throws -> Void) rethrows -> [String] {
        texts.withLock { $0 = [] }
        try body()
        return texts.withLock { $0 }
    }

    private static func written(_ sql: String...) -> [String] {
        ["BEGIN IMMEDIATE TRANSACTION"] + sql + ["COMMIT TRANSACTION"]
    }

    private static func read(_ sql: String...) -> [String] {
        ["BEGIN DEFERRED TRANSACTION"] + sql + ["COMMIT TRANSACTION"]
    }

    @Test(.proves("TRC-007"))
    func `A trace shows the app's statements, and the transaction around them`() throws {
        for writer in try openings() {
            // What the first statements want to know of the schema is asked once.
            try writer.write { try Player(id: 1, name: "Arthur").save($0) }
            _ = try writer.read { try Player.find($0, key: 1) }
            let select = "SELECT * FROM \"player\" WHERE \"id\" = ?"
            #expect(
                try traces { _ = try writer.read { try Player.find($0, key: 1) } }
                    == Self.read(select))
            #expect(
                try traces { try writer.write { try Player(id: 2, name: "Barbara").insert($0) } }
                    == Self.written("INSERT INTO \"player\" (\"id\", \"name\") VALUES (?,?)"))
            #expect(
                try traces { try writer.write { try Player(id: 2, name: "Craig").update($0) } }
                    == Self.written("UPDATE \"player\" SET \"name\"=? WHERE \"id\"=?"))
            #expect(
                try traces { try writer.write { try Player(id: 2, name: "Craig").save($0) } }
                    == Self.written("UPDATE \"player\" SET \"name\"=? WHERE \"id\"=?"))
            #expect(
                try traces { try writer.write { _ = try Player.deleteAll($0) } }
                    == Self.written("DELETE FROM \"player\""))
            #expect(
                try traces { try writer.writeWithoutTransaction { _ = try Player.fetchCount($0) } }
                    == ["SELECT COUNT(*) FROM \"player\""])
            #expect(
                try traces { _ = try writer.unsafeReentrantRead { try Player.fetchCount($0) } }
                    == ["SELECT COUNT(*) FROM \"player\""])
            #expect(
                try traces { _ = try writer.unsafeRead { try Player.fetchCount($0) } }
                    == ["SELECT COUNT(*) FROM \"player\""])
            #expect(
                try traces {
                    try writer.write { db in
                        try db.inSavepoint {
                            try db.execute(sql: "DELETE FROM player")
                            return .commit
                        }
                        try db.inSavepoint {
                            try db.execute(sql: "DELETE FROM player")
                            return .rollback
                        }
                    }
                }
                    == Self.written(
                        "SAVEPOINT grdb", "DELETE FROM player", "RELEASE SAVEPOINT grdb",
                        "SAVEPOINT grdb", "DELETE FROM player",
                        "ROLLBACK TRANSACTION TO SAVEPOINT grdb", "RELEASE SAVEPOINT grdb"))
            #expect(
                try traces {
                    try writer.writeWithoutTransaction { db in
                        try db.inTransaction(.exclusive) { .rollback }
                    }
                } == ["BEGIN EXCLUSIVE TRANSACTION", "ROLLBACK TRANSACTION"])
        }
    }

    @Test(.proves("TRC-007"))
    func `A write that was refused adds nothing to the traces of later reads`() throws {
        for writer in try openings() {
            _ = try writer.read { try Player.fetchCount($0) }
            _ = try? writer.read { try $0.execute(sql: "DELETE FROM player") }
            #expect(
                try traces { _ = try writer.read { try Player.fetchCount($0) } }
                    == Self.read("SELECT COUNT(*) FROM \"player\""))
        }
    }

    @Test(.proves("TRC-007")) @MainActor
    func `An observation adds no statement of its own`() throws {
        for writer in try openings() {
            let counts = Locked<[Int]>([])
            let observation = ValueObservation.trackingConstantRegion { try Player.fetchCount($0) }
            let count = "SELECT COUNT(*) FROM \"player\""
            var cancellable: AnyDatabaseCancellable?
            let first = traces {
                cancellable = observation.start(
                    in: writer, scheduling: .immediate, onError: { _ in },
                    onChange: { count in counts.withLock { $0.append(count) } })
            }
            #expect(first == Self.read(count))
            let insert = "INSERT INTO player VALUES (NULL, 'x')"
            let second = try traces { try writer.write { try $0.execute(sql: insert) } }
            #expect(second.starts(with: Self.written(insert)), "\(second)")
            #expect(
                second.dropFirst(3).allSatisfy { $0 == count || $0.hasSuffix(" TRANSACTION") },
                "\(second)")
            cancellable?.cancel()
            try writer.write { _ = try Player.deleteAll($0) }
        }
    }

    @Test(.proves("TRC-007"))
    func `Opening shows what the app's preparation does`() throws {
        #expect(try traces { _ = try openings() }.isEmpty)
        var configuration = configuration
        configuration.prepareDatabase { try $0.execute(sql: "SELECT 'prepared'") }
        let shown = try traces {
            let queue = try DatabaseQueue(path: fixture.path, configuration: configuration)
            _ = try queue.read { try Int.fetchOne($0, sql: "SELECT 1") }
        }
        #expect(shown == ["SELECT 'prepared'"] + Self.read("SELECT 1"))
    }
}
