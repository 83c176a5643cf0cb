import Foundation
import Strongroom

// What the calls work on: declared as an app declares it that has a default isolation.

nonisolated struct Team: Codable, Hashable, Identifiable, FetchableRecord, PersistableRecord {
    var id: Int64
    var name: String

    static let players = hasMany(Player.self)

    nonisolated enum Columns {
        static let id = Column(CodingKeys.id)
        static let name = Column(CodingKeys.name)
    }
}

nonisolated struct Player: Codable, Hashable, Identifiable, FetchableRecord {
    var id: Int64?
    var teamId: Int64?
    var name: String
    var score = 0

    static let team = belongsTo(Team.self)

    nonisolated enum Columns {
        static let id = Column(CodingKeys.id)
        static let name = Column(CodingKeys.name)
        static let score = Column(CodingKeys.score)
    }
}

nonisolated extension Player: MutablePersistableRecord {
    mutating func didInsert(_ inserted: InsertionSuccess) {
        id = inserted.rowID
    }

    func aroundInsert(_ db: Database, insert: () throws -> InsertionSuccess) throws {
        _ = try insert()
    }

    func aroundUpdate(
        _ db: Database, columns: Set<String>, update: () throws -> PersistenceSuccess
    ) throws {
        _ = try update()
    }

    func aroundSave(_ db: Database, save: () throws -> PersistenceSuccess) throws {
        _ = try save()
    }

    func aroundDelete(_ db: Database, delete: () throws -> Bool) throws {
        _ = try delete()
    }
}

/// What a call gave that it should not have given.
nonisolated struct Wrong: Error {
    let what: String
}

nonisolated func expect(_ isRight: Bool, _ what: String) throws {
    if !isRight { throw Wrong(what: what) }
}

nonisolated func makeMigrator() -> DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.beforeEachMigration { _, _ in }
    migrator.afterEachMigration { _, _ in }
    migrator.registerMigration("tables") { db in
        try db.create(table: "team") { table in
            table.primaryKey("id", .integer)
            table.column("name", .text).notNull().check { $0 != "" }
        }
        try db.create(table: "player") { table in
            table.autoIncrementedPrimaryKey("id")
            table.belongsTo("team")
            table.column("name", .text).notNull()
            table.column("score", .integer).notNull().defaults(to: 0)
        }
        try db.create(table: "seat") { table in
            table.primaryKey {
                table.column("line", .integer)
                table.column("place", .integer)
            }
        }
    }
    migrator.registerMigration("more", merging: ["old"]) { db, _ in
        try db.alter(table: "team") { $0.add(column: "motto", .text) }
    }
    return migrator
}

/// A tokenizer around one of SQLite's.
nonisolated final class LongWordTokenizer: FTS5WrapperTokenizer {
    static let name = "longwords"
    let wrappedTokenizer: any FTS5Tokenizer

    init(db: Database, arguments: [String]) throws {
        wrappedTokenizer = try db.makeTokenizer(.unicode61())
    }

    func accept(
        token: String, flags: FTS5TokenFlags, for tokenization: FTS5Tokenization,
        tokenCallback: (String, FTS5TokenFlags) throws -> Void
    ) throws {
        if token.count > 2 { try tokenCallback(token, flags) }
    }
}
