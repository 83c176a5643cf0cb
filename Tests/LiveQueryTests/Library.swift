import Foundation
import Observation
import StrongroomTables
import StrongroomTestSupport
import Testing

@Table struct Folder: Identifiable, Hashable {
    let id: Int
    var title = ""
}

@Table struct Item: Identifiable, Hashable {
    let id: Int
    var title = ""
    var isDone = false
    var stars: Int?
    var note: String?
    var folderID: Folder.ID

    static let open = Self.where { !$0.isDone }
}

@Table("marks") struct Mark: Hashable {
    var name = ""
}

@Selection struct Count: Hashable {
    var title = ""
    var items = 0
}

/// An encrypted database of items in two folders.
struct Library {
    let fixture: FixtureDatabase
    let database: any DatabaseWriter

    init(_ kind: Kind = .queue) throws {
        fixture = try FixtureDatabase()
        database =
            switch kind {
            case .queue: try fixture.open()
            case .pool:
                try DatabasePool(
                    path: fixture.path, configuration: FixtureDatabase.configuration())
            }
        try database.write { db in try Self.fill(db) }
    }

    enum Kind: CaseIterable { case queue, pool }

    static func fill(_ db: Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE folders (id INTEGER PRIMARY KEY, title TEXT NOT NULL);
                CREATE TABLE items (id INTEGER PRIMARY KEY, title TEXT NOT NULL,
                    isDone INTEGER NOT NULL DEFAULT 0, stars INTEGER, note TEXT,
                    folderID INTEGER NOT NULL REFERENCES folders(id));
                CREATE TABLE marks (name TEXT NOT NULL);
                INSERT INTO folders VALUES (1, 'home'), (2, 'work');
                INSERT INTO items VALUES (1, 'tea', 0, 3, NULL, 1), (2, 'rice', 1, NULL, '', 1),
                    (3, 'mail', 0, 5, 'x', 2);
                """)
    }

    /// A database in memory, for tests that have one each.
    static func inMemory() throws -> DatabaseQueue {
        let queue = try DatabaseQueue(configuration: FixtureDatabase.configuration())
        try queue.write { try fill($0) }
        return queue
    }

    func execute(_ sql: String) async throws {
        try await database.write { try $0.execute(sql: sql) }
    }
}

/// Waits until values fulfil a condition; the last that did not are lost.
func value<Values: AsyncSequence>(
    of values: Values, isolation: isolated (any Actor)? = #isolation,
    _ condition: (Values.Element) -> Bool
) async throws -> Values.Element {
    for try await value in values where condition(value) { return value }
    throw CancellationError()
}

extension [Item] {
    var titles: [String] { map(\.title) }
}
