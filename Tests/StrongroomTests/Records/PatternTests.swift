import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

/// Patterns of the manual, as apps write them.
@Suite struct PatternTests {
    let fixture: FixtureDatabase
    let queue: DatabaseQueue

    init() throws {
        fixture = try FixtureDatabase()
        queue = try fixture.open()
    }

    struct Player: Codable, TimestampedRecord, FetchableRecord {
        var id: Int64?
        var creationDate: Date?
        var modificationDate: Date?
        var name: String
        var score: Int

        mutating func willInsert(_ db: Database) throws { try initializeTimestamps(db) }
        mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
    }

    @Test(.proves("REC-068", "REC-045", "UTL-011"))
    func `Records carry the dates of their changes`() throws {
        try queue.writeWithoutTransaction { db throws in
            try db.execute(
                sql: """
                    CREATE TABLE player(id INTEGER PRIMARY KEY, creationDate DATETIME NOT NULL,
                        modificationDate DATETIME NOT NULL, name TEXT, score INT)
                    """)
            var player = Player(name: "Arthur", score: 1)
            try db.inTransaction {
                try player.insert(db)
                #expect(try player.creationDate == db.transactionDate)
                #expect(player.modificationDate == player.creationDate)
                return .commit
            }
            let dates = (player.creationDate, player.modificationDate)
            player.score = 2
            try player.update(db)
            #expect(player.modificationDate == dates.1)
            let later = Date(timeIntervalSince1970: 5_000_000_000)
            try player.updateWithTimestamp(db, modificationDate: later)
            #expect(try Player.find(db, key: player.id).modificationDate == later)
            #expect(try !player.updateChangesWithTimestamp(db) { $0.score = 2 })
            let latest = later.addingTimeInterval(1)
            #expect(
                try player.updateChangesWithTimestamp(db, modificationDate: latest) {
                    $0.score = 3
                })
            #expect(player.modificationDate == latest && player.creationDate == dates.0)
            try player.touch(db, modificationDate: later)
            let touched = try Player.find(db, key: player.id)
            #expect(touched.modificationDate == later && touched.score == 3)
        }
    }

    struct AppConfiguration: Codable, Equatable {
        private var id = 1
        var text: String

        static let `default` = AppConfiguration(text: "default")

        init(text: String) { self.text = text }
    }

    @Test(.proves("REC-070", "REC-056")) func `A table may have a single row`() throws {
        try queue.write { db throws in
            try db.execute(
                sql: """
                    CREATE TABLE appConfiguration(
                        id INTEGER PRIMARY KEY ON CONFLICT REPLACE CHECK (id = 1), text TEXT)
                    """)
            var config = try AppConfiguration.find(db)
            #expect(config == .default)
            let updates: [(String, (AppConfiguration) throws -> Void)] = [
                ("update", { try $0.update(db) }), ("insert", { try $0.insert(db) }),
                ("save", { try $0.save(db) }), ("upsert", { try $0.upsert(db) }),
            ]
            for (name, write) in updates {
                try AppConfiguration.deleteAll(db)
                config.text = name
                try write(config)
                #expect(try AppConfiguration.find(db).text == name)
                config.text = "again"
                try write(config)
                #expect(try AppConfiguration.fetchAll(db).map(\.text) == ["again"])
            }
            try AppConfiguration.deleteAll(db)
            var other = AppConfiguration.default
            #expect(try other.updateChanges(db) { $0.text = "changed" })
            #expect(try AppConfiguration.find(db).text == "changed")
        }
    }

    /// Columns that are private, and Swift types for them.
    struct Place: Codable, FetchableRecord, PersistableRecord {
        private var latitude: Double
        private var longitude: Double
        private var priceInCents: Int
        private var level: String

        var coordinate: (Double, Double) {
            get { (latitude, longitude) }
            set { (latitude, longitude) = newValue }
        }
        var price: Decimal { Decimal(priceInCents) / 100 }
        var isHigh: Bool {
            get { level == "high" }
            set { level = newValue ? "high" : "low" }
        }

        init(_ coordinate: (Double, Double), cents: Int) {
            (latitude, longitude) = coordinate
            (priceInCents, level) = (cents, "low")
        }
    }

    @Test(.proves("REC-071")) func `Columns may hide behind Swift types`() throws {
        try queue.write { db throws in
            try db.execute(sql: "CREATE TABLE place(latitude, longitude, priceInCents INT, level)")
            var place = Place((1, 2), cents: 199)
            place.isHigh = true
            try place.insert(db)
            let fetched = try #require(try Place.fetchOne(db))
            #expect(fetched.coordinate == (1, 2) && fetched.isHigh)
            #expect(fetched.price == Decimal(string: "1.99"))
        }
    }

    @Test(.proves("REC-072")) func `Requests get methods of one's own`() throws {
        try queue.write { db throws in
            try db.execute(sql: "CREATE TABLE place(latitude, longitude, priceInCents INT, level)")
            for cents in [2, 3, 1] { try Place((0, Double(cents)), cents: cents).insert(db) }
            let places = try Place.all().orderedByPrice().fetchAll(db)
            #expect(places.map(\.coordinate.1) == [1, 2, 3])
            #expect(try Place.all().orderedByPrice().prices().fetchAll(db) == [1, 2, 3])
        }
    }

    @Test(.proves("REC-074", "CMP-32")) func `A view is a table too`() throws {
        struct Source: DatabaseSchemaSource {
            func columnsForPrimaryKey(_ db: Database, inView view: DatabaseObjectID) -> [String]? {
                view.name == "person" ? ["id"] : nil
            }
        }
        struct Person: Codable, Equatable, FetchableRecord, PersistableRecord {
            var id: Int
            var name: String
        }
        try queue.write { db throws in
            try db.execute(
                sql: """
                    CREATE TABLE base(id INTEGER PRIMARY KEY, name TEXT);
                    CREATE VIEW person AS SELECT * FROM base;
                    CREATE TRIGGER adding INSTEAD OF INSERT ON person BEGIN
                        INSERT INTO base VALUES (NEW.id, NEW.name); END;
                    CREATE TRIGGER changing INSTEAD OF UPDATE ON person BEGIN
                        UPDATE base SET name = NEW.name WHERE id = OLD.id; END;
                    CREATE TRIGGER removing INSTEAD OF DELETE ON person BEGIN
                        DELETE FROM base WHERE id = OLD.id; END;
                    """)
            try Person(id: 1, name: "Arthur").insert(db)
            #expect(try Person.fetchAll(db) == [Person(id: 1, name: "Arthur")])
            #expect(try Person.fetchCount(db) == 1)
            #expect(throws: DatabaseError.self) { try Person.fetchOne(db, key: 1) }
            #expect(throws: DatabaseError.self) { try Person(id: 1, name: "").update(db) }
            try db.withSchemaSource(Source()) {
                #expect(try Person.fetchOne(db, key: 1)?.name == "Arthur")
                try Person(id: 1, name: "Barbara").update(db)
                try Person(id: 2, name: "Craig").save(db)
                #expect(throws: RecordError.self) { try Person(id: 3, name: "").update(db) }
                #expect(try Person.fetchAll(db).map(\.name) == ["Barbara", "Craig"])
                #expect(try Person(id: 1, name: "").delete(db))
                #expect(try !Person(id: 1, name: "").delete(db))
                #expect(try Person.updateAll(db, [Column("name").set(to: "Daisy")]) == 1)
                #expect(try Person.deleteOne(db, key: 2))
                #expect(try !Person.deleteOne(db, key: 2))
                for id in 4...6 { try Person(id: id, name: "").insert(db) }
                #expect(try Person.deleteAll(db) == 3)
                #expect(try Person.deleteAll(db) == 0)
            }
        }
    }
}

/// A record with the dates of its insertion and its last change.
protocol TimestampedRecord: MutablePersistableRecord {
    var creationDate: Date? { get set }
    var modificationDate: Date? { get set }
}

extension TimestampedRecord {
    mutating func initializeTimestamps(_ db: Database) throws {
        if creationDate == nil { creationDate = try db.transactionDate }
        if modificationDate == nil { modificationDate = try db.transactionDate }
    }

    mutating func updateWithTimestamp(_ db: Database, modificationDate: Date? = nil) throws {
        self.modificationDate = try modificationDate ?? db.transactionDate
        try update(db)
    }

    mutating func updateChangesWithTimestamp(
        _ db: Database, modificationDate: Date? = nil, modify: (inout Self) -> Void
    ) throws -> Bool {
        let former = self
        modify(&self)
        if try databaseChanges(from: former).isEmpty { return false }
        self.modificationDate = try modificationDate ?? db.transactionDate
        return try updateChanges(db, from: former)
    }

    mutating func touch(_ db: Database, modificationDate: Date? = nil) throws {
        self.modificationDate = try modificationDate ?? db.transactionDate
        try update(db, columns: ["modificationDate"])
    }
}

extension DerivableRequest<PatternTests.Place> {
    func orderedByPrice() -> Self { order(Column("priceInCents")) }
}

extension QueryInterfaceRequest<PatternTests.Place> {
    func prices() -> QueryInterfaceRequest<Int> { select(Column("priceInCents")) }
}

extension PatternTests.AppConfiguration: FetchableRecord, PersistableRecord {
    func willUpdate(_ db: Database, columns: Set<String>) throws {
        if try !exists(db) { try Self.default.insert(db) }
    }

    static func find(_ db: Database) throws -> Self {
        try fetchOne(db) ?? .default
    }
}
