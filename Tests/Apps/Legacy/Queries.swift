import Foundation
import Strongroom

func readRows(_ db: Database) throws {
    let rows = try Row.fetchAll(db, sql: "SELECT * FROM book ORDER BY id")
    let first = rows[0]
    try check(first["TITLE"] as String == "Les Misérables", "the title")
    try check(first["year"] as Int? == 1862 && first["cover"] == nil, "the values")
    try check(first.containsNonNullValue && !first.hasNull(atIndex: 0), "nulls")
    try check(first.columnNames.first == "id" && first.databaseValues.count == first.count, "names")

    var named: [String: DatabaseValue] = [:]
    for (column, dbValue) in first { named[column] = dbValue }
    try check(named["shelf"] == "B2".databaseValue, "the shelf")
    try check(Row(["a": 1, "b": nil]) == Row(["a": 1, "b": nil]), "rows made of dictionaries")

    try db.execute(
        sql: "UPDATE book SET cover = ? WHERE id = ?", arguments: [Data([1, 2, 3]), 1])
    let bytes = try Row.fetchCursor(db, sql: "SELECT cover FROM book WHERE id = 1")
    while let row = try bytes.next() {
        let size = row.dataNoCopy(named: "cover")?.count
        try check(size == 3, "the cover")
    }

    let titles = try String.fetchCursor(db, sql: "SELECT title FROM book ORDER BY title")
        .filter { $0.count < 10 }
        .map { $0.uppercased() }
        .enumerated()
    var lines: [String] = []
    try titles.forEach { index, title in lines.append("\(index) \(title)") }
    try check(lines == ["0 BEOWULF", "1 EMMA"], "lines: \(lines)")

    let years = try Optional<Int>.fetchAll(db, sql: "SELECT year FROM book ORDER BY id")
    try check(years == [1862, 1816, nil], "years: \(years)")
    let adapter = ColumnMapping(["name": "title"])
        .addingScopes(["writer": ColumnMapping(["name": "author"])])
    let mapped = try Row.fetchOne(
        db, sql: "SELECT title, author FROM book WHERE id = :id", arguments: ["id": 2],
        adapter: adapter)
    try check(mapped?["name"] == "Emma", "the mapped name")
    try check(mapped?.scopes["writer"]?["name"] == "Jane Austen", "the scope")
}

func runStatements(_ db: Database) throws {
    // GRDB 4: let update = try db.makeUpdateStatement(sql: …)
    let update = try db.makeStatement(sql: "UPDATE book SET shelf = :shelf WHERE id = :id")
    try update.execute(arguments: ["shelf": "C3", "id": 1])
    try check(db.changesCount == 1, "one row was changed")
    // GRDB 4: update.unsafeSetArguments(["shelf": "C4", "id": 2])
    update.setUncheckedArguments(["shelf": "C4", "id": 2])
    try update.execute()

    // GRDB 4: let select = try db.makeSelectStatement(sql: …)
    let select = try db.makeStatement(sql: "SELECT title FROM book WHERE shelf IN (?, ?)")
    try select.setArguments(["C3"] + StatementArguments(["C4"]))
    try check(select.columnNames == ["title"] && select.columnCount == 1, "columns")
    let titles = try String.fetchSet(select)
    try check(titles == ["Les Misérables", "Emma"], "titles: \(titles)")
    do {
        try db.execute(sql: "SELECT ?", arguments: [1, 2])
        throw Wrong(what: "too many arguments")
    } catch let error as DatabaseError {
        try check(error.resultCode == .SQLITE_MISUSE, error.message ?? "")
    }

    // GRDB 4: let request = SQLRequest<String>(literal: SQLLiteral(sql: …, arguments: …))
    let title = "Emma"
    let literal = SQL(sql: "SELECT author FROM book WHERE title = ?", arguments: [title])
    let author = try SQLRequest<String>(literal: literal).fetchOne(db)
    try check(author == "Jane Austen", "the author")
    try check(try initialsOfAuthors(db) == ["V", "J"], "initials")
}

private func initialsOfAuthors(_ db: Database) throws -> [String] {
    // GRDB 4: Book.select(initials.apply(Column("author")))
    let request =
        Book
        .filter(Column("author") != nil)
        .select(initials(Column("author")))
        .order(Column("id"))
        .asRequest(of: String.self)
    return try request.fetchAll(db)
}

func useRequests(_ db: Database) throws {
    let title = Column("title"), year = Column("year")
    let old = Book.filter(year < 1850 && title.like("%m%")).order(year.asc, title)
    try check(try old.fetchAll(db).map { $0.title } == ["Emma"], "old books")
    try check(try old.reversed().limit(1, offset: 0).fetchCount(db) == 1, "with a limit")
    try check(try old.isEmpty(db) == false, "there are old books")
    try check(try Book.none().fetchOne(db) == nil, "no books")
    let conditions = [year == nil, year > 1850, title == "Nothing"]
    let any = try Book.filter(conditions.joined(operator: .or)).orderByPrimaryKey().fetchAll(db)
    try check(any.map { $0.id } == [1, 3], "joined conditions")

    let row =
        try Book
        .select([max(year).forKey("last"), min(year).forKey("first"), count(Column("author"))])
        .asRequest(of: Row.self)
        .fetchOne(db)
    try check(row?["last"] == 1862 && row?["first"] == 1816 && row?[2] == 2, "extremes")
    let shelves = try String.fetchAll(
        db, Book.select(Column("shelf").lowercased).distinct().order(Column("shelf")))
    try check(shelves == ["b2", "c3", "c4"], "shelves: \(shelves)")
    let decades = try Row.fetchAll(
        db,
        Book.select(sql: "(year / ?) * 10 AS decade, COUNT(*) AS n", arguments: [10])
            .group(sql: "decade").having(sql: "decade IS NOT NULL").order(sql: "decade"))
    try check(decades.map { $0["decade"] } == [1810, 1860], "decades")

    let loans = Member.annotated(with: [Member.loans.count.forKey("loans")])
    let counts = try loans.order(Column("name")).asRequest(of: Row.self).fetchAll(db)
    try check(counts.map { $0["loans"] } == [1, 1], "loans of members")
    let infos = try LoanInfo.all().filter(keys: [["bookId": 1, "memberUUID": "A"]]).fetchAll(db)
    try check(infos.count == 1 && infos[0].loan.renewals == 3, "one loan")
    let book = TableAlias(name: "b")
    let emmas = try Loan.joining(required: Loan.book.aliased(book))
        .filter(book["title"] == "Emma" && sqlTrue(book["id"]))
        .fetchCount(db)
    try check(emmas == 1, "loans of Emma")
    let moved = try Book.filter(keys: [1, 2]).updateAll(db, [Column("shelf").set(to: "Z")])
    try check(moved == 2, "moved: \(moved)")
}

// GRDB 5: private func sqlTrue(_ expression: SQLSpecificExpressible) -> SQLExpression {
private func sqlTrue(_ expression: some SQLSpecificExpressible) -> SQLExpression {
    return expression > 0 && expression != nil
}

func inspect(_ db: Database) throws {
    try check(try db.tableExists("book") && !db.viewExists("book"), "the tables")
    let names = try db.columns(in: "member").map { $0.name }
    try check(names == ["uuid", "name", "email", "birthday"], "columns: \(names)")
    let key = try db.primaryKey("loan")
    try check(key.columns == ["bookId", "memberUUID"] && key.rowIDColumn == nil, "the key")
    try check(try db.primaryKey("book").rowIDColumn == "id", "the row id")
    try check(try db.table("member", hasUniqueKey: ["email"]), "the unique email")
    let index = try db.indexes(on: "loan").first { $0.name == "loanByDue" }
    try check(index?.columns == ["due"] && index?.isUnique == false, "the index")
    let foreign = try db.foreignKeys(on: "loan").map { $0.destinationTable }
    try check(Set(foreign) == ["book", "member"], "foreign keys: \(foreign)")
    // GRDB 4: try migrator.appliedMigrations(in: dbQueue)
    let applied = try Library.makeMigrator().appliedIdentifiers(db)
    try check(applied == ["createLibrary", "shelves", "search"], "migrations: \(applied)")
}

func useTransactions(_ dbQueue: DatabaseQueue) throws {
    let committed = Counter()
    try dbQueue.inDatabase { db in
        try db.beginTransaction(.deferred)
        try check(db.isInsideTransaction, "a transaction")
        try Book.deleteAll(db)
        try db.rollback()
        try check(try Book.fetchCount(db) == 3, "the rollback")
        try db.inTransaction(.immediate) {
            // GRDB 4: db.afterNextTransactionCommit { _ in … }
            db.afterNextTransaction { _ in committed.value += 1 }
            try Member.deleteOne(db, key: "B")
            return .commit
        }
        try check(try Loan.fetchCount(db) == 1, "the loans of a deleted member")
    }
    try check(committed.value == 1, "the commit was told")
    let copy = try DatabaseQueue()
    try copy.write { db in try db.execute(sql: "CREATE TABLE book (id INTEGER)") }
    let id = try dbQueue.unsafeReentrantRead { db in try Book.fetchOne(db, key: 2)?.id }
    try check(id == 2, "the book")
}

/// Changed in the queue alone.
// Safety: it is changed in the queue alone.
final class Counter: @unchecked Sendable {
    var value = 0
}
