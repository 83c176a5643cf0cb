-- Author.including(optional: Author.books.order(\.year).first)
SELECT "author".*, "book".* FROM "author" LEFT JOIN "book" ON "book"."id" = (SELECT "book1"."id" FROM "book" "book1" WHERE "book1"."authorId" = "author"."id" ORDER BY "book1"."year", "book1"."id" LIMIT 1);

-- Book.including(required: Book.reviews.order(\.day).last).order(\.id)
SELECT "book".*, "review".* FROM "book" JOIN "review" ON "review"."id" = (SELECT "review1"."id" FROM "review" "review1" WHERE "review1"."bookId" = "book"."id" ORDER BY "review1"."day" DESC, "review1"."id" DESC LIMIT 1) ORDER BY "book"."id";

-- Author.including(optional: Author.books.last)
SELECT "author".*, "book".* FROM "author" LEFT JOIN "book" ON "book"."id" = (SELECT "book1"."id" FROM "book" "book1" WHERE "book1"."authorId" = "author"."id" ORDER BY "book1"."id" DESC LIMIT 1);

-- Author.including(
--     required: Author.books.filter { $0.genre == "novel" }.order(\.price.desc).first
--         .filter { $0.year > 1900 })
SELECT "author".*, "book".* FROM "author" JOIN "book" ON ("book"."id" = (SELECT "book1"."id" FROM "book" "book1" WHERE ("book1"."authorId" = "author"."id") AND ("book1"."genre" = 'novel') ORDER BY "book1"."price" DESC, "book1"."id" LIMIT 1)) AND ("book"."year" > 1900);

-- Author.annotated(
--     withOptional: Author.reviews.order(\.day).last.select {
--         [$0.day.forKey("latest")]
--     })
SELECT "author".*, "review"."day" AS "latest" FROM "author" LEFT JOIN "review" ON "review"."id" = (SELECT "review1"."id" FROM "review" "review1" JOIN "book" ON "book"."id" = "review1"."bookId" WHERE "book"."authorId" = "author"."id" ORDER BY "review1"."day" DESC, "review1"."id" DESC, "book"."id" DESC LIMIT 1);

-- Book.including(optional: Book.awards.order(\.name).first)
SELECT "book".*, "award".* FROM "book" LEFT JOIN "award" ON ("award"."bookId","award"."name") = (SELECT "award1"."bookId", "award1"."name" FROM "award" "award1" WHERE "award1"."bookId" = "book"."id" ORDER BY "award1"."name", "award1"."bookId", "award1"."name" LIMIT 1);

-- Author.including(
--     optional: Author.books.including(optional: Book.author.select(\.name)).first
-- )
-- .annotated(with: Author.books.count)
SELECT "author1".*, COUNT(DISTINCT "book2"."id") AS "bookCount", "book1".*, "author2"."name" FROM "author" "author1" LEFT JOIN "book" "book1" ON "book1"."id" = (SELECT "book"."id" FROM "book" LEFT JOIN "author" ON "author"."id" = "book"."authorId" WHERE "book"."authorId" = "author1"."id" ORDER BY "book"."id", "author"."id" LIMIT 1) LEFT JOIN "author" "author2" ON "author2"."id" = "book1"."authorId" LEFT JOIN "book" "book2" ON "book2"."authorId" = "author1"."id" GROUP BY "author1"."id";
