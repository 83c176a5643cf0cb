import Foundation
import StrongroomTables

@Table struct Chore: Identifiable, Hashable, Codable {
    let id: Int
    var title = ""
    var isDone = false
    var effort: Effort?
    @Column(as: Date.UnixTimeRepresentation.self) var due: Date?
    var place: Place
    var personID: Person.ID?

    static let open = Self.where { !$0.isDone }

    /// What an app computes of a row.
    var summary: String { "\(title) (\(place.room))" }
}

enum Effort: Int, QueryBindable, Codable { case low = 1, high }

@Selection struct Place: Hashable, Codable {
    var room = "kitchen"
    var floor = 0
}

@Table("people") struct Person: Identifiable {
    let id: UUID
    var name: String
}

@Selection struct Load: Hashable {
    let name: String
    let chores: Int
}

@Table struct ChoreText: FullTextTable { var title = "" }

/// SQLite calls it on whatever thread: not isolated, also where all else is on the main actor.
@DatabaseFunction nonisolated func shout(_ text: String) -> String { text.uppercased() + "!" }

/// What a model fetches by several queries.
struct Totals: FetchKeyRequest {
    struct Value: Equatable {
        var open = 0
        var titles: [String] = []
    }

    var room: String?

    func fetch(_ db: Database) throws -> Value {
        let chores = Chore.where { chore in
            if let room { chore.place.room.eq(room) }
        }
        return Value(
            open: try chores.where { !$0.isDone }.fetchCount(db),
            titles: try chores.order(by: \.title).select(\.title).fetchAll(db))
    }
}

func makeTables(_ database: any DatabaseWriter) throws {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("first") { db in
        try db.execute(
            sql: """
                CREATE TABLE people (id TEXT PRIMARY KEY, name TEXT NOT NULL);
                CREATE TABLE chores (
                    id INTEGER PRIMARY KEY, title TEXT NOT NULL, isDone INTEGER NOT NULL DEFAULT 0,
                    effort INTEGER, due INTEGER, room TEXT NOT NULL, floor INTEGER NOT NULL,
                    personID TEXT REFERENCES people);
                CREATE VIRTUAL TABLE choreTexts USING fts5(title);
                """)
    }
    try migrator.migrate(database)
}
