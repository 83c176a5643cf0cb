import Strongroom
import Testing

extension Library {
    /// The SQL of associations.
    @Suite struct GoldenAssociationTests {
        @Test func `Joined tables`() throws {
            let g = try GoldenRequests()
            try g.expect {
                Book.including(required: Book.author)
            } equals: {
                "SELECT b.*, a.* FROM book b JOIN author a ON a.id = b.authorId"
            }
            try g.expect {
                Book.including(optional: Book.author)
            } equals: {
                "SELECT b.*, a.* FROM book b LEFT JOIN author a ON a.id = b.authorId"
            }
            try g.expect {
                Book.joining(required: Book.author)
            } equals: {
                "SELECT b.* FROM book b JOIN author a ON a.id = b.authorId"
            }
            try g.expect {
                Book.joining(optional: Book.author.order(\.name))
            } equals: {
                """
                SELECT b.* FROM book b LEFT JOIN author a ON a.id = b.authorId ORDER BY a.name
                """
            }
            try g.expect {
                Book.annotated(withRequired: Book.author.select(\.name))
            } equals: {
                "SELECT b.*, a.name FROM book b JOIN author a ON a.id = b.authorId"
            }
            try g.expect {
                Book.annotated(withOptional: Book.author.select { [$0.name.forKey("writer")] })
            } equals: {
                "SELECT b.*, a.name FROM book b LEFT JOIN author a ON a.id = b.authorId"
            }
            try g.expect {
                Book.joining(required: Book.author.filter { $0.born > 1880 })
            } equals: {
                "SELECT b.* FROM book b JOIN author a ON a.id = b.authorId AND a.born > 1880"
            }
            try g.expect {
                Book.filter { $0.year > 1900 }.including(
                    optional: Book.author.filter { $0.born > 1880 })
            } equals: {
                """
                SELECT b.*, a.* FROM book b
                LEFT JOIN author a ON a.id = b.authorId AND a.born > 1880 WHERE b.year > 1900
                """
            }
            try moreJoins(g)
            try g.finish("joins")
        }

        private func moreJoins(_ g: GoldenRequests) throws {
            try g.expect {
                Book.including(required: Book.author.including(optional: Author.country))
            } equals: {
                """
                SELECT b.*, a.*, c.* FROM book b JOIN author a ON a.id = b.authorId
                LEFT JOIN country c ON c.code = a.countryCode
                """
            }
            try g.expect {
                Book.including(optional: Book.country)
            } equals: {
                """
                SELECT b.*, c.* FROM book b LEFT JOIN author a ON a.id = b.authorId
                LEFT JOIN country c ON c.code = a.countryCode
                """
            }
            try g.expect {
                Country.joining(required: Country.books).distinct()
            } equals: {
                """
                SELECT DISTINCT c.* FROM country c JOIN author a ON a.countryCode = c.code
                JOIN book b ON b.authorId = a.id
                """
            }
            try g.expect {
                Author.including(optional: Author.profile)
            } equals: {
                "SELECT a.*, p.* FROM author a LEFT JOIN profile p ON p.authorId = a.id"
            }
        }

        @Test func `Several tables, and one several times`() throws {
            let g = try GoldenRequests()
            try g.expect {
                Author.including(optional: Author.teacher.including(optional: Author.teacher))
            } equals: {
                """
                SELECT a.*, t.*, u.* FROM author a LEFT JOIN author t ON t.id = a.teacherId
                LEFT JOIN author u ON u.id = t.teacherId
                """
            }
            try g.expect {
                let teacher = TableAlias<Author>(name: "teacher")
                return Author.joining(required: Author.teacher.aliased(teacher))
                    .filter { $0.born > teacher.born }
            } equals: {
                """
                SELECT a.* FROM author a JOIN author t ON t.id = a.teacherId WHERE a.born > t.born
                """
            }
            try g.expect {
                Review.including(required: Review.book.including(required: Book.author))
                    .order { [$0.stars.desc, $0.id] }.limit(10)
            } equals: {
                """
                SELECT r.*, b.*, a.* FROM review r JOIN book b ON b.id = r.bookId
                JOIN author a ON a.id = b.authorId ORDER BY r.stars DESC, r.id LIMIT 10
                """
            }
            try g.expect {
                let author = TableAlias<Author>()
                return Book.joining(optional: Book.author.aliased(author)).filter(!author.exists)
            } equals: {
                """
                SELECT b.* FROM book b LEFT JOIN author a ON a.id = b.authorId WHERE a.id IS NULL
                """
            }
            try g.expect {
                let author = TableAlias<Author>()
                return Book.joining(required: Book.author.aliased(author))
                    .order(author.name.desc, Column("id")).reversed()
            } equals: {
                """
                SELECT b.* FROM book b JOIN author a ON a.id = b.authorId ORDER BY a.name, b.id DESC
                """
            }
            try g.expect {
                Book.order(\.genre).including(required: Book.author.order(\.name)).withStableOrder()
            } equals: {
                """
                SELECT b.*, a.* FROM book b JOIN author a ON a.id = b.authorId
                ORDER BY b.genre, b.id, a.name, a.id
                """
            }
            try moreSeveralTables(g)
            try g.finish("several-tables")
        }

        private func moreSeveralTables(_ g: GoldenRequests) throws {
            try g.expect {
                Book.joining(required: Book.author.joining(required: Author.country))
                    .including(optional: Book.author)
            } equals: {
                """
                SELECT b.*, a.* FROM book b JOIN author a ON a.id = b.authorId
                JOIN country c ON c.code = a.countryCode
                """
            }
            try g.expect {
                let awarded = CommonTableExpression(
                    named: "awarded",
                    request: Award.select { [$0.bookId, count($0.name).forKey("prizes")] }
                        .group(\.bookId))
                let prizes = Book.association(to: awarded) { $0.id == $1["bookId"] }
                return Book.with(awarded).including(required: prizes)
            } equals: {
                """
                SELECT b.*, p.* FROM book b JOIN
                (SELECT bookId, count(name) AS prizes FROM award GROUP BY bookId) p
                ON b.id = p.bookId
                """
            }
        }

        @Test func `Rows fetched afterwards`() throws {
            let g = try GoldenRequests()
            try g.expect {
                Author.order(\.id).including(all: Author.books.order(\.id))
            } equals: {
                """
                SELECT * FROM author ORDER BY id;
                SELECT * FROM book WHERE authorId IN (SELECT id FROM author) ORDER BY id
                """
            }
            try g.expect {
                Author.filter { $0.born > 1880 }.including(
                    all: Author.books.filter { $0.year > 1900 }.select(\.title).forKey("titles"))
            } equals: {
                """
                SELECT * FROM author WHERE born > 1880;
                SELECT title FROM book
                WHERE authorId IN (SELECT id FROM author WHERE born > 1880) AND year > 1900
                """
            }
            try g.expect {
                Author.including(all: Author.books.including(all: Book.awards))
            } equals: {
                """
                SELECT * FROM author;
                SELECT * FROM book WHERE authorId IS NOT NULL;
                SELECT * FROM award WHERE bookId IN (SELECT id FROM book WHERE authorId IS NOT NULL)
                """
            }
            try g.expect {
                Author.including(all: Author.reviews)
            } equals: {
                """
                SELECT * FROM author;
                SELECT r.* FROM review r JOIN book b ON b.id = r.bookId WHERE b.authorId IS NOT NULL
                """
            }
            try g.expect {
                Book.including(required: Book.author.including(all: Author.students))
            } equals: {
                """
                SELECT b.*, a.* FROM book b JOIN author a ON a.id = b.authorId;
                SELECT * FROM author WHERE teacherId IN (SELECT authorId FROM book)
                """
            }
            try g.expect {
                Book.filter(id: 5).including(all: Book.reviews.order(\.id.desc))
            } equals: {
                """
                SELECT * FROM book WHERE id = 5;
                SELECT * FROM review WHERE bookId = 5 ORDER BY id DESC
                """
            }
            try g.finish("prefetches")
        }
    }
}
