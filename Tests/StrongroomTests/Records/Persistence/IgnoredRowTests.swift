import Strongroom
import StrongroomTestSupport
import Testing

/// Rows that the conflict policy ignores, of which the caller wants to have what was written.
@Suite struct IgnoredRowTests {
    let fixture: FixtureDatabase
    let queue: DatabaseQueue

    final class Log: @unchecked Sendable {
        // Safety: the database accesses of one test follow each other.
        var calls: [String] = []
    }

    struct Player: Codable, FetchableRecord, MutablePersistableRecord {
        static let persistenceConflictPolicy = PersistenceConflictPolicy(
            insert: .ignore, update: .ignore)
        var id: Int64?
        var email: String
        var log = Log()

        enum CodingKeys: String, CodingKey { case id, email }

        func willSave(_ db: Database) throws { log.calls.append("willSave") }

        func aroundSave(_ db: Database, save: () throws -> PersistenceSuccess) throws {
            log.calls.append("aroundSave")
            _ = try save()
            log.calls.append("saved")
        }

        func didSave(_ saved: PersistenceSuccess) { log.calls.append("didSave") }

        func willInsert(_ db: Database) throws { log.calls.append("willInsert") }

        func aroundInsert(_ db: Database, insert: () throws -> InsertionSuccess) throws {
            log.calls.append("aroundInsert")
            _ = try insert()
            log.calls.append("inserted")
        }

        mutating func didInsert(_ inserted: InsertionSuccess) {
            log.calls.append("didInsert \(inserted.rowID)")
            id = inserted.rowID
        }
    }

    init() throws {
        fixture = try FixtureDatabase()
        queue = try fixture.open()
        try queue.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE player(id INTEGER PRIMARY KEY, email TEXT UNIQUE);
                    INSERT INTO player VALUES (7, 'a')
                    """)
        }
    }

    private static let begun = ["willSave", "aroundSave", "willInsert", "aroundInsert"]

    @Test(.proves("CMP-92"))
    func `An ignored insertion ends without the callbacks of a success`() throws {
        try queue.write { db throws in
            let player = Player(email: "a")
            #expect(throws: RecordError.self) { _ = try player.insertAndFetch(db) }
            #expect(player.log.calls == Self.begun)
            var other = Player(email: "a")
            #expect(throws: RecordError.self) {
                _ = try other.insertAndFetch(db, as: Player.self)
            }
            #expect(other.log.calls == Self.begun && other.id == nil)
        }
    }

    @Test(.proves("CMP-92"))
    func `An ignored save ends without the callbacks of a success`() throws {
        try queue.write { db throws in
            let player = Player(email: "a")
            #expect(throws: RecordError.self) { _ = try player.saveAndFetch(db) }
            #expect(player.log.calls == Self.begun)
            var other = Player(id: 3, email: "a")
            #expect(throws: RecordError.self) { _ = try other.saveAndFetch(db, as: Player.self) }
            #expect(other.log.calls == Self.begun && other.id == 3)
            // It is the row that counts, not what was done to it.
            let written = Player(email: "b")
            #expect(try written.saveAndFetch(db).email == "b")
            #expect(
                written.log.calls == Self.begun + ["inserted", "didInsert 8", "saved", "didSave"])
        }
    }
}
