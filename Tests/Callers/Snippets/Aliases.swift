import Foundation
import Strongroom

// Keys, aliases, subqueries and regions of requests.

func selectionSnippets5(_ db: Database, _ snippet: SnippetLog) throws {
    try snippet("deletions by keys and of requests") {
        try db.inSavepoint {
            try expect(try Author.deleteOne(db, key: ["name": "homer"]))
            try expect(try Author.deleteAll(db, keys: [["name": "Austen"], ["name": "?"]]) == 1)
            try expect(try Book.fetchCount(db) == 1 && Author.fetchCount(db) == 1)
            try expect(
                try Table("book").deleteOne(db, key: 5) && !Table("book").deleteOne(db, key: 5))
            try expect(try Setting.deleteAll(db, keys: ["a", "b"]) == 1)
            try expect(try Award.filter(Column("name") == "?").deleteAll(db) == 0)
            return .rollback
        }
    }
    try snippet("conflicts of batch updates") {
        try db.inSavepoint {
            try expectError(DatabaseError.self) {
                try Author.updateAll(db, Column("name").set(to: "one"))
            }
            let changed = try Author.updateAll(
                db, onConflict: .ignore, Column("name").set(to: "one"))
            try expect(try Author.filter(key: ["name": "one"]).fetchCount(db) == 1 && changed >= 1)
            return .rollback
        }
    }
    try snippet("aliases of records, and their columns") {
        let author = TableAlias<Author>()
        let request = Book.joining(required: Book.author.aliased(author))
            .filter(author.name == "Homer")
            .order(author.name.desc, title)
        try expect(try request.fetchAll(db).map(\.title) == ["Iliad", "Odyssey"])
        let named = TableAlias<Book>(name: "b")
        let aliased = Book.aliased(named).filter(named[Book.Columns.price] > 15)
        try expect(
            try sql(db, aliased) == "SELECT \"b\".* FROM \"book\" \"b\" WHERE \"b\".\"price\" > ?")
        let country = Book.joining(required: Book.author.aliased(author))
            .select(author.country, as: String?.self).order(Column("id"))
        try expect(try country.fetchAll(db) == ["GR", "GR", "GB", "GB", nil])
    }
    try snippet("subqueries that refer to the outer request") {
        let author = TableAlias<Author>()
        let books = Book.filter { $0.authorId == author.id }
        let most = Author.aliased(author).annotated(
            with: books.select(max(price)).forKey("most"), books.select(count(title)).forKey("n"))
        let rows = try Row.fetchAll(db, most)
        try expect(rows.map { $0["most"] as Double } == [12, 9, 20])
        try expect(rows.map { $0["n"] as Int } == [2, 2, 1])
        let busy = Author.aliased(author).filter(books.select(count(title)) > 1)
        try expect(try busy.fetchCount(db) == 2)
    }
}

func selectionSnippets6(_ db: Database, _ snippet: SnippetLog) throws {
    try snippet("regions of requests") {
        let all = try Book.all().databaseRegion(db)
        try expect(all.description == "book(authorId,id,price,published,tags,title)")
        try expect(try Book.select(title).databaseRegion(db).description == "book(title)")
        let one = try Book.select(title).filter(key: 1).databaseRegion(db)
        try expect(one.description == "book(id,title)[1]")
        let joined = try Book.select(title).including(required: Book.author).databaseRegion(db)
        try expect(joined.description.contains("author(country,id,name)"))
    }
    try snippet("existence by keys") {
        try expect(try Author.exists(db, key: ["name": "Homer"]) && !Author.exists(db, id: 9))
        try expect(try Setting.exists(db, key: "a") && !Setting.exists(db, key: "b"))
        try expect(try Table("author").exists(db, key: ["name": "Austen"]))
        try expect(try Table("author").exists(db, key: 1))
    }
}
