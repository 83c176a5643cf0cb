import Foundation
import Strongroom

// Records: persistence, callbacks, strategies, and the class Record.

private struct Player: Codable, FetchableRecord, MutablePersistableRecord {
    var id: Int64?
    var text: String
    var log: [String] = []

    enum CodingKeys: String, CodingKey { case id, text }
    static let databaseTableName = "note"

    func willInsert(_ db: Database) throws { if text == "bad" { throw Refused() } }
    func willUpdate(_ db: Database, columns: Set<String>) throws {
        if text == "bad" { throw Refused() }
    }
    mutating func didInsert(_ inserted: InsertionSuccess) {
        id = inserted.rowID
        log.append("didInsert \(inserted.persistenceContainer["text"] ?? "")")
    }
    func aroundUpdate(_ db: Database, columns: Set<String>, update: () throws -> PersistenceSuccess)
        throws
    {
        _ = try update()
    }
    func aroundSave(_ db: Database, save: () throws -> PersistenceSuccess) throws { _ = try save() }
    func aroundInsert(_ db: Database, insert: () throws -> InsertionSuccess) throws {
        _ = try insert()
    }
    func aroundDelete(_ db: Database, delete: () throws -> Bool) throws { _ = try delete() }
    func willDelete(_ db: Database) throws {}
    func didDelete(deleted: Bool) {}
    func didUpdate(_ updated: PersistenceSuccess) {}
    func didSave(_ saved: PersistenceSuccess) {}
    func willSave(_ db: Database) throws {}

    struct Refused: Error {}
}

private struct Strategies: Codable, FetchableRecord, PersistableRecord {
    var someId: Int64
    var createdAt: Date
    var uuid: UUID
    var bytes: Data
    static let databaseTableName = "strategies"
    static let databaseColumnEncodingStrategy = DatabaseColumnEncodingStrategy.convertToSnakeCase
    static let databaseColumnDecodingStrategy = DatabaseColumnDecodingStrategy.convertFromSnakeCase
    static func databaseDateEncodingStrategy(for column: String) -> DatabaseDateEncodingStrategy {
        .timeIntervalSince1970
    }
    static func databaseDateDecodingStrategy(for column: String) -> DatabaseDateDecodingStrategy {
        .timeIntervalSince1970
    }
    static func databaseUUIDEncodingStrategy(for column: String) -> DatabaseUUIDEncodingStrategy {
        .uppercaseString
    }
    static func databaseDataEncodingStrategy(for column: String) -> DatabaseDataEncodingStrategy {
        .custom { $0.base64EncodedString() }
    }
    static func databaseDataDecodingStrategy(for column: String) -> DatabaseDataDecodingStrategy {
        .custom { value in String.fromDatabaseValue(value).flatMap { Data(base64Encoded: $0) } }
    }
    static func databaseJSONEncoder(for column: String) -> JSONEncoder { JSONEncoder() }
    static func databaseJSONDecoder(for column: String) -> JSONDecoder { JSONDecoder() }
    static let databaseDecodingUserInfo: [CodingUserInfoKey: any Sendable] = [:]
    static let databaseEncodingUserInfo: [CodingUserInfoKey: any Sendable] = [:]
}

private struct Timed: Codable, MutablePersistableRecord, FetchableRecord {
    var id: Int64?
    var text: String?
    var modified: Date?
    static let databaseTableName = "timed"
    mutating func willInsert(_ db: Database) throws { modified = try db.transactionDate }
    mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
}

func recordSnippets(_ db: Database, _ snippet: SnippetLog) throws {
    try recordSnippets1(db, snippet)
    try recordSnippets2(db, snippet)
    try recordSnippets3(db, snippet)
    try recordSnippets4(db, snippet)
}

extension TableRecord {
    fileprivate static var numberOfSelectedColumnsIsKnown: Bool { !databaseSelection.isEmpty }
}

func recordSnippets1(_ db: Database, _ snippet: SnippetLog) throws {
    try snippet("insert, update, save, delete, exists") {
        var player = Player(id: nil, text: "a")
        try expect(player.id == nil)
        try player.insert(db)
        try expect(player.log == ["didInsert a"] && player.id != nil)
        player.text = "b"
        try player.update(db)
        try player.update(db, columns: ["text"])
        try player.update(db, columns: [Column("text")])
        try player.save(db)
        try expect(try player.exists(db) && player.delete(db) && !player.delete(db))
        try expectError(RecordError.self) { try player.update(db) }
        try expectError(Player.Refused.self) {
            var bad = Player(id: nil, text: "bad"); try bad.insert(db)
        }
    }
    try snippet("inserted, saved, upserted") {
        let player = try Player(id: nil, text: "a").inserted(db)
        try expect(try player.saved(db).id == player.id)
        var other = Player(id: player.id, text: "c")
        try other.upsert(db)
        other.text = "d"
        try expect(try other.upsertAndFetch(db).text == "d")
        other.text = "e"
        let kept = try other.upsertAndFetch(
            db, onConflict: ["id"], doUpdate: { _ in [Column("text").noOverwrite] })
        try expect(kept.text == "d")
        try expect(try Player.deleteAll(db) == 1)
    }
    try snippet("insertAndFetch and saveAndFetch") {
        var player = try Player(id: nil, text: "a").insertAndFetch(db)
        let full = try player.saveAndFetch(db, as: OldNote.self)
        try expect(full.text == "a")
        var other = Player(id: nil, text: "x")
        let id = try other.insertAndFetch(db, selection: [Column("id")]) {
            try Int64.fetchOne($0)
        }
        try expect(id != nil)
        let updated = try player.updateAndFetch(db)
        try expect(updated.text == "a")
        try Player.deleteAll(db)
    }
}

func recordSnippets2(_ db: Database, _ snippet: SnippetLog) throws {
    try snippet("updateChanges") {
        var player = try Player(id: nil, text: "a").inserted(db)
        try expect(
            try player.updateChanges(db) { $0.text = "b" }
                && !player.updateChanges(db) { $0.text = "b" })
        let old = player
        player.text = "z"
        try expect(try player.updateChanges(db, from: old))
        try expect(
            try player.databaseChanges(from: old).keys.sorted() == ["text"]
                && !player.databaseEquals(old))
        try expect(try player.databaseDictionary["text"] == "z".databaseValue)
        try Player.deleteAll(db)
    }
    try snippet("fetch by key, find, exists, delete by key") {
        try expect(
            try Author.fetchOne(db, key: 1)?.name == "Homer"
                && Author.fetchOne(db, id: 2)?.name == "Austen")
        try expect(
            try Author.fetchAll(db, keys: [1, 2]).count == 2
                && Author.fetchSet(db, ids: [1]).count == 1)
        try expect(
            try Author.fetchOne(db, key: ["name": "Homer"])?.id == 1 && Author.exists(db, id: 3))
        try expect(
            try Author.find(db, key: ["name": "Austen"]).id == 2
                && Author.find(db, id: 3).name == "Melville")
        do {
            _ = try Author.find(db, id: 99)
        } catch RecordError.recordNotFound(let table, let key) {
            try expect(table == "author" && key == ["id": 99.databaseValue])
        }
        try expect(
            try !Author.deleteOne(db, id: 99) && Author.fetchCursor(db, keys: [1]).next() != nil)
        try expect(
            "\(Author.recordNotFound(db, key: 5))".contains("author")
                && Author.recordNotFound(key: ["id": 5]).description.contains("author"))
    }
    try snippet("fetch by SQL and by statements") {
        try expect(
            try Author.fetchAll(db, sql: "SELECT * FROM author ORDER BY name").first?.name
                == "Austen")
        let statement = try db.makeStatement(sql: "SELECT * FROM author WHERE id = ?")
        try expect(
            try Author.fetchOne(statement, arguments: [1])?.name == "Homer"
                && Author.fetchSet(statement, arguments: [2]).count == 1)
        try expect(try Author.fetchAll(db, SQLRequest<Author>("SELECT * FROM author")).count == 3)
        let cursor = try Author.fetchCursor(db, sql: "SELECT * FROM author")
        try expect(type(of: cursor) == RecordCursor<Author>.self)
    }
}

func recordSnippets3(_ db: Database, _ snippet: SnippetLog) throws {
    try snippet("strategies") {
        try db.create(table: "strategies") { t in
            t.primaryKey("some_id", .integer)
            t.column("created_at", .double)
            t.column("uuid", .text)
            t.column("bytes", .text)
        }
        let date = Date(timeIntervalSince1970: 10)
        let record = Strategies(someId: 1, createdAt: date, uuid: UUID(), bytes: Data([1, 2]))
        try record.insert(db)
        let row = try Row.fetchOne(db, sql: "SELECT * FROM strategies")!
        try expect(
            row["created_at"] == 10.0 && row["bytes"] == "AQI="
                && row["uuid"] == record.uuid.uuidString)
        let fetched = try Strategies.fetchOne(db)!
        try expect(
            fetched.createdAt == date && fetched.uuid == record.uuid
                && fetched.bytes == record.bytes)
        try db.drop(table: "strategies")
    }
    try snippet("timestamps and the transaction's date") {
        try db.create(table: "timed") { t in
            t.autoIncrementedPrimaryKey("id")
            t.column("text", .text)
            t.column("modified", .datetime)
        }
        var timed = Timed(id: nil, text: nil, modified: nil)
        try timed.insert(db)
        try expect(try timed.modified == db.transactionDate)
        try db.drop(table: "timed")
    }
    try snippet("PersistenceContainer and conflict policies") {
        try Setting(key: "a", value: 5).insert(db)
        try Setting(key: "a", value: 6).insert(db, onConflict: .replace)
        try expect(try Setting.fetchCount(db) == 1 && Setting.fetchOne(db, key: "a")?.value == 6)
        try expect(Setting.persistenceConflictPolicy.conflictResolutionForInsert == .replace)
        try Author(id: nil, name: "Homer", country: nil).inserted(db, onConflict: .ignore).name
            .isEmpty ? expect(false) : ()
    }
    try snippet("the class Record") {
        let note = OldNote(text: "a")
        try expect(note.hasDatabaseChanges)
        try note.insert(db)
        try expect(!note.hasDatabaseChanges && note.id != nil)
        note.text = "b"
        try expect(
            note.databaseChanges["text"] as? DatabaseValue == "a".databaseValue
                || note.hasDatabaseChanges)
        try expect(try note.updateChanges(db) && !note.updateChanges(db))
        try expect(try OldNote.fetchOne(db)?.text == "b" && note.delete(db))
    }
}

func recordSnippets4(_ db: Database, _ snippet: SnippetLog) throws {
    try snippet("columns and selections of records") {
        try expect(Author.databaseTableName == "author" && Author.numberOfSelectedColumnsIsKnown)
        try expect(
            try Author.databaseComponents.self == Author.Columns.self
                && Author.all().fetchCount(db) == 3)
    }
}
