import Foundation
import Strongroom

/// Stored as its number.
enum Color: Int, DatabaseValueConvertible {
    case none, red, green, blue
}

class Notebook: Record {
    var id: Int64?
    var name: String
    var color: Color

    init(name: String, color: Color = .none) {
        self.name = name
        self.color = color
        super.init()
    }

    override class var databaseTableName: String {
        return "notebooks"
    }

    required init(row: Row) throws {
        id = row["id"]
        name = row["name"]
        color = row["color"]
        try super.init(row: row)
    }

    override func encode(to container: inout PersistenceContainer) throws {
        container["id"] = id
        container["name"] = name
        container["color"] = color
    }

    override func didInsert(_ inserted: InsertionSuccess) {
        super.didInsert(inserted)
        id = inserted.rowID
    }
}

class Note: Record {
    var id: Int64?
    var notebookId: Int64
    var title: String
    var body: String
    var created: Date
    var pinned: Bool
    private(set) var wordCount: Int?

    enum Columns: String, ColumnExpression {
        case id, notebookId, title, body, created, pinned, wordCount
    }

    init(notebookId: Int64, title: String, body: String = "", pinned: Bool = false) {
        self.notebookId = notebookId
        self.title = title
        self.body = body
        self.pinned = pinned
        self.created = Date()
        super.init()
    }

    override class var databaseTableName: String { "notes" }

    required init(row: Row) throws {
        id = row[Columns.id]
        notebookId = row[Columns.notebookId]
        title = row[Columns.title]
        body = row[Columns.body]
        created = row[Columns.created]
        pinned = row[Columns.pinned]
        wordCount = row[Columns.wordCount]
        try super.init(row: row)
    }

    override func encode(to container: inout PersistenceContainer) throws {
        container[Columns.id] = id
        container[Columns.notebookId] = notebookId
        container[Columns.title] = title
        container[Columns.body] = body
        container[Columns.created] = created
        container[Columns.pinned] = pinned
        container[Columns.wordCount] = wordCount
    }

    override func willSave(_ db: Database) throws {
        wordCount = body.components(separatedBy: .whitespaces).filter { !$0.isEmpty }.count
        try super.willSave(db)
    }

    override func didInsert(_ inserted: InsertionSuccess) {
        super.didInsert(inserted)
        id = inserted.rowID
    }

    override func willDelete(_ db: Database) throws {
        try db.execute(
            sql: "INSERT INTO trash (docid, title, body) VALUES (?, ?, ?)",
            arguments: [id, title, body])
        try super.willDelete(db)
    }
}

extension Note {
    static func pinned() -> QueryInterfaceRequest<Note> {
        return
            Note
            .filter(Columns.pinned == true)
            .order(Columns.created.desc, Columns.id.desc)
    }

    static func search(_ text: String, in db: Database) throws -> [Note] {
        guard let pattern = FTS5Pattern(matchingAllPrefixesIn: text) else {
            return []
        }
        let sql = """
            SELECT notes.*
            FROM notes
            JOIN notes_ft ON notes_ft.rowid = notes.id AND notes_ft MATCH ?
            ORDER BY rank
            """
        return try Note.fetchAll(db, sql: sql, arguments: [pattern])
    }

    /// Deleted notes with any of the words in their title.
    static func searchTrash(_ text: String, in db: Database) throws -> [String] {
        let pattern = FTS3Pattern(matchingAnyTokenIn: text)
        let request: SQLRequest<String> = """
            SELECT title FROM trash WHERE trash MATCH \(pattern) ORDER BY docid
            """
        return try request.fetchAll(db)
    }
}

/// A line of the list of notebooks.
struct NotebookInfo: FetchableRecord {
    var id: Int64
    var name: String
    var noteCount: Int
    var lastNote: Date?

    init(row: Row) {
        id = row["id"]
        name = row["name"]
        noteCount = row["noteCount"]
        lastNote = row["lastNote"]
    }

    static let all = SQLRequest<NotebookInfo>(
        sql: """
            SELECT notebooks.*, COUNT(notes.id) AS noteCount, MAX(notes.created) AS lastNote
            FROM notebooks
            LEFT JOIN notes ON notes.notebookId = notebooks.id
            GROUP BY notebooks.id
            ORDER BY notebooks.name COLLATE title_order
            """)
}
