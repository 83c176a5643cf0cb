import Strongroom
import StrongroomTestSupport
import Testing

extension Library {
    /// What GRDB's associations do not have. What they become stands in golden files.
    @Suite struct AssociationExtensionTests {
        let fixture: FixtureDatabase
        let queue: DatabaseQueue

        static let firstBook = Author.books.order { $0.year.ascNullsLast }.first
        static let latestReview = Book.reviews.order(\.day).last.forKey("latestReview")

        init() throws {
            fixture = try FixtureDatabase()
            queue = try fixture.open()
            try queue.write { try Library.fill($0) }
        }

        @Test(.proves("ASC-035")) func `Associations are asked whether they lead anywhere`() throws
        {
            try queue.read { db throws in
                #expect(try Author.filter(!Author.books.exists).fetchAll(db).map(\.id) == [7])
                #expect(try Book.filter(!Book.author.exists).fetchCount(db) == 4)
                let taught = Author.filter { Author.teacher.exists && $0.born > 1890 }
                #expect(try taught.fetchSet(db, as: \.id) == [2, 6])
                let critics = Author.filter(Author.reviews.filter { $0.stars == 1 }.exists)
                let byHand = """
                    SELECT count(DISTINCT authorId) FROM book JOIN review ON book.id = bookId
                    WHERE stars = 1
                    """
                #expect(try critics.fetchCount(db) == Int.fetchOne(db, sql: byHand))
                #expect(try Country.filter(Country.books.exists).fetchCount(db) == 3)
                // An alias tells of which joined table it is asked.
                let teacher = TableAlias<Author>()
                let request = Author.joining(required: Author.teacher.aliased(teacher))
                    .filter(teacher[Author.profile.exists])
                #expect(try request.fetchSet(db, as: \.id) == [2, 6, 7])
                // Associations of common table expressions have conditions of their own.
                let good = CommonTableExpression(
                    named: "good", request: Review.filter { $0.stars == 5 })
                let association = Book.association(to: good) { $0.id == $1["bookId"] }
                #expect(
                    try Book.with(good).filter(association.exists).fetchCount(db)
                        == Book.filter(Book.reviews.filter { $0.stars == 5 }.exists).fetchCount(db))
                let literal: SQL = "SELECT \(Author.books.exists)"
                let error = DatabaseError.thrown { _ = try literal.build(db) }
                #expect(error?.resultCode == .SQLITE_MISUSE)
                #expect(error?.message?.contains("association book") == true)
            }
            try queue.write { db throws in
                let unknown = Book.filter(!Book.reviews.exists).filter(!Book.awards.exists)
                let byHand = """
                    SELECT count(*) FROM book WHERE id NOT IN (SELECT bookId FROM review)
                    AND id NOT IN (SELECT bookId FROM award)
                    """
                let count = try Int.fetchOne(db, sql: byHand)
                #expect(try unknown.deleteAll(db) == count)
                #expect(
                    try Author.filter(Author.books.exists).updateAll(db) { $0.born.set(to: 1) } == 6
                )
            }
        }

        @Test(.proves("ASC-036")) func `The first and the last of many are included`() throws {
            struct AuthorInfo: Decodable, FetchableRecord {
                var author: Author
                var firstBook: Book?
                var lastBook: Book?
            }
            try queue.read { db throws in
                let request = Author.including(optional: Self.firstBook)
                    .including(optional: Author.books.last).order(\.id)
                let infos = try AuthorInfo.fetchAll(db, request)
                #expect(infos.count == 7)
                for info in infos {
                    let books = try info.author.request(for: Author.books)
                        .order { [$0.year.ascNullsLast, $0.id] }.fetchAll(db)
                    #expect(info.firstBook?.id == books.first?.id)
                    #expect(info.lastBook?.id == books.map(\.id).max())
                }
                let oldest = try Row.fetchAll(
                    db, Book.annotated(withRequired: Self.latestReview.select(\.day)))
                #expect(oldest.count == 35)
                for row in oldest {
                    let latest = try Review.filter { $0.bookId == row["id"] as Int64 }
                        .select({ max($0.day) }, as: String.self).fetchOne(db)
                    #expect(row["day"] as String? == latest)
                }
                // Composite keys, and associations over another table.
                let awarded = try Row.fetchAll(
                    db, Book.including(required: Book.awards.order(\.name).first))
                #expect(
                    awarded.allSatisfy { $0.scopes["firstAward"]?["bookId"] == $0["id"] as Int64 })
                #expect(awarded.count == 29)
                let best = Author.reviews.order(\.stars).last
                let stars = try Row.fetchAll(db, Author.including(required: best))
                #expect(stars.count > 3)
                for row in stars {
                    let highest = try Int.fetchOne(
                        db,
                        sql: """
                            SELECT max(stars) FROM review JOIN book ON book.id = bookId
                            WHERE authorId = ?
                            """, arguments: [row["id"] as Int64])
                    #expect(row.scopes["lastReview"]?["stars"] == highest)
                }
                // The first of many leads on.
                let writer = Book.hasOne(
                    Author.self, through: Book.author, using: Author.teacher, key: "master")
                #expect(try Book.joining(required: writer).fetchCount(db) > 0)
                let firstReview = Author.hasOne(
                    Review.self, through: Self.firstBook, using: Self.latestReview, key: "latest")
                #expect(try Author.including(required: firstReview).fetchCount(db) > 3)
            }
        }

        @Test(.proves("ASC-037")) func `Filters before and behind mean different rows`() throws {
            try queue.read { db throws in
                let novels = Author.books.filter { $0.genre == "novel" }.order(\.id)
                let before = try Row.fetchAll(db, Author.including(required: novels.first))
                #expect(before.count == 3)
                #expect(before.allSatisfy { $0.scopes["firstBook"]?["genre"] == "novel" })
                let behind = Author.including(
                    required: Author.books.order(\.id).first.filter { $0.genre == "novel" })
                #expect(try Row.fetchAll(db, behind).map { $0["id"] as Int64 } == [3])
                let author = try Author.fetchOne(db, key: 3)
                let book = try author?.request(for: novels.first).fetchOne(db)
                #expect(book?.id == before.first { $0["id"] == 3 }?.scopes["firstBook"]?["id"])
                let first = try author?.request(for: Author.reviews.order(\.id).first).fetchAll(db)
                #expect(first?.count == 1)
                let nobody = Author(id: 99, name: "Nobody")
                #expect(try nobody.request(for: Self.firstBook).fetchCount(db) == 0)
                // The same association twice is one join; two under one key are none.
                let twice = Author.including(optional: Self.firstBook).joining(
                    required: Self.firstBook)
                #expect(try twice.fetchCount(db) == 6)
                let mixed = Author.including(optional: Self.firstBook)
                    .including(optional: Author.books.order(\.price).first)
                let error = DatabaseError.thrown { _ = try Row.fetchAll(db, mixed) }
                #expect(error?.resultCode == .SQLITE_MISUSE)
                #expect(error?.message?.contains("forKey(_:)") == true)
                // Aggregates are of all rows, whichever is included.
                let counted = Author.including(optional: Self.firstBook)
                    .annotated(with: Author.books.count)
                let row = try Row.fetchOne(db, counted.filter(id: 1))
                #expect(row?["bookCount"] == 4)
            }
        }

        @Test(.proves("ASC-038")) func `Any two tables are joined`() throws {
            try queue.read { db throws in
                let elder = Author.association(to: Author.self) { $1.born < $0.born }
                    .forKey("elder")
                let pairs = try Row.fetchAll(db, Author.including(required: elder))
                #expect(pairs.count == 14)
                #expect(
                    pairs.allSatisfy { row in
                        row.scopes["elder"].map { ($0["born"] as Int) < row["born"] } ?? false
                    })
                let table = Author.association(to: Table("country")) {
                    $0.countryCode == $1["code"]
                }
                #expect(try Author.joining(required: table).fetchCount(db) == 6)
                let untyped = Table("country").association(to: Author.self) {
                    $0["code"] == $1.countryCode
                }
                #expect(try Table("country").joining(required: untyped).fetchCount(db) == 6)
                let both = Table("country").association(to: Table("author")) {
                    $0["code"] == $1["countryCode"]
                }
                #expect(try Table("country").joining(optional: both).fetchCount(db) == 7)
                #expect(try Author.filter(elder.exists).fetchCount(db) == 5)
            }
        }
    }
}

extension QueryInterfaceRequest where RowDecoder: FetchableRecord {
    fileprivate func fetchSet<T: Hashable>(
        _ db: Database, as value: (RowDecoder) -> T
    ) throws -> Set<T> {
        try Set(fetchAll(db).map(value))
    }
}
