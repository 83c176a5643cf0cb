import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

/// How the library meets the language: global functions, Swift's own types, concurrency.
@Suite("In Swift")
struct SwiftUsageTests {
    struct Player: Codable, FetchableRecord, PersistableRecord, Hashable, Sendable {
        var id: Int64
        var name: String
        var score: Double?
        var date: Date?

        enum Columns {
            static let name = Column("name")
            static let score = Column("score")
        }

        static var databaseSelection: [any SQLSelectable] { [.allColumns] }
    }

    let fixture: FixtureDatabase
    let queue: DatabaseQueue

    init() throws {
        fixture = try FixtureDatabase()
        queue = try fixture.open()
        try queue.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE player(id INTEGER PRIMARY KEY, name TEXT, score REAL, date TEXT);
                    INSERT INTO player VALUES
                        (1, 'Arthur', 1.5, '2026-11-21 10:00:00.000'), (2, 'Barbara', -3, NULL),
                        (3, 'Craig', NULL, NULL)
                    """)
        }
    }

    @Test(.proves("UTL-001"))
    func `Functions of SQL are functions of Swift`() throws {
        let (name, score, date) = (Column("name"), Column("score"), Column("date"))
        let values: [(SQLExpression, String)] = [
            (abs(score), #"ABS("score")"#), (average(score), #"AVG("score")"#),
            (cast(score, as: .integer), #"CAST("score" AS INTEGER)"#),
            (
                coalesce([score, 0.databaseValue] as [any SQLSpecificExpressible]),
                #"COALESCE("score", 0)"#
            ),
            (count(score), #"COUNT("score")"#), (count(.allColumns), "COUNT(*)"),
            (count(distinct: score), #"COUNT(DISTINCT "score")"#),
            (dateTime(date), #"DATETIME("date")"#), (julianDay(date), #"JULIANDAY("date")"#),
            (length(name), #"LENGTH("name")"#), (max(score), #"MAX("score")"#),
            (max(score, 1), #"MAX("score", 1)"#), (min(score), #"MIN("score")"#),
            (sum(score), #"SUM("score")"#), (total(score), #"TOTAL("score")"#),
        ]
        try queue.read { db throws in
            for (expression, sql) in values {
                let request = Player.select(expression)
                #expect(try db.sql(of: request) == "SELECT \(sql) FROM \"player\"")
                _ = try Row.fetchAll(db, request)
            }
            #expect(try Player.select(total(score), as: Double.self).fetchOne(db) == -1.5)
            let longest = Player.select(max(length(name)), as: Int.self)
            #expect(try longest.fetchOne(db) == 7)
            // Swift's own are still there.
            #expect(max(1, 2) == 2 && min(1, 2) == 1 && abs(-1) == 1)
        }
        #expect(databaseQuestionMarks(count: 3) == "?,?,?")
        let adapters = splittingRowAdapters(columnCounts: [1, 2])
        try queue.read { db throws in
            let row = try Row.fetchOne(
                db, sql: "SELECT 1, 2, 3, 4",
                adapter: ScopeAdapter(["a": adapters[0], "b": adapters[1], "c": adapters[2]]))
            #expect(row?.scopes["b"]?.count == 2 && row?.scopes["c"]?.count == 1)
        }
        let books = Player.hasMany(Player.self, key: "books", using: ForeignKey(["id"]))
        let computed: [AssociationAggregate<Player>] = [
            abs(books.count), length(books.count), cast(books.count, as: .text),
        ]
        #expect(computed.map(\.self).count == 3)
    }

    @Test(.proves("UTL-002"))
    func `Collections, optionals and ranges of Swift are made of rows and are SQL`() throws {
        let (id, name) = (Column("id"), Column("name"))
        try queue.read { db throws in
            let ids = try Int64.fetchCursor(db, Player.select(id))
            #expect(try Array(ids) == [1, 2, 3])
            #expect(try Set(Int64.fetchCursor(db, Player.select(id))) == [1, 2, 3])
            let byName = try Dictionary(
                uniqueKeysWithValues: Player.fetchCursor(db).map { ($0.name, $0.id) })
            #expect(byName["Craig"] == 3)
            let groups = try Dictionary(
                grouping: Player.fetchCursor(db), by: { $0.score == nil })
            #expect(groups[true]?.count == 1)
            var names = ["first"]
            try names.append(contentsOf: String.fetchCursor(db, Player.select(name)))
            #expect(names.count == 4)
            func count(_ predicate: some SQLSpecificExpressible) throws -> Int {
                try Player.filter(predicate).fetchCount(db)
            }
            #expect(try count(["Arthur", "Nobody"].contains(name)) == 1)
            #expect(try count(Set([1, 2]).contains(id)) == 2)
            #expect(try count((1...2).contains(id)) == 2)
            #expect(try count((1..<2).contains(id)) == 1)
            #expect(try count(("A"..."B").contains(name)) == 1)
            #expect(try count([id == 1, name == "Barbara"].joined(operator: .or)) == 2)
            let absent: Double? = nil
            #expect(try count(Column("score") == absent) == 1)
        }
    }

    @Test(.proves("UTL-005"))
    func `Records need not be comparable: their columns are compared as they are stored`() throws {
        struct Note: Codable, FetchableRecord, PersistableRecord {
            var id: Int64
            var bytes: Data
            var at: Date
        }
        try queue.write { db throws in
            try db.execute(sql: "CREATE TABLE note(id INTEGER PRIMARY KEY, bytes BLOB, at TEXT)")
            let at = Date(timeIntervalSince1970: 1000)
            let note = Note(id: 1, bytes: Data([1]), at: at)
            // What the database does not tell apart is equal.
            var same = note
            same.at = at + 0.0001
            #expect(same.databaseEquals(note))
            #expect(try same.databaseChanges(from: note).isEmpty)
            var other = note
            other.bytes = Data([2])
            #expect(!other.databaseEquals(note))
            #expect(try other.databaseChanges(from: note).keys.sorted() == ["bytes"])
        }
    }

    @Test(.proves("CCY-049", "UTL-006"))
    func `Sendable records are inserted and saved without captured variables`() async throws {
        let player = Player(id: 4, name: "David", score: nil, date: nil)
        let inserted = try await queue.write { db in try player.inserted(db) }
        #expect(inserted == player)
        let saved = try await queue.write { [inserted] db in
            try Player(id: inserted.id, name: "Eve", score: 1, date: nil).saved(db)
        }
        let fetched = try await queue.read { db in try Player.fetchOne(db, key: 4) }
        #expect(saved == fetched)
        #expect(try fixture.shell().cell("SELECT name FROM player WHERE id = 4") == "Eve")
    }

    @Test(.proves("UTL-012"))
    func `Types that are asked for their tables and columns may be shared`() {
        func isShared<T: GRDBSendableMetatype>(_ type: T.Type) -> Bool { true }
        func tables<T: TableRecord>(_ type: T.Type) -> Bool { isShared(type) }
        func columns<T: EncodableRecord>(_ type: T.Type) -> Bool { isShared(type) }
        func aggregates<T: DatabaseAggregate>(_ type: T.Type) -> Bool { isShared(type) }
        func native<T: SendableMetatype>(_ type: T.Type) -> Bool { isShared(type) }
        #expect(tables(Player.self) && columns(Player.self) && native(Player.self))
        #expect([aggregates as (Last.Type) -> Bool].allSatisfy { $0(Last.self) })
    }

    private struct Last: DatabaseAggregate {
        var value = DatabaseValue.null
        mutating func step(_ dbValues: [DatabaseValue]) { value = dbValues[0] }
        func finalize() -> (any DatabaseValueConvertible)? { value }
    }

    @Test(.proves("STM-030", "STM-037"))
    func `A literal holds names, values, expressions, orderings and requests at once`() throws {
        let id: Int64 = 2
        let best = Player.select(max(Column("score")))
        let literal: SQL = """
            SELECT \(columnsOf: Player.self), \(length(Column("name"))) AS \(Column("length"))
            FROM \(Player.self)
            WHERE (\(Column("id")) = \(id) OR \(Column("id")) IN \([1, 7]))
            AND \(Column("name")) <> (\(best)) COLLATE \(.nocase)
            AND \(sql: "id < ?", arguments: [100]) AND \(literal: "name <> \("x")")
            ORDER BY \(Column("name").desc)
            """
        try queue.read { db throws in
            let rows = try Row.fetchAll(db, SQLRequest<Row>(literal: literal))
            #expect(rows.map { $0["length"] as Int } == [7, 6])
        }
    }

    @Test(.proves("FUN-015"))
    func `A column has a collation, an expression gets one, and SQL names one`() throws {
        try queue.write { db throws in
            try db.create(table: "word") { t in
                t.column("plain", .text).collate(.nocase)
                t.column("local", .text).collate(.localizedCaseInsensitiveCompare)
            }
            try db.execute(sql: "INSERT INTO word VALUES ('Été', 'Été'), ('eau', 'eau')")
            let (plain, local) = (Column("plain"), Column("local"))
            let words = Table("word")
            #expect(try words.filter(plain == "EAU").fetchCount(db) == 1)
            #expect(try words.filter(local == "ÉTÉ").fetchCount(db) == 1)
            #expect(try words.filter(plain == "ÉTÉ").fetchCount(db) == 0)
            let collated = words.filter(
                plain.collating(.localizedCaseInsensitiveCompare) == "ÉTÉ")
            #expect(try collated.fetchCount(db) == 1)
            let collation = DatabaseCollation.localizedCaseInsensitiveCompare
            let count = try Int.fetchOne(
                db,
                SQLRequest(
                    literal: """
                        SELECT COUNT(*) FROM word WHERE plain = \("ÉTÉ") COLLATE \(collation)
                        """))
            #expect(count == 1)
            let byName = try Int.fetchOne(
                db, sql: "SELECT COUNT(*) FROM word WHERE plain = 'ÉTÉ' COLLATE \(collation.name)")
            #expect(byName == 1)
        }
    }

    @Test(.proves("QRY-061"))
    func `Optionals are expressions, orderings and selections when what they wrap is`() throws {
        let present: Column? = Column("name")
        let absent: Column? = nil
        let ordering: SQLOrdering? = Column("id").desc
        try queue.read { db throws in
            #expect(
                try db.sql(
                    of: Player.select(present, absent).order(ordering).filter(present != nil))
                    == #"SELECT "name", NULL FROM "player" WHERE "name" IS NOT NULL ORDER BY "id" DESC"#
            )
            #expect(
                try Player.order(absent, ordering).fetchAll(db).map(\.id) == [3, 2, 1])
        }
    }

    @Test(.proves("QRY-044"))
    func `A function of one's own is called in requests`() throws {
        let initial = DatabaseFunction("initial", argumentCount: 1, pure: true) { dbValues in
            String.fromDatabaseValue(dbValues[0]).map { $0.prefix(1).lowercased() }
        }
        try queue.read { db throws in
            db.add(function: initial)
            let request = Player.filter { initial($0.name) != "b" }
                .order { initial($0.name).desc }
                .select(initial(Column("name")), as: String.self)
            #expect(try request.fetchAll(db) == ["c", "a"])
        }
    }

    @Test(.proves("QRY-059", "QRY-060"))
    func `Requests and associations share their methods, and opaque values are given back`() throws
    {
        func firstTwo<R: OrderedRequest & FilteredRequest>(_ request: R) -> R {
            request.filter(Column("id") < 3).order(Column("id"))
        }
        func any<R: DerivableRequest<Player>>(_ request: R) -> R
        where
            R: AggregatingRequest, R: JoinableRequest, R: SelectionRequest, R: TableRequest,
            R: TypedRequest
        {
            firstTwo(request).distinct()
        }
        func double(_ value: some SQLSpecificExpressible) -> SQLExpression {
            SQL("2 * \(value)").sqlExpression
        }
        func latest(_ value: some SQLSpecificExpressible) -> SQLOrdering { value.desc.sqlOrdering }
        func named(_ value: some SQLSpecificExpressible) -> SQLSelection {
            value.forKey("x").sqlSelection
        }
        func ids(_ request: some SQLSubqueryable) -> SQLSubquery { request.sqlSubquery }
        let association = Player.hasMany(Player.self, key: "p", using: ForeignKey(["id"]))
        try queue.read { db throws in
            #expect(try any(Player.all()).fetchAll(db).map(\.id) == [1, 2])
            #expect(any(association).databaseTableName == "player")
            let request = Player.select(named(double(Column("score"))), as: Double.self)
                .order(latest(Column("id")))
                .filter(
                    ids(Player.select(Column("id")).filter(Column("id") < 3))
                        .contains(Column("id")))
            #expect(try request.fetchAll(db) == [-6, 3])
        }
    }

    @Test(.proves("QRY-022"))
    func `A column is named by text, by a coding key, or by a type of columns`() throws {
        enum Key: String, CodingKey { case name = "name" }
        enum Columns: String, ColumnExpression { case id, name }
        #expect(Column("name").name == "name" && Column(Key.name).name == "name")
        #expect(Columns.name.name == "name")
        #expect(Column.rowID.name == "rowid" && Column.rank.name == "rank")
        try queue.read { db throws in
            let request = Player.select(Columns.name, as: String.self)
                .filter(Columns.id == 2 || Column.rowID == 3).order(Columns.name.desc)
            #expect(try request.fetchAll(db) == ["Craig", "Barbara"])
            let row = try #require(try Row.fetchOne(db, Player.filter(Column(Key.name) == "Craig")))
            #expect(row[Columns.id] as Int == 3)
        }
    }
}
