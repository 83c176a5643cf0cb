-- Book.all()
SELECT * FROM "book";

-- Book.none()
SELECT * FROM "book" WHERE 0;

-- Table("book").all()
SELECT * FROM "book";

-- Book.select(\.title)
SELECT "title" FROM "book";

-- Book.selectID()
SELECT "id" FROM "book";

-- Award.selectPrimaryKey(as: Row.self)
SELECT "bookId", "name" FROM "award";

-- Book.select(.allColumns(excluding: ["info", "genre"]))
SELECT "id", "title", "authorId", "year", "price" FROM "book";

-- Book.select(.rowID, Column("title").forKey("name"))
SELECT "rowid", "title" AS "name" FROM "book";

-- Book.select(\.genre).distinct()
SELECT DISTINCT "genre" FROM "book";

-- Book.select { [$0.genre, $0.authorId] }.distinct()
SELECT DISTINCT "genre", "authorId" FROM "book";

-- Book.annotated { ($0.price * 1.2).forKey("gross") }
SELECT *, "price" * 1.2 AS "gross" FROM "book";

-- Book.select(\.title).annotated(with: Column("year"))
SELECT "title", "year" FROM "book";

-- Book.all().selectWhenConnected { _ in [Column("id")] }
SELECT "id" FROM "book";

-- Book.select { [count($0.genre), count(distinct: $0.genre)] }
SELECT COUNT("genre"), COUNT(DISTINCT "genre") FROM "book";

-- Book.select(count(.allColumns))
SELECT COUNT(*) FROM "book";

-- Book.select { [min($0.price), max($0.price), average($0.price), total($0.year)] }
SELECT MIN("price"), MAX("price"), AVG("price"), TOTAL("year") FROM "book";

-- Book.select { [sum($0.price, filter: $0.genre == "novel")] }
SELECT SUM("price") FILTER (WHERE "genre" = 'novel') FROM "book";
