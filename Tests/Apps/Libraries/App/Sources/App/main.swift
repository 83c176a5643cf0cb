import Dispatch
import GRDB
import Groundwork
import Lookout
import Quern

struct Book: QueryRow {
    static let columnNames = ["id", "title"]
    var id: Int64
    var title: String

    init(reading columns: inout ColumnReader) throws {
        id = columns.integer()
        title = try columns.text()
    }
}

let path = CommandLine.arguments[1]
Configuration.requiresEncryption = true
var configuration = Configuration()
configuration.prepareDatabase { try $0.usePassphrase("open sesame") }
let pool = try DatabasePool(path: path, configuration: configuration)

// Groundwork: the schema and the first rows.
var migrator = DatabaseMigrator()
migrator.register(
    [.table("book", ["title"]), .seed("book", [["title": "Ilias"], ["title": "Odyssee"]])],
    prefix: "books")
let pending = try migrator.pending(pool)
try migrator.migrate(pool)
let rest = try migrator.pending(pool)
let refusal = Result {
    try pool.write { try $0.seed("book", [["title": "Aeneis"], ["author": "Vergil"]]) }
}
let isRefused =
    if case .failure(let error as UnknownColumns) = refusal { error.names == ["author"] } else {
        false
    }
print("\(pending.count) steps, then \(rest.count), \(isRefused ? "refused" : "seeded")")

// Quern: cursors that bind by the C functions, which observers hear of.
let counts = Counts()
let scheduler = QueueScheduler(.global())
let count = counts.count(of: "book", in: pool, scheduling: scheduler)
let isShared = count === counts.count(of: "book", in: pool, scheduling: scheduler)
let query = Query<Book>(from: "book").where("id", ">", 1).order(by: "title")
let titles = Watched(wrappedValue: [], query, in: pool, scheduling: scheduler) { db in
    try query.fetchAll(db).map(\.title)
}
let before = titles.wrappedValue.joined(separator: ", ")
print("\(before); \(count.wrappedValue), \(isShared ? "shared" : "twice")")
let ids = try pool.write { db in
    try Array(ReturnedIDs(db, insertInto: "book", "title", ["Aeneis", "Georgica"]))
}

// Lookout: both properties follow.
for await value in count.values where value == 4 { break }
for await value in titles.values where value.count == 3 { break }
print("\(ids): \(titles.wrappedValue.joined(separator: ", ")); \(count.wrappedValue)")
let found = try pool.read { db in
    try query.where("title", "<", "B").fetchCursor(db).map { "\($0.id) \($0.title)" }.next()
}
print(found ?? "nothing")
