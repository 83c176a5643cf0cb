import StrongroomTables
import StrongroomTestSupport
import Testing

/// The compiler has to know these before it checks the first query on them.
private typealias Tables = (Board.TableColumns, Card.TableColumns)

// The cards, by id: count 0, 0, 0; maybe 5, NULL, 2; note ab, NULL, xyz; title b, a, c.

extension ValuePlacesTests {
    @Test(.proves("TYP-01"))
    func `a subquery changes a column in place`() throws {
        let counts = Card.order(by: \.id).select(\.count)
        let added = Card.update { $0.count += Board.select { $0.position.max() } }
        #expect(
            added.text
                == "UPDATE `cards` SET `count` = `cards`.`count` + (SELECT max(`boards`.`position`) FROM `boards`)"
        )
        #expect(try after(added, counts) == [3, 3, 3])
        let maybe = Card.update { $0.maybe += Board.count() }
        #expect(
            maybe.text
                == "UPDATE `cards` SET `maybe` = `cards`.`maybe` + (SELECT count(*) FROM `boards`)")
        #expect(try after(maybe, Card.order(by: \.id).select(\.maybe)) == [8, nil, 5])
        let each = Card.update {
            $0.count -= Board.select { $0.position.max() ?? 0 }
            $0.maybe *= Board.select { $0.position.min() }
            $0.boardID /= Board.count()
        }
        #expect(try after(each, counts) == [-3, -3, -3])
        let rest = Card.update { $0.boardID %= Board.select { $0.position.max() } }
        #expect(try after(rest, Card.order(by: \.id).select(\.boardID)) == [1, 2, 2])
        let title = Card.update { $0.title += Board.order(by: \.id).select(\.title).limit(1) }
        #expect(
            try after(title, Card.order(by: \.id).select(\.title)) == ["bWork", "aWork", "cWork"])
        // No row is NULL, which the column refuses.
        #expect(throws: DatabaseError.self) {
            try after(
                Card.update { $0.count += Board.where { $0.id > 9 }.select(\.position) }, counts)
        }
    }

    @Test(.proves("TYP-02"))
    func `SQL and CASE change a column in place`() throws {
        let count = Card.order(by: \.id).select(\.count)
        #expect(try after(Card.update { $0.count += #sql("2") }, count) == [2, 2, 2])
        #expect(try after(Card.update { $0.count |= #sql("4") }, count) == [4, 4, 4])
        #expect(
            Card.update { $0.count %= #sql("2") }.text
                == "UPDATE `cards` SET `count` = `cards`.`count` % (2)")
        let cases = Card.update { $0.count += Case().when($0.note.is(nil), then: 1).else(2) }
        #expect(try after(cases, count) == [2, 1, 2])
        let note = Card.update { $0.note += #sql("'!'") }
        #expect(try after(note, Card.order(by: \.id).select(\.note)) == ["ab!", nil, "xyz!"])
    }

    @Test(.proves("TYP-02"))
    func `SQL stands behind ??, in lists and as a condition of CASE`() throws {
        let ids = Card.order(by: \.id)
        let other = ids.select { $0.maybe ?? #sql("7") }
        #expect(
            other.text
                == "SELECT coalesce(`cards`.`maybe`, 7) FROM `cards` ORDER BY `cards`.`id`")
        #expect(try rows(other) == [5, 7, 2])
        #expect(try rows(ids.where { ($0.note ?? #sql("'-'")).eq("-") }.select(\.id)) == [2])
        #expect(try rows(Card.order { $0.maybe ?? #sql("3") }.select(\.id)) == [3, 2, 1])
        let list = ids.where { $0.id.in(#sql("1, 3")) }.select(\.id)
        #expect(
            list.text
                == "SELECT `cards`.`id` FROM `cards` WHERE `cards`.`id` IN (1, 3) ORDER BY `cards`.`id`"
        )
        #expect(try rows(list) == [1, 3])
        #expect(try rows(ids.where { $0.id.notIn(#sql("SELECT 3")) }.select(\.id)) == [1, 2])
        #expect(try rows(ids.where { $0.maybe.in(#sql("SELECT 2")) }.select(\.id)) == [3])
        #expect(try rows(ids.where { $0.id.in([$0.boardID, $0.count]) }.select(\.id)) == [1, 2])
        #expect(try rows(ids.where { $0.id.notIn([$0.boardID]) }.select(\.id)) == [3])
        let chosen = ids.select {
            Case().when(#sql("maybe > 3"), then: "x").when($0.note.is(nil), then: #sql("'y'"))
                .else($0.title)
        }
        #expect(
            chosen.text
                == "SELECT CASE WHEN maybe > 3 THEN 'x' WHEN `cards`.`note` IS NULL THEN 'y' ELSE `cards`.`title` END FROM `cards` ORDER BY `cards`.`id`"
        )
        #expect(try rows(chosen) == ["x", "y", "c"])
        let operand = ids.select {
            Case($0.id).when(#sql("1 + 1"), then: "two").when(Board.count(), then: "last")
                .when(1, then: #sql("'one'")).else("other")
        }
        #expect(try rows(operand) == ["one", "two", "last"])
        let assigned = Card.update {
            $0.count = Case().when(#sql("1"), then: 2).else($0.count)
        }
        #expect(try after(assigned, ids.select(\.count)) == [2, 2, 2])
    }

    @Test(.proves("TYP-05"))
    func `a draft and a deletion are found by a subquery and by SQL`() throws {
        let last = Card.select { $0.id.max() }
        #expect(
            Card.Draft.find(last).text.hasSuffix(
                "WHERE `cards`.`id` IN (SELECT max(`cards`.`id`) FROM `cards`)"))
        #expect(try queue.read(Card.Draft.find(last).fetchAll).map(\.title) == ["c"])
        #expect(try queue.read(Card.Draft.find(#sql("1 + 1")).fetchAll).map(\.title) == ["a"])
        let chosen = Case().when(true, then: 1).else(2)
        #expect(try queue.read(Card.Draft.find(chosen).fetchAll).map(\.title) == ["b"])
        let titles = Card.order(by: \.id).select(\.title)
        #expect(try after(Card.delete().find(#sql("2")), titles) == ["b", "c"])
        let renamed = Card.update { $0.title = "z" }.find(#sql("2"))
        #expect(try after(renamed, titles) == ["b", "z", "c"])
        #expect(try rows(Card.select(\.title).find(#sql("3"))) == ["c"])
        #expect(try rows(Card.order(by: \.id).find(#sql("3")).select(\.title)) == ["c"])
    }
}
