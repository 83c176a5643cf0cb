-- Author.order(\.id).including(all: Author.books.order(\.id))
SELECT * FROM "author" ORDER BY "id";
SELECT "book".*, "book"."authorId" AS "grdb_authorId" FROM "book" WHERE "book"."authorId" IN (1, 2, 3, 4, 5, 6, 7) ORDER BY "book"."id";

-- Author.filter { $0.born > 1880 }.including(
--     all: Author.books.filter { $0.year > 1900 }.select(\.title).forKey("titles"))
SELECT * FROM "author" WHERE "born" > 1880;
SELECT "book"."title", "book"."authorId" AS "grdb_authorId" FROM "book" WHERE ("book"."year" > 1900) AND ("book"."authorId" IN (2, 4, 6));

-- Author.including(all: Author.books.including(all: Book.awards))
SELECT * FROM "author";
SELECT "book".*, "book"."authorId" AS "grdb_authorId" FROM "book" WHERE "book"."authorId" IN (1, 2, 3, 4, 5, 6, 7);
SELECT "award".*, "award"."bookId" AS "grdb_bookId" FROM "award" WHERE "award"."bookId" IN (1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 13, 14, 15, 16, 17, 19, 20, 21, 22, 23, 24, 25, 26, 28, 29, 30, 31, 32, 33, 34, 35, 37, 38, 39, 40);

-- Author.including(all: Author.reviews)
SELECT * FROM "author";
SELECT "review".*, "book"."authorId" AS "grdb_authorId" FROM "review" JOIN "book" ON "book"."id" = "review"."bookId" WHERE "book"."authorId" IN (1, 2, 3, 4, 5, 6, 7);

-- Book.including(required: Book.author.including(all: Author.students))
SELECT "book".*, "author".* FROM "book" JOIN "author" ON "author"."id" = "book"."authorId";
SELECT "author".*, "author"."teacherId" AS "grdb_teacherId" FROM "author" WHERE "author"."teacherId" IN (6, 5, 4, 3, 2, 1);

-- Book.filter(id: 5).including(all: Book.reviews.order(\.id.desc))
SELECT * FROM "book" WHERE "id" = 5;
SELECT "review".*, "review"."bookId" AS "grdb_bookId" FROM "review" WHERE "review"."bookId" = 5 ORDER BY "review"."id" DESC;
