-- Book.filter { $0.year == 1900 }
SELECT * FROM "book" WHERE "year" = 1900;

-- Book.filter { $0.year != 1900 }
SELECT * FROM "book" WHERE "year" <> 1900;

-- Book.filter { $0.year == nil }
SELECT * FROM "book" WHERE "year" IS NULL;

-- Book.filter { $0.year != nil }
SELECT * FROM "book" WHERE "year" IS NOT NULL;

-- Book.filter { $0.genre === "novel" }
SELECT * FROM "book" WHERE "genre" IS 'novel';

-- Book.filter { $0.genre !== "novel" }
SELECT * FROM "book" WHERE "genre" IS NOT 'novel';

-- Book.filter { $0.price < 10 }
SELECT * FROM "book" WHERE "price" < 10;

-- Book.filter { 10 <= $0.price }
SELECT * FROM "book" WHERE 10 <= "price";

-- Book.filter { !($0.price >= 10.5) }
SELECT * FROM "book" WHERE NOT ("price" >= 10.5);

-- Book.filter { !($0.genre == "essay") }
SELECT * FROM "book" WHERE "genre" <> 'essay';

-- Book.filter { $0.genre.collating(.nocase) == "NOVEL" }
SELECT * FROM "book" WHERE "genre" = 'NOVEL' COLLATE NOCASE;

-- Author.filter { $0.name == "Max O'Brien" }
SELECT * FROM "author" WHERE "name" = 'Max O''Brien';

-- Author.filter { $0.name == "'; DROP TABLE author; --" }
SELECT * FROM "author" WHERE "name" = '''; DROP TABLE author; --';

-- Book.filter { ($0.year > 1900) == true }
SELECT * FROM "book" WHERE ("year" > 1900) = 1;

-- Book.filter { ($0.year > 1900) == false }
SELECT * FROM "book" WHERE ("year" > 1900) = 0;
