-- try Book.updateAll(db, Column("price").set(to: 1))
UPDATE "book" SET "price" = 1;

-- try Book.filter { $0.year > 1900 }.updateAll(db) {
--     [$0.price += 1, $0.genre.set(to: nil)]
-- }
UPDATE "book" SET "price" = "price" + 1, "genre" = NULL WHERE "year" > 1900;

-- try Book.filter { $0.year < 1900 }.updateAll(db) { $0.year -= $0.id * 2 }
UPDATE "book" SET "year" = "year" - ("id" * 2) WHERE "year" < 1900;

-- try Book.all().updateAll(db) {
--     [$0.year.set(to: Author.select(max(Column("born"))).sqlExpression)]
-- }
UPDATE "book" SET "year" = (SELECT MAX("born") FROM "author");

-- try Book.updateAll(db, onConflict: .ignore, Column("title").set(to: "x"))
UPDATE OR IGNORE "book" SET "title" = 'x';

-- try Book.joining(required: Book.author.filter { $0.born > 1880 })
--     .updateAll(db) { $0.price *= 2 }
UPDATE "book" SET "price" = "price" * 2 WHERE "id" IN (SELECT "book"."id" FROM "book" JOIN "author" ON ("author"."id" = "book"."authorId") AND ("author"."born" > 1880));

-- try Book.order { [$0.year.desc, $0.id] }.limit(4).updateAll(db) { $0.price /= 2 }
UPDATE "book" SET "price" = "price" / 2 ORDER BY "year" DESC, "id" LIMIT 4;

-- _ = try Review.filter { $0.stars == nil }
--     .updateAndFetchAll(db) { [$0.stars.set(to: 3), $0.day.set(to: "2000-01-01")] }
UPDATE "review" SET "stars" = 3, "day" = '2000-01-01' WHERE "stars" IS NULL RETURNING *;

-- try Review.updateAll(db, Column("stars") <<= 2, Column("bookId") |= 1)
UPDATE "review" SET "stars" = "stars" << 2, "bookId" = "bookId" | 1;
