import Foundation
import StrongroomTables
import StrongroomTestSupport
import Testing

@Table private struct Buoy: Equatable {
    let id: UUID
    var name = ""
}

@Table private struct Tide: Equatable {
    let id: Date
    var height = 0.0
}

@Selection private struct QuayPlace: Hashable {
    var quay: String
    var number: Int
}

@Table private struct Boat: Equatable {
    @Column(primaryKey: true) let id: QuayPlace
    var name = ""
}

/// Statements by keys that are no integers: their texts are made once for each type, too.
@Suite struct KeptKeysTests {
    let fixture: FixtureDatabase
    let queue: DatabaseQueue
    private let ids = (0..<3).map { _ in UUID() }
    private let days = (0..<3).map { Date(timeIntervalSince1970: 86_400 * Double($0)) }
    private let places = [("east", 1), ("east", 2), ("west", 1)].map {
        QuayPlace(quay: $0, number: $1)
    }

    init() throws {
        fixture = try FixtureDatabase()
        queue = try fixture.open()
        try queue.write { [ids, days, places] db in
            try db.execute(
                sql: """
                    CREATE TABLE buoys (id TEXT PRIMARY KEY, name TEXT NOT NULL);
                    CREATE TABLE tides (id TEXT PRIMARY KEY, height REAL NOT NULL);
                    CREATE TABLE boats (quay TEXT, number INTEGER, name TEXT NOT NULL,
                        PRIMARY KEY (quay, number))
                    """)
            for index in 0..<3 {
                try Buoy.insert { Buoy(id: ids[index], name: "b\(index)") }.execute(db)
                try Tide.insert { Tide(id: days[index], height: Double(index)) }.execute(db)
                try Boat.insert { Boat(id: places[index], name: "s\(index)") }.execute(db)
            }
        }
    }

    @Test(.proves("RUN-022"))
    func `finds by a UUID, a date or several columns take another key each time`() throws {
        try queue.write { (db) throws in
            for _ in 0..<2 {
                for index in 0..<3 {
                    #expect(try Buoy.find(ids[index]).fetchOne(db)?.name == "b\(index)")
                    #expect(try Tide.find(days[index]).fetchOne(db)?.height == Double(index))
                    #expect(try Boat.find(places[index]).fetchOne(db)?.name == "s\(index)")
                }
                #expect(try Buoy.find(UUID()).fetchOne(db) == nil)
                #expect(try Tide.find(.distantPast).fetchOne(db) == nil)
                #expect(try Boat.find(QuayPlace(quay: "west", number: 2)).fetchOne(db) == nil)
            }
        }
    }

    @Test(.proves("RUN-022"))
    func `updates and deletes by such keys change their row alone`() throws {
        try queue.write { (db) throws in
            for index in 0..<2 {
                try Buoy.find(ids[index]).update { $0.name = "new\(index)" }.execute(db)
                try Tide.update(Tide(id: days[index], height: 7)).execute(db)
                try Boat.update(Boat(id: places[index], name: "new\(index)")).execute(db)
            }
            #expect(try names(db) == ["new0", "new1", "b2"])
            #expect(try Tide.order(by: \.id).fetchAll(db).map(\.height) == [7, 7, 2])
            #expect(try Boat.order(by: \.name).fetchAll(db).map(\.name) == ["new0", "new1", "s2"])
            try Buoy.find(ids[1]).delete().execute(db)
            try Tide.delete(Tide(id: days[1])).execute(db)
            try Boat.delete().find(places[1]).execute(db)
            #expect(try names(db) == ["new0", "b2"])
            #expect(try Tide.fetchAll(db).map(\.id) == [days[0], days[2]])
            #expect(try Boat.fetchAll(db).map(\.id) == [places[0], places[2]])
        }
    }

    private func names(_ db: Database) throws -> [String] {
        try ids.compactMap { try Buoy.find($0).fetchOne(db)?.name }
    }

    @Test(.proves("RUN-022"))
    func `a query that has more than such a key is another one`() throws {
        try queue.read { (db) throws in
            #expect(try Buoy.find(ids[0]).fetchOne(db)?.name == "b0")
            #expect(try Buoy.find(ids[0]).where { $0.name.eq("b1") }.fetchOne(db) == nil)
            #expect(try Buoy.find(ids[0]).find(ids[1]).fetchOne(db) == nil)
            #expect(try Buoy.find(ids[0]).not().order(by: \.name).fetchOne(db)?.name == "b1")
            #expect(try Buoy.find(ids[0]).or(Buoy.find(ids[1])).fetchCount(db) == 2)
            #expect(try Buoy.find(ids[0]).select(\.name).fetchOne(db) == "b0")
            #expect(try Boat.find(places[0]).fetchOne(db)?.name == "s0")
            #expect(try Boat.find(places[0]).where { $0.name.eq("s1") }.fetchOne(db) == nil)
            #expect(try Boat.find(places[0]).find(places[1]).fetchOne(db) == nil)
            #expect(try Boat.find([places[0], places[2]]).fetchCount(db) == 2)
            #expect(try Boat.find(places[0]).fetchOne(db)?.name == "s0")
        }
    }

    @Test
    func `an array of rows of which some write other columns is written whole`() throws {
        try queue.write { (db) throws in
            try db.execute(sql: "CREATE TABLE piers (id INTEGER PRIMARY KEY, name TEXT, at TEXT)")
            let drafts = [
                Pier.Draft(name: "a", at: days[1]), Pier.Draft(name: "b"),
                Pier.Draft(id: 9, name: "c", at: days[2]), Pier.Draft(name: "d"),
            ]
            try Pier.insert { drafts }.execute(db)
            try Pier.insert {
                [Pier(id: 20, name: "e"), Pier(id: 21, name: "f", at: days[0])]
                Pier(id: 22, name: "g")
                [Pier.Draft(name: "h"), Pier.Draft(name: "i")]
                [Pier]()
            }.execute(db)
            let piers = try Pier.order(by: \.id).fetchAll(db)
            #expect(piers.map(\.name).joined() == "abcdefghi")
            #expect(piers.map(\.id) == [1, 2, 9, 10, 20, 21, 22, 23, 24])
            #expect(piers.map(\.at) == [days[1], nil, days[2], nil, nil, days[0], nil, nil, nil])
        }
    }
}

@Table private struct Pier: Equatable {
    let id: Int
    var name = ""
    var at: Date?
}
