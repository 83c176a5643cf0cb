import Strongroom
import StrongroomTestSupport
import Testing

/// What is called around the methods that write one record, and in which order.
@Suite struct CallbackTests {
    let fixture: FixtureDatabase
    let queue: DatabaseQueue

    struct Failure: Error {}

    final class Log: @unchecked Sendable {
        // Safety: the database accesses of one test follow each other.
        var calls: [String] = []

        func taken() -> [String] {
            defer { calls = [] }
            return calls
        }
    }

    struct Player: Encodable, MutablePersistableRecord {
        var id: Int64?
        var name: String
        var log = Log()
        /// The callback that throws, and the one that does not do what it must.
        var failing: String?
        var forgetful: String?

        enum CodingKeys: String, CodingKey { case id, name }

        private func note(_ call: String) throws {
            log.calls.append(call)
            if failing == call { throw Failure() }
        }

        mutating func willInsert(_ db: Database) throws {
            try note("willInsert")
            if name.isEmpty { name = "anonymous" }
        }

        func aroundInsert(_ db: Database, insert: () throws -> InsertionSuccess) throws {
            try note("aroundInsert")
            if forgetful == "aroundInsert" { return }
            let inserted = try insert()
            try note("insert end \(inserted.rowID)")
        }

        mutating func didInsert(_ inserted: InsertionSuccess) {
            log.calls.append("didInsert")
            id = inserted.rowID
        }

        func willUpdate(_ db: Database, columns: Set<String>) throws {
            try note("willUpdate \(columns.sorted().joined(separator: ","))")
        }

        func aroundUpdate(
            _ db: Database, columns: Set<String>, update: () throws -> PersistenceSuccess
        ) throws {
            try note("aroundUpdate \(columns.sorted().joined(separator: ","))")
            if forgetful == "aroundUpdate" { return }
            let updated = try update()
            try note("update end \(updated.persistenceContainer.count)")
        }

        func didUpdate(_ updated: PersistenceSuccess) { log.calls.append("didUpdate") }

        func willSave(_ db: Database) throws { try note("willSave") }

        func aroundSave(_ db: Database, save: () throws -> PersistenceSuccess) throws {
            try note("aroundSave")
            if forgetful == "aroundSave" { return }
            _ = try save()
            try note("save end")
        }

        func didSave(_ saved: PersistenceSuccess) {
            log.calls.append("didSave \(saved.persistenceContainer["name"] ?? "")")
        }

        func willDelete(_ db: Database) throws { try note("willDelete") }

        func aroundDelete(_ db: Database, delete: () throws -> Bool) throws {
            try note("aroundDelete")
            if forgetful == "aroundDelete" { return }
            try note("delete end \(try delete())")
        }

        func didDelete(deleted: Bool) { log.calls.append("didDelete \(deleted)") }
    }

    init() throws {
        fixture = try FixtureDatabase()
        queue = try fixture.open()
        try queue.write { db in
            try db.execute(sql: "CREATE TABLE player(id INTEGER PRIMARY KEY, name TEXT UNIQUE)")
        }
    }

    private static func saving(_ calls: [String], _ name: String) -> [String] {
        ["willSave", "aroundSave"] + calls + ["save end", "didSave \(name)"]
    }

    private static func inserting(_ id: Int) -> [String] {
        ["willInsert", "aroundInsert", "insert end \(id)", "didInsert"]
    }

    private static let updating = [
        "willUpdate id,name", "aroundUpdate id,name", "update end 2", "didUpdate",
    ]

    @Test(.proves("REC-036", "REC-031", "REC-040", "REC-041"))
    func `Insertions and upserts call in their order`() throws {
        try queue.write { db throws in
            var player = Player(name: "")
            try player.insert(db)
            #expect(player.log.taken() == Self.saving(Self.inserting(1), "anonymous"))
            #expect(player.name == "anonymous" && player.id == 1)
            try player.upsert(db)
            #expect(player.log.taken() == Self.saving(Self.inserting(1), "anonymous"))
            #expect(
                try Row.fetchOne(db, sql: "SELECT * FROM player") == ["id": 1, "name": "anonymous"])
        }
    }

    @Test(.proves("REC-037", "REC-039", "REC-042", "REC-043"))
    func `Updates call in their order, with the columns that are written`() throws {
        try queue.write { db throws in
            var player = try Player(name: "Arthur").inserted(db)
            _ = player.log.taken()
            try player.update(db)
            #expect(player.log.taken() == Self.saving(Self.updating, "Arthur"))
            try player.update(db, columns: ["name"])
            #expect(
                player.log.taken()
                    == Self.saving(
                        ["willUpdate name", "aroundUpdate name", "update end 2", "didUpdate"],
                        "Arthur"))
            #expect(try !player.updateChanges(db) { $0.name = "Arthur" })
            #expect(player.log.taken() == [])
            #expect(try player.updateChanges(db) { $0.name = "Barbara" })
            #expect(player.log.taken().count == 8)
            _ = try Player.filter(key: 1).updateAll(db, [Column("name").set(to: "Craig")])
            try Player.insertAll(db, [Player(name: "Danielle", log: player.log)])
            #expect(try Player.deleteAll(db) == 2)
            #expect(player.log.taken() == [])
        }
    }

    @Test(.proves("REC-038", "REC-043"))
    func `Deletions call in their order, also when there is no row`() throws {
        try queue.write { db throws in
            let player = try Player(name: "Arthur").inserted(db)
            _ = player.log.taken()
            for deleted in [true, false] {
                #expect(try player.delete(db) == deleted)
                #expect(
                    player.log.taken() == [
                        "willDelete", "aroundDelete", "delete end \(deleted)",
                        "didDelete \(deleted)",
                    ])
            }
        }
    }

    @Test(.proves("REC-044"))
    func `Saving calls for an update, and then for an insertion if there was no row`() throws {
        try queue.write { db throws in
            var player = Player(name: "Arthur")
            try player.save(db)
            #expect(player.log.taken() == Self.saving(Self.inserting(1), "Arthur"))
            try player.save(db)
            #expect(player.log.taken() == Self.saving(Self.updating, "Arthur"))
            var other = Player(id: 5, name: "Barbara")
            try other.save(db)
            #expect(
                other.log.taken()
                    == Self.saving(
                        ["willUpdate id,name", "aroundUpdate id,name"] + Self.inserting(5),
                        "Barbara"))
        }
    }

    @Test(
        .proves("REC-039"),
        arguments: ["willSave", "aroundSave", "willInsert", "aroundInsert", "insert end 1"])
    func `A callback that throws ends an insertion`(failing: String) throws {
        let player = Player(name: "Arthur", failing: failing)
        #expect(throws: Failure.self) { try queue.write { _ = try player.inserted($0) } }
        #expect(player.log.calls.last == failing)
        #expect(try queue.read(Player.fetchCount) == 0)
    }

    @Test(.proves("REC-039"), arguments: ["willDelete", "aroundDelete"])
    func `A callback that throws ends a deletion`(failing: String) throws {
        let player = try queue.write { try Player(name: "Arthur", failing: failing).inserted($0) }
        #expect(throws: Failure.self) { try queue.write { _ = try player.delete($0) } }
        #expect(try queue.read(Player.fetchCount) == 1)
    }

    @Test(
        .proves("REC-041"),
        arguments: ["aroundSave", "aroundInsert", "aroundUpdate", "aroundDelete"])
    func `A callback that does not do what it must is named`(forgetful: String) throws {
        let player = Player(id: 1, name: "Arthur", forgetful: forgetful)
        let error = #expect(throws: DatabaseError.self) {
            try queue.write { db in
                switch forgetful {
                case "aroundUpdate": try player.update(db)
                case "aroundDelete": try player.delete(db)
                default: _ = try player.inserted(db)
                }
            }
        }
        #expect(error?.resultCode == .SQLITE_MISUSE)
        #expect(
            error?.message?.hasPrefix(
                "Incorrect implementation of the `Player.\(forgetful)` persistence callback")
                == true)
    }

    @Test(.proves("REC-045", "REC-046"))
    func `A callback can ask to be told of the commit`() throws {
        struct Committed: Encodable, PersistableRecord {
            static let databaseTableName = "player"
            var id: Int64
            let log: Log

            enum CodingKeys: String, CodingKey { case id }

            func aroundSave(_ db: Database, save: () throws -> PersistenceSuccess) throws {
                _ = try save()
                let log = log
                db.afterNextTransaction { _ in log.calls.append("committed") }
            }

            func didSave(_ saved: PersistenceSuccess) { log.calls.append("saved") }
        }
        let log = Log()
        try queue.write { try Committed(id: 1, log: log).insert($0) }
        #expect(log.taken() == ["saved", "committed"])
        try queue.inTransaction { db in
            try Committed(id: 2, log: log).insert(db)
            return .rollback
        }
        #expect(log.taken() == ["saved"])
    }
}
