import Foundation
import StrongroomTables
import StrongroomTestSupport
import Testing

@Table("player") struct Athlete: Codable, FetchableRecord, PersistableRecord, Identifiable, Hashable
{
    static let databaseTableName = "player"
    static let persistenceConflictPolicy = PersistenceConflictPolicy(
        insert: .replace, update: .replace)
    enum Columns {
        static let name = Column(CodingKeys.name)
        static let score = Column(CodingKeys.score)
    }
    var id: Int64
    var name: String
    var score = 0
    var teamID: Int64?
    static let club = belongsTo(Club.self, using: ForeignKey(["teamID"]))
}

@Table("teams") struct Club: Codable, FetchableRecord, PersistableRecord, Hashable {
    static let databaseTableName = "teams"
    var id: Int64
    var name: String
    static let calls = Locked<[String]>([])
    func willInsert(_ db: Database) throws { Self.calls.withLock { $0.append("insert") } }
    func willUpdate(_ db: Database, columns: Set<String>) throws {
        Self.calls.withLock { $0.append("update") }
    }
    func didDelete(deleted: Bool) { Self.calls.withLock { $0.append("delete") } }
}

@Suite(.serialized) struct TwoLayersTests {
    let fixture: FixtureDatabase
    let queue: DatabaseQueue

    init() throws {
        fixture = try FixtureDatabase()
        queue = try fixture.open()
        try queue.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE teams (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
                    CREATE TABLE player (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE,
                        score INTEGER NOT NULL, teamID INTEGER REFERENCES teams);
                    INSERT INTO teams VALUES (1, 'red');
                    INSERT INTO player VALUES (1, 'Ada', 3, 1), (2, 'Bo', 5, NULL);
                    """)
        }
    }

    @Test(.proves("NAM-005"))
    func `what both layers have is the typed one, unless the context asks for the other`() throws {
        try queue.read { db in
            let all = try Athlete.fetchAll(db)
            let one = try Athlete.fetchOne(db)
            let set = try Athlete.fetchSet(db)
            let count = try Athlete.fetchCount(db)
            let found = try Athlete.find(db, key: 1)
            let exists = try Athlete.exists(db, key: 2)
            let first = try Athlete.limit(1).fetchAll(db)
            let ordered = try Athlete.order(by: \.name).fetchAll(db)
            let names = try Athlete.select(\.name).fetchAll(db)
            let cursor = try Athlete.fetchCursor(db)
            var fromCursor: [Athlete] = []
            while let athlete = try cursor.next() { fromCursor.append(athlete) }
            #expect(all.count == 2 && one == all[0] && set == Set(all) && count == 2)
            #expect(found == all[0] && exists && first == [all[0]] && fromCursor == all)
            #expect(ordered == all && names == ["Ada", "Bo"])
            let isTyped: QueryCursor<Athlete> = cursor
            #expect(try isTyped.next() == nil)
            // The same by the other layer.
            let request: QueryInterfaceRequest<Athlete> = Athlete.all()
            let limited: QueryInterfaceRequest<Athlete> = Athlete.limit(1)
            let sorted: QueryInterfaceRequest<Athlete> = Athlete.order { $0.name }
            let selected: QueryInterfaceRequest<Athlete> = Athlete.select { $0.name }
            let records = try request.fetchAll(db)
            #expect(records == all)
            let firstRecord = try limited.fetchAll(db)
            let sortedRecords = try sorted.fetchAll(db)
            let recordNames = try String.fetchAll(db, selected)
            #expect(firstRecord == first && sortedRecords == ordered && recordNames == names)
            let missing = try Athlete.exists(db, key: 9)
            #expect(!missing)
            #expect(throws: (any Error).self) { try Athlete.find(db, key: 9) }
        }
    }

    @Test(.proves("NAM-011"))
    func `callbacks and conflict policies are those of record methods alone`() throws {
        Club.calls.withLock { $0 = [] }
        try queue.write { db in
            try Club.insert { Club(id: 2, name: "blue") }.execute(db)
            try Club.update(Club(id: 2, name: "green")).execute(db)
            try Club.delete(Club(id: 2, name: "green")).execute(db)
            #expect(Club.calls.withLock { $0 } == [])
            let club = Club(id: 3, name: "blue")
            try club.insert(db)
            try club.update(db)
            try club.delete(db)
            #expect(Club.calls.withLock { $0 } == ["insert", "update", "delete"])
            let same = Athlete(id: 3, name: "Ada")
            #expect(throws: DatabaseError.self) { try Athlete.insert { same }.execute(db) }
            #expect(!Athlete.insert { same }.debugSQL.contains("REPLACE"))
            try same.insert(db)
            let ids = try Athlete.order(by: \.id).select(\.id).fetchAll(db)
            #expect(ids == [2, 3])
        }
    }

    @Test(.proves("NAM-013"))
    func `columns of one layer stand in queries of the other`() throws {
        try queue.read { db in
            let records = try Athlete.filter { _ in Column(Athlete.name) == "Bo" }.fetchAll(db)
            #expect(records.map(\.id) == [2])
            let request = Athlete.filter(Column(Athlete.score) > 3).order(Column(Athlete.name).desc)
            #expect(try request.fetchAll(db).map(\.id) == [2])
            let typed = Athlete.where { #sql("\(Column("score"))", as: Int64.self) > $0.id }
            #expect(try typed.fetchCount(db) == 2)
            let names = try Athlete.select { _ in #sql("\(Column("name"))", as: String.self) }
                .order(by: \.id).fetchAll(db)
            #expect(names == ["Ada", "Bo"])
        }
    }

    @Test(.proves("NAM-014"))
    func `one observation watches what both layers read and write`() async throws {
        let observation = ValueObservation.tracking { db in
            let typed = try Athlete.where { $0.score > 4 }.select(\.name).fetchAll(db)
            let records = try Athlete.filter { $0.score <= 4 }.fetchCount(db)
            return typed + ["\(records)"]
        }
        var values = observation.values(in: queue).makeAsyncIterator()
        #expect(try await values.next() == ["Bo", "1"])
        try await queue.write { try Athlete.find(1).update { $0.score = 9 }.execute($0) }
        #expect(try await values.next() == ["Ada", "Bo", "0"])
        try await queue.write { db in
            _ = try Athlete.filter { $0.name == "Bo" }.deleteAll(db)
        }
        #expect(try await values.next() == ["Ada", "0"])
        let regions = try await queue.read { db in
            (
                try Athlete.where { $0.score > 4 }.select(\.name).databaseRegion(db),
                try Athlete.filter { $0.score > 4 }.select { $0.name }.databaseRegion(db)
            )
        }
        #expect(regions.0 == regions.1)
    }
}
