-- Book.select { [($0.price + 1) * 2 - $0.price / 3] }
SELECT (("price" + 1) * 2) - ("price" / 3) FROM "book";

-- Book.select { [-$0.year, ~$0.year, $0.year & 7, $0.year | 8] }
SELECT -"year", ~"year", "year" & 7, "year" | 8 FROM "book";

-- Book.select { [$0.id << 2, $0.year >> 1] }
SELECT "id" << 2, "year" >> 1 FROM "book";

-- Book.select { [$0.genre ?? "none"] }
SELECT IFNULL("genre", 'none') FROM "book";

-- Book.select {
--     [[$0.title, " / ".databaseValue, $0.genre].joined(operator: .concat)]
-- }
SELECT "title" || ' / ' || "genre" FROM "book";

-- Book.select { [abs($0.year - 1900), length($0.title)] }
SELECT ABS("year" - 1900), LENGTH("title") FROM "book";

-- Book.select { [cast($0.price, as: .integer)] }
SELECT CAST("price" AS INTEGER) FROM "book";

-- Book.select { [coalesce([$0.genre, $0.title])] }
SELECT COALESCE("genre", "title") FROM "book";

-- Book.select { [max($0.price, 10), min($0.price, $0.year)] }
SELECT MAX("price", 10), MIN("price", "year") FROM "book";

-- Book.select { [$0.title.uppercased, $0.genre.lowercased] }
SELECT swiftUppercaseString("title"), swiftLowercaseString("genre") FROM "book";

-- Review.select { [dateTime($0.day, .month(1), .startOfMonth), julianDay($0.day)] }
SELECT DATETIME("day", '1 months', 'start of month'), JULIANDAY("day") FROM "review";

-- Book.filter(sql: "price > ?", arguments: [20])
SELECT * FROM "book" WHERE price > 20;

-- Book.filter(literal: "price > \(20) AND \(Book.Columns.year) < \(1900)")
SELECT * FROM "book" WHERE price > 20 AND "year" < 1900;

-- Book.select(literal: "id, \(Column("title")) AS t")
SELECT id, "title" AS t FROM "book";

-- Book.filter { $0.year > (SQL("\(1900) + 1")).sqlExpression }
SELECT * FROM "book" WHERE "year" > (1900 + 1);
