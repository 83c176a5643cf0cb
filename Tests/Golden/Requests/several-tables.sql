-- Author.including(optional: Author.teacher.including(optional: Author.teacher))
SELECT "author1".*, "author2".*, "author3".* FROM "author" "author1" LEFT JOIN "author" "author2" ON "author2"."id" = "author1"."teacherId" LEFT JOIN "author" "author3" ON "author3"."id" = "author2"."teacherId";

-- let teacher = TableAlias<Author>(name: "teacher")
-- return Author.joining(required: Author.teacher.aliased(teacher))
--     .filter { $0.born > teacher.born }
SELECT "author".* FROM "author" JOIN "author" "teacher" ON "teacher"."id" = "author"."teacherId" WHERE "author"."born" > "teacher"."born";

-- Review.including(required: Review.book.including(required: Book.author))
--     .order { [$0.stars.desc, $0.id] }.limit(10)
SELECT "review".*, "book".*, "author".* FROM "review" JOIN "book" ON "book"."id" = "review"."bookId" JOIN "author" ON "author"."id" = "book"."authorId" ORDER BY "review"."stars" DESC, "review"."id" LIMIT 10;

-- let author = TableAlias<Author>()
-- return Book.joining(optional: Book.author.aliased(author)).filter(!author.exists)
SELECT "book".* FROM "book" LEFT JOIN "author" ON "author"."id" = "book"."authorId" WHERE "author"."id" IS NULL;

-- let author = TableAlias<Author>()
-- return Book.joining(required: Book.author.aliased(author))
--     .order(author.name.desc, Column("id")).reversed()
SELECT "book".* FROM "book" JOIN "author" ON "author"."id" = "book"."authorId" ORDER BY "author"."name" ASC, "book"."id" DESC;

-- Book.order(\.genre).including(required: Book.author.order(\.name)).withStableOrder()
SELECT "book".*, "author".* FROM "book" JOIN "author" ON "author"."id" = "book"."authorId" ORDER BY "book"."genre", "book"."id", "author"."name", "author"."id";

-- Book.joining(required: Book.author.joining(required: Author.country))
--     .including(optional: Book.author)
SELECT "book".*, "author".* FROM "book" JOIN "author" ON "author"."id" = "book"."authorId" JOIN "country" ON "country"."code" = "author"."countryCode";

-- let awarded = CommonTableExpression(
--     named: "awarded",
--     request: Award.select { [$0.bookId, count($0.name).forKey("prizes")] }
--         .group(\.bookId))
-- let prizes = Book.association(to: awarded) { $0.id == $1["bookId"] }
-- return Book.with(awarded).including(required: prizes)
WITH "awarded" AS (SELECT "bookId", COUNT("name") AS "prizes" FROM "award" GROUP BY "bookId") SELECT "book".*, "awarded".* FROM "book" JOIN "awarded" ON "book"."id" = "awarded"."bookId";
