import Strongroom
import StrongroomTestSupport
import Testing

extension Library {
    /// The SQL of what is selected, grouped, ordered and limited.
    @Suite struct GoldenSelectionTests {
        @Test func `Selections`() throws {
            let g = try GoldenRequests()
            try g.expect {
                Book.all()
            } equals: {
                "SELECT * FROM book"
            }
            try g.expect {
                Book.none()
            } equals: {
                "SELECT * FROM book WHERE 0"
            }
            try g.expect {
                Table("book").all()
            } equals: {
                "SELECT * FROM book"
            }
            try g.expect {
                Book.select(\.title)
            } equals: {
                "SELECT title FROM book"
            }
            try g.expect {
                Book.selectID()
            } equals: {
                "SELECT id FROM book"
            }
            try g.expect {
                Award.selectPrimaryKey(as: Row.self)
            } equals: {
                "SELECT bookId, name FROM award"
            }
            try g.expect {
                Book.select(.allColumns(excluding: ["info", "genre"]))
            } equals: {
                "SELECT id, title, authorId, year, price FROM book"
            }
            try g.expect {
                Book.select(.rowID, Column("title").forKey("name"))
            } equals: {
                "SELECT rowid, title AS name FROM book"
            }
            try g.expect {
                Book.select(\.genre).distinct()
            } equals: {
                "SELECT DISTINCT genre FROM book"
            }
            try g.expect {
                Book.select { [$0.genre, $0.authorId] }.distinct()
            } equals: {
                "SELECT DISTINCT genre, authorId FROM book"
            }
            try moreSelections(g)
            try g.finish("selections")
        }

        private func moreSelections(_ g: GoldenRequests) throws {
            try g.expect {
                Book.annotated { ($0.price * 1.2).forKey("gross") }
            } equals: {
                "SELECT *, price * 1.2 AS gross FROM book"
            }
            try g.expect {
                Book.select(\.title).annotated(with: Column("year"))
            } equals: {
                "SELECT title, year FROM book"
            }
            try g.expect {
                Book.all().selectWhenConnected { _ in [Column("id")] }
            } equals: {
                "SELECT id FROM book"
            }
            try g.expect {
                Book.select { [count($0.genre), count(distinct: $0.genre)] }
            } equals: {
                "SELECT count(genre), count(DISTINCT genre) FROM book"
            }
            try g.expect {
                Book.select(count(.allColumns))
            } equals: {
                "SELECT count(*) FROM book"
            }
            try g.expect {
                Book.select { [min($0.price), max($0.price), average($0.price), total($0.year)] }
            } equals: {
                "SELECT min(price), max(price), avg(price), total(year) FROM book"
            }
            try g.expect {
                Book.select { [sum($0.price, filter: $0.genre == "novel")] }
            } equals: {
                "SELECT sum(price) FILTER (WHERE genre = 'novel') FROM book"
            }
        }

        @Test func `Groups and orders`() throws {
            let g = try GoldenRequests()
            try g.expect {
                Book.select { [$0.genre, count($0.id)] }.group(\.genre)
            } equals: {
                "SELECT genre, count(id) FROM book GROUP BY genre"
            }
            try g.expect {
                Book.select { [$0.genre, $0.authorId, max($0.price)] }
                    .group { [$0.genre, $0.authorId] }.having { max($0.price) > 15 }
            } equals: {
                """
                SELECT genre, authorId, max(price) FROM book GROUP BY genre, authorId
                HAVING max(price) > 15
                """
            }
            try g.expect {
                Book.select { [$0.genre, count($0.id)] }.group(\.genre)
                    .having { count($0.id) > 5 }.having(sql: "min(price) < ?", arguments: [3])
            } equals: {
                """
                SELECT genre, count(id) FROM book GROUP BY genre
                HAVING count(id) > 5 AND min(price) < 3
                """
            }
            try g.expect {
                Book.all().groupByPrimaryKey()
            } equals: {
                "SELECT * FROM book GROUP BY id"
            }
            try g.expect {
                Book.select(literal: "genre").group(literal: "genre, year")
            } equals: {
                "SELECT genre FROM book GROUP BY genre, year"
            }
            try g.expect {
                Book.order { [$0.genre.desc, $0.id] }
            } equals: {
                "SELECT * FROM book ORDER BY genre DESC, id"
            }
            try g.expect {
                Book.order { [$0.genre.ascNullsLast, $0.id.asc] }
            } equals: {
                "SELECT * FROM book ORDER BY genre ASC NULLS LAST, id ASC"
            }
            try g.expect {
                Book.order { [$0.genre.asc, $0.id] }.reversed()
            } equals: {
                "SELECT * FROM book ORDER BY genre DESC, id DESC"
            }
            try moreGroupsAndOrders(g)
            try g.finish("groups-and-orders")
        }

        private func moreGroupsAndOrders(_ g: GoldenRequests) throws {
            try g.expect {
                Book.order(\.title).order(\.id)
            } equals: {
                "SELECT * FROM book ORDER BY id"
            }
            try g.expect {
                Book.order(\.title).unordered()
            } equals: {
                "SELECT * FROM book"
            }
            try g.expect {
                Book.order(\.genre).withStableOrder()
            } equals: {
                "SELECT * FROM book ORDER BY genre, id"
            }
            try g.expect {
                Award.orderByPrimaryKey()
            } equals: {
                "SELECT * FROM award ORDER BY bookId, name"
            }
            try g.expect {
                Author.order { $0.name.collating(.nocase).desc }
            } equals: {
                "SELECT * FROM author ORDER BY name COLLATE NOCASE DESC"
            }
            try g.expect {
                Book.order(\.id).limit(5)
            } equals: {
                "SELECT * FROM book ORDER BY id LIMIT 5"
            }
            try g.expect {
                Book.order(\.id.desc).limit(5, offset: 3)
            } equals: {
                "SELECT * FROM book ORDER BY id DESC LIMIT 5 OFFSET 3"
            }
        }

        @Test func `Keys, subqueries and common table expressions`() throws {
            let g = try GoldenRequests()
            try g.expect {
                Book.filter(id: 3)
            } equals: {
                "SELECT * FROM book WHERE id = 3"
            }
            try g.expect {
                Book.filter(ids: [3, 5])
            } equals: {
                "SELECT * FROM book WHERE id IN (3, 5)"
            }
            try g.expect {
                Book.filter(keys: [] as [Int])
            } equals: {
                "SELECT * FROM book WHERE 0"
            }
            try g.expect {
                Award.filter(key: ["bookId": 5, "name": "Medal"])
            } equals: {
                "SELECT * FROM award WHERE bookId = 5 AND name = 'Medal'"
            }
            try g.expect {
                Book.filter { $0.price == Book.select(max(Column("price"))) }
            } equals: {
                "SELECT * FROM book WHERE price = (SELECT max(price) FROM book)"
            }
            try g.expect {
                Book.filter { Author.filter { $0.born > 1880 }.selectID().contains($0.authorId) }
            } equals: {
                """
                SELECT * FROM book WHERE authorId IN (SELECT id FROM author WHERE born > 1880)
                """
            }
            try g.expect {
                let author = TableAlias<Author>()
                return Author.aliased(author).filter(
                    !Book.filter { $0.authorId == author.id && $0.year > 1940 }.exists())
            } equals: {
                """
                SELECT * FROM author WHERE NOT EXISTS
                (SELECT * FROM book WHERE authorId = author.id AND year > 1940)
                """
            }
            try moreSubqueries(g)
            try g.finish("subqueries")
        }

        private func moreSubqueries(_ g: GoldenRequests) throws {
            try g.expect {
                let other = TableAlias<Book>(name: "other")
                return Book.aliased(other).annotated(
                    with: Book.filter { $0.price < other.price }.select(count(.allColumns))
                        .sqlExpression.forKey("cheaper"))
            } equals: {
                """
                SELECT *, (SELECT count(*) FROM book WHERE price < other.price) AS cheaper
                FROM book AS other
                """
            }
            let novels = CommonTableExpression<Book>(
                named: "novels", request: Book.filter { $0.genre == "novel" })
            try g.expect {
                novels.all().with(novels).filter(Column("year") > 1900)
            } equals: {
                """
                WITH novels AS (SELECT * FROM book WHERE genre = 'novel')
                SELECT * FROM novels WHERE year > 1900
                """
            }
            try g.expect {
                Author.with(novels).filter {
                    novels.all().select(Column("authorId")).contains($0.id)
                }
            } equals: {
                """
                SELECT * FROM author WHERE id IN
                (SELECT authorId FROM book WHERE genre = 'novel')
                """
            }
        }
    }
}
