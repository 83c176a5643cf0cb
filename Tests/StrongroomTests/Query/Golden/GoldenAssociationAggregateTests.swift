import Strongroom
import Testing

extension Library {
    /// The SQL of aggregates of associated rows.
    @Suite struct GoldenAssociationAggregateTests {
        @Test func `Aggregates of associations`() throws {
            let g = try GoldenRequests()
            try g.expect {
                Author.annotated(with: Author.books.count)
            } equals: {
                """
                SELECT a.*, (SELECT count(*) FROM book WHERE authorId = a.id) FROM author a
                """
            }
            try g.expect {
                Author.annotated(with: Author.books.max(\.price), Author.books.average(\.year))
            } equals: {
                """
                SELECT a.*, max(b.price), avg(b.year) FROM author a
                LEFT JOIN book b ON b.authorId = a.id GROUP BY a.id
                """
            }
            try g.expect {
                Author.having(Author.books.count > 6)
            } equals: {
                "SELECT * FROM author a WHERE (SELECT count(*) FROM book WHERE authorId = a.id) > 6"
            }
            try g.expect {
                Author.having(Author.books.isEmpty)
            } equals: {
                "SELECT * FROM author a WHERE NOT EXISTS (SELECT 1 FROM book WHERE authorId = a.id)"
            }
            try g.expect {
                Author.having(
                    Author.books.count >= 6 && Author.books.min(\.year) < 1880
                        && !Author.books.isEmpty)
            } equals: {
                """
                SELECT * FROM author a WHERE
                (SELECT count(*) >= 6 AND min(year) < 1880 FROM book WHERE authorId = a.id)
                """
            }
            try g.expect {
                Author.annotated(
                    with: Author.books.filter { $0.genre == "novel" }.forKey("novels").count,
                    Author.books.filter { $0.genre == "essay" }.forKey("essays").count)
            } equals: {
                """
                SELECT a.*, (SELECT count(*) FROM book WHERE authorId = a.id AND genre = 'novel'),
                    (SELECT count(*) FROM book WHERE authorId = a.id AND genre = 'essay')
                FROM author a
                """
            }
            try moreAggregates(g)
            try g.finish("aggregates")
        }

        private func moreAggregates(_ g: GoldenRequests) throws {
            try g.expect {
                Author.annotated(with: Author.reviews.count)
            } equals: {
                """
                SELECT a.*, (SELECT count(*) FROM review r JOIN book b ON b.id = r.bookId
                    WHERE b.authorId = a.id) FROM author a
                """
            }
            try g.expect {
                Author.annotated(with: Author.books.sum(\.price) ?? 0)
            } equals: {
                """
                SELECT a.*, ifnull((SELECT sum(price) FROM book WHERE authorId = a.id), 0)
                FROM author a
                """
            }
        }
    }
}
