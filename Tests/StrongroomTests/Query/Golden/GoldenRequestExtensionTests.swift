import Strongroom
import Testing

extension Library {
    /// The SQL of what GRDB does not have.
    @Suite struct GoldenRequestExtensionTests {
        private let novels = Book.filter { $0.genre == "novel" }
        private let old = Book.filter { $0.year < 1900 }

        @Test func `Requests put together`() throws {
            let g = try GoldenRequests()
            try g.expect {
                novels.union(old)
            } equals: {
                "SELECT * FROM book WHERE genre = 'novel' OR year < 1900"
            }
            try g.expect {
                novels.unionAll(old).order(\.id)
            } equals: {
                """
                SELECT * FROM (SELECT * FROM book WHERE genre = 'novel'
                UNION ALL SELECT * FROM book WHERE year < 1900) ORDER BY id
                """
            }
            try g.expect {
                novels.intersect(old).order { [$0.year.desc, $0.id] }.limit(3)
            } equals: {
                """
                SELECT * FROM book WHERE genre = 'novel' AND year < 1900 ORDER BY year DESC, id
                LIMIT 3
                """
            }
            try g.expect {
                novels.except(old).order(\.id).limit(2, offset: 1).reversed()
            } equals: {
                """
                SELECT * FROM book WHERE genre = 'novel' AND NOT ifnull(year < 1900, 0)
                ORDER BY id DESC LIMIT 2 OFFSET 1
                """
            }
            try g.expect {
                old.order(\.id).limit(3).union(novels.order(\.id.desc).limit(2))
            } equals: {
                """
                SELECT * FROM book WHERE id IN
                (SELECT id FROM book WHERE year < 1900 ORDER BY id LIMIT 3) OR id IN
                (SELECT id FROM book WHERE genre = 'novel' ORDER BY id DESC LIMIT 2)
                """
            }
            try g.expect {
                novels.union(old).order { abs($0.year - 1900) }.limit(4)
            } equals: {
                """
                SELECT * FROM book WHERE genre = 'novel' OR year < 1900
                ORDER BY abs(year - 1900) LIMIT 4
                """
            }
            try g.expect {
                novels.union(old).except(Book.filter { $0.id > 20 })
            } equals: {
                "SELECT * FROM book WHERE (genre = 'novel' OR year < 1900) AND id <= 20"
            }
            try moreCompounds(g)
            try g.finish("compounds")
        }

        private func moreCompounds(_ g: GoldenRequests) throws {
            try g.expect {
                old.except(novels.union(Book.filter { $0.id > 20 }).limit(100))
            } equals: {
                "SELECT * FROM book WHERE year < 1900 AND genre IS NOT 'novel' AND id <= 20"
            }
            try g.expect {
                Book.select(\.title, as: String.self)
                    .union(Author.select(\.name, as: String.self)).order(Column("title"))
            } equals: {
                "SELECT title AS t FROM book UNION SELECT name FROM author ORDER BY t"
            }
            try g.expect {
                let writers = Book.select(\.authorId, as: Int64.self)
                    .union(Author.filter(id: 5).selectID())
                return Author.filter { writers.contains($0.id) }
            } equals: {
                "SELECT * FROM author WHERE id IN (SELECT authorId FROM book) OR id = 5"
            }
            try g.expect {
                let all = CommonTableExpression<Book>(named: "mine", request: novels.union(old))
                return all.all().with(all).filter(Column("price") > 10)
            } equals: {
                "SELECT * FROM book WHERE (genre = 'novel' OR year < 1900) AND price > 10"
            }
            try g.expect {
                novels.including(required: Book.author)
                    .union(old.including(required: Book.author)).order(Column("title"))
            } equals: {
                """
                SELECT b.*, a.* FROM book b JOIN author a ON a.id = b.authorId
                WHERE b.genre = 'novel' OR b.year < 1900 ORDER BY b.title
                """
            }
        }

        @Test func `Windows`() throws {
            let g = try GoldenRequests()
            try g.expect {
                Book.select { [$0.id, rank().over(.partition(by: $0.genre).order($0.year.desc))] }
            } equals: {
                "SELECT id, rank() OVER (PARTITION BY genre ORDER BY year DESC) FROM book"
            }
            try g.expect {
                Book.annotated { sum($0.price).over(.partition(by: $0.genre, $0.authorId)) }
            } equals: {
                "SELECT *, sum(price) OVER (PARTITION BY genre, authorId) FROM book"
            }
            try g.expect {
                Book.select { [count($0.id).over(), rowNumber().over()] }
            } equals: {
                "SELECT count(id) OVER (), row_number() OVER () FROM book"
            }
            try g.expect {
                Book.select {
                    [
                        average($0.price).over(
                            .order($0.id).rows(from: .preceding(2), to: .following(1)))
                    ]
                }.order(\.id)
            } equals: {
                """
                SELECT avg(price) OVER (ORDER BY id ROWS BETWEEN 2 PRECEDING AND 1 FOLLOWING)
                FROM book ORDER BY id
                """
            }
            try g.expect {
                Book.select {
                    [
                        count($0.id).over(
                            .order($0.year).range(from: .preceding(10)).excluding(.ties))
                    ]
                }
            } equals: {
                """
                SELECT count(id) OVER (ORDER BY year RANGE BETWEEN 10 PRECEDING AND CURRENT ROW
                EXCLUDE TIES) FROM book
                """
            }
            try g.expect {
                Book.select {
                    [total($0.price).over(.order($0.genre).groups(from: .start, to: .preceding(1)))]
                }
            } equals: {
                """
                SELECT total(price) OVER (ORDER BY genre GROUPS BETWEEN UNBOUNDED PRECEDING
                AND 1 PRECEDING) FROM book
                """
            }
            try moreWindows(g)
            try yetMoreWindows(g)
            try g.finish("windows")
        }

        private func moreWindows(_ g: GoldenRequests) throws {
            try g.expect {
                Review.select {
                    [
                        lag($0.stars).over(.order($0.id)),
                        lead($0.stars, 2, default: 0).over(.order($0.id)),
                        $0.stars
                            - lag($0.stars).over(.partition(by: $0.bookId).order($0.day, $0.id)),
                    ]
                }
            } equals: {
                """
                SELECT lag(stars) OVER (ORDER BY id), lead(stars, 2, 0) OVER (ORDER BY id),
                stars - lag(stars) OVER (PARTITION BY bookId ORDER BY day, id) FROM review
                """
            }
            try g.expect {
                Review.select {
                    let window = SQLWindow.partition(by: $0.bookId).order($0.id)
                    return [
                        denseRank().over(window), percentRank().over(window),
                        cumulativeDistribution().over(window), ntile(2).over(window),
                        firstValue($0.day).over(window), nthValue($0.day, 2).over(window),
                        lastValue($0.day).over(window.rows(from: .start, to: .end)),
                    ]
                }
            } equals: {
                """
                SELECT dense_rank() OVER w, percent_rank() OVER w, cume_dist() OVER w,
                ntile(2) OVER w, first_value(day) OVER w, nth_value(day, 2) OVER w,
                last_value(day) OVER (PARTITION BY bookId ORDER BY id
                    ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)
                FROM review WINDOW w AS (PARTITION BY bookId ORDER BY id)
                """
            }
            try g.expect {
                let ranked = CommonTableExpression<Book>(
                    named: "ranked",
                    request: Book.annotated {
                        rowNumber().over(.partition(by: $0.genre).order($0.id)).forKey("place")
                    })
                return ranked.all().with(ranked).filter(Column("place") <= 2)
            } equals: {
                """
                SELECT *, (SELECT count(*) FROM book c WHERE c.genre IS b.genre AND c.id <= b.id) p
                FROM book b WHERE p <= 2
                """
            }
        }

        private func yetMoreWindows(_ g: GoldenRequests) throws {
            try g.expect {
                Book.joining(required: Book.author).select {
                    [rank().over(.order($0.price)), sum($0.price, filter: $0.year > 1900).over()]
                }
            } equals: {
                """
                SELECT rank() OVER (ORDER BY price), sum(price) FILTER (WHERE year > 1900) OVER ()
                FROM book WHERE authorId IS NOT NULL
                """
            }
        }

        @Test func `Dates`() throws {
            let g = try GoldenRequests()
            try g.expect {
                Review.select { [strftime("%Y-%m", $0.day), count($0.id)] }
                    .group { strftime("%Y-%m", $0.day) }
            } equals: {
                "SELECT substr(day, 1, 7) AS month, count(id) FROM review GROUP BY month"
            }
            try g.expect {
                Review.filter { date($0.day, .month(1), .day(-1)) < "2024-06-15" }
            } equals: {
                "SELECT * FROM review WHERE date(day, '1 months', '-1 days') < '2024-06-15'"
            }
            try g.expect {
                Review.select {
                    [timeOfDay($0.day, .hour(5)), unixEpoch($0.day), date($0.day, .weekday(0))]
                }
            } equals: {
                "SELECT '05:00:00', CAST(strftime('%s', day) AS INT), date(day, 'weekday 0') FROM review"
            }
            try g.expect {
                Review.filter { date($0.day) > date(.now, .year(5)) }
            } equals: {
                "SELECT * FROM review WHERE 0"
            }
            try g.finish("dates")
        }
    }
}
