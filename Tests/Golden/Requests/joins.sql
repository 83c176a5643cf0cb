-- Book.including(required: Book.author)
SELECT "book".*, "author".* FROM "book" JOIN "author" ON "author"."id" = "book"."authorId";

-- Book.including(optional: Book.author)
SELECT "book".*, "author".* FROM "book" LEFT JOIN "author" ON "author"."id" = "book"."authorId";

-- Book.joining(required: Book.author)
SELECT "book".* FROM "book" JOIN "author" ON "author"."id" = "book"."authorId";

-- Book.joining(optional: Book.author.order(\.name))
SELECT "book".* FROM "book" LEFT JOIN "author" ON "author"."id" = "book"."authorId" ORDER BY "author"."name";

-- Book.annotated(withRequired: Book.author.select(\.name))
SELECT "book".*, "author"."name" FROM "book" JOIN "author" ON "author"."id" = "book"."authorId";

-- Book.annotated(withOptional: Book.author.select { [$0.name.forKey("writer")] })
SELECT "book".*, "author"."name" AS "writer" FROM "book" LEFT JOIN "author" ON "author"."id" = "book"."authorId";

-- Book.joining(required: Book.author.filter { $0.born > 1880 })
SELECT "book".* FROM "book" JOIN "author" ON ("author"."id" = "book"."authorId") AND ("author"."born" > 1880);

-- Book.filter { $0.year > 1900 }.including(
--     optional: Book.author.filter { $0.born > 1880 })
SELECT "book".*, "author".* FROM "book" LEFT JOIN "author" ON ("author"."id" = "book"."authorId") AND ("author"."born" > 1880) WHERE "book"."year" > 1900;

-- Book.including(required: Book.author.including(optional: Author.country))
SELECT "book".*, "author".*, "country".* FROM "book" JOIN "author" ON "author"."id" = "book"."authorId" LEFT JOIN "country" ON "country"."code" = "author"."countryCode";

-- Book.including(optional: Book.country)
SELECT "book".*, "country".* FROM "book" LEFT JOIN "author" ON "author"."id" = "book"."authorId" LEFT JOIN "country" ON "country"."code" = "author"."countryCode";

-- Country.joining(required: Country.books).distinct()
SELECT DISTINCT "country".* FROM "country" JOIN "author" ON "author"."countryCode" = "country"."code" JOIN "book" ON "book"."authorId" = "author"."id";

-- Author.including(optional: Author.profile)
SELECT "author".*, "profile".* FROM "author" LEFT JOIN "profile" ON "profile"."authorId" = "author"."id";
