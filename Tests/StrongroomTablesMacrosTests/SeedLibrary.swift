import Foundation
import StrongroomTables
import StrongroomTestSupport
import Testing

// A library that lends seeds: tables as a user declares them.

@Table struct Trait: Identifiable, Equatable {
    @Column(primaryKey: true) let code: String
    var label = ""
    var id: String { code }
}

@Table struct Taxon: Identifiable, Equatable {
    let id: Int
    var name = ""
    var rank: Rank = .species
    var parentID: Int?
}
enum Rank: String, QueryBindable { case family, genus, species, high }

@Table struct Packet: Identifiable, Equatable, Sendable {
    let id: Int
    var seeds = 0
    var grams: Double?
    var place = Place()
    var test: Germination?
    @Column(generated: .stored) let seedsPerGram: Double?
    @Column("created_at", lazyInitializable: true) var createdAt: Date
    @Ephemeral var isOpen = false
    static let stocked = Self.where { $0.seeds > 0 }
}
@Selection struct Place: Hashable, Sendable {
    var shelf = "A"
    var box = 1
}
@Selection struct Germination: Hashable, Sendable {
    let sown: Int
    var sprouted: Int?
}
extension Packet.TableColumns {
    var isHeavy: some QueryExpression<Bool?> { grams > 5.0 }
}

@Table(withoutRowID: true) struct Trial: Equatable {
    @Selection struct ID: Hashable {
        let variety: Int
        let year: Int
    }
    let id: ID
    var score: Int?
    var plot = ""
}

@Table struct Member: Identifiable, Equatable {
    let id: Int
    var name = ""
    var email = ""
    @Column(as: Date.UnixTimeRepresentation.self) var joined = Date(timeIntervalSince1970: 0)
    var points = 0
    static let all = Self.where { $0.points >= 0 }
}

@Table struct Event: Identifiable, Equatable {
    let id: Int
    var packetID: Int?
    var kind: Kind
}
@Selection enum Kind: Hashable {
    case note(String = "")
    case loan(copies: Int)
    case place(Place)
    @Column("isLost") case lost
}

extension Taxon.Draft: Equatable, Identifiable {}

/// An encrypted database with these tables.
struct SeedLibrary {
    let fixture: FixtureDatabase
    let queue: DatabaseQueue

    init() throws {
        fixture = try FixtureDatabase()
        queue = try fixture.open()
        try queue.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE traits (code TEXT PRIMARY KEY NOT NULL, label TEXT NOT NULL);
                    CREATE TABLE taxons (id INTEGER PRIMARY KEY, name TEXT NOT NULL,
                        rank TEXT NOT NULL, parentID INTEGER);
                    CREATE TABLE packets (id INTEGER PRIMARY KEY, seeds INTEGER NOT NULL,
                        grams REAL, shelf TEXT NOT NULL DEFAULT 'A', box INTEGER NOT NULL DEFAULT 1,
                        sown INTEGER, sprouted INTEGER,
                        seedsPerGram REAL GENERATED ALWAYS AS (seeds / grams) STORED,
                        created_at TEXT NOT NULL DEFAULT '2026-01-01 00:00:00.000');
                    CREATE TABLE trials (variety INTEGER NOT NULL, year INTEGER NOT NULL,
                        score INTEGER, plot TEXT NOT NULL, PRIMARY KEY (variety, year))
                        WITHOUT ROWID;
                    CREATE TABLE members (id INTEGER PRIMARY KEY, name TEXT NOT NULL,
                        email TEXT NOT NULL UNIQUE, joined INTEGER NOT NULL,
                        points INTEGER NOT NULL);
                    CREATE TABLE events (id INTEGER PRIMARY KEY, packetID INTEGER,
                        note TEXT, copies INTEGER, shelf TEXT, box INTEGER, isLost INTEGER);
                    INSERT INTO traits VALUES ('hot', 'Hot'), ('odd', 'Odd ''one''');
                    INSERT INTO taxons VALUES (1, 'Solanaceae', 'family', NULL),
                        (2, 'Capsicum', 'genus', 1);
                    INSERT INTO packets (id, seeds, grams, shelf, box, sown, sprouted) VALUES
                        (1, 120, 2.0, 'A', 1, 10, 9), (2, 0, NULL, 'B', 2, NULL, NULL),
                        (3, 40, 8.0, 'B', 3, 5, NULL);
                    INSERT INTO trials VALUES (1, 2024, 9, 'east'), (2, 2024, NULL, 'west');
                    INSERT INTO members VALUES (1, 'Ada', 'ada@seeds.example', 0, 40),
                        (2, 'Bo', 'bo@seeds.example', 0, -1);
                    """)
        }
    }

    /// Compares the canonical SQL, runs the statement, and gives what a query tells afterwards.
    func run<S: StrongroomTables.ChangingStatement>(
        _ statement: S, _ sql: String, then query: String = "",
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> [[String]] {
        #expect(statement.debugSQL == sql, sourceLocation: sourceLocation)
        return try queue.write { db in
            try statement.execute(db)
            return query.isEmpty ? [] : try rows(query, db)
        }
    }

    /// Compares the canonical SQL, and gives the rows.
    func fetch<S: StrongroomTables.Statement>(
        _ statement: S, _ sql: String, sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> [S.Row] {
        #expect(statement.debugSQL == sql, sourceLocation: sourceLocation)
        return try queue.write { try statement.fetchAll($0) }
    }

    func rows(_ sql: String, _ db: Database) throws -> [[String]] {
        try Row.fetchAll(db, sql: sql).map { row in
            row.databaseValues.map { $0.isNull ? "NULL" : String.fromDatabaseValue($0) ?? "\($0)" }
        }
    }
}
