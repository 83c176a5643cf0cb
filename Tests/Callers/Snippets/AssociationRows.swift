import Foundation
import Strongroom

// Rows that were joined to others or fetched after them.

func associationKindSnippets5(_ db: Database, _ snippet: SnippetLog) throws {
    try snippet("decode and decodeIfPresent of scopes, sets of prefetched rows") {
        struct Everything: FetchableRecord {
            let author: Author
            let profile: Profile?
            let books: Set<Book>
            let again: [Book]
            init(row: Row) throws {
                author = try Author(row: row)
                profile = try row.decodeIfPresent(Profile.self, forKey: "profile")
                books = try row.decode(Set<Book>.self, forKey: "books")
                again = try row.decode(forKey: "books")
            }
        }
        let request = Author.including(optional: Author.profile).including(all: Author.books)
        let all = try Everything.fetchAll(db, request)
        try expect(all.map(\.books.count) == [2, 2, 1] && all[1].again.count == 2)
        try expect(all.map { $0.profile == nil } == [false, true, true])
        try expectError(RowDecodingError.self) {
            let row = try Row.fetchOne(db, Author.all())!
            _ = try row.decode(Profile.self, forKey: "profile")
        }
    }
    try snippet("Row.PrefetchedRowsView") {
        let row = try Row.fetchOne(db, Author.including(all: Author.books.order(title.desc)))!
        let view: Row.PrefetchedRowsView = row.prefetchedRows
        try expect(view.keys == ["books"] && !view.isEmpty && view["none"] == nil)
        try expect(view["books"]?.map { $0["title"] as String } == ["Odyssey", "Iliad"])
    }
    try snippet("prefetched rows: filters, joins and aggregates inside") {
        let books = Author.books.filter(price > 8).joining(required: Book.awards)
        let rows = try Row.fetchAll(db, Author.including(all: books))
        try expect(rows.map { $0.prefetchedRows["books"]!.count } == [1, 0, 1])
        let counted = Author.books.annotated(with: Book.awards.count)
        let row = try Row.fetchOne(db, Author.including(all: counted))
        try expect(row?.prefetchedRows["books"]?.map { $0["awardCount"] as Int } == [1, 0])
    }
    try snippet("associations to common table expressions") {
        let sums = CommonTableExpression(
            named: "authorTotal", columns: ["author", "total"],
            request: Book.select(Column("authorId"), sum(price)).group(Column("authorId")))
        let total = Author.association(to: sums) { author, sums in
            author.id == sums[Column("author")] && sums[Column("total")] > 17
        }
        let rows = try Row.fetchAll(db, Author.with(sums).including(required: total))
        try expect(Set(rows.map { $0.scopes["authorTotal"]?["total"] as Double? }) == [22, 20])
        let back = sums.association(to: Author.self) { sums, author in
            sums[Column("author")] == author.id
        }
        let named = try Row.fetchAll(db, sums.all().with(sums).including(required: back))
        try expect(named.count == 3 && (named[0].scopes["author"]?["name"] as String?) != nil)
    }
}

func associationKindSnippets6(_ db: Database, _ snippet: SnippetLog) throws {
    try snippet("an association of an optional one") {
        let request = Award.including(
            optional: Award.book.including(optional: Book.author.filter(Column("name") == "Homer")))
        let rows = try Row.fetchAll(db, request.order(Column("id")))
        try expect(rows[0].scopes["book"]?.scopes["author"]?["name"] == "Homer")
        try expect(rows[1].scopes["book"]?.scopes["author"]?.containsNonNullValue == false)
        try expect(rows[1].scopes["book"]?["title"] == "Moby-Dick")
    }
    try db.drop(table: "employee")
}
