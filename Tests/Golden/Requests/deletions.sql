-- try Award.deleteAll(db)
DELETE FROM "award";

-- try Award.filter { $0.name == "Medal" }.deleteAll(db)
DELETE FROM "award" WHERE "name" = 'Medal';

-- try Award.order(\.name).limit(3, offset: 1).deleteAll(db)
DELETE FROM "award" ORDER BY "name" LIMIT 3 OFFSET 1;

-- try Review.joining(required: Review.book.filter { $0.genre == "essay" })
--     .deleteAll(db)
DELETE FROM "review" WHERE "id" IN (SELECT "review"."id" FROM "review" JOIN "book" ON ("book"."id" = "review"."bookId") AND ("book"."genre" = 'essay'));

-- try Review.all().group(Column("bookId")).having(sql: "count(*) > 3").deleteAll(db)
DELETE FROM "review" WHERE "id" IN (SELECT "id" FROM "review" GROUP BY "bookId" HAVING count(*) > 3);

-- let award = TableAlias<Award>(name: "a")
-- try Award.aliased(award).filter(
--     !Review.filter { $0.bookId == award.bookId }.exists()
-- ).deleteAll(db)
DELETE FROM "award" AS "a" WHERE NOT EXISTS (SELECT * FROM "review" WHERE "bookId" = "a"."bookId");

-- let best = CommonTableExpression(
--     named: "best", request: Book.select(\.id).order(\.price.desc).limit(9))
-- try Award.with(best).filter { best.contains($0.bookId) }.deleteAll(db)
WITH "best" AS (SELECT "id" FROM "book" ORDER BY "price" DESC LIMIT 9) DELETE FROM "award" WHERE "bookId" IN "best";

-- _ = try Review.filter { $0.stars > 4 }.deleteAndFetchIds(db)
DELETE FROM "review" WHERE "stars" > 4 RETURNING "id";
