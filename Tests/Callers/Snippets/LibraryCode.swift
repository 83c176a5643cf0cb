import CSQLCipher
import Dispatch
import Foundation
import Strongroom

func librarySnippets1(_ queue: DatabaseQueue, _ snippet: SnippetLog) throws {
    try snippet("FetchRequest that wraps another") {
        let count = Counter()
        try queue.read { db in
            let request = CountedRequest(
                base: Book.filter(Column("price") < 10).order(Column("id")), count: count)
            try expect(try request.fetchAll(db).map(\.title) == ["Emma", "Persuasion"])
            try expect(try request.fetchOne(db)?.title == "Emma")
            try expect(try request.fetchSet(db).count == 2 && request.fetchCount(db) == 2)
            try expect(try request.fetchCursor(db).next()?.title == "Emma")
            try expect(count.value == 4)
        }
    }
    try snippet("FetchRequest.adapted and asRequest") {
        try queue.read { db in
            let request = CountedRequest(base: Book.order(Column("id")), count: Counter())
            try expect(try Row.fetchAll(db, request).count == 5)
            let adapted = Query<Row>("SELECT 1 AS a, 2 AS b").adapted { _ in
                SuffixRowAdapter(fromIndex: 1)
            }
            try expect(try adapted.fetchOne(db) == ["b": 2])
        }
    }
    try snippet("AnyFetchRequest") {
        let requests: [AnyFetchRequest<Book>] = [
            AnyFetchRequest(Book.all()),
            AnyFetchRequest(SQLRequest<Book>("SELECT * FROM book WHERE id = 1")),
            AnyFetchRequest(CountedRequest(base: Book.limit(2), count: Counter())),
        ]
        try queue.read { db in try expect(try requests.map { try $0.fetchCount(db) } == [5, 1, 2]) }
    }
    try snippet("SQLRequest in a type of a library") {
        try queue.read { db in
            let least = 9.5
            let query = Query<String>(
                "SELECT title FROM book WHERE price > \(least) ORDER BY \(Column("title"))")
            try expect(try query.fetchAll(db) == ["Iliad", "Moby-Dick", "Odyssey"])
            try expect(try query.fetchCount(db) == 3)
            let books = Book.filter(query.contains(Column("title")))
            try expect(try books.fetchCount(db) == 3)
        }
    }
    try snippet("PreparedRequest with a statement and an adapter") {
        try queue.read { db in
            let request = BoundRequest(sql: "SELECT id, title FROM book WHERE id = ?", number: 3)
            try expect(try Row.fetchAll(db, request) == [["id": 3]])
            let prepared = try request.makePreparedRequest(db, forSingleResult: true)
            try expect(prepared.statement.sql.hasPrefix("SELECT id") && prepared.adapter != nil)
        }
    }
    try snippet("any FetchRequest of a row decoder") {
        let request: any FetchRequest<Author> = Author.order(Column("name"))
        try queue.read { db in try expect(try request.fetchOne(db)?.name == "Austen") }
    }
}

func librarySnippets2(_ queue: DatabaseQueue, _ snippet: SnippetLog) throws {
    try snippet("DatabaseRegionConvertible of a library") {
        try queue.read { db in
            let region = try TablePair(first: "book", second: "author").databaseRegion(db)
            try expect(region.description.contains("author") && region.description.contains("book"))
            let erased: any DatabaseRegionConvertible = TablePair(first: "note", second: "award")
            try expect(try !erased.databaseRegion(db).isEmpty)
            try expect(
                try AnyDatabaseRegionConvertible(erased).databaseRegion(db)
                    == erased.databaseRegion(db))
        }
    }
    try snippet("Schedulers are keys") {
        var cache: [AnyHashable: Int] = [:]
        cache[AnyHashable(LibraryScheduler(isImmediate: true))] = 1
        cache[AnyHashable(LibraryScheduler(isImmediate: false))] = 2
        try expect(cache.count == 2)
        let schedulers: [any ValueObservationScheduler] = [
            .async(onQueue: .main), LibraryScheduler(isImmediate: true),
        ]
        try expect(schedulers.map { $0.immediateInitialValue() } == [false, true])
    }
    try snippet("ValueObservation with a scheduler of a library") {
        let values = Counter()
        let cancellable = ValueObservation.tracking { try Book.fetchCount($0) }.start(
            in: queue, scheduling: LibraryScheduler(isImmediate: true)
        ) { _ in
        } onChange: { count in
            values.value = count
        }
        try expect(values.value == 5)
        cancellable.cancel()
    }
    try snippet("Statement with values bound by C functions") {
        try queue.read { db in
            let statement = try db.cachedStatement(
                sql: "SELECT title FROM book WHERE id = ? AND price > ?")
            try expect(sqlite3_bind_int64(statement.sqliteStatement, 1, 5) == SQLITE_OK)
            try expect(sqlite3_bind_double(statement.sqliteStatement, 2, 1) == SQLITE_OK)
            try expect(sqlite3_step(statement.sqliteStatement) == SQLITE_ROW)
            try expect(
                String(cString: sqlite3_column_text(statement.sqliteStatement, 0)) == "Moby-Dick")
            sqlite3_reset(statement.sqliteStatement)
            try expect(sqlite3_bind_parameter_count(statement.sqliteStatement) == 2)
        }
    }
}

func librarySnippets3(_ queue: DatabaseQueue, _ snippet: SnippetLog) throws {
    try snippet("StatementArguments set unchecked, then bound anew") {
        try queue.read { db in
            let statement = try db.makeStatement(sql: "SELECT ? + ?")
            statement.setUncheckedArguments([1, 2])
            try expect(try Int.fetchOne(statement) == 3)
            try statement.setArguments([2, 2])
            try expect(statement.arguments.description == "[2, 2]")
            try expect(try Int.fetchOne(statement, arguments: [3, 4]) == 7)
            try expectError(DatabaseError.self) { try statement.validateArguments([1]) }
        }
    }
    try snippet("DatabaseCursor of a library") {
        try queue.read { db in
            let cursor = try IntegerCursor(db, sql: "SELECT id FROM book WHERE id > ?") {
                sqlite3_bind_int64($0, 1, 3)
            }
            try expect(
                cursor.sql.hasSuffix("?") && cursor.columnCount == 1 && cursor.columnNames == ["id"]
            )
            try expect(try Array(cursor) == [4, 5])
            let sum = try IntegerCursor(db, sql: "SELECT id FROM book") { _ in }.map { $0 * 2 }
                .filter { $0 > 4 }.reduce(0, +)
            try expect(sum == 24)
        }
    }
    try snippet("Cursor of a library without a statement") {
        try expect(try Array(Countdown(3)) == [3, 2, 1])
        try expect(try Set(Countdown(3)) == [1, 2, 3])
        try expect(
            try Countdown(4).enumerated().map { $0 * $1 }.reduce(0, +) == 0 * 4 + 1 * 3 + 2 * 2 + 3
                * 1)
        try expect(try Array(Countdown(5).dropFirst(2).prefix(2)) == [3, 2])
        try expect(
            try Countdown(5).min() == 1 && Countdown(5).max() == 5 && Countdown(5).contains(2))
        try expect(
            try Array(Countdown(5).dropLast(3)) == [5, 4] && Countdown(5).suffix(2) == [2, 1])
        try expect(try Dictionary(grouping: Countdown(4), by: { $0 % 2 })[0] == [4, 2])
        try expect(
            try Dictionary(uniqueKeysWithValues: Countdown(2).map { ($0, "\($0)") }) == [
                1: "1", 2: "2",
            ])
        try expect(try Countdown(3).map(String.init).joined(separator: "-") == "3-2-1")
        try expect(
            try Array(Countdown(2).flatMap { Array(repeating: $0, count: $0) }) == [2, 2, 1])
        try expect(try Countdown(2).isEmpty == false)
        var array = Array([9])
        try array.append(contentsOf: Countdown(2))
        try expect(array == [9, 2, 1])
        let any = AnyCursor(Countdown(2))
        try expect(try any.next() == 2)
        try expect(try Array(AnyCursor([1, 2])) == [1, 2])
    }
}

func librarySnippets4(_ queue: DatabaseQueue, _ snippet: SnippetLog) throws {
    try snippet("sqliteConnection with a C function") {
        try queue.inDatabase { db in
            let code = sqlite3_create_function_v2(
                db.sqliteConnection, "answer", 0, SQLITE_UTF8 | SQLITE_DETERMINISTIC, nil,
                { context, _, _ in sqlite3_result_int(context, 42) }, nil, nil, nil)
            try expect(code == SQLITE_OK)
            try expect(try Int.fetchOne(db, sql: "SELECT answer()") == 42)
            sqlite3_create_function_v2(
                db.sqliteConnection, "answer", 0, SQLITE_UTF8, nil, nil, nil, nil, nil)
            try expectError(DatabaseError.self) { try db.execute(sql: "SELECT answer()") }
        }
    }
    try snippet("sqliteConnection with a blob handle") {
        try queue.write { db in
            try db.execute(sql: "CREATE TABLE file(id INTEGER PRIMARY KEY, data BLOB)")
            try db.execute(sql: "INSERT INTO file VALUES (1, zeroblob(4))")
            var blob: OpaquePointer?
            try expect(
                sqlite3_blob_open(db.sqliteConnection, "main", "file", "data", 1, 1, &blob)
                    == SQLITE_OK)
            try expect(
                sqlite3_blob_write(blob, [UInt8(1), 2], 2, 1) == SQLITE_OK
                    && sqlite3_blob_close(blob) == SQLITE_OK)
            try expect(try Data.fetchOne(db, sql: "SELECT data FROM file") == Data([0, 1, 2, 0]))
            try db.drop(table: "file")
        }
    }
    try snippet("sqliteConnection with an authorizer of none, limits and status") {
        try queue.read { db in
            try expect(sqlite3_limit(db.sqliteConnection, SQLITE_LIMIT_VARIABLE_NUMBER, -1) > 900)
            try expect(sqlite3_get_autocommit(db.sqliteConnection) == 0)
            try expect(sqlite3_db_filename(db.sqliteConnection, "main") != nil)
            try expect(db.maximumStatementArgumentCount > 900)
        }
    }
}

func librarySnippets5(_ queue: DatabaseQueue, _ snippet: SnippetLog) throws {
    try snippet("DatabaseFunction and aggregates") {
        try queue.write { db in
            let twice = DatabaseFunction("twice", argumentCount: 1, pure: true) { values in
                Int.fromDatabaseValue(values[0]).map { $0 * 2 }
            }
            let squares = DatabaseFunction(
                "squares", argumentCount: 1, aggregate: SumOfSquares.self)
            let variadic = DatabaseFunction("count_args") { $0.count }
            db.add(function: twice)
            db.add(function: squares)
            db.add(function: variadic)
            try expect(try Int.fetchOne(db, Book.select(squares(Column("id")))) == 55)
            try expect(
                try Int.fetchOne(db, Book.select(twice(Column("id"))).order(Column("id").desc))
                    == 10)
            try expect(try Int.fetchOne(db, sql: "SELECT count_args(1, 2, 3)") == 3)
            try expect(twice.name == "twice" && Set([twice.id, squares.id, twice.id]).count == 2)
            db.remove(function: twice)
            db.remove(function: squares)
            db.remove(function: variadic)
        }
    }
    try snippet("DatabaseCollation") {
        try queue.write { db in
            let length = DatabaseCollation("length") { left, right in
                left.count < right.count
                    ? .orderedAscending
                    : left.count == right.count ? .orderedSame : .orderedDescending
            }
            db.add(collation: length)
            let titles = try String.fetchAll(
                db,
                Book.select(Column("title")).order(Column("title").collating(length), Column("id")))
            try expect(titles == ["Emma", "Iliad", "Odyssey", "Moby-Dick", "Persuasion"])
            try db.reindex(collation: length)
            try db.reindex(collation: .nocase)
            db.remove(collation: length)
        }
    }
}
