-- Book.select { [$0.genre, count($0.id)] }.group(\.genre)
SELECT "genre", COUNT("id") FROM "book" GROUP BY "genre";

-- Book.select { [$0.genre, $0.authorId, max($0.price)] }
--     .group { [$0.genre, $0.authorId] }.having { max($0.price) > 15 }
SELECT "genre", "authorId", MAX("price") FROM "book" GROUP BY "genre", "authorId" HAVING MAX("price") > 15;

-- Book.select { [$0.genre, count($0.id)] }.group(\.genre)
--     .having { count($0.id) > 5 }.having(sql: "min(price) < ?", arguments: [3])
SELECT "genre", COUNT("id") FROM "book" GROUP BY "genre" HAVING (COUNT("id") > 5) AND (min(price) < 3);

-- Book.all().groupByPrimaryKey()
SELECT * FROM "book" GROUP BY "id";

-- Book.select(literal: "genre").group(literal: "genre, year")
SELECT genre FROM "book" GROUP BY genre, year;

-- Book.order { [$0.genre.desc, $0.id] }
SELECT * FROM "book" ORDER BY "genre" DESC, "id";

-- Book.order { [$0.genre.ascNullsLast, $0.id.asc] }
SELECT * FROM "book" ORDER BY "genre" ASC NULLS LAST, "id" ASC;

-- Book.order { [$0.genre.asc, $0.id] }.reversed()
SELECT * FROM "book" ORDER BY "genre" DESC, "id" DESC;

-- Book.order(\.title).order(\.id)
SELECT * FROM "book" ORDER BY "id";

-- Book.order(\.title).unordered()
SELECT * FROM "book";

-- Book.order(\.genre).withStableOrder()
SELECT * FROM "book" ORDER BY "genre", "id";

-- Award.orderByPrimaryKey()
SELECT * FROM "award" ORDER BY "bookId", "name";

-- Author.order { $0.name.collating(.nocase).desc }
SELECT * FROM "author" ORDER BY "name" COLLATE NOCASE DESC;

-- Book.order(\.id).limit(5)
SELECT * FROM "book" ORDER BY "id" LIMIT 5;

-- Book.order(\.id.desc).limit(5, offset: 3)
SELECT * FROM "book" ORDER BY "id" DESC LIMIT 5 OFFSET 3;
