-- counter.all().with(counter)
WITH RECURSIVE "counter"("i") AS (VALUES (1) UNION ALL SELECT i + 1 FROM counter WHERE i < 5) SELECT * FROM "counter";

-- Book.with(counter).filter { counter.contains($0.id) }
WITH RECURSIVE "counter"("i") AS (VALUES (1) UNION ALL SELECT i + 1 FROM counter WHERE i < 5) SELECT * FROM "book" WHERE "id" IN "counter";

-- Table("bookText").matching(FTS5Pattern(matchingAllTokensIn: "sea of"))
SELECT * FROM "bookText" WHERE "bookText" MATCH 'sea of';

-- Table("bookText").matching(FTS5Pattern(matchingAnyTokenIn: "sea* \"old"))
--     .order(Column.rank, Column.rowID)
SELECT * FROM "bookText" WHERE "bookText" MATCH 'sea OR old' ORDER BY "rank", "rowid";

-- Table("bookText").matching(nil as FTS5Pattern?)
SELECT * FROM "bookText" WHERE 0;

-- Table("oldText").filter(
--     Column("title").match(FTS3Pattern(matchingPhrase: "sea of")))
SELECT * FROM "oldText" WHERE "title" MATCH '"sea of"';

-- Book.filter { $0.info["pages"] > 250 }
SELECT * FROM "book" WHERE ("info" ->> 'pages') > 250;

-- Book.select { [$0.info["$.tags[0]"], $0.info.jsonRepresentation(atPath: "tags")] }
SELECT "info" ->> '$.tags[0]', "info" -> 'tags' FROM "book";

-- Book.select { [$0.info.jsonExtract(atPaths: ["$.pages", "$.tags"])] }
SELECT JSON_EXTRACT("info", '$.pages', '$.tags') FROM "book";

-- Book.select { [Database.jsonArray([$0.id, $0.title, $0.year])] }
SELECT JSON_ARRAY("id", "title", "year") FROM "book";

-- Book.select { [$0.genre, Database.jsonGroupArray($0.id)] }.group(\.genre)
SELECT "genre", JSON_GROUP_ARRAY("id") FROM "book" GROUP BY "genre";

-- Book.select {
--     [Database.jsonObject([(key: "b", value: $0.title as any SQLExpressible)])]
-- }
SELECT JSON_OBJECT('b', "title") FROM "book";
