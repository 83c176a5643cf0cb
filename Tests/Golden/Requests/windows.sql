-- Book.select { [$0.id, rank().over(.partition(by: $0.genre).order($0.year.desc))] }
SELECT "id", RANK() OVER (PARTITION BY "genre" ORDER BY "year" DESC) FROM "book";

-- Book.annotated { sum($0.price).over(.partition(by: $0.genre, $0.authorId)) }
SELECT *, SUM("price") OVER (PARTITION BY "genre", "authorId") FROM "book";

-- Book.select { [count($0.id).over(), rowNumber().over()] }
SELECT COUNT("id") OVER (), ROW_NUMBER() OVER () FROM "book";

-- Book.select {
--     [
--         average($0.price).over(
--             .order($0.id).rows(from: .preceding(2), to: .following(1)))
--     ]
-- }.order(\.id)
SELECT AVG("price") OVER (ORDER BY "id" ROWS BETWEEN 2 PRECEDING AND 1 FOLLOWING) FROM "book" ORDER BY "id";

-- Book.select {
--     [
--         count($0.id).over(
--             .order($0.year).range(from: .preceding(10)).excluding(.ties))
--     ]
-- }
SELECT COUNT("id") OVER (ORDER BY "year" RANGE BETWEEN 10 PRECEDING AND CURRENT ROW EXCLUDE TIES) FROM "book";

-- Book.select {
--     [total($0.price).over(.order($0.genre).groups(from: .start, to: .preceding(1)))]
-- }
SELECT TOTAL("price") OVER (ORDER BY "genre" GROUPS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) FROM "book";

-- Review.select {
--     [
--         lag($0.stars).over(.order($0.id)),
--         lead($0.stars, 2, default: 0).over(.order($0.id)),
--         $0.stars
--             - lag($0.stars).over(.partition(by: $0.bookId).order($0.day, $0.id)),
--     ]
-- }
SELECT LAG("stars", 1) OVER (ORDER BY "id"), LEAD("stars", 2, 0) OVER (ORDER BY "id"), "stars" - LAG("stars", 1) OVER (PARTITION BY "bookId" ORDER BY "day", "id") FROM "review";

-- Review.select {
--     let window = SQLWindow.partition(by: $0.bookId).order($0.id)
--     return [
--         denseRank().over(window), percentRank().over(window),
--         cumulativeDistribution().over(window), ntile(2).over(window),
--         firstValue($0.day).over(window), nthValue($0.day, 2).over(window),
--         lastValue($0.day).over(window.rows(from: .start, to: .end)),
--     ]
-- }
SELECT DENSE_RANK() OVER (PARTITION BY "bookId" ORDER BY "id"), PERCENT_RANK() OVER (PARTITION BY "bookId" ORDER BY "id"), CUME_DIST() OVER (PARTITION BY "bookId" ORDER BY "id"), NTILE(2) OVER (PARTITION BY "bookId" ORDER BY "id"), FIRST_VALUE("day") OVER (PARTITION BY "bookId" ORDER BY "id"), NTH_VALUE("day", 2) OVER (PARTITION BY "bookId" ORDER BY "id"), LAST_VALUE("day") OVER (PARTITION BY "bookId" ORDER BY "id" ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) FROM "review";

-- let ranked = CommonTableExpression<Book>(
--     named: "ranked",
--     request: Book.annotated {
--         rowNumber().over(.partition(by: $0.genre).order($0.id)).forKey("place")
--     })
-- return ranked.all().with(ranked).filter(Column("place") <= 2)
WITH "ranked" AS (SELECT *, ROW_NUMBER() OVER (PARTITION BY "genre" ORDER BY "id") AS "place" FROM "book") SELECT * FROM "ranked" WHERE "place" <= 2;

-- Book.joining(required: Book.author).select {
--     [rank().over(.order($0.price)), sum($0.price, filter: $0.year > 1900).over()]
-- }
SELECT RANK() OVER (ORDER BY "book"."price"), SUM("book"."price") FILTER (WHERE "book"."year" > 1900) OVER () FROM "book" JOIN "author" ON "author"."id" = "book"."authorId";
