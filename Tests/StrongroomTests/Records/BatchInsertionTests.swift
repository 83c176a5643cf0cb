import Strongroom
import StrongroomTestSupport
import Testing

/// Many records that are inserted by few statements.
@Suite struct BatchInsertionTests {
    let fixture: FixtureDatabase
    let queue: DatabaseQueue

    struct Player: Codable, Equatable, FetchableRecord, MutablePersistableRecord {
        var id: Int64?
        var name: String

        mutating func didInsert(_ inserted: InsertionSuccess) {
            Issue.record("A batch calls nothing.")
        }
    }

    init() throws {
        fixture = try FixtureDatabase()
        queue = try fixture.open()
        try queue.write { db in
            try db.execute(sql: "CREATE TABLE player(id INTEGER PRIMARY KEY, name TEXT UNIQUE)")
        }
    }

    private func players(_ range: Range<Int>) -> [Player] {
        range.map { Player(name: "player \($0)") }
    }

    @Test(.proves("REC-081"), arguments: [0, 1, 2, 99, 100, 101, 350])
    func `All records arrive, whatever their number`(count: Int) throws {
        try queue.write { db throws in
            let statements = try db.capturedSQL { () throws in
                #expect(try Player.insertAll(db, players(0..<count)) == count)
            }.filter { $0.hasPrefix("INSERT") }
            #expect(statements.count == (count + 99) / 100)
            #expect(
                try String.fetchAll(db, sql: "SELECT name FROM player ORDER BY id")
                    == players(0..<count).map(\.name))
        }
    }

    @Test(.proves("REC-081")) func `Records are inserted in one statement`() throws {
        try queue.write { db throws in
            let statements = try db.capturedSQL { try Player.insertAll(db, players(1..<4)) }
            #expect(
                statements.contains(
                    """
                    INSERT INTO "player" ("id", "name") \
                    VALUES (NULL,'player 1'),(NULL,'player 2'),(NULL,'player 3')
                    """))
            let inserted = try Player.insertAllAndFetch(db, players(4..<6))
            #expect(inserted == [Player(id: 4, name: "player 4"), Player(id: 5, name: "player 5")])
        }
    }

    @Test(.proves("REC-081")) func `All are inserted, or none`() throws {
        try queue.write { db throws in
            try db.execute(sql: "INSERT INTO player VALUES (1000, 'player 250')")
            let error = #expect(throws: DatabaseError.self) {
                try Player.insertAll(db, players(0..<300))
            }
            #expect(error?.extendedResultCode == .SQLITE_CONSTRAINT_UNIQUE)
            #expect(try Player.fetchCount(db) == 1)
        }
    }

    @Test(.proves("REC-081")) func `Rows in the way are left out when that is asked for`() throws {
        try queue.write { db throws in
            try Player.insertAll(db, players(0..<10))
            #expect(try Player.insertAll(db, players(5..<15), onConflict: .ignore) == 5)
            #expect(
                try Player.insertAllAndFetch(db, players(10..<20), onConflict: .ignore).count == 5)
            #expect(try Player.fetchCount(db) == 20)
        }
    }

    @Test(.proves("REC-081")) func `Statements stay within what SQLite can take`() throws {
        struct Wide: PersistableRecord {
            static let databaseTableName = "wide"
            static let names = (0..<1500).map { "c\($0)" }
            let value: Int

            func encode(to container: inout PersistenceContainer) {
                for name in Self.names { container[name] = value }
            }
        }
        try queue.write { db throws in
            let columns = Wide.names.joined(separator: ",")
            try db.execute(sql: "CREATE TABLE wide(\(columns))")
            let count = 2 * db.maximumStatementArgumentCount / 1500 / 10
            #expect(try Wide.insertAll(db, (0..<count).map(Wide.init)) == count)
            #expect(
                try Int.fetchOne(db, sql: "SELECT SUM(c1499) FROM wide") == count * (count - 1) / 2)
        }
    }
}
