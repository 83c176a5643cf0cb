-- Author.including(required: elders).order(\.id)
SELECT "author1".*, "author2".* FROM "author" "author1" JOIN "author" "author2" ON "author2"."born" < "author1"."born" ORDER BY "author1"."id";

-- Table("review").joining(
--     required: Table("review").association(to: Table("book")) {
--         $0["stars"] == $1["id"]
--     })
SELECT "review".* FROM "review" JOIN "book" ON "review"."stars" = "book"."id";

-- let author = TableAlias<Author>()
-- try Book.joining(required: Book.author.aliased(author)).filter { $0.price > 5 }
--     .updateAll(db) { [$0.year.set(to: author.born + 30), $0.price += 1] }
UPDATE "book" SET "year" = "grdb_found"."grdb_value0", "price" = "grdb_found"."grdb_value1" FROM (SELECT "book1"."id" AS "grdb_key0", "author"."born" + 30 AS "grdb_value0", "book1"."price" + 1 AS "grdb_value1" FROM "book" "book1" JOIN "author" ON "author"."id" = "book1"."authorId" WHERE "book1"."price" > 5) AS "grdb_found" WHERE "book"."id" = "grdb_found"."grdb_key0";

-- let last = TableAlias<Review>()
-- _ = try Book.joining(optional: Book.reviews.order(\.day).last.aliased(last))
--     .order(\.id).limit(9).updateAndFetchAll(db) { [$0.price.set(to: last.stars)] }
UPDATE "book" SET "price" = "grdb_found"."grdb_value0" FROM (SELECT "book1"."id" AS "grdb_key0", "review"."stars" AS "grdb_value0" FROM "book" "book1" LEFT JOIN "review" ON "review"."id" = (SELECT "review1"."id" FROM "review" "review1" WHERE "review1"."bookId" = "book1"."id" ORDER BY "review1"."day" DESC, "review1"."id" DESC LIMIT 1) ORDER BY "book1"."id" LIMIT 9) AS "grdb_found" WHERE "book"."id" = "grdb_found"."grdb_key0" RETURNING *;

-- let sums = CommonTableExpression(
--     named: "sums",
--     request: Review.select { [$0.bookId, sum($0.stars).forKey("stars")] }
--         .group(\.bookId))
-- let found = TableAlias<Row>()
-- let all = Book.association(to: sums) { $0.id == $1["bookId"] }.aliased(found)
-- try Book.with(sums).joining(required: all)
--     .updateAll(db) { $0.price.set(to: found["stars"]) }
WITH "sums" AS (SELECT "bookId", SUM("stars") AS "stars" FROM "review" GROUP BY "bookId") UPDATE "book" SET "price" = "grdb_found"."grdb_value0" FROM (SELECT "book1"."id" AS "grdb_key0", "sums"."stars" AS "grdb_value0" FROM "book" "book1" JOIN "sums" ON "book1"."id" = "sums"."bookId") AS "grdb_found" WHERE "book"."id" = "grdb_found"."grdb_key0";
