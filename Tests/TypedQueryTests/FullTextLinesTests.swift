import Foundation
import StrongroomTables
import StrongroomTestSupport
import Testing

/// The compiler has to know these before it checks the first query on them.
private typealias Tables = (
    Packet.TableColumns, Loan.TableColumns, Member.TableColumns, GrowNote.TableColumns,
    Trial.TableColumns
)

@Suite struct FullTextLinesTests {
    let library: SeedLibrary

    init() throws { library = try SeedLibrary() }

    private func titles(_ query: Where<GrowNote>) throws -> [String] {
        try library.queue.read { try query.order(by: \.rowid).select(\.title).fetchAll($0) }
    }

    @Test(.proves("TEX-047"))
    func `texts are searched`() throws {
        let either = GrowNote.where { $0.match("tomato OR beans") }
        #expect(either.text.hasSuffix(" WHERE `growNotes` MATCH 'tomato OR beans'"))
        #expect(try titles(either).count == 3)
        #expect(sql(GrowNote.self) { $0.title.match("take") } == "`growNotes` MATCH 'title:`take`'")
        #expect(
            sql(GrowNote.self) { $0.title.match("a \"b\" OR") }
                == "`growNotes` MATCH 'title:`a ``b`` OR`'")
        #expect(try titles(GrowNote.where { $0.title.match("a \"b\" OR") }).isEmpty)
        #expect(try titles(GrowNote.where { $0.title.match("tomato") }) == ["Saving tomato seed"])
        let named = GrowNote.as(N.self).where { $0.match("tomato") }.select(\.title)
        #expect(named.text.hasSuffix(" WHERE `ns`.`growNotes` MATCH 'tomato'"))
        // A table that stands in the query twice has two such columns.
        let twice = GrowNote.join(GrowNote.as(N.self).all) { $0.author.eq($1.author) }
            .where { a, b in
                a.match("tomatoes"); b.match("pulp")
            }.select { ($0.title, $1.title) }
        let rows = try library.queue.read { try twice.fetchAll($0) }
        #expect(rows.count == 1 && rows[0] == ("Sowing tomatoes", "Saving tomato seed"))
        let error = DatabaseError.thrown {
            _ = try library.queue.read { try GrowNote.where { $0.match("AND AND") }.fetchAll($0) }
        }
        #expect(error?.message?.contains("fts5: syntax error") == true)
    }

    @Test(.proves("TEX-048"))
    func `results of a search have a rank`() throws {
        let rank: SQLQueryExpression<Double?> = GrowNote.columns.rank
        #expect("\(rank.queryFragment)" == #""growNotes"."rank""#)
        #expect(sql(GrowNote.self) { $0.bm25() } == "bm25(`growNotes`)")
        #expect(
            sql(GrowNote.self) { $0.bm25([\.title: 10]) } == "bm25(`growNotes`, 10.0, 1.0, 1.0)")
        #expect(
            sql(GrowNote.self) { $0.bm25([\.body: 0.5, \.author: 2]) }
                == "bm25(`growNotes`, 1.0, 0.5, 2.0)")
        let search = GrowNote.where { $0.match("sow") }
        try library.queue.read { (db) throws in
            let ranked = try search.order(by: \.rank).select { ($0.rank, $0.bm25()) }.fetchAll(db)
            #expect(ranked.count == 3 && ranked.allSatisfy { $0.0 == $0.1 })
            #expect(ranked.compactMap(\.0) == ranked.compactMap(\.0).sorted())
            let weighted = try search.order { $0.bm25([\.title: 10]) }.select(\.title).fetchOne(db)
            #expect(weighted == "Lettuce all year")
            #expect(try GrowNote.limit(1).select(\.rank).fetchOne(db) == .some(nil))
        }
    }

    @Test(.proves("TEX-049"))
    func `what was found is marked`() throws {
        #expect(
            sql(GrowNote.self) { $0.title.highlight("<b>", "</b>") }
                == "highlight(`growNotes`, 0, '<b>', '</b>')")
        #expect(
            sql(GrowNote.self) { $0.body.snippet("<b>", "</b>", "…", 10) }
                == "snippet(`growNotes`, 1, '<b>', '</b>', '…', 10)")
        let marks = GrowNote.columns.title.highlight("?", "'").queryFragment.prepare { _ in "?" }
        #expect(marks.sql == #"highlight("growNotes", 0, ?, ?)"#)
        #expect(marks.bindings == [.text("?"), .text("'")])
        let named = GrowNote.as(N.self).where { $0.match("tomato") }.order(by: \.rowid)
            .select { ($0.title.highlight("<", ">"), $0.body.snippet("[", "]", "…", 3)) }
        #expect(named.text.hasPrefix("SELECT highlight(`ns`.`growNotes`, 0, '<', '>'), snippet("))
        let rows = try library.queue.read { try named.fetchAll($0) }
        #expect(rows.map(\.0) == ["Sowing tomatoes", "Saving <tomato> seed"])
        #expect(rows[0].1.contains("[Tomato]"))
        // A column of another table has no place in a search.
        #expect(throws: QueryBuildingError.self) {
            try library.queue.read {
                try Member.select { $0.name.highlight("a", "b") }.fetchAll($0)
            }
        }
    }

    @Test(.proves("TEX-050"))
    func `rows have numbers`() throws {
        let number: SQLQueryExpression<Int64> = Packet.columns.rowid
        #expect("\(number.queryFragment)" == #""packets"."rowid""#)
        let joined = Packet.join(Loan.all) { $0.rowid.eq($1.rowid) }
            .order { p, _ in p.rowid }.select { ($0.rowid, $1.id) }
        #expect(joined.text.contains("ON `packets`.`rowid` = `loans`.`rowid`"))
        let rows = try library.queue.read { try joined.fetchAll($0) }
        #expect(rows.count == 10 && rows.allSatisfy { Int($0.0) == $0.1 })
        let outer = Packet.leftJoin(Loan.all) { $0.rowid.eq($1.rowid) }
            .where { p, _ in p.rowid > 10 }.select { ($0.rowid, $1.rowid) }
        let missing: [(Int64, Int64?)] = try library.queue.read { try outer.fetchAll($0) }
        #expect(missing.map(\.0) == [11, 12] && missing.allSatisfy { $0.1 == nil })
        let notes = GrowNote.where { $0.rowid.eq(2) }
        #expect(try titles(notes) == ["Beans in cold soil"])
    }
}
