import Foundation
import Strongroom

// Requests: closures and key paths of columns, groups, batch changes that return rows, aliases.

extension DerivableRequest<Author> {
    /// Orders authors by name, in a localized and case-insensitive fashion.
    fileprivate func orderByName() -> Self {
        order { $0.name.collating(.localizedCaseInsensitiveCompare) }
    }

    fileprivate func filter(country: String) -> Self { filter { $0.country == country } }
}

extension DerivableRequest<Book> {
    fileprivate func filter(authorCountry: String) -> Self {
        joining(required: Book.author.filter(country: authorCountry))
    }
}

extension QueryInterfaceRequest<Author> {
    fileprivate func selectName() -> QueryInterfaceRequest<String> { select(\.name) }
}

func selectionSnippets(_ db: Database, _ snippet: SnippetLog) throws {
    try selectionSnippets1(db, snippet)
    try selectionSnippets2(db, snippet)
    try selectionSnippets3(db, snippet)
    try selectionSnippets4(db, snippet)
    try selectionSnippets5(db, snippet)
    try selectionSnippets6(db, snippet)
}

func selectionSnippets1(_ db: Database, _ snippet: SnippetLog) throws {
    try snippet("requests as methods of DerivableRequest") {
        try expect(
            try Author.all().orderByName().fetchAll(db).map(\.name)
                == ["Austen", "Homer", "Melville"])
        try expect(try Author.all().filter(country: "GB").fetchCount(db) == 1)
        try expect(try Author.filter { $0.country == "GR" }.selectName().fetchSet(db) == ["Homer"])
        try expect(try Book.all().filter(authorCountry: "GB").fetchCount(db) == 2)
    }
    try snippet("key paths of columns") {
        try expect(try Author.order(\.name.desc).fetchOne(db)?.name == "Melville")
        let countries = try String?.fetchAll(db, Author.select(\.country).order(Column("id")))
        try expect(countries == ["GR", "GB", nil])
        let names = try Author.order(\.name).select(\.name, as: String.self).fetchAll(db)
        try expect(names == ["Austen", "Homer", "Melville"])
    }
    try snippet("closures that give several columns") {
        let rows = try Row.fetchAll(
            db, Author.select { [$0.id, $0.name] }.order { [$0.country, $0.name.desc] })
        try expect(rows[0] == ["id": 3, "name": "Melville"] && rows.count == 3)
        let annotated = try Row.fetchOne(
            db, Author.annotated { [$0.name.uppercased.forKey("loud"), length($0.name)] })
        try expect(annotated?["loud"] == "HOMER" && annotated?.count == 5)
        let pairs = Author.filter { $0.id > 1 }.select(as: Row.self) { [$0.name, $0.id] }
        try expect(try pairs.fetchAll(db).map { $0["id"] as Int64 } == [2, 3])
    }
    try snippet("groups by closures, SQL and literals") {
        let counts = Book.select(Column("authorId"), count(Column("id")).forKey("n"))
        try expect(try Row.fetchAll(db, counts.group { $0.authorId }).count == 3)
        try expect(try Row.fetchAll(db, counts.group { [$0.authorId, $0.price] }).count == 5)
        try expect(
            try Row.fetchAll(db, counts.group(sql: "authorId % ?", arguments: [2])).count == 2)
        try expect(try Row.fetchAll(db, counts.group(literal: "authorId % \(2)")).count == 2)
        let grouped = counts.group(Column("authorId"))
        try expect(try Row.fetchAll(db, grouped.having { max($0.price) > 15 }).count == 1)
        try expect(try Row.fetchAll(db, grouped.having(sql: "n > ?", arguments: [1])).count == 2)
        try expect(try Row.fetchAll(db, grouped.having(literal: "n > \(1)")).count == 2)
        try expect(try grouped.fetchCount(db) == 3)
    }
}

func selectionSnippets2(_ db: Database, _ snippet: SnippetLog) throws {
    try snippet("groupByPrimaryKey and withStableOrder") {
        let request = Book.joining(optional: Book.awards).groupByPrimaryKey()
        try expect(try request.fetchAll(db).count == 5)
        let settings = Setting.all().groupByPrimaryKey()
        try expect(try sql(db, settings) == "SELECT * FROM \"setting\" GROUP BY \"key\"")
        let stable = Book.order(Column("authorId")).withStableOrder()
        try expect(
            try sql(db, stable) == "SELECT * FROM \"book\" ORDER BY \"authorId\", \"id\"")
        try expect(
            try sql(db, Book.orderByPrimaryKey()) == "SELECT * FROM \"book\" ORDER BY \"id\"")
    }
    try snippet("requests that ask the database what they are") {
        let names = Author.all().selectWhenConnected { db in
            try db.columns(in: "author").map { Column($0.name) }.filter { $0.name != "id" }
        }
        try expect(try Row.fetchOne(db, names)?.count == 2)
        let cheap = Book.all().filterWhenConnected { db in
            try Column("price") == Double.fetchOne(db, Book.select(min(Column("price"))))
        }
        try expect(try cheap.fetchAll(db).map(\.title) == ["Emma"])
        let ordered = Book.all().orderWhenConnected { db in
            [Column(try db.primaryKey("book").columns[0]).desc]
        }
        try expect(try ordered.fetchOne(db)?.title == "Moby-Dick")
        let more = Book.all().annotatedWhenConnected { _ in [price.forKey("again")] }
        try expect(try Row.fetchOne(db, more)?["again"] == 10.0)
    }
    try snippet("groups and conditions of groups that ask the database") {
        let request = Book.select(Column("authorId"))
            .groupWhenConnected { db in [Column(try db.foreignKeys(on: "book")[0].originColumns[0])]
            }
            .havingWhenConnected { _ in count(Column("id")) > 1 }
        try expect(try Int64.fetchSet(db, request) == [1, 2])
    }
    try snippet("selectID and selectPrimaryKey") {
        try expect(try Author.selectID().fetchSet(db).count == 3)
        try expect(try Author.filter { $0.country == "GR" }.selectID().fetchAll(db) == [1])
        try expect(try Book.selectPrimaryKey(as: Int64.self).fetchSet(db) == [1, 2, 3, 4, 5])
        try expect(try Setting.selectPrimaryKey(as: String.self).fetchAll(db) == ["a"])
        let ids = Author.filter { $0.country != nil }.selectPrimaryKey(as: Int64.self)
        try expect(try Book.filter(ids.contains(Column("authorId"))).fetchCount(db) == 4)
    }
}

func selectionSnippets3(_ db: Database, _ snippet: SnippetLog) throws {
    try snippet("AllColumnsExcluding, databaseSelection, numberOfSelectedColumns") {
        struct Light: TableRecord {
            static let databaseTableName = "book"
            static var databaseSelection: [any SQLSelectable] {
                [.allColumns(excluding: ["tags", "published"])]
            }
        }
        try expect(try Row.fetchOne(db, Light.all())?.count == 4)
        try expect(try Light.numberOfSelectedColumns(db) == 4)
        try expect(try Book.numberOfSelectedColumns(db) == 6)
        let selection = AllColumnsExcluding(["title"])
        try expect(try Row.fetchOne(db, Book.select(selection))?.hasColumn("title") == false)
        let excluded: [Column] = [Column("title"), Column("tags")]
        let row = try Row.fetchOne(db, Book.select(.allColumns(excluding: excluded.map(\.name))))
        try expect(row?.count == 4)
    }
    try snippet("selections by SQL, of another type") {
        let titles: QueryInterfaceRequest<String> = Book.select(sql: "title || ?", arguments: ["!"])
        try expect(try titles.order(title).fetchOne(db) == "Emma!")
        let literal = Book.select(literal: "price * \(2)", as: Double.self)
        try expect(try literal.fetchSet(db) == [16, 18, 20, 24, 40])
        try expect(try Book.select([max(price)], as: Double.self).fetchOne(db) == 20)
        struct Stub: FetchableRecord, Decodable, Equatable { var title: String }
        try expect(
            try Book.select(title).filter(key: 3).asRequest(of: Stub.self).fetchAll(db)
                == [Stub(title: "Emma")])
    }
    try snippet("distinct, limits and counts together") {
        let authors = Book.select(Column("authorId")).distinct()
        try expect(try authors.fetchCount(db) == 3 && authors.limit(2).fetchCount(db) == 2)
        try expect(try Book.limit(2, offset: 4).fetchCount(db) == 1)
        try expect(try Book.filter(price > 9).limit(1).fetchCount(db) == 1)
        try expect(try Book.select(title, price).fetchCount(db) == 5)
        try expect(try Book.none().fetchCount(db) == 0)
        try expect(try Book.limit(0).isEmpty(db) && !Book.limit(1).isEmpty(db))
    }
    try snippet("fetchOne asks for one row") {
        let prepared = try Book.all().makePreparedRequest(db, forSingleResult: true)
        try expect(prepared.statement.sql == "SELECT * FROM \"book\" LIMIT 1")
        let byKey = try Book.filter(key: 1).makePreparedRequest(db, forSingleResult: true)
        try expect(byKey.statement.sql == "SELECT * FROM \"book\" WHERE \"id\" = ?")
        try expect(byKey.statement.arguments == [1] && byKey.adapter == nil)
    }
}

func selectionSnippets4(_ db: Database, _ snippet: SnippetLog) throws {
    try snippet("updates by closures of columns") {
        try db.inSavepoint {
            try expect(try Author.updateAll(db) { $0.country.set(to: "XX") } == 3)
            try expect(
                try Author.filter { $0.id == 1 }.updateAll(db) {
                    [$0.country.set(to: nil), $0.name.set(to: $0.name.uppercased)]
                } == 1)
            try expect(try Author.find(db, key: 1).name == "HOMER")
            try expect(try Book.order(price).limit(1).updateAll(db) { $0.price += 1 } == 1)
            try expect(try Book.find(db, key: 3).price == 9)
            try expect(try Book.updateAll(db, onConflict: .ignore) { $0.price -= 100 } <= 5)
            return .rollback
        }
    }
    try snippet("updates that return a cursor, a set, a statement") {
        try db.inSavepoint {
            let dear = Book.filter(price > 10)
            let cursor = try dear.updateAndFetchCursor(db, [price *= 2])
            try expect(try Set(cursor.map(\.price)) == [24, 40])
            try expect(try dear.updateAndFetchSet(db, [price /= 2]).count == 2)
            let all = try dear.updateAndFetchAll(db) { [$0.title.set(to: "x")] }
            try expect(all.map(\.title) == ["x", "x"])
            let statement = try dear.updateAndFetchStatement(
                db, [price += 1], selection: [Column("id"), price])
            try expect(
                try Set(Row.fetchAll(statement).map { $0["price"] as Double }) == [13, 21])
            return .rollback
        }
    }
    try snippet("deletions that return a cursor, a set, ids, a statement") {
        try db.inSavepoint {
            let cursor = try Book.filter(price > 10).deleteAndFetchCursor(db)
            try expect(try Set(cursor.map(\.title)) == ["Odyssey", "Moby-Dick"])
            try expect(try Book.filter(key: 1).deleteAndFetchSet(db).first?.title == "Iliad")
            try expect(try Book.filter(price > 8).deleteAndFetchIds(db) == [4])
            let statement = try Book.all().deleteAndFetchStatement(db, selection: [title])
            try expect(try String.fetchAll(statement) == ["Emma"])
            try expect(try Book.fetchCount(db) == 0)
            return .rollback
        }
    }
}
