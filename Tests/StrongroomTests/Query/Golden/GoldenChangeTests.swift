import Strongroom
import StrongroomTestSupport
import Testing

extension Library {
    /// The SQL of changes of many rows.
    @Suite struct GoldenChangeTests {
        @Test(.needsLimitedChanges) func `Updates`() throws {
            let g = try GoldenRequests()
            try g.expectChange { db in
                try Book.updateAll(db, Column("price").set(to: 1))
            } equals: {
                "UPDATE book SET price = 1"
            }
            try g.expectChange { db in
                try Book.filter { $0.year > 1900 }.updateAll(db) {
                    [$0.price += 1, $0.genre.set(to: nil)]
                }
            } equals: {
                "UPDATE book SET price = price + 1, genre = NULL WHERE year > 1900"
            }
            try g.expectChange { db in
                try Book.filter { $0.year < 1900 }.updateAll(db) { $0.year -= $0.id * 2 }
            } equals: {
                "UPDATE book SET year = year - id * 2 WHERE year < 1900"
            }
            try g.expectChange { db in
                try Book.all().updateAll(db) {
                    [$0.year.set(to: Author.select(max(Column("born"))).sqlExpression)]
                }
            } equals: {
                "UPDATE book SET year = (SELECT max(born) FROM author)"
            }
            try g.expectChange { db in
                try Book.updateAll(db, onConflict: .ignore, Column("title").set(to: "x"))
            } equals: {
                "UPDATE book SET title = 'x'"
            }
            try g.expectChange { db in
                try Book.joining(required: Book.author.filter { $0.born > 1880 })
                    .updateAll(db) { $0.price *= 2 }
            } equals: {
                """
                UPDATE book SET price = price * 2
                WHERE authorId IN (SELECT id FROM author WHERE born > 1880)
                """
            }
            try g.expectChange { db in
                try Book.order { [$0.year.desc, $0.id] }.limit(4).updateAll(db) { $0.price /= 2 }
            } equals: {
                """
                UPDATE book SET price = price / 2
                WHERE id IN (SELECT id FROM book ORDER BY year DESC, id LIMIT 4)
                """
            }
            try g.expectChange { db in
                _ = try Review.filter { $0.stars == nil }
                    .updateAndFetchAll(db) { [$0.stars.set(to: 3), $0.day.set(to: "2000-01-01")] }
            } equals: {
                "UPDATE review SET stars = 3, day = '2000-01-01' WHERE stars IS NULL"
            }
            try g.expectChange { db in
                try Review.updateAll(db, Column("stars") <<= 2, Column("bookId") |= 1)
            } equals: {
                "UPDATE review SET stars = stars << 2, bookId = bookId | 1"
            }
            try g.finish("updates")
        }

        @Test(.needsLimitedChanges) func `Deletions`() throws {
            let g = try GoldenRequests()
            try g.expectChange { db in
                try Award.deleteAll(db)
            } equals: {
                "DELETE FROM award"
            }
            try g.expectChange { db in
                try Award.filter { $0.name == "Medal" }.deleteAll(db)
            } equals: {
                "DELETE FROM award WHERE name = 'Medal'"
            }
            try g.expectChange { db in
                try Award.order(\.name).limit(3, offset: 1).deleteAll(db)
            } equals: {
                """
                DELETE FROM award WHERE (bookId, name) IN
                (SELECT bookId, name FROM award ORDER BY name LIMIT 3 OFFSET 1)
                """
            }
            try g.expectChange { db in
                try Review.joining(required: Review.book.filter { $0.genre == "essay" })
                    .deleteAll(db)
            } equals: {
                "DELETE FROM review WHERE bookId IN (SELECT id FROM book WHERE genre = 'essay')"
            }
            try g.expectChange { db in
                try Review.all().group(Column("bookId")).having(sql: "count(*) > 3").deleteAll(db)
            } equals: {
                "DELETE FROM review WHERE id IN (SELECT id FROM review GROUP BY bookId HAVING count(*) > 3)"
            }
            try g.expectChange { db in
                let award = TableAlias<Award>(name: "a")
                try Award.aliased(award).filter(
                    !Review.filter { $0.bookId == award.bookId }.exists()
                ).deleteAll(db)
            } equals: {
                "DELETE FROM award WHERE bookId NOT IN (SELECT bookId FROM review)"
            }
            try g.expectChange { db in
                let best = CommonTableExpression(
                    named: "best", request: Book.select(\.id).order(\.price.desc).limit(9))
                try Award.with(best).filter { best.contains($0.bookId) }.deleteAll(db)
            } equals: {
                """
                DELETE FROM award WHERE bookId IN
                (SELECT id FROM book ORDER BY price DESC LIMIT 9)
                """
            }
            try g.expectChange { db in
                _ = try Review.filter { $0.stars > 4 }.deleteAndFetchIds(db)
            } equals: {
                "DELETE FROM review WHERE stars > 4"
            }
            try g.finish("deletions")
        }
    }
}
