-- Author.filter(Author.books.exists)
SELECT * FROM "author" WHERE EXISTS (SELECT 1 FROM "book" WHERE "book"."authorId" = "author"."id");

-- Book.filter(!Book.author.exists)
SELECT * FROM "book" WHERE NOT EXISTS (SELECT 1 FROM "author" WHERE "author"."id" = "book"."authorId");

-- Author.filter(Author.books.filter { $0.genre == "novel" && $0.year < 1900 }.exists)
SELECT * FROM "author" WHERE EXISTS (SELECT 1 FROM "book" WHERE ("book"."authorId" = "author"."id") AND (("book"."genre" = 'novel') AND ("book"."year" < 1900)));

-- Author.filter(Author.students.exists)
SELECT * FROM "author" WHERE EXISTS (SELECT 1 FROM "author" "author1" WHERE "author1"."teacherId" = "author"."id");

-- Author.filter(Author.reviews.filter { $0.stars == 5 }.exists)
SELECT * FROM "author" WHERE EXISTS (SELECT 1 FROM "review" JOIN "book" ON "book"."id" = "review"."bookId" WHERE ("book"."authorId" = "author"."id") AND ("review"."stars" = 5));

-- Country.filter(Country.authors.filter(!Author.books.exists).exists)
SELECT * FROM "country" WHERE EXISTS (SELECT 1 FROM "author" WHERE ("author"."countryCode" = "country"."code") AND (NOT EXISTS (SELECT 1 FROM "book" WHERE "book"."authorId" = "author"."id")));

-- Book.filter(Book.author.filter(Author.books.filter { $0.price > 29 }.exists).exists)
SELECT * FROM "book" WHERE EXISTS (SELECT 1 FROM "author" WHERE ("author"."id" = "book"."authorId") AND EXISTS (SELECT 1 FROM "book" "book1" WHERE ("book1"."authorId" = "author"."id") AND ("book1"."price" > 29)));

-- let author = TableAlias<Author>()
-- return Book.joining(required: Book.author.aliased(author))
--     .filter(author[Author.profile.exists]).filter(Book.awards.exists)
SELECT "book".* FROM "book" JOIN "author" ON "author"."id" = "book"."authorId" WHERE EXISTS (SELECT 1 FROM "profile" WHERE "profile"."authorId" = "author"."id") AND EXISTS (SELECT 1 FROM "award" WHERE "award"."bookId" = "book"."id");

-- Book.select { [$0.id, Book.awards.exists] }
SELECT "id", EXISTS (SELECT 1 FROM "award" WHERE "award"."bookId" = "book"."id") FROM "book";

-- Author.having(Author.books.count > 3).filter(!Author.students.exists)
SELECT "author".* FROM "author" LEFT JOIN "book" ON "book"."authorId" = "author"."id" WHERE NOT EXISTS (SELECT 1 FROM "author" "author1" WHERE "author1"."teacherId" = "author"."id") GROUP BY "author"."id" HAVING COUNT(DISTINCT "book"."id") > 3;

-- try Review.filter(Review.book.filter(Book.awards.exists).exists).deleteAll(db)
DELETE FROM "review" WHERE EXISTS (SELECT 1 FROM "book" WHERE ("book"."id" = "review"."bookId") AND EXISTS (SELECT 1 FROM "award" WHERE "award"."bookId" = "book"."id"));

-- try Author.filter(Author.students.exists).updateAll(db) { $0.born += 1 }
UPDATE "author" SET "born" = "born" + 1 WHERE EXISTS (SELECT 1 FROM "author" "author1" WHERE "author1"."teacherId" = "author"."id");
