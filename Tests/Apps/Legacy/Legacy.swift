import Foundation
import Strongroom

/// What the app found to be other than it should be.
struct Wrong: Error {
    var what: String
}

func check(_ isRight: Bool, _ what: @autoclosure () -> String) throws {
    if !isRight { throw Wrong(what: what()) }
}

/// Uses the app.
func runLegacy(at path: String, passphrase: String) throws {
    let dbQueue = try Library.openDatabase(atPath: path, passphrase: passphrase)
    let library = try Library(dbWriter: dbQueue)
    let changes = BookChanges()
    dbQueue.add(transactionObserver: changes, extent: .observerLifetime)
    let books = try addBooks(to: dbQueue)
    try check(changes.committed == [[1, 2, 3], [2]], "changes: \(changes.committed)")
    let members = try addMembers(to: dbQueue)
    try lend(books, to: members, in: library)
    try search(library)
    try dbQueue.inDatabase { db in
        try readRows(db)
        try runStatements(db)
        try useRequests(db)
        try inspect(db)
    }
    try useTransactions(dbQueue)
    try check(traced.contains { $0.hasPrefix("CREATE TABLE \"loan\"") }, "the trace")
    try Library.changePassphrase(of: dbQueue, to: passphrase + "2")
    try dbQueue.close()
    let reopened = try Library.openDatabase(atPath: path, passphrase: passphrase + "2")
    let count = try reopened.read { db in try Book.fetchCount(db) }
    try check(count == 3, "books: \(count)")
    try Library.changePassphrase(of: reopened, to: passphrase)
    try reopened.close()
}

private func addBooks(to dbQueue: DatabaseQueue) throws -> [Book] {
    let books = [
        Book(title: "Les Misérables", author: "Victor Hugo", year: 1862),
        Book(title: "Emma", author: "Jane Austen", year: 1815),
        Book(title: "Beowulf"),
    ]
    try dbQueue.inTransaction { db in
        for book in books { try book.insert(db) }
        return .commit
    }
    try check(books.map { $0.id } == [1, 2, 3], "ids of books")
    try check(books[0].hasDatabaseChanges == false, "a new book has changes")
    let emma = books[1]
    emma.year = 1816
    try check(emma.databaseChanges["year"] == .some(1815.databaseValue), "the old year")
    try dbQueue.inDatabase { db in
        let changed = try emma.updateChanges(db)
        let unchanged = try emma.updateChanges(db)
        try check(changed && !unchanged, "changes were saved once")
    }
    try check(emma.updates == [["year"]], "updates: \(emma.updates)")
    return books
}

private func addMembers(to dbQueue: DatabaseQueue) throws -> [Member] {
    let birthday = DatabaseDateComponents(
        DateComponents(year: 1999, month: 12, day: 31), format: .YMD)
    let ann = Member(uuid: "A", name: "Ann", email: "ann@example.com", birthday: birthday)
    let bob = Member(uuid: "B", name: "bob", email: "ann@example.com", birthday: nil)
    try dbQueue.write { db in
        try ann.insert(db)
        try bob.insert(db)
        try check(try Member.fetchCount(db) == 1, "the email of both was replaced")
        try Member(uuid: "A", name: "Ann", email: nil, birthday: birthday).save(db)
        let read = try Member.fetchOne(db, key: "A")
        try check(read?.birthday?.dateComponents.month == 12, "the birthday")
        try check(read?.databaseDictionary["name"] == "Ann".databaseValue, "the dictionary")
    }
    return [ann, bob]
}

private func lend(_ books: [Book], to members: [Member], in library: Library) throws {
    let screen = LoanScreen(library: library)
    screen.appear()
    try check(screen.lines.wait(for: 0) != nil, "an empty list")
    let due = Date(timeIntervalSince1970: 1_500_000_000)
    try library.lend(books[0], to: members[0], until: due)
    try library.lend(books[1], to: members[1], until: due.addingTimeInterval(86400))
    let lines = screen.lines.wait(for: 2)
    try check(lines == ["bob: Emma", "Ann: Les Misérables"], "lines: \(lines ?? [])")
    screen.disappear()

    for renewal in 1...3 {
        let renewed = try library.renew(bookId: 1, memberUUID: "A")
        try check(renewed == renewal, "renewal \(renewal)")
    }
    do {
        _ = try library.renew(bookId: 1, memberUUID: "A")
        throw Wrong(what: "renewed for ever")
    } catch let error as DatabaseError {
        let sql = error.sql ?? ""
        try check(error.extendedResultCode == .SQLITE_CONSTRAINT_CHECK, "\(error)")
        try check(sql.hasPrefix("UPDATE \"loan\""), "the statement: \(sql)")
    }
    try check(try library.renew(bookId: 3, memberUUID: "A") == nil, "no such loan")
}

private func search(_ library: Library) throws {
    try check(try library.books(withWords: "miserables hugo").map { $0.title }.count == 1, "FTS4")
    try check(try library.books(withWords: "").isEmpty, "found without words")
    let warmers = try library.shelfWarmers()
    try check(warmers == ["Beowulf"], "never lent: \(warmers)")
}
