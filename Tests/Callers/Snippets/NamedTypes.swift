import Foundation
import Strongroom

// Types that an app names: in signatures of helpers, in extensions and in properties.

extension TableDefinition {
    /// As apps add columns to many tables.
    @discardableResult
    fileprivate func timestamps() -> [ColumnDefinition] {
        ["created", "modified"].map {
            column($0, .datetime).notNull().defaults(sql: "CURRENT_TIMESTAMP")
        }
    }

    @discardableResult
    fileprivate func owner(_ table: String) -> ForeignKeyDefinition {
        belongsTo("owner", inTable: table, onDelete: .setNull)
    }
}

extension ColumnDefinition {
    @discardableResult
    fileprivate func percent() -> ColumnDefinition { check { (0...100).contains($0) } }
}

extension TableAlteration {
    fileprivate func addNote() { add(column: "remark", .text).defaults(to: "") }
}

extension FilteredRequest where Self: OrderedRequest {
    fileprivate func dearest(_ least: Double) -> Self { filter(price >= least).order(price.desc) }
}

extension SelectionRequest where Self: AggregatingRequest {
    fileprivate func counted(by column: Column) -> Self {
        select(column, count(.allColumns).forKey("n")).group(column)
    }
}

extension JoinableRequest<Book> {
    fileprivate func withAuthor() -> Self { including(required: Book.author) }
}

extension TableRequest where Self: OrderedRequest {
    fileprivate func newest() -> Self { orderByPrimaryKey().reversed() }
}

extension TypedRequest where Self: FilteredRequest, RowDecoder: TableRecord {
    fileprivate var isOfTable: Bool { RowDecoder.databaseTableName == "book" }
}

func namedTypeSnippets(_ db: Database, _ snippet: SnippetLog) throws {
    try namedTypeSnippets1(db, snippet)
    try namedTypeSnippets2(db, snippet)
    try namedTypeSnippets6(db, snippet)
    try namedTypeSnippets3(db, snippet)
    try namedTypeSnippets4(db, snippet)
    try namedTypeSnippets5(db, snippet)
}

func namedTypeSnippets1(_ db: Database, _ snippet: SnippetLog) throws {
    try snippet("TableDefinition, ColumnDefinition, TableAlteration extended by an app") {
        try db.create(table: "work") { (t: TableDefinition) in
            t.primaryKey("id", .integer)
            t.owner("author")
            t.timestamps()
            t.column("done", .integer).percent()
        }
        try db.alter(table: "work") { (t: TableAlteration) in t.addNote() }
        try db.execute(sql: "INSERT INTO work(id, done) VALUES (1, 50)")
        try expectError(DatabaseError.self) {
            try db.execute(sql: "INSERT INTO work(id, done) VALUES (2, 101)")
        }
        let row = try Row.fetchOne(db, sql: "SELECT * FROM work")!
        try expect(
            (row["created"] as Date?) != nil && row["remark"] == "" && row.hasColumn("ownerId"))
        try db.drop(table: "work")
    }
    try snippet("protocols of requests extended by an app") {
        try expect(
            try Book.all().dearest(10).fetchAll(db).map(\.title) == [
                "Moby-Dick", "Odyssey", "Iliad",
            ])
        let counts = Book.all().counted(by: Column("authorId"))
        try expect(try Row.fetchAll(db, counts).map { $0["n"] as Int } == [2, 2, 1])
        try expect(
            try Row.fetchOne(db, Book.all().withAuthor())?.scopes["author"]?["name"] == "Homer")
        try expect(try Book.all().newest().fetchOne(db)?.title == "Moby-Dick")
        try expect(Book.all().isOfTable && !Author.all().isOfTable)
        try expect(try Author.including(all: Author.books.dearest(10)).fetchCount(db) == 3)
    }
    try snippet("AdaptedFetchRequest, RowAdapter, SQLSubqueryable as types") {
        let adapter: any RowAdapter = SuffixRowAdapter(fromIndex: 1)
        let request: AdaptedFetchRequest<SQLRequest<Row>> = SQLRequest<Row>("SELECT 1 AS a, 2 AS b")
            .adapted { _ in adapter }
        try expect(try request.fetchOne(db) == ["b": 2] && request.fetchCount(db) == 1)
        let subqueries: [any SQLSubqueryable] = [
            Book.select(max(price)), SQLRequest<Double>("SELECT 20"),
            Book.select(max(price)).sqlSubquery,
        ]
        for subquery in subqueries {
            try expect(try Book.filter(price == subquery.sqlSubquery).fetchCount(db) == 1)
        }
    }
    try snippet("ranges by their types") {
        let ranges: [SQLExpression] = [
            ClosedRange(uncheckedBounds: (8.0, 9.0)).contains(price),
            Range(uncheckedBounds: (8.0, 10.0)).contains(price),
            PartialRangeFrom(12.0).contains(price), PartialRangeThrough(9.0).contains(price),
            PartialRangeUpTo(10.0).contains(price),
        ]
        for range in ranges { try expect(try Book.filter(range).fetchCount(db) == 2) }
    }
}

func namedTypeSnippets2(_ db: Database, _ snippet: SnippetLog) throws {
    try snippet("DatabaseValue.Storage") {
        func storage(_ sql: String) throws -> DatabaseValue.Storage? {
            let value = try DatabaseValue.fetchOne(db, sql: "SELECT \(sql)")
            return value?.storage
        }
        try expect(try storage("1") == .int64(1) && storage("1.5") == .double(1.5))
        try expect(try storage("'a'") == .string("a") && storage("x'41'") == .blob(Data([65])))
        try expect(try storage("NULL") == .null || storage("NULL") == nil)
        try expect(DatabaseValue.Storage.int64(3).value as? Int64 == 3)
        try expect(DatabaseValue.Storage.null.value == nil)
    }
    try snippet("StatementBinding of a type of an app") {
        struct Meters: DatabaseValueConvertible {
            var value: Double
            var databaseValue: DatabaseValue { value.databaseValue }
            static func fromDatabaseValue(_ dbValue: DatabaseValue) -> Meters? {
                Double.fromDatabaseValue(dbValue).map(Meters.init)
            }
        }
        let bindings: [any StatementBinding] = [Meters(value: 2), 3, "x"]
        try expect(bindings.count == 3)
        try expect(try Double.fetchOne(db, sql: "SELECT ? * 2", arguments: [Meters(value: 2)]) == 4)
        try expect(try Meters.fetchAll(db, Book.select(price).order(price)).first?.value == 8)
        try expect(try Book.filter(price > Meters(value: 15)).fetchCount(db) == 1)
    }
}

func namedTypeSnippets3(_ db: Database, _ snippet: SnippetLog) throws {
    try snippet("types inside of Database") {
        let modes: [Database.BusyMode] = [.immediateError, .timeout(1), .callback { $0 < 1 }]
        let callback: Database.BusyCallback = { tries in tries == 0 }
        try expect(modes.count == 3 && callback(0) && !callback(1))
        let completion: Database.TransactionCompletion = .rollback
        try db.inSavepoint { completion }
        let extents: [Database.TransactionObservationExtent] = [
            .observerLifetime, .nextTransaction, .databaseLifetime,
        ]
        let options: Database.TracingOptions = [.statement, .profile]
        try expect(extents.count == 3 && options.contains(.profile))
        let log: Database.LogErrorFunction = { _, _ in }
        log(.SQLITE_WARNING, "x")
        let checks: [DatabaseMigrator.ForeignKeyChecks] = [.deferred, .immediate]
        try expect(
            checks.count == 2 && Database.ForeignKeyAction.setDefault.rawValue == "SET DEFAULT")
        try expect(Database.ConflictResolution.abort.rawValue == "ABORT")
    }
    try snippet("Database.TraceEvent") {
        var lines: [String] = []
        func write(_ event: Database.TraceEvent) { lines.append(event.expandedDescription) }
        db.trace(options: .statement) { write($0) }
        _ = try Int.fetchOne(db, sql: "SELECT ?", arguments: ["secret"])
        db.trace(options: .statement) { lines.append("\($0)") }
        _ = try Int.fetchOne(db, sql: "SELECT ?1", arguments: [5])
        db.trace()
        try expect(lines == ["SELECT 'secret'", "SELECT ?1"])
    }
    try snippet("types of strategies in properties of an app") {
        struct Policy {
            var upsert: UpsertUpdateStrategy = .noColumnUnlessSpecified
            var extent: SharedValueObservationExtent = .whileObserved
            var conflict: Database.ConflictResolution? = .ignore
            var options: ViewOptions = .ifNotExists
            var clock: any TransactionClock = CustomTransactionClock { _ in
                Date(timeIntervalSince1970: 1)
            }
            var mode: Configuration.JournalModeConfiguration = .default
        }
        let policy = Policy()
        try expect(try policy.clock.now(db) == Date(timeIntervalSince1970: 1))
        try db.inSavepoint {
            var author = Author(id: nil, name: "Homer", country: "IT")
            let kept = try author.upsertAndFetch(db, onConflict: ["name"], updating: policy.upsert)
            try expect(kept.country == "GR")
            try author.insert(db, onConflict: policy.conflict)
            return .rollback
        }
    }
}

func namedTypeSnippets4(_ db: Database, _ snippet: SnippetLog) throws {
    try snippet("reducers of observations by their types") {
        typealias Counts = ValueReducers.RemoveDuplicates<
            ValueReducers.Map<ValueReducers.Fetch<Int>, String>
        >
        let observation: ValueObservation<Counts> =
            ValueObservation
            .tracking { try Book.fetchCount($0) }.map { "\($0)" }.removeDuplicates()
        let traced: ValueObservation<ValueReducers.Trace<Counts>> = observation.print()
        try expect("\(type(of: traced))".contains("Trace"))
    }
    try snippet("JSONB, and what is valid") {
        guard Database.sqliteLibVersionNumber >= 3_045_000 else { return }
        let tags = JSONColumn("tags")
        let first = Book.filter(key: 1)
        let blob = try Data.fetchOne(db, first.select(Database.jsonb(tags)))
        try expect(blob?.isEmpty == false)
        try expect(
            try String.fetchOne(db, first.select(Database.json(Database.jsonbArray([1, 2]))))
                == "[1,2]")
        let changed = Database.jsonbSet(tags, ["$[1]": "x"])
        try expect(
            try String.fetchOne(db, first.select(Database.json(changed))) == #"["classic","x"]"#)
        try expect(
            try Bool.fetchOne(
                db, first.select(Database.jsonIsValid("{a:1}", options: .json5))) == true)
        try expect(
            try Bool.fetchOne(db, first.select(Database.jsonIsValid("{a:1}", options: .json)))
                == false)
    }
}

func namedTypeSnippets5(_ db: Database, _ snippet: SnippetLog) throws {
    try snippet("DatabasePreUpdateEvent, copied") {
        guard DatabasePreUpdateEvent.isAvailable else { return }
        let log = PreUpdateLog()
        db.add(transactionObserver: log)
        try db.execute(
            sql:
                "INSERT INTO note VALUES (1, 'a'); UPDATE note SET text = 'b'; DELETE FROM note WHERE id = 1"
        )
        db.remove(transactionObserver: log)
        try expect(
            log.lines == ["insert - \"a\" 2 0", "update \"a\" \"b\" 2 0", "delete \"b\" - 2 0"])
    }
    try snippet("passphrases, and what opens with them") {
        let path = NSTemporaryDirectory() + UUID().uuidString + ".sqlite"
        defer { try? FileManager.default.removeItem(atPath: path) }
        func open(_ passphrase: String?) throws -> DatabaseQueue {
            var configuration = Configuration()
            if let passphrase {
                configuration.prepareDatabase { try $0.usePassphrase(passphrase) }
            }
            return try DatabaseQueue(path: path, configuration: configuration)
        }
        let queue = try open("old")
        try queue.write { try $0.execute(sql: "CREATE TABLE t(a)") }
        try queue.barrierWriteWithoutTransaction { try $0.changePassphrase("new") }
        try queue.close()
        try expect(try open("new").read { try $0.tableExists("t") })
        for wrong in ["old", nil] {
            do {
                _ = try open(wrong).read { try $0.tableExists("t") }
                try expect(false)
            } catch DatabaseError.SQLITE_NOTADB {}
        }
        try expect(try open("new").read { try $0.cipherVersion } != nil)
    }
}
