import StrongroomTables
import StrongroomTestSupport
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A ship, with one property of each kind that a schema tells apart.
@Table struct Ship: Identifiable {
    let id: Int
    var name = ""
    @Column("due_at") var due: Date?
    @Column(as: Date.UnixTimeRepresentation.self) var builtAt: Date
    @Column(as: [String].JSONRepresentation.self) var flags: [String]
    var mooring: Mooring
    @Column(generated: .stored) let label: String?
    @Column(lazyInitializable: true) var token: UUID

    static let sql = """
        CREATE TABLE ships (
            id INTEGER PRIMARY KEY, name TEXT NOT NULL, due_at TEXT, builtAt INTEGER NOT NULL,
            flags TEXT NOT NULL, berth TEXT NOT NULL, depth REAL,
            label TEXT GENERATED ALWAYS AS (upper(name)) STORED,
            token TEXT NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000')
        """
}
@Selection struct Mooring: Hashable {
    var berth = "A"
    var depth: Double?
}

/// The table that most comparisons are about.
@Table struct Crate: Identifiable {
    let id: Int
    var name: String
    var due: Date?

    static let sql = "CREATE TABLE crates (id INTEGER PRIMARY KEY, name TEXT NOT NULL, due TEXT)"
}
@Table("crates") struct CrateOfLot: Identifiable {
    @Selection struct ID: Hashable {
        let lot: Int
        let number: Int
    }
    let id: ID
    var name: String
}
@Table("crates") struct CrateWithUUID: Identifiable {
    let id: UUID
    @Column(as: UUID.BytesRepresentation.self) var owner: UUID?
    @Column(as: Date.UnixTimeRepresentation.self) var due: Date?
}
@Table("crates") struct CrateWithTotal: Identifiable {
    let id: Int
    @Column(generated: .virtual) let total: Int?
}
@Table("crates") struct CrateWithPrice: Identifiable {
    let id: Int
    var total: Int?
    @Column(lazyInitializable: true) var price: Double
}
@Table("crates", .view) struct CrateView { let name: String? }
@Table("crates", withoutRowID: true) struct CrateWithoutRowID: Identifiable {
    let id: Int
    var name: String
}
@Table("crates") struct CrateTwice: Identifiable {
    let id: Int
    var depth: Double?
    var mooring: Mooring
}
@Table struct Seal: Identifiable {
    let id: Int
    @Column("crate_id") var crateID: Crate.ID
    @Column("owner_id") var ownerID: String?
}
@Table struct Owner: Identifiable { let id: UUID }
@Table struct Notice: FullTextTable {
    var title = ""
    var body = ""
}
@Table("notices") struct KeylessNotice {
    var title = ""
    var body = ""
}
@Table("notices") struct NumberedNotice: FullTextTable {
    let rowid: Int
    var title = ""
    var body = ""
}
/// Documents that may be missing, in each form of their declaration.
@Table struct Manifest: Identifiable {
    typealias Marks = [String]?
    let id: Int
    @Column(as: [String]?.JSONRepresentation.self) var goods: [String]?
    @Column(as: [Int].JSONBRepresentation.self) var weights: [Int]?
    @Column(as: JSONBOf<[Int]?>.self) var counts: [Int]?
    @Column(as: Marks.JSONRepresentation.self) var marks: Marks
    @Column(as: [Int?].JSONRepresentation.self) var gaps: [Int?]
}
@Table("spare", schema: "aux") struct Spare: Identifiable {
    let id: Int
    var count: Int
}

/// All tables of the app, as the contract's one-line test has them.
enum HarbourTables {
    static let all: [any StrongroomTables.Table.Type] = [Ship.self, Crate.self]
}

/// A new encrypted database, with its folder.
struct SchemaDatabase {
    private let fixture: FixtureDatabase
    let queue: DatabaseQueue

    init(_ sql: String = "") throws {
        fixture = try FixtureDatabase()
        queue = try fixture.open()
        try queue.write { try $0.execute(sql: sql) }
    }

    func read<Result>(_ body: (Database) throws -> Result) throws -> Result {
        try queue.read(body)
    }
}

/// A database that differs from some types, what the check says of it, and what is left of that
/// after the printed statements.
struct SchemaCase: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let sql: String
    let types: [any StrongroomTables.Table.Type]
    let found: [String]
    /// Whether the statements leave nothing of it.
    var isRepaired = true
    /// What they leave besides.
    var remaining: [String] = []
    /// A query after the repair, and what it gives.
    var rows: (query: String, result: [String])?

    /// Compares, then repairs in a migration of a new database: each mismatch alone, then all.
    func check(_ location: SourceLocation = #_sourceLocation) throws {
        let database = try SchemaDatabase(sql)
        let mismatches = try database.read { try $0.mismatches(of: types) }
        #expect(mismatches.map(\.description) == found, sourceLocation: location)
        for mismatch in mismatches where !mismatch.repair.isEmpty {
            let left = try repaired(by: mismatch.repair).read { try $0.mismatches(of: types) }
            let isLeft = left.contains { $0.kind == mismatch.kind && $0.column == mismatch.column }
            #expect(!isLeft, "\(mismatch.repair)", sourceLocation: location)
        }
        let whole = try repaired(by: mismatches.repair)
        try whole.read { db in
            let left = try db.mismatches(of: types, sampling: 10)
            let expected = isRepaired ? remaining : found
            #expect(left.map(\.description) == expected, sourceLocation: location)
            #expect(left.repair.isEmpty, sourceLocation: location)
            guard let rows else { return }
            let result = try Row.fetchAll(db, sql: rows.query).map { row in
                row.databaseValues.map(\.description).joined(separator: " ")
            }
            #expect(result == rows.result, sourceLocation: location)
        }
    }

    private func repaired(by statements: [String]) throws -> SchemaDatabase {
        let database = try SchemaDatabase(sql)
        var migrator = DatabaseMigrator()
        migrator.registerMigration("repair") { db in
            for statement in statements { try db.execute(sql: statement) }
        }
        try migrator.migrate(database.queue)
        return database
    }
}
