import Strongroom
import Testing

extension Library {
    /// The SQL of conditions and expressions.
    @Suite struct GoldenFilterTests {
        @Test func `Comparisons`() throws {
            let g = try GoldenRequests()
            try g.expect {
                Book.filter { $0.year == 1900 }
            } equals: {
                "SELECT * FROM book WHERE year = 1900"
            }
            try g.expect {
                Book.filter { $0.year != 1900 }
            } equals: {
                "SELECT * FROM book WHERE year <> 1900"
            }
            try g.expect {
                Book.filter { $0.year == nil }
            } equals: {
                "SELECT * FROM book WHERE year IS NULL"
            }
            try g.expect {
                Book.filter { $0.year != nil }
            } equals: {
                "SELECT * FROM book WHERE year IS NOT NULL"
            }
            try g.expect {
                Book.filter { $0.genre === "novel" }
            } equals: {
                "SELECT * FROM book WHERE genre IS 'novel'"
            }
            try g.expect {
                Book.filter { $0.genre !== "novel" }
            } equals: {
                "SELECT * FROM book WHERE genre IS NOT 'novel'"
            }
            try g.expect {
                Book.filter { $0.price < 10 }
            } equals: {
                "SELECT * FROM book WHERE price < 10"
            }
            try g.expect {
                Book.filter { 10 <= $0.price }
            } equals: {
                "SELECT * FROM book WHERE 10 <= price"
            }
            try g.expect {
                Book.filter { !($0.price >= 10.5) }
            } equals: {
                "SELECT * FROM book WHERE NOT (price >= 10.5)"
            }
            try g.expect {
                Book.filter { !($0.genre == "essay") }
            } equals: {
                "SELECT * FROM book WHERE genre <> 'essay'"
            }
            try moreComparisons(g)
            try g.finish("comparisons")
        }

        private func moreComparisons(_ g: GoldenRequests) throws {
            try g.expect {
                Book.filter { $0.genre.collating(.nocase) == "NOVEL" }
            } equals: {
                "SELECT * FROM book WHERE genre = 'NOVEL' COLLATE NOCASE"
            }
            try g.expect {
                Author.filter { $0.name == "Max O'Brien" }
            } equals: {
                "SELECT * FROM author WHERE name = 'Max O''Brien'"
            }
            try g.expect {
                Author.filter { $0.name == "'; DROP TABLE author; --" }
            } equals: {
                "SELECT * FROM author WHERE name = '''; DROP TABLE author; --'"
            }
            try g.expect {
                Book.filter { ($0.year > 1900) == true }
            } equals: {
                "SELECT * FROM book WHERE (year > 1900) = 1"
            }
            try g.expect {
                Book.filter { ($0.year > 1900) == false }
            } equals: {
                "SELECT * FROM book WHERE (year > 1900) = 0"
            }
        }

        @Test func `Conditions joined, and membership`() throws {
            let g = try GoldenRequests()
            try g.expect {
                Book.filter { $0.year > 1900 && $0.price < 9 }
            } equals: {
                "SELECT * FROM book WHERE year > 1900 AND price < 9"
            }
            try g.expect {
                Book.filter { $0.year > 1940 || $0.price < 9 || !$0.genre }
            } equals: {
                "SELECT * FROM book WHERE year > 1940 OR price < 9 OR NOT genre"
            }
            try g.expect {
                Book.filter { !($0.year > 1900 && $0.price < 9) }
            } equals: {
                "SELECT * FROM book WHERE NOT (year > 1900 AND price < 9)"
            }
            try g.expect {
                Book.filter { $0.year > 1900 }.filter { $0.price < 9 }
            } equals: {
                "SELECT * FROM book WHERE (year > 1900) AND (price < 9)"
            }
            try g.expect {
                Book.filter { [1, 2, 3].contains($0.authorId) }
            } equals: {
                "SELECT * FROM book WHERE authorId IN (1, 2, 3)"
            }
            try g.expect {
                Book.filter { ![1, 2, 3].contains($0.authorId) }
            } equals: {
                "SELECT * FROM book WHERE authorId NOT IN (1, 2, 3)"
            }
            try g.expect {
                Book.filter { [Int]().contains($0.authorId) }
            } equals: {
                "SELECT * FROM book WHERE 0"
            }
            try g.expect {
                Book.filter { (1880...1910).contains($0.year) }
            } equals: {
                "SELECT * FROM book WHERE year BETWEEN 1880 AND 1910"
            }
            try g.expect {
                Book.filter { !(1880...1910).contains($0.year) }
            } equals: {
                "SELECT * FROM book WHERE year NOT BETWEEN 1880 AND 1910"
            }
            try g.expect {
                Book.filter { (1880..<1910).contains($0.year) }
            } equals: {
                "SELECT * FROM book WHERE year >= 1880 AND year < 1910"
            }
            try moreConditions(g)
            try g.finish("conditions")
        }

        private func moreConditions(_ g: GoldenRequests) throws {
            try g.expect {
                Book.filter { (1880...).contains($0.year) }
            } equals: {
                "SELECT * FROM book WHERE year >= 1880"
            }
            try g.expect {
                Author.filter { ("A"..<"K").contains($0.name) }
            } equals: {
                "SELECT * FROM author WHERE name >= 'A' AND name < 'K'"
            }
            try g.expect {
                Author.filter { $0.name.like("M%") }
            } equals: {
                "SELECT * FROM author WHERE name LIKE 'M%'"
            }
            try g.expect {
                Profile.filter(Column("text").like(#"%\%%"#, escape: #"\"#))
            } equals: {
                #"SELECT * FROM profile WHERE text LIKE '%\%%' ESCAPE '\'"#
            }
            try g.expect {
                Author.filter { !$0.name.like("M%") }
            } equals: {
                "SELECT * FROM author WHERE name NOT LIKE 'M%'"
            }
            try g.expect {
                Author.filter { [nil, "FR"].contains($0.countryCode) }
            } equals: {
                "SELECT * FROM author WHERE countryCode IN (NULL, 'FR')"
            }
        }

        @Test func `Arithmetic, functions and literals`() throws {
            let g = try GoldenRequests()
            try g.expect {
                Book.select { [($0.price + 1) * 2 - $0.price / 3] }
            } equals: {
                "SELECT (price + 1) * 2 - price / 3 FROM book"
            }
            try g.expect {
                Book.select { [-$0.year, ~$0.year, $0.year & 7, $0.year | 8] }
            } equals: {
                "SELECT -year, ~year, year & 7, year | 8 FROM book"
            }
            try g.expect {
                Book.select { [$0.id << 2, $0.year >> 1] }
            } equals: {
                "SELECT id << 2, year >> 1 FROM book"
            }
            try g.expect {
                Book.select { [$0.genre ?? "none"] }
            } equals: {
                "SELECT ifnull(genre, 'none') FROM book"
            }
            try g.expect {
                Book.select {
                    [[$0.title, " / ".databaseValue, $0.genre].joined(operator: .concat)]
                }
            } equals: {
                "SELECT title || ' / ' || genre FROM book"
            }
            try g.expect {
                Book.select { [abs($0.year - 1900), length($0.title)] }
            } equals: {
                "SELECT abs(year - 1900), length(title) FROM book"
            }
            try g.expect {
                Book.select { [cast($0.price, as: .integer)] }
            } equals: {
                "SELECT CAST(price AS INTEGER) FROM book"
            }
            try g.expect {
                Book.select { [coalesce([$0.genre, $0.title])] }
            } equals: {
                "SELECT coalesce(genre, title) FROM book"
            }
            try g.expect {
                Book.select { [max($0.price, 10), min($0.price, $0.year)] }
            } equals: {
                "SELECT max(price, 10), min(price, year) FROM book"
            }
            try moreFunctions(g)
            try g.finish("functions")
        }

        private func moreFunctions(_ g: GoldenRequests) throws {
            try g.expect {
                Book.select { [$0.title.uppercased, $0.genre.lowercased] }
            } equals: {
                """
                SELECT swiftUppercaseString(title), swiftLowercaseString(genre) FROM book
                """
            }
            try g.expect {
                Review.select { [dateTime($0.day, .month(1), .startOfMonth), julianDay($0.day)] }
            } equals: {
                "SELECT datetime(day, '1 months', 'start of month'), julianday(day) FROM review"
            }
            try g.expect {
                Book.filter(sql: "price > ?", arguments: [20])
            } equals: {
                "SELECT * FROM book WHERE price > 20"
            }
            try g.expect {
                Book.filter(literal: "price > \(20) AND \(Book.Columns.year) < \(1900)")
            } equals: {
                "SELECT * FROM book WHERE price > 20 AND year < 1900"
            }
            try g.expect {
                Book.select(literal: "id, \(Column("title")) AS t")
            } equals: {
                "SELECT id, title AS t FROM book"
            }
            try g.expect {
                Book.filter { $0.year > (SQL("\(1900) + 1")).sqlExpression }
            } equals: {
                "SELECT * FROM book WHERE year > (1900 + 1)"
            }
        }
    }
}
