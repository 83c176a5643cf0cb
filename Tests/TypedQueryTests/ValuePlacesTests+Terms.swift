import Foundation
import StrongroomTables
import StrongroomTestSupport
import Testing

/// The compiler has to know these before it checks the first query on them.
private typealias Tables = (Board.TableColumns, Card.TableColumns)

extension ValuePlacesTests {
    @Test(.proves("TYP-12"))
    func `an empty list is no number of a column where rows are ordered or grouped`() throws {
        let ordered = Card.order { ($0.id.in([]), $0.title) }.select(\.title)
        #expect(
            ordered.text
                == "SELECT `cards`.`title` FROM `cards` ORDER BY CAST(0 AS INTEGER), `cards`.`title`"
        )
        #expect(try rows(ordered) == ["a", "b", "c"])
        // As number 1 it would order by the title.
        let kept = Card.order { ($0.id.notIn([]).desc(), $0.id) }.select(\.title)
        #expect(try rows(kept) == ["b", "a", "c"])
        let none = Card.order { ($0.id.in(Card.none.select(\.id)).asc(nulls: .last), $0.id) }
        #expect(try rows(none.select(\.title)) == ["b", "a", "c"])
        let hinted = Card.order { ($0.id.in([]).likely(), $0.id) }.select(\.title)
        #expect(try rows(hinted) == ["b", "a", "c"])
        let grouped = Card.group { $0.id.in([]) }.select { $0.id.count() }
        #expect(try rows(grouped) == [3])
        let hintedGroup = Card.group { $0.id.notIn([]).unlikely() }.select { $0.id.count() }
        #expect(try rows(hintedGroup) == [3])
        let exists = Card.order { (Card.none.exists(), $0.id) }.select(\.title)
        #expect(try rows(exists) == ["b", "a", "c"])
        let number = Card.order { (1, $0.id) }.select(\.title)
        #expect(number.text.hasSuffix("ORDER BY CAST(1 AS INTEGER), `cards`.`id`"))
        #expect(try rows(number) == ["b", "a", "c"])
        // SQL of one's own may mean the column.
        let own = Card.order { _ in #sql("1", as: Int.self) }.select(\.title)
        #expect(try rows(own) == ["a", "b", "c"])
        // In a condition it stays what it is.
        #expect(Card.where { $0.id.in([]) }.select(\.id).text.hasSuffix("WHERE 0"))
    }

    @Test(.proves("TYP-13"))
    func `an update takes each function of an optional column`() throws {
        let ids = Card.order(by: \.id)
        let length = Card.update { $0.count = $0.note.length() ?? 0 }
        #expect(
            length.text == "UPDATE `cards` SET `count` = coalesce(length(`cards`.`note`), 0)")
        #expect(try after(length, ids.select(\.count)) == [2, 0, 3])
        let like = Card.where { $0.note.isNot(nil) }.update { $0.isDone = $0.note.like("a%") }
        #expect(try after(like, ids.select(\.isDone)) == [true, false, false])
        let some = Card.where { $0.note.isNot(nil) }.update {
            $0.isDone = $0.maybe > 3 && $0.note.hasPrefix("a")
        }
        #expect(try after(some, ids.select(\.isDone)) == [true, false, false])
        // What is unknown is NULL, which the column refuses.
        #expect(throws: DatabaseError.self) {
            try after(Card.update { $0.isDone = $0.note.like("a%") }, ids.select(\.isDone))
        }
        let upper = Card.update { $0.note = $0.note.upper() }
        #expect(try after(upper, ids.select(\.note)) == ["AB", nil, "XYZ"])
        let title = Card.update { $0.title = $0.note.upper() ?? "" }
        #expect(try after(title, ids.select(\.title)) == ["AB", "", "XYZ"])
        let maybe = Card.update { $0.maybe = $0.note.length() }
        #expect(try after(maybe, ids.select(\.maybe)) == [2, nil, 3])
        let instr = Card.update { $0.count = $0.note.instr("b") ?? 0 }
        #expect(try after(instr, ids.select(\.count)) == [2, 0, 0])
    }
}
