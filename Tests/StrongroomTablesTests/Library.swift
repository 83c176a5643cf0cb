import StrongroomTablesRuntime
import StrongroomTestSupport
import Testing

/// An encrypted database with folders and items.
struct Library {
    let fixture: FixtureDatabase
    let queue: DatabaseQueue

    init() throws {
        fixture = try FixtureDatabase()
        queue = try fixture.open()
        try queue.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE folders (id INTEGER PRIMARY KEY, title TEXT NOT NULL,
                        rank INTEGER NOT NULL DEFAULT 0);
                    CREATE TABLE items (id INTEGER PRIMARY KEY, title TEXT NOT NULL,
                        isDone INTEGER NOT NULL DEFAULT 0, stars INTEGER, level INTEGER,
                        folderID INTEGER NOT NULL);
                    CREATE TABLE visits (guest INTEGER NOT NULL, day INTEGER NOT NULL,
                        shelf TEXT NOT NULL, box INTEGER NOT NULL, stars INTEGER,
                        ratedAt INTEGER, note TEXT, fromShelf TEXT);
                    INSERT INTO folders VALUES (1, 'home', 1), (2, 'work', 2), (3, 'empty', 3);
                    INSERT INTO items VALUES (1, 'tea', 0, 3, 1, 1), (2, 'Rice', 1, NULL, NULL, 1),
                        (3, 'mail', 0, 5, 3, 2), (4, '50% off', 1, 5, 2, 2);
                    """)
        }
    }

    /// Compares the canonical SQL and gives the rows.
    func rows<S: StrongroomTablesRuntime.Statement>(
        _ statement: S, sql: String, sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> [S.Row] {
        #expect(statement.debugSQL == sql, sourceLocation: sourceLocation)
        return try queue.write { try statement.fetchAll($0) }
    }
}

/// The columns of an item, as canonical SQL writes them.
let itemColumns = """
    "items"."id", "items"."title", "items"."isDone", "items"."stars", "items"."level", \
    "items"."folderID"
    """
/// The columns of a folder, as canonical SQL writes them.
let folderColumns = #""folders"."id", "folders"."title", "folders"."rank""#
