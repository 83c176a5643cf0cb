-- Book.filter(id: 3)
SELECT * FROM "book" WHERE "id" = 3;

-- Book.filter(ids: [3, 5])
SELECT * FROM "book" WHERE "id" IN (3, 5);

-- Book.filter(keys: [] as [Int])
SELECT * FROM "book" WHERE 0;

-- Award.filter(key: ["bookId": 5, "name": "Medal"])
SELECT * FROM "award" WHERE ("bookId" = 5) AND ("name" = 'Medal');

-- Book.filter { $0.price == Book.select(max(Column("price"))) }
SELECT * FROM "book" WHERE "price" = (SELECT MAX("price") FROM "book");

-- Book.filter { Author.filter { $0.born > 1880 }.selectID().contains($0.authorId) }
SELECT * FROM "book" WHERE "authorId" IN (SELECT "id" FROM "author" WHERE "born" > 1880);

-- let author = TableAlias<Author>()
-- return Author.aliased(author).filter(
--     !Book.filter { $0.authorId == author.id && $0.year > 1940 }.exists())
SELECT "author".* FROM "author" WHERE NOT EXISTS (SELECT * FROM "book" WHERE ("authorId" = "author"."id") AND ("year" > 1940));

-- let other = TableAlias<Book>(name: "other")
-- return Book.aliased(other).annotated(
--     with: Book.filter { $0.price < other.price }.select(count(.allColumns))
--         .sqlExpression.forKey("cheaper"))
SELECT "other".*, (SELECT COUNT(*) FROM "book" WHERE "price" < "other"."price") AS "cheaper" FROM "book" "other";

-- novels.all().with(novels).filter(Column("year") > 1900)
WITH "novels" AS (SELECT * FROM "book" WHERE "genre" = 'novel') SELECT * FROM "novels" WHERE "year" > 1900;

-- Author.with(novels).filter {
--     novels.all().select(Column("authorId")).contains($0.id)
-- }
WITH "novels" AS (SELECT * FROM "book" WHERE "genre" = 'novel') SELECT * FROM "author" WHERE "id" IN (SELECT "authorId" FROM "novels");
