import Strongroom
import Testing

extension Library {
    /// The SQL of what GRDB's associations do not have.
    @Suite struct GoldenAssociationExtensionTests {
        @Test func `Whether there are associated rows`() throws {
            let g = try GoldenRequests()
            try g.expect {
                Author.filter(Author.books.exists)
            } equals: {
                "SELECT * FROM author WHERE id IN (SELECT authorId FROM book)"
            }
            try g.expect {
                Book.filter(!Book.author.exists)
            } equals: {
                "SELECT * FROM book WHERE authorId IS NULL"
            }
            try g.expect {
                Author.filter(Author.books.filter { $0.genre == "novel" && $0.year < 1900 }.exists)
            } equals: {
                """
                SELECT * FROM author WHERE id IN
                (SELECT authorId FROM book WHERE genre = 'novel' AND year < 1900)
                """
            }
            try g.expect {
                Author.filter(Author.students.exists)
            } equals: {
                "SELECT * FROM author WHERE id IN (SELECT teacherId FROM author)"
            }
            try g.expect {
                Author.filter(Author.reviews.filter { $0.stars == 5 }.exists)
            } equals: {
                """
                SELECT * FROM author WHERE id IN (SELECT b.authorId FROM book b
                JOIN review r ON r.bookId = b.id WHERE r.stars = 5)
                """
            }
            try g.expect {
                Country.filter(Country.authors.filter(!Author.books.exists).exists)
            } equals: {
                """
                SELECT * FROM country WHERE code IN (SELECT countryCode FROM author
                WHERE id NOT IN (SELECT authorId FROM book WHERE authorId IS NOT NULL))
                """
            }
            try g.expect {
                Book.filter(Book.author.filter(Author.books.filter { $0.price > 29 }.exists).exists)
            } equals: {
                "SELECT * FROM book WHERE authorId IN (SELECT authorId FROM book WHERE price > 29)"
            }
            try moreExistence(g)
            try g.finish("existence")
        }

        private func moreExistence(_ g: GoldenRequests) throws {
            try g.expect {
                let author = TableAlias<Author>()
                return Book.joining(required: Book.author.aliased(author))
                    .filter(author[Author.profile.exists]).filter(Book.awards.exists)
            } equals: {
                """
                SELECT * FROM book WHERE authorId IN (SELECT authorId FROM profile)
                AND id IN (SELECT bookId FROM award)
                """
            }
            try g.expect {
                Book.select { [$0.id, Book.awards.exists] }
            } equals: {
                "SELECT id, id IN (SELECT bookId FROM award) FROM book"
            }
            try g.expect {
                Author.having(Author.books.count > 3).filter(!Author.students.exists)
            } equals: {
                """
                SELECT * FROM author a WHERE (SELECT count(*) FROM book WHERE authorId = a.id) > 3
                AND id NOT IN (SELECT teacherId FROM author WHERE teacherId IS NOT NULL)
                """
            }
            try g.expectChange { db in
                try Review.filter(Review.book.filter(Book.awards.exists).exists).deleteAll(db)
            } equals: {
                "DELETE FROM review WHERE bookId IN (SELECT bookId FROM award)"
            }
            try g.expectChange { db in
                try Author.filter(Author.students.exists).updateAll(db) { $0.born += 1 }
            } equals: {
                """
                UPDATE author SET born = born + 1
                WHERE id IN (SELECT teacherId FROM author)
                """
            }
        }

        @Test func `The first of many`() throws {
            let g = try GoldenRequests()
            try g.expect {
                Author.including(optional: Author.books.order(\.year).first)
            } equals: {
                """
                SELECT a.*, b.* FROM author a LEFT JOIN book b ON b.id = (SELECT c.id FROM book c
                WHERE c.authorId = a.id ORDER BY c.year, c.id LIMIT 1)
                """
            }
            try g.expect {
                Book.including(required: Book.reviews.order(\.day).last).order(\.id)
            } equals: {
                """
                SELECT b.*, r.* FROM book b JOIN review r ON r.id = (SELECT s.id FROM review s
                WHERE s.bookId = b.id ORDER BY s.day DESC, s.id DESC LIMIT 1) ORDER BY b.id
                """
            }
            try g.expect {
                Author.including(optional: Author.books.last)
            } equals: {
                """
                SELECT a.*, b.* FROM author a
                LEFT JOIN book b ON b.id = (SELECT max(id) FROM book WHERE authorId = a.id)
                """
            }
            try g.expect {
                Author.including(
                    required: Author.books.filter { $0.genre == "novel" }.order(\.price.desc).first
                        .filter { $0.year > 1900 })
            } equals: {
                """
                SELECT a.*, b.* FROM author a JOIN book b ON b.year > 1900 AND b.id =
                (SELECT c.id FROM book c WHERE c.authorId = a.id AND c.genre = 'novel'
                ORDER BY c.price DESC, c.id LIMIT 1)
                """
            }
            try g.expect {
                Author.annotated(
                    withOptional: Author.reviews.order(\.day).last.select {
                        [$0.day.forKey("latest")]
                    })
            } equals: {
                """
                SELECT a.*, (SELECT max(r.day) FROM review r JOIN book b ON b.id = r.bookId
                WHERE b.authorId = a.id) FROM author a
                """
            }
            try moreFirstOfMany(g)
            try g.finish("first-of-many")
        }

        private func moreFirstOfMany(_ g: GoldenRequests) throws {
            try g.expect {
                Book.including(optional: Book.awards.order(\.name).first)
            } equals: {
                """
                SELECT b.*, a.* FROM book b LEFT JOIN award a ON a.bookId = b.id AND a.name =
                (SELECT min(name) FROM award WHERE bookId = b.id)
                """
            }
            try g.expect {
                Author.including(
                    optional: Author.books.including(optional: Book.author.select(\.name)).first
                )
                .annotated(with: Author.books.count)
            } equals: {
                """
                SELECT a.*, count(*) - (b.id IS NULL), c.*, iif(c.id, a.name, NULL) FROM author a
                LEFT JOIN book b ON b.authorId = a.id
                LEFT JOIN book c ON c.id = (SELECT min(id) FROM book WHERE authorId = a.id)
                GROUP BY a.id
                """
            }
        }

        @Test func `Joins by any condition, and updates from joined tables`() throws {
            let g = try GoldenRequests()
            let elders = Author.association(to: Author.self) { $1.born < $0.born }.forKey("elder")
            try g.expect {
                Author.including(required: elders).order(\.id)
            } equals: {
                "SELECT a.*, b.* FROM author a JOIN author b ON b.born < a.born ORDER BY a.id"
            }
            try g.expect {
                Table("review").joining(
                    required: Table("review").association(to: Table("book")) {
                        $0["stars"] == $1["id"]
                    })
            } equals: {
                "SELECT r.* FROM review r JOIN book b ON r.stars = b.id"
            }
            try g.expectChange { db in
                let author = TableAlias<Author>()
                try Book.joining(required: Book.author.aliased(author)).filter { $0.price > 5 }
                    .updateAll(db) { [$0.year.set(to: author.born + 30), $0.price += 1] }
            } equals: {
                """
                UPDATE book SET year = (SELECT born + 30 FROM author WHERE id = authorId),
                price = price + 1 WHERE price > 5 AND authorId IS NOT NULL
                """
            }
            try g.expectChange { db in
                let last = TableAlias<Review>()
                _ = try Book.joining(optional: Book.reviews.order(\.day).last.aliased(last))
                    .order(\.id).limit(9).updateAndFetchAll(db) { [$0.price.set(to: last.stars)] }
            } equals: {
                """
                UPDATE book SET price = (SELECT stars FROM review WHERE bookId = book.id
                ORDER BY day DESC, id DESC LIMIT 1) WHERE id <= 9
                """
            }
            try g.expectChange { db in
                let sums = CommonTableExpression(
                    named: "sums",
                    request: Review.select { [$0.bookId, sum($0.stars).forKey("stars")] }
                        .group(\.bookId))
                let found = TableAlias<Row>()
                let all = Book.association(to: sums) { $0.id == $1["bookId"] }.aliased(found)
                try Book.with(sums).joining(required: all)
                    .updateAll(db) { $0.price.set(to: found["stars"]) }
            } equals: {
                """
                UPDATE book SET price = (SELECT sum(stars) FROM review WHERE bookId = book.id)
                WHERE id IN (SELECT bookId FROM review)
                """
            }
            try g.finish("other-joins")
        }
    }
}
