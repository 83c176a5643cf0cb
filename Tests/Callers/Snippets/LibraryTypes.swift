import CSQLCipher
import Dispatch
import Foundation
import Strongroom

// Where libraries hang on: protocols they conform to, C functions, hooks.

/// A request that wraps another one, and counts how often it was prepared.
struct CountedRequest<Base: FetchRequest>: FetchRequest {
    typealias RowDecoder = Base.RowDecoder
    var base: Base
    let count: Counter

    func makePreparedRequest(_ db: Database, forSingleResult singleResult: Bool) throws
        -> PreparedRequest
    {
        count.value += 1
        return try base.makePreparedRequest(db, forSingleResult: singleResult)
    }

    func fetchCount(_ db: Database) throws -> Int { try base.fetchCount(db) }

    func databaseRegion(_ db: Database) throws -> DatabaseRegion { try base.databaseRegion(db) }

    var sqlSubquery: SQLSubquery { base.sqlSubquery }
}

// Safety: a snippet reads it when what counts has ended.
final class Counter: @unchecked Sendable {
    var value = 0
}

/// A request of a library: a piece of SQL, with a type of its own.
struct Query<Output>: FetchRequest {
    typealias RowDecoder = Output
    private let request: SQLRequest<Output>

    init(_ literal: SQL) { request = SQLRequest(literal: literal) }

    var sqlSubquery: SQLSubquery { request.sqlSubquery }

    func fetchCount(_ db: Database) throws -> Int { try request.fetchCount(db) }

    func makePreparedRequest(_ db: Database, forSingleResult: Bool) throws -> PreparedRequest {
        try request.makePreparedRequest(db, forSingleResult: forSingleResult)
    }
}

/// A request that makes its statement by itself.
struct BoundRequest: FetchRequest {
    typealias RowDecoder = Row
    let sql: String
    let number: Int64

    var sqlSubquery: SQLSubquery { SQLRequest<Row>(sql: sql, arguments: [number]).sqlSubquery }

    func fetchCount(_ db: Database) throws -> Int { try fetchAll(db).count }

    func makePreparedRequest(_ db: Database, forSingleResult: Bool) throws -> PreparedRequest {
        let statement = try db.makeStatement(sql: sql)
        try statement.setArguments([number])
        return PreparedRequest(statement: statement, adapter: RangeRowAdapter(0..<1))
    }
}

/// A cursor by the C functions.
final class IntegerCursor: DatabaseCursor {
    var _isDone = false
    let _statement: Statement

    init(_ db: Database, sql: String, _ bind: (OpaquePointer) -> Void) throws {
        _statement = try db.makeStatement(sql: sql)
        bind(_statement.sqliteStatement)
    }

    deinit { sqlite3_reset(_statement.sqliteStatement) }

    func _element(sqliteStatement: SQLiteStatement) throws -> Int {
        Int(sqlite3_column_int64(sqliteStatement, 0))
    }
}

/// A cursor of no statement.
final class Countdown: Cursor {
    var number: Int
    init(_ number: Int) { self.number = number }

    func next() throws -> Int? {
        guard number > 0 else { return nil }
        number -= 1
        return number + 1
    }
}

/// What a library observes.
struct TablePair: DatabaseRegionConvertible {
    let first: String
    let second: String

    func databaseRegion(_ db: Database) throws -> DatabaseRegion {
        try Table(first).databaseRegion(db).union(Table(second).databaseRegion(db))
    }
}

/// A scheduler of a library, and a key of its caches.
struct LibraryScheduler: ValueObservationScheduler, Hashable {
    let isImmediate: Bool

    func immediateInitialValue() -> Bool { isImmediate }

    func schedule(_ action: @escaping @Sendable () -> Void) {
        DispatchQueue.main.async(execute: action)
    }

    func scheduleInitial(_ action: @escaping @Sendable () -> Void) { action() }
}

/// A value that a library stores.
struct Money: DatabaseValueConvertible, StatementColumnConvertible, Hashable, Codable {
    var cents: Int64

    init(cents: Int64) { self.cents = cents }

    init?(sqliteStatement: SQLiteStatement, index: CInt) {
        guard sqlite3_column_type(sqliteStatement, index) == SQLITE_INTEGER else { return nil }
        cents = sqlite3_column_int64(sqliteStatement, index)
    }

    var databaseValue: DatabaseValue { cents.databaseValue }

    static func fromDatabaseValue(_ dbValue: DatabaseValue) -> Money? {
        Int64.fromDatabaseValue(dbValue).map(Money.init(cents:))
    }

    func bind(to sqliteStatement: SQLiteStatement, at index: CInt) -> CInt {
        sqlite3_bind_int64(sqliteStatement, index, cents)
    }

    static var sqlDescription: String { "money" }
}

enum Suit: String, DatabaseValueConvertible, CaseIterable { case hearts, spades }
enum Rank: Int, DatabaseValueConvertible, Codable { case ace = 1, king = 13 }

/// An expression of a library.
struct Distance: SQLSpecificExpressible, SQLOrderingTerm, SQLSelectable {
    let column: Column
    let target: Double

    var sqlExpression: SQLExpression { abs(column - target) }
}

extension SQLSpecificExpressible {
    func roundedByLibrary(_ digits: Int) -> SQLExpression {
        SQL("ROUND(\(self), \(digits))").sqlExpression
    }
}

extension DerivableRequest<Book> {
    func cheap(_ limit: Double = 10) -> Self { filter(Column("price") < limit) }
    func orderedByTitle() -> Self {
        order(Column("title").collating(.localizedCaseInsensitiveCompare))
    }
    func of(country: String) -> Self {
        joining(required: Book.author.filter(Column("country") == country))
    }
}

extension DatabaseMigrator {
    /// As libraries add theirs.
    mutating func registerLibraryMigrations(prefix: String) {
        for number in 1...3 {
            registerMigration("\(prefix).\(number)") { db in
                try db.create(table: "\(prefix)\(number)") { $0.primaryKey("id", .integer) }
            }
        }
    }
}

enum TaskValues {
    @TaskLocal static var user = "none"
}

/// A tokenizer that leaves out short words.
final class LongWords: FTS5WrapperTokenizer {
    static let name = "longwords"
    let wrappedTokenizer: any FTS5Tokenizer

    init(db: Database, arguments: [String]) throws {
        wrappedTokenizer = try db.makeTokenizer(.unicode61())
    }

    func accept(
        token: String, flags: FTS5TokenFlags, for tokenization: FTS5Tokenization,
        tokenCallback: FTS5WrapperTokenCallback
    ) throws {
        if token.count > 2 { try tokenCallback(token, flags) }
    }
}

/// One that is written from scratch.
final class Letters: FTS5CustomTokenizer {
    static let name = "letters"
    init(db: Database, arguments: [String]) throws {}

    func tokenize(
        context: UnsafeMutableRawPointer?, tokenization: FTS5Tokenization,
        pText: UnsafePointer<CChar>?, nText: CInt, tokenCallback: @escaping FTS5TokenCallback
    ) -> CInt {
        for index in 0..<nText {
            let code = tokenCallback(context, 0, pText.map { $0 + Int(index) }, 1, index, index + 1)
            if code != SQLITE_OK { return code }
        }
        return SQLITE_OK
    }
}

final class SumOfSquares: DatabaseAggregate {
    var sum = 0
    func step(_ dbValues: [DatabaseValue]) throws {
        if let value = Int.fromDatabaseValue(dbValues[0]) { sum += value * value }
    }
    func finalize() throws -> (any DatabaseValueConvertible)? { sum }
}

final class EventLog: TransactionObserver {
    var lines: [String] = []
    func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool {
        switch eventKind {
        case .insert(let tableName): return tableName == "note"
        case .update(let tableName, let columnNames):
            return tableName == "note" && columnNames.contains("text")
        case .delete(let tableName): return tableName == "note"
        }
    }
    func databaseDidChange() { lines.append("?") }
    func databaseDidChange(with event: DatabaseEvent) {
        lines.append(
            "\(event.kind == .insert ? "+" : event.kind == .delete ? "-" : "=")\(event.tableName)\(event.rowID)"
        )
        if event.rowID == 99 { stopObservingDatabaseChangesUntilNextTransaction() }
    }
    func databaseWillCommit() throws { lines.append("will") }
    func databaseDidCommit(_ db: Database) { lines.append("commit") }
    func databaseDidRollback(_ db: Database) { lines.append("rollback") }
}

func librarySnippets(_ queue: DatabaseQueue, _ snippet: SnippetLog) throws {
    try librarySnippets1(queue, snippet)
    try librarySnippets2(queue, snippet)
    try librarySnippets3(queue, snippet)
    try librarySnippets4(queue, snippet)
    try librarySnippets5(queue, snippet)
    try librarySnippets6(queue, snippet)
    try librarySnippets7(queue, snippet)
    try librarySnippets8(queue, snippet)
    try librarySnippets9(queue, snippet)
    try librarySnippets10(queue, snippet)
}
