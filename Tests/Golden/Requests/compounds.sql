-- novels.union(old)
SELECT * FROM "book" WHERE "genre" = 'novel' UNION SELECT * FROM "book" WHERE "year" < 1900;

-- novels.unionAll(old).order(\.id)
SELECT * FROM "book" WHERE "genre" = 'novel' UNION ALL SELECT * FROM "book" WHERE "year" < 1900 ORDER BY "id";

-- novels.intersect(old).order { [$0.year.desc, $0.id] }.limit(3)
SELECT * FROM "book" WHERE "genre" = 'novel' INTERSECT SELECT * FROM "book" WHERE "year" < 1900 ORDER BY "year" DESC, "id" LIMIT 3;

-- novels.except(old).order(\.id).limit(2, offset: 1).reversed()
SELECT * FROM "book" WHERE "genre" = 'novel' EXCEPT SELECT * FROM "book" WHERE "year" < 1900 ORDER BY "id" DESC LIMIT 2 OFFSET 1;

-- old.order(\.id).limit(3).union(novels.order(\.id.desc).limit(2))
SELECT * FROM (SELECT * FROM "book" WHERE "year" < 1900 ORDER BY "id" LIMIT 3) UNION SELECT * FROM (SELECT * FROM "book" WHERE "genre" = 'novel' ORDER BY "id" DESC LIMIT 2);

-- novels.union(old).order { abs($0.year - 1900) }.limit(4)
SELECT * FROM (SELECT * FROM "book" WHERE "genre" = 'novel' UNION SELECT * FROM "book" WHERE "year" < 1900) ORDER BY ABS("year" - 1900) LIMIT 4;

-- novels.union(old).except(Book.filter { $0.id > 20 })
SELECT * FROM "book" WHERE "genre" = 'novel' UNION SELECT * FROM "book" WHERE "year" < 1900 EXCEPT SELECT * FROM "book" WHERE "id" > 20;

-- old.except(novels.union(Book.filter { $0.id > 20 }).limit(100))
SELECT * FROM "book" WHERE "year" < 1900 EXCEPT SELECT * FROM (SELECT * FROM "book" WHERE "genre" = 'novel' UNION SELECT * FROM "book" WHERE "id" > 20 LIMIT 100);

-- Book.select(\.title, as: String.self)
--     .union(Author.select(\.name, as: String.self)).order(Column("title"))
SELECT "title" FROM "book" UNION SELECT "name" FROM "author" ORDER BY "title";

-- let writers = Book.select(\.authorId, as: Int64.self)
--     .union(Author.filter(id: 5).selectID())
-- return Author.filter { writers.contains($0.id) }
SELECT * FROM "author" WHERE "id" IN (SELECT "authorId" FROM "book" UNION SELECT "id" FROM "author" WHERE "id" = 5);

-- let all = CommonTableExpression<Book>(named: "mine", request: novels.union(old))
-- return all.all().with(all).filter(Column("price") > 10)
WITH "mine" AS (SELECT * FROM "book" WHERE "genre" = 'novel' UNION SELECT * FROM "book" WHERE "year" < 1900) SELECT * FROM "mine" WHERE "price" > 10;

-- novels.including(required: Book.author)
--     .union(old.including(required: Book.author)).order(Column("title"))
SELECT "book".*, "author".* FROM "book" JOIN "author" ON "author"."id" = "book"."authorId" WHERE "book"."genre" = 'novel' UNION SELECT "book".*, "author".* FROM "book" JOIN "author" ON "author"."id" = "book"."authorId" WHERE "book"."year" < 1900 ORDER BY "title";
