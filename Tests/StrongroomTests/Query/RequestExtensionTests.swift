import Strongroom
import StrongroomTestSupport
import Testing

extension Library {
    /// Requests that GRDB does not have: put together, with windows, updated from joined tables. What
    /// they become stands in golden files.
    @Suite struct RequestExtensionTests {
        let fixture: FixtureDatabase
        let queue: DatabaseQueue

        init() throws {
            fixture = try FixtureDatabase()
            queue = try fixture.open()
            try queue.write { try Library.fill($0) }
        }

        @Test(.proves("QRY-066")) func `Requests are put together`() throws {
            struct BookInfo: Decodable, FetchableRecord {
                var book: Book
                var author: Author
            }
            let novels = Book.filter { $0.genre == "novel" }
            let old = Book.filter { $0.year < 1900 }
            try queue.read { db throws in
                func ids(_ request: some FetchRequest<Book>) throws -> Set<Int64> {
                    let books = try Book.fetchAll(db, request)
                    let ids = Set(books.map(\.id))
                    #expect(ids.count == books.count)
                    return ids
                }
                let (first, second) = try (ids(novels), ids(old))
                #expect(!first.isEmpty && !second.isEmpty && !first.isDisjoint(with: second))
                #expect(try ids(novels.union(old)) == first.union(second))
                #expect(try ids(novels.intersect(old)) == first.intersection(second))
                #expect(try ids(novels.except(old)) == first.subtracting(second))
                #expect(try novels.unionAll(old).fetchCount(db) == first.count + second.count)
                // From left to right, unless a compound is the part on the right.
                let few = Book.filter(ids: Array(first.prefix(1)))
                #expect(try ids(few.union(old).except(old)) == ids(few).subtracting(second))
                #expect(try ids(few.union(old.except(old))) == ids(few))
                // Parts with an order and a limit of their own.
                let three = novels.order(\.id).limit(3)
                #expect(try ids(three.union(three.reversed())).count == 6)
                let shared = CommonTableExpression<Book>(named: "shared", request: novels)
                let defined = shared.all().with(shared)
                #expect(try ids(old.intersect(defined)) == second.intersection(first))
                // Rows of joined tables.
                let infos = try novels.including(required: Book.author)
                    .union(old.including(required: Book.author))
                    .asRequest(of: BookInfo.self).fetchAll(db)
                #expect(infos.count > 5)
                #expect(infos.allSatisfy { $0.book.authorId == $0.author.id })
            }
        }

        @Test(.proves("QRY-067")) func `Compounds are ordered, limited, and part of others`() throws
        {
            let novels = Book.filter { $0.genre == "novel" }
            let all = novels.union(Book.filter { $0.year < 1900 })
            try queue.read { db throws in
                let ids = try Book.fetchAll(db, all).map(\.id).sorted()
                #expect(try all.order(\.id).fetchAll(db).map(\.id) == ids)
                #expect(try all.order { [$0.id.desc] }.fetchAll(db).map(\.id) == ids.reversed())
                #expect(try all.order(Column("id")).reversed().fetchOne(db)?.id == ids.last)
                let page = try all.order(\.id).limit(2, offset: 1).fetchAll(db).map(\.id)
                #expect(page == Array(ids[1...2]))
                let byDistance = try all.order { [abs($0.id - 20), $0.id] }.fetchAll(db).map(\.id)
                #expect(byDistance == ids.sorted { (abs($0 - 20), $0) < (abs($1 - 20), $1) })
                #expect(try db.sql(of: all.order(\.id).unordered()) == db.sql(of: all))
                #expect(try all.fetchCount(db) == ids.count)
                let keys = novels.selectID().union(Book.filter(id: 3).selectID())
                #expect(try Book.filter { keys.contains($0.id) }.fetchCount(db) == 11)
                #expect(try Book.filter(keys.exists()).fetchCount(db) == 40)
                let named = CommonTableExpression<Book>(named: "some", request: all)
                #expect(try named.all().with(named).fetchCount(db) == ids.count)
                #expect(
                    try novels.selectID().union(Author.selectID()).databaseRegion(db).description
                        == "author(id),book(genre,id)")
                let wrong = novels.union(Book.select(\.id))
                let error = DatabaseError.thrown { _ = try Row.fetchAll(db, wrong) }
                #expect(error?.message?.contains("do not have the same number") == true)
                let prefetching = novels.union(novels.including(all: Book.reviews))
                let misuse = DatabaseError.thrown { _ = try Row.fetchAll(db, prefetching) }
                #expect(misuse?.resultCode == .SQLITE_MISUSE)
                #expect(misuse?.message?.contains("association review") == true)
            }
        }

        @Test(.proves("QRY-068", "QRY-069")) func `Windows keep the rows apart`() throws {
            try queue.read { db throws in
                let ranks = try Review.select(
                    { rank().over(.partition(by: $0.bookId).order($0.stars.desc)) }, as: Int.self
                ).fetchAll(db)
                #expect(ranks.count == 120)
                #expect(Set(ranks) != [1])
                // Counts know that the rows stay as they are.
                #expect(try Book.select { [sum($0.price).over()] }.fetchCount(db) == 40)
                let sums = try Review.order(\.id).limit(3).select(
                    {
                        sum($0.id, filter: $0.id > 1).over(
                            .order($0.id).rows(from: .preceding(1), to: .following(1))
                                .excluding(.currentRow))
                    }, as: Int.self
                ).fetchAll(db)
                #expect(sums == [2, 3, 6])
                func misuse(_ expression: SQLExpression) -> String? {
                    let request = Book.select(expression)
                    let error = DatabaseError.thrown { _ = try Row.fetchAll(db, request) }
                    #expect(error?.resultCode == .SQLITE_MISUSE)
                    return error?.message
                }
                #expect(
                    misuse((Column("id") + 1).over())?.contains("no call of a function") == true)
                #expect(misuse(Column("id").over())?.contains("no call of a function") == true)
                let windows: [SQLWindow] = [
                    .all.rows(from: .end, to: .end),
                    .all.rows(from: .following(1), to: .currentRow),
                    .all.rows(from: .start, to: .start), .all.groups(from: .preceding(-1)),
                    .all.range(from: .start, to: .following(-1)),
                ]
                for window in windows {
                    #expect(misuse(count(Column("id")).over(window))?.contains("frame") == true)
                }
            }
        }

        @Test(.proves("QRY-070")) func `Dates are computed and formatted`() throws {
            try queue.read { db throws in
                func text(_ expression: SQLExpression) throws -> String? {
                    try Review.select(expression, as: String.self).limit(1).fetchOne(db)
                }
                let day = "2024-02-28 13:14:15".databaseValue
                #expect(try text(date(day, .day(2))) == "2024-03-01")
                #expect(try text(timeOfDay(day, .minute(-14))) == "13:00:15")
                #expect(try text(dateTime(day, .startOfMonth)) == "2024-02-01 00:00:00")
                #expect(try text(strftime("%d.%m.%Y %H", day, .hour(11))) == "29.02.2024 00")
                #expect(try text(unixEpoch(day)) == "1709126055")
                #expect(try text(julianDay(day, .startOfDay)) == "2460368.5")
                #expect(try text(date("nonsense".databaseValue)) == nil)
                #expect(try Review.filter(date(.now) > "2024-12-31").limit(1).fetchCount(db) == 1)
            }
        }

        @Test(.proves("QRY-071")) func `Values come from joined tables`() throws {
            try queue.write { db throws in
                let author = TableAlias<Author>()
                let joined = Book.joining(required: Book.author.aliased(author))
                let count = try joined.filter { $0.id <= 12 }.updateAll(db) {
                    [$0.title.set(to: author.name), $0.year.set(to: author.born + $0.id)]
                }
                #expect(count == 11)
                let wrong = try Book.joining(required: Book.author.aliased(author))
                    .filter { $0.id <= 12 }
                    .filter { $0.title != author.name || $0.year != author.born + $0.id }
                    .fetchCount(db)
                #expect(wrong == 0)
                let updated = try joined.order(\.id.desc).limit(2)
                    .updateAndFetchAll(db) { [$0.title.set(to: author.name)] }
                #expect(Set(updated.map(\.id)) == [40, 39])
                // Composite keys, and a table without any.
                let book = TableAlias<Book>()
                try Award.joining(required: Award.book.aliased(book))
                    .updateAll(db) {
                        $0.name.set(to: [$0.name, book.title].joined(operator: .concat))
                    }
                let names = Award.joining(required: Award.book.aliased(book))
                    .filter {
                        !$0.name.like(["%".databaseValue, book.title].joined(operator: .concat))
                    }
                #expect(try names.fetchCount(db) == 0)
                // What asks nothing of joined tables is updated as before.
                let sql = try db.capturedSQL { try joined.updateAll(db) { $0.price += 1 } }
                #expect(sql.first?.contains(" FROM (") == false)
                let stranger = TableAlias<Author>()
                let error = DatabaseError.thrown {
                    try joined.updateAll(db) { $0.year.set(to: stranger.born) }
                }
                #expect(error?.resultCode == .SQLITE_MISUSE)
            }
        }
    }
}
