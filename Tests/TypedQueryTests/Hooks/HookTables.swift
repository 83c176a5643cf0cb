import Foundation
import StrongroomTables
import StrongroomTestSupport
import Testing

/// What a type declares for layers above.
@Table("shelves", onConflictingDelete: .updateWins, renamedFrom: "Racks")
struct Rack: Identifiable, Equatable {
    static let all = Self.where { !$0.isHidden }
    let id: UUID
    @Column(merge: .latest) var title = ""
    @Column("count", merge: MergePolicy.sum, renamedFrom: "Number") var number = 0
    @Column(owner: true) var owner = ""
    @Column(merge: MergePolicy(rawValue: "longest")) var size = RackSize()
    var isHidden = false
}
@Selection struct RackSize: Equatable {
    var width = 0
    @Column(merge: .union) var depth: Int?
}
/// A key of several columns, one of which holds bytes, in a table without row numbers.
@Table("select", withoutRowID: true) struct Grid: Equatable {
    @Selection struct ID: Hashable {
        let order: [UInt8]
        @Column("group") let kind: String
    }
    let id: ID
    var from: Double?
}
@Table struct Real { @Column(primaryKey: true) let key: Double }
@Table struct Named { @Column(primaryKey: true) let key: String }
@Table struct Stamped {
    @Column("at", as: Date.UnixTimeRepresentation.self, primaryKey: true) let at: Date
}
@Table struct Crew {
    @Column(as: UUID.BytesRepresentation.self) let id: UUID
    var name = ""
}
@Table("folders") struct HookFolder: Identifiable, Equatable {
    let id: Int
    var title = ""
    var parentID: Int?
}
@Table("items") struct HookItem: Identifiable, Equatable {
    let id: Int
    var title = ""
    var folderID: Int?
    var code: String?
    @Column(generated: .stored) let length: Int
}
@Table("keyless") struct Keyless: Equatable { var value: String? }
@Table("things", schema: "other") struct Thing: Identifiable, Equatable {
    let id: Int
    var name = ""
}

/// The compiler has to know these before it checks the first query on them.
typealias HookTables = (
    Rack.TableColumns, RackSize.TableColumns, Grid.TableColumns, Real.TableColumns,
    Named.TableColumns, Stamped.TableColumns, Crew.TableColumns, HookFolder.TableColumns,
    HookItem.TableColumns, Keyless.TableColumns, Thing.TableColumns
)

/// An encrypted database with these tables.
struct HookFixture {
    static let schema = """
        CREATE TABLE shelves (id TEXT PRIMARY KEY NOT NULL, title TEXT NOT NULL, "count" INTEGER
            NOT NULL, owner TEXT NOT NULL, width INTEGER NOT NULL, depth INTEGER, isHidden INTEGER
            NOT NULL);
        CREATE TABLE "select" ("order" BLOB NOT NULL, "group" TEXT NOT NULL COLLATE NOCASE, "from"
            REAL, PRIMARY KEY ("order", "group")) WITHOUT ROWID, STRICT;
        CREATE TABLE folders (id INTEGER PRIMARY KEY, title TEXT NOT NULL CHECK (title <> 'no'),
            parentID INTEGER REFERENCES folders (id) ON DELETE CASCADE);
        CREATE TABLE items (
            id INTEGER PRIMARY KEY, title TEXT NOT NULL COLLATE NOCASE DEFAULT '',
            folderID INTEGER REFERENCES folders ON DELETE CASCADE ON UPDATE CASCADE,
            code TEXT CONSTRAINT short CHECK (length(code) < 9), length INTEGER NOT NULL
            AS (length(title)) STORED, CHECK (id > 0));
        CREATE UNIQUE INDEX items_code ON items (code);
        CREATE UNIQUE INDEX items_first ON items (lower(substr(code, 1, 2)) COLLATE NOCASE DESC)
            WHERE folderID IS NULL;
        CREATE TABLE keyless (value TEXT UNIQUE);
        INSERT INTO folders (id, title, parentID) VALUES (1, 'a', NULL), (2, 'b', 1), (3, 'c', NULL);
        INSERT INTO items (id, title, folderID, code) VALUES
            (1, 'one', 1, 'A1'), (2, 'two', 2, 'B2'), (3, 'three', 3, NULL), (4, 'four', NULL, 'D4');
        """
    let fixture: FixtureDatabase
    let queue: DatabaseQueue

    init(_ change: (inout Configuration) -> Void = { _ in }) throws {
        fixture = try FixtureDatabase()
        queue = try fixture.open(change)
        try queue.write { try $0.execute(sql: Self.schema) }
    }

    /// All rows of all tables, with the storage classes of their values.
    static func content(_ db: Database) throws -> [String] {
        let tables = ["folders", "items", "keyless", "select", "shelves"]
        return try tables.flatMap { table in
            let columns = table == "keyless" ? "rowid, *" : "*"
            return try Row.fetchAll(db, sql: "SELECT \(columns) FROM \"\(table)\"").map { row in
                let values = row.databaseValues.map { "\($0.storage)" }
                return "\(table): \(values.joined(separator: ", "))"
            }
        }
    }
}
