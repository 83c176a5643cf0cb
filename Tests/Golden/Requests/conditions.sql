-- Book.filter { $0.year > 1900 && $0.price < 9 }
SELECT * FROM "book" WHERE ("year" > 1900) AND ("price" < 9);

-- Book.filter { $0.year > 1940 || $0.price < 9 || !$0.genre }
SELECT * FROM "book" WHERE ("year" > 1940) OR ("price" < 9) OR (NOT "genre");

-- Book.filter { !($0.year > 1900 && $0.price < 9) }
SELECT * FROM "book" WHERE NOT (("year" > 1900) AND ("price" < 9));

-- Book.filter { $0.year > 1900 }.filter { $0.price < 9 }
SELECT * FROM "book" WHERE ("year" > 1900) AND ("price" < 9);

-- Book.filter { [1, 2, 3].contains($0.authorId) }
SELECT * FROM "book" WHERE "authorId" IN (1, 2, 3);

-- Book.filter { ![1, 2, 3].contains($0.authorId) }
SELECT * FROM "book" WHERE "authorId" NOT IN (1, 2, 3);

-- Book.filter { [Int]().contains($0.authorId) }
SELECT * FROM "book" WHERE 0;

-- Book.filter { (1880...1910).contains($0.year) }
SELECT * FROM "book" WHERE "year" BETWEEN 1880 AND 1910;

-- Book.filter { !(1880...1910).contains($0.year) }
SELECT * FROM "book" WHERE "year" NOT BETWEEN 1880 AND 1910;

-- Book.filter { (1880..<1910).contains($0.year) }
SELECT * FROM "book" WHERE ("year" >= 1880) AND ("year" < 1910);

-- Book.filter { (1880...).contains($0.year) }
SELECT * FROM "book" WHERE "year" >= 1880;

-- Author.filter { ("A"..<"K").contains($0.name) }
SELECT * FROM "author" WHERE ("name" >= 'A') AND ("name" < 'K');

-- Author.filter { $0.name.like("M%") }
SELECT * FROM "author" WHERE "name" LIKE 'M%';

-- Profile.filter(Column("text").like(#"%\%%"#, escape: #"\"#))
SELECT * FROM "profile" WHERE "text" LIKE '%\%%' ESCAPE '\';

-- Author.filter { !$0.name.like("M%") }
SELECT * FROM "author" WHERE "name" NOT LIKE 'M%';

-- Author.filter { [nil, "FR"].contains($0.countryCode) }
SELECT * FROM "author" WHERE "countryCode" IN (NULL, 'FR');
