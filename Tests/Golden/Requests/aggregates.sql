-- Author.annotated(with: Author.books.count)
SELECT "author".*, COUNT(DISTINCT "book"."id") AS "bookCount" FROM "author" LEFT JOIN "book" ON "book"."authorId" = "author"."id" GROUP BY "author"."id";

-- Author.annotated(with: Author.books.max(\.price), Author.books.average(\.year))
SELECT "author".*, MAX("book"."price") AS "maxBookPrice", AVG("book"."year") AS "averageBookYear" FROM "author" LEFT JOIN "book" ON "book"."authorId" = "author"."id" GROUP BY "author"."id";

-- Author.having(Author.books.count > 6)
SELECT "author".* FROM "author" LEFT JOIN "book" ON "book"."authorId" = "author"."id" GROUP BY "author"."id" HAVING COUNT(DISTINCT "book"."id") > 6;

-- Author.having(Author.books.isEmpty)
SELECT "author".* FROM "author" LEFT JOIN "book" ON "book"."authorId" = "author"."id" GROUP BY "author"."id" HAVING COUNT(DISTINCT "book"."id") = 0;

-- Author.having(
--     Author.books.count >= 6 && Author.books.min(\.year) < 1880
--         && !Author.books.isEmpty)
SELECT "author".* FROM "author" LEFT JOIN "book" ON "book"."authorId" = "author"."id" GROUP BY "author"."id" HAVING (COUNT(DISTINCT "book"."id") >= 6) AND (MIN("book"."year") < 1880) AND (COUNT(DISTINCT "book"."id") <> 0);

-- Author.annotated(
--     with: Author.books.filter { $0.genre == "novel" }.forKey("novels").count,
--     Author.books.filter { $0.genre == "essay" }.forKey("essays").count)
SELECT "author".*, COUNT(DISTINCT "book1"."id") AS "novelCount", COUNT(DISTINCT "book2"."id") AS "essayCount" FROM "author" LEFT JOIN "book" "book1" ON ("book1"."authorId" = "author"."id") AND ("book1"."genre" = 'novel') LEFT JOIN "book" "book2" ON ("book2"."authorId" = "author"."id") AND ("book2"."genre" = 'essay') GROUP BY "author"."id";

-- Author.annotated(with: Author.reviews.count)
SELECT "author".*, COUNT(DISTINCT "review"."id") AS "reviewCount" FROM "author" LEFT JOIN "book" ON "book"."authorId" = "author"."id" LEFT JOIN "review" ON "review"."bookId" = "book"."id" GROUP BY "author"."id";

-- Author.annotated(with: Author.books.sum(\.price) ?? 0)
SELECT "author".*, IFNULL(SUM("book"."price"), 0) AS "bookPriceSum" FROM "author" LEFT JOIN "book" ON "book"."authorId" = "author"."id" GROUP BY "author"."id";
