import Foundation
import Strongroom

// JSON in expressions, and expressions that an app makes.

private let id = Column("id")

func expressionSnippets4(_ db: Database, _ snippet: SnippetLog) throws {
    let tags = JSONColumn("tags")
    try snippet("JSON: insert, replace, set, remove, patch") {
        let pairs: [(key: String, value: any SQLExpressible)] = [("a", 1), ("b", "x")]
        let object = Database.jsonObject(pairs)
        try expect(try firstBook(db, object, as: String.self) == #"{"a":1,"b":"x"}"#)
        try expect(
            try firstBook(db, Database.jsonInsert(tags, ["$[0]": "no", "$[#]": "new"]))
                == #"["classic","new"]"#)
        try expect(
            try firstBook(db, Database.jsonReplace(tags, ["$[0]": "epic"])) == #"["epic"]"#)
        try expect(
            try firstBook(db, Database.jsonReplace(tags, ["$[9]": "epic"])) == #"["classic"]"#)
        try expect(try firstBook(db, Database.jsonRemove(tags, atPaths: ["$[0]"])) == "[]")
        try expect(
            try firstBook(db, Database.jsonPatch(#"{"a":1,"b":2}"#, with: #"{"b":null,"c":3}"#))
                == #"{"a":1,"c":3}"#)
    }
    try snippet("JSON: array lengths, types and paths") {
        try expect(
            try firstBook(db, Database.jsonArrayLength(#"{"a":[1,2]}"#, atPath: "$.a")) == 2)
        try expect(try firstBook(db, Database.jsonType(#"{"a":1.5}"#, atPath: "$.a")) == "real")
        try expect(try firstBook(db, Database.jsonExtract(tags, atPath: "$[0]")) == "classic")
        try expect(
            try firstBook(db, Database.jsonExtract(#"{"a":1,"b":[2]}"#, atPaths: ["$.a", "$.b"]))
                == "[1,[2]]")
        try expect(try firstBook(db, tags.jsonRepresentation(atPath: "$[0]")) == #""classic""#)
        try expect(try firstBook(db, Database.jsonQuote("a\"b")) == #""a\"b""#)
        try expect(try firstBook(db, Database.jsonIsValid("{x}"), as: Bool.self) == false)
    }
    try snippet("JSON: what is JSON already is not quoted again") {
        let list = Database.jsonArray([tags, title] as [any SQLExpressible])
        try expect(try firstBook(db, list) == #"[["classic"],"Iliad"]"#)
        let plain = Database.jsonArray([Column("tags"), title] as [any SQLExpressible])
        try expect(try firstBook(db, plain) == #"["[\"classic\"]","Iliad"]"#)
        let made = Database.jsonObject(["tags": Column("tags").asJSON])
        try expect(try firstBook(db, made) == #"{"tags":["classic"]}"#)
    }
    try snippet("JSON: groups") {
        let keys = Book.filter(Column("authorId") == 1).select(
            Database.jsonGroupObject(key: title, value: price))
        try expect(try String.fetchOne(db, keys) == #"{"Iliad":10.0,"Odyssey":12.0}"#)
        let dear = Book.select(
            Database.jsonGroupObject(key: title, value: id, filter: price > 15))
        try expect(try String.fetchOne(db, dear) == #"{"Moby-Dick":5}"#)
    }
}

func expressionSnippets5(_ db: Database, _ snippet: SnippetLog) throws {
    try snippet("a JSON column of an enum of columns") {
        struct Shelf: TableRecord {
            static let databaseTableName = "book"
            enum Columns {
                static let tags = JSONColumn("tags")
                static let id = Column("id")
            }
        }
        try expect(try Shelf.filter { $0.tags["$[0]"] == "classic" }.fetchCount(db) == 5)
        let tag = try String.fetchOne(db, Shelf.select { $0.tags["$[0]"] })
        try expect(tag == "classic")
        enum Keys: String, CodingKey { case tags }
        try expect(JSONColumn(Keys.tags).name == "tags" && Column(Keys.tags).name == "tags")
    }
    try snippet("an expression that is a function of an app") {
        func year(_ value: some SQLSpecificExpressible) -> SQLExpression {
            SQL("CAST(STRFTIME('%Y', \(value)) AS INTEGER)").sqlExpression
        }
        try expect(try Book.filter(year(Column("published")) == 1970).fetchCount(db) == 5)
        try expect(
            try Book.filter { year($0.published) > 1970 }.fetchCount(db) == 0)
    }
    try snippet("SQLExpressible types of an app") {
        struct Percent: SQLExpressible {
            var value: Int
            var sqlExpression: SQLExpression { (Double(value) / 100).sqlExpression }
        }
        let request = Book.filter(key: 1).select(price * Percent(value: 50))
        try expect(try Double.fetchOne(db, request) == 5)
        let quarter: SQLRequest<Double> = "SELECT \(Percent(value: 25))"
        try expect(try quarter.fetchOne(db) == 0.25)
    }
}
