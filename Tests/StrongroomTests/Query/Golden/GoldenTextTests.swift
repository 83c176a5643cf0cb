import Strongroom
import StrongroomTestSupport
import Testing

extension Library {
    /// The SQL of full text and JSON.
    @Suite struct GoldenTextTests {
        @Test(.needsFTS5) func `Recursive expressions, full text and JSON`() throws {
            let g = try GoldenRequests()
            let counter = CommonTableExpression(
                recursive: true, named: "counter", columns: ["i"],
                literal: "VALUES (\(1)) UNION ALL SELECT i + 1 FROM counter WHERE i < \(5)")
            try g.expect {
                counter.all().with(counter)
            } equals: {
                "VALUES (1), (2), (3), (4), (5)"
            }
            try g.expect {
                Book.with(counter).filter { counter.contains($0.id) }
            } equals: {
                "SELECT * FROM book WHERE id <= 5"
            }
            try g.expect {
                Table("bookText").matching(FTS5Pattern(matchingAllTokensIn: "sea of"))
            } equals: {
                "SELECT * FROM bookText WHERE bookText MATCH 'sea AND of'"
            }
            try g.expect {
                Table("bookText").matching(FTS5Pattern(matchingAnyTokenIn: "sea* \"old"))
                    .order(Column.rank, Column.rowID)
            } equals: {
                "SELECT * FROM bookText WHERE bookText MATCH 'sea OR old' ORDER BY rank, rowid"
            }
            try g.expect {
                Table("bookText").matching(nil as FTS5Pattern?)
            } equals: {
                "SELECT * FROM bookText WHERE 0"
            }
            try g.expect {
                Table("oldText").filter(
                    Column("title").match(FTS3Pattern(matchingPhrase: "sea of")))
            } equals: {
                "SELECT * FROM oldText WHERE title MATCH '\"sea of\"'"
            }
            try g.expect {
                Book.filter { $0.info["pages"] > 250 }
            } equals: {
                "SELECT * FROM book WHERE info ->> 'pages' > 250"
            }
            try g.expect {
                Book.select { [$0.info["$.tags[0]"], $0.info.jsonRepresentation(atPath: "tags")] }
            } equals: {
                "SELECT info ->> '$.tags[0]', info -> 'tags' FROM book"
            }
            try g.expect {
                Book.select { [$0.info.jsonExtract(atPaths: ["$.pages", "$.tags"])] }
            } equals: {
                "SELECT json_extract(info, '$.pages', '$.tags') FROM book"
            }
            try moreTextAndJson(g)
            try g.finish("text-and-json")
        }

        private func moreTextAndJson(_ g: GoldenRequests) throws {
            try g.expect {
                Book.select { [Database.jsonArray([$0.id, $0.title, $0.year])] }
            } equals: {
                "SELECT json_array(id, title, year) FROM book"
            }
            try g.expect {
                Book.select { [$0.genre, Database.jsonGroupArray($0.id)] }.group(\.genre)
            } equals: {
                "SELECT genre, json_group_array(id) FROM book GROUP BY genre"
            }
            try g.expect {
                Book.select {
                    [Database.jsonObject([(key: "b", value: $0.title as any SQLExpressible)])]
                }
            } equals: {
                "SELECT json_object('b', title) FROM book"
            }
        }
    }
}
