import CSQLCipher
import Foundation
import Strongroom

// Types that are met more rarely, each as a library or an app names it.

func rarerSnippets(_ db: Database, _ snippet: SnippetLog) throws {
    try rarerSnippets1(db, snippet)
    try rarerSnippets2(db, snippet)
    try rarerSnippets3(db, snippet)
    try rarerSnippets4(db, snippet)
    try rarerSnippets5(db, snippet)
    try rarerSnippets6(db, snippet)
}

func rarerSnippets1(_ db: Database, _ snippet: SnippetLog) throws {
    try snippet("ColumnAssignment operators") {
        let id = Column("id")
        let assignments: [ColumnAssignment] = [
            price += 1, price -= 1, price *= 2, price /= 2, id &= 1, id |= 1, id <<= 1, id >>= 1,
            id.set(to: id), id.noOverwrite,
        ]
        try expect(assignments.count == 10)
    }
    try snippet("SQLOrdering, SQLSelection, SQLSubquery, SQLExpression as stored properties") {
        struct Shape {
            var ordering: SQLOrdering = Column("title").desc
            var selection: SQLSelection = Column("title").sqlSelection
            var condition: SQLExpression = Column("price") > 9
            var subquery: SQLSubquery = Book.select(max(Column("price"))).sqlSubquery
        }
        let shape = Shape()
        let request = Book.select(shape.selection).filter(shape.condition).order(shape.ordering)
        try expect(try String.fetchAll(db, request) == ["Odyssey", "Moby-Dick", "Iliad"])
        try expect(try Book.filter(price == shape.subquery).fetchCount(db) == 1)
    }
    try snippet("SQLExpression.AssociativeBinaryOperator") {
        let operators: [SQLExpression.AssociativeBinaryOperator] = [
            .add, .multiply, .and, .or, .concat, .bitwiseAnd, .bitwiseOr,
        ]
        try expect(operators.count == 7)
        try expect(
            try Int.fetchOne(
                db, Book.select([3.sqlExpression, 6.sqlExpression].joined(operator: .bitwiseAnd)))
                == 2)
    }
    try snippet("SQLDateModifier") {
        let modifiers: [SQLDateModifier] = [
            .second(1), .minute(2), .hour(3), .day(4), .month(5), .year(6), .startOfDay,
            .startOfMonth, .startOfYear, .weekday(1), .unixEpoch, .localTime, .utc,
        ]
        try expect(modifiers.map(\.sqlExpression).count == 13)
    }
    try snippet("IndexOptions, TableOptions, ViewOptions, VirtualTableOptions") {
        let all: (IndexOptions, TableOptions, ViewOptions, VirtualTableOptions) = (
            [.unique], [.temporary, .strict], [.temporary], [.ifNotExists]
        )
        try expect(all.0.contains(.unique) && all.1.contains(.strict) && all.3 == .ifNotExists)
    }
    try snippet("Database.ColumnType and CollationName of an app") {
        let type = Database.ColumnType(rawValue: "VARCHAR(20)")
        let name = Database.CollationName(rawValue: "nocase")
        try expect(type.rawValue == "VARCHAR(20)" && name.rawValue == "nocase")
        try expect(Database.CollationName.binary.rawValue == "BINARY")
        try expect(Set([Database.ColumnType.text, .text, .any, .jsonText]).count >= 2)
    }
}

func rarerSnippets2(_ db: Database, _ snippet: SnippetLog) throws {
    try snippet("Database.ConflictResolution, ForeignKeyAction, TransactionKind") {
        try expect(Database.ConflictResolution.replace.rawValue == "REPLACE")
        try expect(Database.ForeignKeyAction.setNull.rawValue == "SET NULL")
        try expect(Database.TransactionKind.immediate.rawValue == "IMMEDIATE")
    }
    try snippet("Row.Index and iteration from an index") {
        let row: Row = ["a": 1, "b": 2]
        let index: Row.Index = row.index(after: row.startIndex)
        try expect(
            row[index].1 == 2.databaseValue && row.distance(from: row.startIndex, to: index) == 1)
        try expect(row.reversed().map(\.0) == ["b", "a"])
    }
    try snippet("Row.ScopesView and ScopesTreeView are iterated") {
        let row = try Row.fetchOne(db, Book.including(required: Book.author))!
        var names: [String] = []
        for (name, scope) in row.scopes where scope.count > 0 { names.append(name) }
        try expect(names == ["author"] && row.scopes[row.scopes.startIndex].name == "author")
        try expect(row.scopesTree.names.contains("author") && row.prefetchedRows.isEmpty)
    }
    try snippet("types of cursors") {
        let rows: RowCursor = try Row.fetchCursor(db, sql: "SELECT 1")
        let numbers: FastDatabaseValueCursor<Int> = try Int.fetchCursor(db, sql: "SELECT 1")
        let suits: DatabaseValueCursor<Suit> = try Suit.fetchCursor(db, sql: "SELECT 'hearts'")
        let books: RecordCursor<Book> = try Book.fetchCursor(db)
        try expect(try rows.next() != nil && numbers.next() == 1 && suits.next() == .hearts)
        let mapped: MapCursor<RecordCursor<Book>, String> = books.map(\.title)
        let filtered: FilterCursor<MapCursor<RecordCursor<Book>, String>> = mapped.filter {
            $0 != "Iliad"
        }
        try expect(try filtered.next() == "Odyssey")
        let prefix: PrefixCursor<RecordCursor<Book>> = try Book.fetchCursor(db).prefix(1)
        try expect(try Array(prefix).count == 1)
    }
}

func rarerSnippets3(_ db: Database, _ snippet: SnippetLog) throws {
    try snippet("DatabaseRegion.isModified and isFullDatabase") {
        final class Watcher: TransactionObserver {
            let region: DatabaseRegion
            var count = 0
            init(_ region: DatabaseRegion) { self.region = region }
            func observes(eventsOfKind kind: DatabaseEventKind) -> Bool {
                region.isModified(byEventsOfKind: kind)
            }
            func databaseDidChange(with event: DatabaseEvent) {
                if region.isModified(by: event) { count += 1 }
            }
            func databaseDidCommit(_ db: Database) {}
            func databaseDidRollback(_ db: Database) {}
        }
        let watcher = try Watcher(Book.filter(key: 1).databaseRegion(db))
        db.add(transactionObserver: watcher)
        try db.execute(sql: "UPDATE book SET price = price")
        db.remove(transactionObserver: watcher)
        try expect(watcher.count == 1 && DatabaseRegion.fullDatabase.isFullDatabase)
        var region = DatabaseRegion()
        region.formUnion(watcher.region)
        try expect(region == watcher.region && !region.isEmpty)
    }
    try snippet("ForeignKeyViolation") {
        try db.inSavepoint {
            try db.execute(sql: "PRAGMA defer_foreign_keys = ON")
            try db.execute(sql: "INSERT INTO award VALUES (77, 999, 'x')")
            let violation = try db.foreignKeyViolations(in: "award").next()
            try expect(violation?.originTable == "award" && violation?.destinationTable == "book")
            try expect(violation?.originRowID == 77 && violation?.foreignKeyId == 0)
            try expect(try violation?.failureDescription(db).contains("book") == true)
            try expectError(DatabaseError.self) { try db.checkForeignKeys() }
            return .rollback
        }
    }
    try snippet("InsertionSuccess and PersistenceSuccess") {
        struct Note: MutablePersistableRecord, Encodable {
            var text: String
            var seen: [String] = []
            enum CodingKeys: CodingKey { case text }
            static let databaseTableName = "note"
            mutating func didInsert(_ inserted: InsertionSuccess) {
                seen.append("\(inserted.rowID) \(inserted.rowIDColumn ?? "")")
            }
            func didUpdate(_ updated: PersistenceSuccess) {}
        }
        var note = Note(text: "a")
        try note.insert(db)
        try expect(note.seen == ["\(db.lastInsertedRowID) id"])
        try db.execute(sql: "DELETE FROM note")
    }
}

func rarerSnippets4(_ db: Database, _ snippet: SnippetLog) throws {
    try snippet("classes of Foundation as values") {
        try expect(try String.fetchOne(db, sql: "SELECT ?", arguments: ["a" as NSString]) == "a")
        try expect(try Int.fetchOne(db, sql: "SELECT ?", arguments: [NSNumber(value: 4)]) == 4)
        try expect(
            try Data.fetchOne(db, sql: "SELECT ?", arguments: [NSData(data: Data([1]))])
                == Data([1]))
        try expect(try NSUUID.fetchOne(db, sql: "SELECT ?", arguments: [UUID().uuidString]) != nil)
        try expect(try NSDate.fetchOne(db, sql: "SELECT '1970-01-01'")?.timeIntervalSince1970 == 0)
        try expect(
            DatabaseValue(value: NSNull()) == nil || DatabaseValue(value: NSNull())?.isNull == true)
    }
    try snippet("dump formats of an app") {
        struct Counting: DumpFormat {
            var rowCount = 0
            mutating func writeRow(
                _ db: Database, statement: Statement, to stream: inout DumpStream
            ) {
                rowCount += 1
                stream.write("\(rowCount):\(sqlite3_column_count(statement.sqliteStatement)) ")
            }
            mutating func finalize(
                _ db: Database, statement: Statement, to stream: inout DumpStream
            ) {
                stream.write("end\n")
            }
        }
        final class Output: TextOutputStream {
            var text = ""
            func write(_ string: String) { text += string }
        }
        let output = Output()
        try db.dumpSQL("SELECT id FROM author", format: Counting(), to: output)
        try expect(output.text == "1:1 2:1 3:1 end\n")
    }
    try snippet("versions, limits and names of the library") {
        try expect(
            Database.sqliteLibVersionNumber >= 3_035_000 && SQLITE_VERSION_NUMBER > 3_000_000)
        try expect(Database.suspendNotification != Database.resumeNotification)
        try expect(db.maximumStatementArgumentCount > 0 && db.configuration.foreignKeysEnabled)
        let connection: SQLiteConnection? = db.sqliteConnection
        try expect(connection != nil)
    }
    try snippet("transaction clocks") {
        struct Fixed: TransactionClock {
            func now(_ db: Database) throws -> Date { Date(timeIntervalSince1970: 5) }
        }
        var configuration = Configuration()
        configuration.transactionClock = Fixed()
        let queue = try DatabaseQueue(configuration: configuration)
        try queue.write { try expect(try $0.transactionDate == Date(timeIntervalSince1970: 5)) }
        configuration.transactionClock = .custom { _ in Date(timeIntervalSince1970: 6) }
        configuration.transactionClock = .default
        try expect(configuration.transactionClock is DefaultTransactionClock)
    }
}

func rarerSnippets5(_ db: Database, _ snippet: SnippetLog) throws {
    try snippet("observation of a prepared database") {
        var configuration = Configuration()
        let counter = Counter()
        configuration.prepareDatabase { _ in counter.value += 1 }
        configuration.prepareDatabase { db in try db.execute(sql: "PRAGMA temp_store = MEMORY") }
        let queue = try DatabaseQueue(configuration: configuration)
        try expect(counter.value == 1)
        try queue.close()
        try expectError(DatabaseError.self) { try queue.read { _ in } }
    }
    try snippet("JSON expressions by protocol") {
        func firstOf(_ json: some SQLJSONExpressible) -> SQLExpression { json["$[0]"] }
        let any: AnySQLJSONExpressible = Column("tags").asJSON
        try expect(try String.fetchOne(db, Book.select(firstOf(any))) == "classic")
        try expect(try String.fetchOne(db, Book.select(firstOf(JSONColumn("tags")))) == "classic")
        try expect(
            try String.fetchOne(
                db, Book.select(JSONColumn("tags").jsonExtract(atPaths: ["$[0]", "$[1]"])))
                == "[\"classic\",null]")
    }
    try snippet("association types of a library") {
        func key<A: Association>(_ association: A) -> A { association.forKey("renamed") }
        let row = try Row.fetchOne(db, Book.including(required: key(Book.author)))!
        try expect(row.scopes.names.contains("renamed"))
        let aggregate: AssociationAggregate<Author> = Author.books.count.forKey("n")
        try expect(try Row.fetchOne(db, Author.annotated(with: aggregate))?["n"] == 2)
        let join: JoinAssociation<Author, Row> = Author.association(
            to: CommonTableExpression<Row>(named: "x", request: Book.all()))
        _ = join
    }
}
