import Foundation
import StrongroomTables
import StrongroomTestSupport
import Testing

@Table struct Board: Identifiable {
    let id: Int
    var title = ""
    var position = 0
    static let high = Self.where { $0.position > 1 }
    static let ordered = Self.order(by: \.title)
    static let titles = Self.select(\.title)
    static let withCardCount = group(by: \.id).join(Card.all) { $0.id.eq($1.boardID) }
        .select { $1.id.count() }
}

@Table struct Card: Identifiable {
    let id: Int
    var boardID = 0
    var title = ""
    var note: String?
    var count = 0
    var maybe: Int?
    var isDone = false
    var due: Date?
}

/// The compiler has to know these before it checks the first query on them.
private typealias Tables = (Board.TableColumns, Card.TableColumns)

/// Each place that takes a value takes a subquery, a literal, SQL and `CASE`.
@Suite struct ValuePlacesTests {
    let fixture: FixtureDatabase
    let queue: DatabaseQueue

    init() throws {
        fixture = try FixtureDatabase()
        queue = try fixture.open()
        try queue.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE boards (id INTEGER PRIMARY KEY, title TEXT NOT NULL,
                        position INTEGER NOT NULL);
                    CREATE TABLE cards (id INTEGER PRIMARY KEY, boardID INTEGER NOT NULL DEFAULT 0,
                        title TEXT NOT NULL DEFAULT '', note TEXT, count INTEGER NOT NULL DEFAULT 0,
                        maybe INTEGER, isDone INTEGER NOT NULL DEFAULT 0, due TEXT);
                    INSERT INTO boards VALUES (1, 'Work', 1), (2, 'Home', 2), (3, 'Empty', 3);
                    INSERT INTO cards (id, boardID, title, note, maybe, due) VALUES
                        (1, 1, 'b', 'ab', 5, '2026-01-31 00:00:00.000'), (2, 2, 'a', NULL, NULL, NULL),
                        (3, 2, 'c', 'xyz', 2, NULL)
                    """)
        }
    }

    /// Runs a change, and gives what a query finds then.
    func after<Row>(
        _ change: some StrongroomTables.Statement<Void>,
        _ query: some StrongroomTables.Statement<Row>
    ) throws -> [Row] {
        try queue.writeWithoutTransaction { db in
            var rows: [Row] = []
            try db.inTransaction {
                _ = try change.fetchAll(db)
                rows = try query.fetchAll(db)
                return .rollback
            }
            return rows
        }
    }

    func rows<Row>(_ query: some StrongroomTables.Statement<Row>) throws -> [Row] {
        try queue.read { try query.fetchAll($0) }
    }

    private func run(_ change: some StrongroomTables.Statement<Void>) throws {
        try queue.write { _ = try change.fetchAll($0) }
    }

    @Test(.proves("TYP-01"))
    func `a subquery is assigned to a column with and without NULLs`() throws {
        let next = Board.update { $0.position = Board.select { ($0.position.max() ?? -1) + 1 } }
        #expect(
            next.text
                == "UPDATE `boards` SET `position` = (SELECT coalesce(max(`boards`.`position`), -1) + 1 FROM `boards`)"
        )
        #expect(try after(next, Board.select(\.position)) == [4, 4, 4])
        let largest = Card.update { $0.count = Card.select { $0.maybe.max() } }
        #expect(try after(largest, Card.select(\.count)) == [5, 5, 5])
        let noted = Card.update { $0.note = Board.order(by: \.title).select(\.title).limit(1) }
        #expect(try after(noted, Card.select(\.note)) == ["Empty", "Empty", "Empty"])
        let counted = Card.update { $0.maybe = Board.count() }
        #expect(try after(counted, Card.select(\.maybe)) == [3, 3, 3])
        let either = Card.update {
            $0.title = Board.select(\.title).union(Board.select(\.title)).limit(1)
        }
        #expect(try after(either, Card.select(\.title)) == ["Empty", "Empty", "Empty"])
        // No row is NULL, which the column refuses.
        #expect(throws: DatabaseError.self) {
            try after(
                Card.update { $0.count = Card.where { $0.id > 9 }.select(\.count) },
                Card.select(\.count))
        }
    }

    @Test(.proves("TYP-01"))
    func `a subquery is assigned in a trigger and in a conflict, and inserted`() throws {
        let trigger = Board.createTemporaryTrigger(
            after: .insert { new in
                Board.find(new.id).update {
                    $0.position = Board.select { ($0.position.max() ?? -1) + 1 }
                }
            }
        )
        try queue.write { try trigger.execute($0) }
        try run(
            Board.insert {
                ($0.title, $0.position)
            } values: {
                ("New", 0)
            })
        #expect(try rows(Board.find(4).select(\.position)) == [4])
        let newer = Board.insert {
            ($0.id, $0.title, $0.position)
        } values: {
            (4, "Newer", Board.select { $0.position.min() })
        } onConflict: {
            $0.id
        } doUpdate: {
            $0.position = Board.select { $0.position.max() + 10 }
        }
        try run(newer)
        #expect(try rows(Board.find(4).select(\.position)) == [14])
        try run(
            Card.insert {
                $0.count
            } values: {
                Card.select { ($0.maybe.max() ?? 0) + 1 }
            })
        #expect(try rows(Card.find(4).select(\.count)) == [6])
    }

    @Test(.proves("TYP-02"))
    func `SQL takes its type from its place`() throws {
        let due = Card.update {
            $0.due = Case().when($0.due.is(nil), then: #sql("'2018-01-29 00:08:00.000'"))
        }
        #expect(
            due.text
                == "UPDATE `cards` SET `due` = CASE WHEN `cards`.`due` IS NULL THEN '2018-01-29 00:08:00.000' END"
        )
        let dates = try after(due, Card.order(by: \.id).select(\.due))
        #expect(dates.map { $0 == nil } == [true, false, false])
        let inserted = Board.insert {
            $0.title
        } select: {
            Values(#sql("'Groceries'"))
        }
        #expect(inserted.text == "INSERT INTO `boards` (`title`) SELECT 'Groceries'")
        let cases = Card.order(by: \.id).select {
            Case().when($0.isDone, then: "x").when($0.note.is(nil), then: #sql("'y'"))
                .else(#sql("'z'"))
        }
        #expect(try queue.read(cases.fetchAll) == ["z", "y", "z"])
        let last = Card.update {
            $0.count = Case().when($0.note.is(nil), then: 1).else(#sql("2"))
        }
        #expect(try after(last, Card.order(by: \.id).select(\.count)) == [2, 1, 2])
        let found = Card.where {
            $0.maybe.is(#sql("5")) || $0.id.between(#sql("2"), and: #sql("2"))
        }.select { $0.maybe.ifnull(#sql("7")) }
        #expect(try queue.read(found.fetchAll) == [5, 7])
    }

    @Test(.proves("TYP-03"))
    func `a literal of Swift is a condition of CASE`() throws {
        let present = Card.select { _ in Case().when(true, then: "present") }
        #expect(present.text == "SELECT CASE WHEN 1 THEN 'present' END FROM `cards`")
        #expect(try queue.read(present.fetchAll) == ["present", "present", "present"])
        let never = Card.select { Case().when(false, then: 1).when($0.isDone, then: 2).else(3) }
        #expect(try queue.read(never.fetchAll) == [3, 3, 3])
        let operand = Card.select { Case($0.isDone).when(false, then: "open").else("done") }
        #expect(
            operand.text
                == "SELECT CASE `cards`.`isDone` WHEN 0 THEN 'open' ELSE 'done' END FROM `cards`")
        let assigned = Card.update { $0.note = Case().when(true, then: "n") }
        #expect(try after(assigned, Card.select(\.note)) == ["n", "n", "n"])
    }

    @Test(.proves("TYP-04"))
    func `the number of all rows is a term among others`() throws {
        let both = Card.select { ($0.note.count(), .count()) }
        #expect(both.text == "SELECT count(`cards`.`note`), count(*) FROM `cards`")
        let counts = try #require(try queue.read(both.fetchOne))
        #expect(counts == (2, 3))
        let groups = Card.group(by: \.boardID).having { _ in .count() > 1 }
            .order { _ in .count() }.select { ($0.boardID, .count(filter: $0.note.isNot(nil))) }
        #expect(
            groups.text
                == "SELECT `cards`.`boardID`, count(*) FILTER (WHERE `cards`.`note` IS NOT NULL) FROM `cards` GROUP BY `cards`.`boardID` HAVING count(*) > 1 ORDER BY count(*)"
        )
        let group = try #require(try queue.read(groups.fetchOne))
        #expect(group == (2, 1))
    }

    @Test(.proves("TYP-05"))
    func `a row is found by a subquery, optional or not, wherever find is`() throws {
        let last = Card.select { $0.id.max() }
        let text = "`cards`.`id` IN (SELECT max(`cards`.`id`) FROM `cards`)"
        #expect(Card.find(last).select(\.title).text.hasSuffix("WHERE \(text)"))
        #expect(try rows(Card.find(last).select(\.title)) == ["c"])
        #expect(try rows(Card.all.find(last).select(\.title)) == ["c"])
        #expect(try rows(Card.order(by: \.id).find(last).select(\.title)) == ["c"])
        #expect(try rows(Card.select(\.title).find(last)) == ["c"])
        #expect(try rows(Card.find(#sql("1 + 1")).select(\.title)) == ["a"])
        let chosen = Case().when(true, then: 2).else(3)
        #expect(try rows(Card.order(by: \.id).find(chosen)).map(\.title) == ["a"])
        let titles = Card.order(by: \.id).select(\.title)
        #expect(try after(Card.update { $0.title = "z" }.find(last), titles) == ["b", "a", "z"])
        #expect(try after(Card.delete().find(last), titles) == ["b", "a"])
    }

    @Test(.proves("TYP-06"))
    func `a month too short takes its last day, or the first of the next`() throws {
        func day(_ change: DateTimeModifier) throws -> String? {
            let query = Card.find(1).select { $0.due(change).strftime("%F") }
            return try queue.read { try query.fetchOne($0) ?? nil }
        }
        #expect(try day(.months(1, .floor)) == "2026-02-28")
        #expect(try day(.months(1, .ceiling)) == "2026-03-03")
        #expect(try day(.months(1, .floor).days(1)) == "2026-03-01")
        #expect(try day(.days(29).months(0).years(1, .floor)) == "2027-03-01")
        #expect(
            Card.select { $0.due(.years(2).months(1, .floor)) }.text
                == "SELECT datetime(`cards`.`due`, '2 years', '1 months', 'floor', 'subsec') FROM `cards`"
        )
    }

    @Test(.proves("TYP-07"))
    func `a static query is chained behind a selection, with its columns and joins`() throws {
        let counted = Board.order(by: \.id).limit(1).select(\.title).withCardCount
        #expect(
            counted.text
                == "SELECT `boards`.`title`, count(`cards`.`id`) FROM `boards` JOIN `cards` ON `boards`.`id` = `cards`.`boardID` GROUP BY `boards`.`id` ORDER BY `boards`.`id` LIMIT 1"
        )
        let row = try #require(try queue.read(counted.fetchOne))
        #expect(row == ("Work", 1))
        #expect(try rows(Board.select(\.title).ordered) == ["Empty", "Home", "Work"])
        #expect(try rows(Board.select(\.title).high) == ["Home", "Empty"])
        #expect(try rows(Board.ordered.titles.high) == ["Empty", "Home"])
        let pairs = try rows(Board.high.select(\.position).titles)
        #expect(pairs.map(\.1) == ["Home", "Empty"])
        let three = try rows(Board.high.select { ($0.id, $0.title) }.withCardCount)
        #expect(three.map(\.2) == [2])
        let joined = Board.join(Card.all) { $0.id.eq($1.boardID) }
        #expect(try rows(joined.select { $1.title }.ordered.high).count == 2)
    }
}
