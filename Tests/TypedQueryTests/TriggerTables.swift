import Foundation
import StrongroomTables
import StrongroomTestSupport
import Testing

/// A page of a journal.
@Table("page \"one\"'s") struct Leaf: Identifiable {
    let id: Int
    var text = ""
    var rank = 0
    var changedAt: Date?
    var seenOn: Date?
}
extension Leaf.TableColumns {
    var isHigh: some QueryExpression<Bool> { rank > 9 }
}
/// What triggers tell of pages.
@Table struct LogLine: Identifiable {
    let id: Int
    var pageID: Int?
    var text: String?
    var data: Data?
    var number: Double?
}
/// A place without a number of its row.
@Table(withoutRowID: true) struct Slot {
    @Selection struct ID: Hashable { let shelf: String; let box: Int }
    let id: ID
    var label = ""
    var movedAt: Date?
}
/// The high pages, in a view.
@Table(.view) struct HighPage: Identifiable, Equatable {
    let id: Int
    var text = ""
}
/// The same view, of which no key is told.
@Table("highPages", .view) struct KeylessPage {
    var text = ""
    var seenOn: Date?
}
/// Pages of an attached file.
@Table("pages", schema: "old") struct OldPage: Identifiable {
    let id: Int
    var text = ""
}
@Table("lines", schema: "old") struct OldLine {
    var pageID: Int
    var text = ""
}

/// The compiler has to know these before it checks the first query on them.
typealias JournalTables = (
    Leaf.TableColumns, LogLine.TableColumns, Slot.TableColumns, HighPage.TableColumns,
    KeylessPage.TableColumns, OldPage.TableColumns, OldLine.TableColumns
)

/// An encrypted database with pages.
struct Journal {
    static let schema = """
        CREATE TABLE "page ""one""'s" ("id" INTEGER PRIMARY KEY, "text" TEXT NOT NULL, "rank"
            INTEGER NOT NULL DEFAULT 0, "changedAt" TEXT, "seenOn" TEXT);
        CREATE TABLE "logLines" ("id" INTEGER PRIMARY KEY, "pageID" INTEGER, "text" TEXT, "data"
            BLOB, "number" REAL);
        CREATE TABLE "slots" ("shelf" TEXT NOT NULL, "box" INTEGER NOT NULL, "label" TEXT NOT NULL,
            "movedAt" TEXT, PRIMARY KEY ("shelf", "box")) WITHOUT ROWID;
        INSERT INTO "page ""one""'s" ("id", "text", "rank") VALUES (1, 'a', 1), (2, 'b', 20);
        """
    let fixture: FixtureDatabase
    let queue: DatabaseQueue

    init(_ change: (inout Configuration) -> Void = { _ in }) throws {
        fixture = try FixtureDatabase()
        queue = try fixture.open(change)
        try queue.write { try $0.execute(sql: Self.schema) }
    }

    /// Runs statements.
    func run(_ statements: any StrongroomTables.Statement<Void>...) throws {
        try queue.write { db in for statement in statements { try statement.execute(db) } }
    }

    /// Runs a statement, of which SQLite or the layer must complain.
    func refusal(_ statement: any StrongroomTables.Statement<Void>) -> String {
        do {
            try run(statement)
            return "nothing"
        } catch {
            return "\(error)"
        }
    }

    /// Adds a page.
    func add(_ id: Int, rank: Int = 0) throws {
        try queue.write { db in
            try Leaf.insert {
                ($0.id, $0.text, $0.rank)
            } values: {
                (id, "new", rank)
            }.execute(db)
        }
    }

    /// The values of one column of a query in SQL.
    func values(_ sql: String) throws -> [DatabaseValue] {
        try queue.read { try DatabaseValue.fetchAll($0, sql: sql) }
    }

    /// What triggers have told.
    func lines() throws -> [String?] {
        try queue.read { try LogLine.order(by: \.id).select(\.text).fetchAll($0) }
    }
}
