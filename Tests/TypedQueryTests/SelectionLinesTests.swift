import Foundation
import StrongroomTables
import StrongroomTestSupport
import Testing

/// The compiler has to know these before it checks the first query on them.
private typealias Tables = (
    Variety.TableColumns, Packet.TableColumns, Member.TableColumns, Loan.TableColumns,
    Taxon.TableColumns, Trait.TableColumns, Trial.TableColumns, OpenName.TableColumns,
    Clash.TableColumns, Filled.TableColumns, Sums.TableColumns, Event.TableColumns
)

@Selection struct Filled: Equatable {
    var name: String
    var count = 3
    var note: String?
    var year: Int?
}
/// Two tables with columns of one name, and a column that has the longer name already.
@Selection struct Clash {
    let variety_id: Int
    let packet: Packet
    let variety: Variety
}
@Selection struct Nested { let card: PacketCard; let label: String; let member: Member? }

@Suite struct SelectionLinesTests {
    let library: SeedLibrary

    init() throws { library = try SeedLibrary() }

    @Test(.proves("SEL-001"))
    func `a selection is the row of a select`() throws {
        let query = Variety.join(Taxon.all) { $0.taxonID.eq($1.id) }.order { v, _ in v.id }.limit(1)
            .select { VarietyName.Columns(variety: $0.name, taxon: $1.name) }
        #expect(
            query.text
                == """
                SELECT `varieties`.`name` AS `variety`, `taxons`.`name` AS `taxon` FROM \
                `varieties` JOIN `taxons` ON `varieties`.`taxonID` = `taxons`.`id` ORDER BY \
                `varieties`.`id` LIMIT 1
                """)
        let row: VarietyName? = try library.queue.read { try query.fetchOne($0) }
        #expect(row?.variety == "Black Krim" && row?.taxon == "Solanum lycopersicum")
    }

    @Test(.proves("SEL-002"))
    func `a selection takes expressions and values, and has defaults`() throws {
        let query = Packet.find(1).select {
            Filled.Columns(
                name: $0.place.shelf, count: $0.seeds + 1, note: "new", year: $0.harvestYear)
        }
        #expect(
            query.text.hasPrefix(
                """
                SELECT `packets`.`shelf` AS `name`, `packets`.`seeds` + 1 AS `count`, 'new' AS \
                `note`, `packets`.`harvestYear` AS `year` FROM
                """))
        let short = Packet.find(1).select { _ in Filled.Columns(name: "x") }
        #expect(
            short.text.hasPrefix(
                "SELECT 'x' AS `name`, 3 AS `count`, NULL AS `note`, NULL AS `year` FROM"))
        let none: String? = nil
        let value = Packet.find(1).select { Filled.Columns(name: "y", note: none, year: $0.id) }
        try library.queue.read { (db) throws in
            #expect(
                try query.fetchOne(db) == Filled(name: "A", count: 121, note: "new", year: 2023))
            #expect(try short.fetchOne(db) == Filled(name: "x"))
            #expect(try value.fetchOne(db) == Filled(name: "y", year: 1))
        }
    }

    @Test(.proves("SEL-003", "DEC-023"))
    func `a property is a table, an optional one, a selection or an array`() throws {
        let nested = Packet.join(Variety.all) { $0.varietyID.eq($1.id) }
            .leftJoin(Member.where { $0.id.eq(2) }) { p, _, m in p.id.eq(m.id) }
            .where { p, _, _ in p.id < 3 }.order { p, _, _ in p.id }
            .select { p, v, m in
                Nested.Columns(
                    card: PacketCard.Columns(packet: p, variety: v), label: v.name + "!", member: m)
            }
        let cards = try library.queue.read { try nested.fetchAll($0) }
        #expect(cards.map(\.card.packet.id) == [1, 2])
        #expect(cards.map(\.card.variety.name) == ["Black Krim", "Black Krim"])
        #expect(cards.map { $0.member?.name } == [nil, "Bo O'Hara"])
        #expect(cards[1].member?.address?.city == "Cork" && cards[0].label == "Black Krim!")
        let tests = Packet.join(Variety.all) { $0.varietyID.eq($1.id) }
            .leftJoin(Trial.all) { _, v, t in v.id.eq(t.id.varietyID) }
            .where { p, _, _ in p.id.in([1, 3, 7]) }.order { p, _, t in (p.id, t.id.year) }
            .select { p, v, t in
                TestCard.Columns(name: v.name, place: p.place, germination: p.germination, trial: t)
            }
        let lines = try library.queue.read { try tests.fetchAll($0) }
        #expect(lines.map { $0.trial?.id.year } == [2023, 2024, 2024, nil])
        #expect(lines.map { $0.germination?.sown } == [20, 20, nil, 12])
        #expect(lines[3].place == Place(shelf: "A", box: 3))
        let detail = Variety.leftJoin(VarietyTrait.all) { $0.id.eq($1.varietyID) }
            .leftJoin(Trait.all) { $1.traitCode.eq($2.code) }.group { v, _, _ in v.id }
            .order { v, _, _ in v.name }.limit(2).select { v, _, t in
                VarietyDetail.Columns(name: v.name, traits: t.jsonGroupArray())
            }
        let details: [VarietyDetail] = try library.queue.read { try detail.fetchAll($0) }
        #expect(details.map { $0.traits.map(\.code) } == [["hot"], ["heirloom"]])
        // Tuples nest in the same way.
        let pairs = Packet.join(Variety.all) { $0.varietyID.eq($1.id) }.find(3).select {
            ($0, $0.place, $1, VarietyName.Columns(variety: $1.name, taxon: "t"))
        }
        let pair = try #require(try library.queue.read { try pairs.fetchOne($0) })
        #expect(
            pair.0.id == 3 && pair.1.box == 2 && pair.2.name == "Sungold" && pair.3.taxon == "t")
    }

    @Test(.proves("SEL-004"))
    func `columns of a row have different names`() throws {
        let query = Packet.join(Variety.all) { $0.varietyID.eq($1.id) }
            .where { p, _ in p.id < 4 }.order { p, _ in p.id }
            .select { Clash.Columns(variety_id: $0.id + 100, packet: $0, variety: $1) }
        let names = try library.queue.read { (db) throws in
            try db.makeStatement(sql: query.debugSQL).columnNames
        }
        #expect(names.starts(with: ["variety_id", "id", "varietyID", "seeds"]))
        #expect(names.contains("variety_id_2") && names.contains("name"))
        #expect(Set(names.map { $0.lowercased() }).count == names.count)
        #expect(
            query.text.contains("`varieties`.`id` AS `variety_id_2`, `varieties`.`name` AS `name`"))
        #expect(query.text.contains("`packets`.`shelf` AS `shelf`"))
        let table = With {
            query
        } query: {
            Clash.order(by: \.variety_id)
        }
        try library.queue.write { (db) throws in
            func check(_ rows: [Clash]) {
                #expect(rows.map(\.variety_id) == [101, 102, 103])
                #expect(rows.map(\.packet.id) == [1, 2, 3])
                #expect(rows.map(\.variety.id) == [V.blackKrim, V.blackKrim, V.sungold])
            }
            check(try query.fetchAll(db))
            check(try table.fetchAll(db))
            try db.execute(sql: "CREATE TABLE clashes AS \(query.debugSQL)")
            check(try Clash.order(by: \.variety_id).fetchAll(db))
            try db.execute(sql: "DROP TABLE clashes; CREATE VIEW clashes AS \(query.debugSQL)")
            check(try Clash.order(by: \.variety_id).fetchAll(db))
        }
    }

    @Test(.proves("SEL-005"))
    func `tables that are selected whole have no other names`() throws {
        let query = Taxon.leftJoin(Variety.all) { $0.id.eq($1.taxonID) }.group { t, _ in t.id }
            .find(3).select { ($0, $1.count()) }
        #expect(
            query.text
                == """
                SELECT `taxons`.`id`, `taxons`.`name`, `taxons`.`rank`, `taxons`.`parentID`, \
                count(`varieties`.`id`) FROM `taxons` LEFT JOIN `varieties` ON `taxons`.`id` = \
                `varieties`.`taxonID` WHERE `taxons`.`id` = 3 GROUP BY `taxons`.`id`
                """)
        let row: (Taxon, Int)? = try library.queue.read { try query.fetchOne($0) }
        #expect(row?.0.name == "Solanum lycopersicum" && row?.1 == 2)
    }

    @Test(.proves("SEL-006"))
    func `a selection is the row of SQL, of With, of a view and of a subquery`() throws {
        let taken = Variety.where { $0.id < V.soupBean }.select { OpenName.Columns(name: $0.name) }
        let names = ["Black Krim", "Sungold"]
        try library.queue.write { (db) throws in
            let raw = #sql("SELECT name FROM varieties ORDER BY id LIMIT 2", as: OpenName.self)
            #expect(try raw.fetchAll(db).map(\.name) == names)
            let table = With {
                taken
            } query: {
                OpenName.order(by: \.name)
            }
            #expect(try table.fetchAll(db).map(\.name) == names)
            let inner = OpenName.from(taken).order(by: \.name)
            #expect(inner.text.contains(" FROM (SELECT `varieties`.`name` AS `name` FROM"))
            #expect(try inner.fetchAll(db).map(\.name) == names)
            try db.execute(sql: "CREATE VIEW openNames AS \(taken.debugSQL)")
            #expect(try OpenName.order(by: \.name).fetchAll(db).map(\.name) == names)
        }
    }

    @Test(.proves("SEL-007"))
    func `a selection has the name of a table`() throws {
        #expect(Sums.tableName == "sums" && OpenName.tableName == "openNames")
        let table = With {
            Loan.group(by: \.memberID).select {
                Sums.Columns(memberID: $0.memberID, lent: $0.seeds.sum() ?? 0, back: 0)
            }
        } query: {
            Sums.where { $0.lent > 100 }.select(\.memberID)
        }
        #expect(table.text.hasPrefix("WITH `sums` AS (SELECT"))
        #expect(
            table.text.hasSuffix("SELECT `sums`.`memberID` FROM `sums` WHERE `sums`.`lent` > 100"))
        #expect(try library.queue.read { try table.fetchSet($0) } == [3, 4])
    }

    @Test(.proves("SEL-010"))
    func `a group is a row value`() throws {
        let b = Place(shelf: "B", box: 1)
        #expect(sql(Packet.self) { $0.place.eq(b) } == "(`shelf`, `box`) = ('B', 1)")
        #expect(sql(Packet.self) { $0.place.neq(b) } == "(`shelf`, `box`) <> ('B', 1)")
        #expect(sql(Packet.self) { $0.place.is(b) } == "(`shelf`, `box`) IS ('B', 1)")
        #expect(sql(Packet.self) { $0.place.isNot(b) } == "(`shelf`, `box`) IS NOT ('B', 1)")
        #expect(sql(Packet.self) { $0.place < b } == "(`shelf`, `box`) < ('B', 1)")
        #expect(sql(Packet.self) { $0.place <= b } == "(`shelf`, `box`) <= ('B', 1)")
        #expect(sql(Packet.self) { $0.place > b } == "(`shelf`, `box`) > ('B', 1)")
        #expect(sql(Packet.self) { $0.place >= b } == "(`shelf`, `box`) >= ('B', 1)")
        #expect(sql(Packet.self) { $0.place.eq($0.place) } == "(`shelf`, `box`) = (`shelf`, `box`)")
        #expect(
            sql(Packet.self) { $0.place.in([b, Place(shelf: "C", box: 2)]) }
                == "(`shelf`, `box`) IN (VALUES ('B', 1), ('C', 2))")
        let hot = Trait(code: "hot", label: "Hot 🌶")
        #expect(sql(Trait.self) { $0.eq(hot) } == "(`code`, `label`) = ('hot', 'Hot 🌶')")
        let trial = Trial(id: Trial.ID(varietyID: V.soupBean, year: 2023), score: nil, plot: "east")
        #expect(sql(Trial.self) { $0.eq(trial) }.contains(") IS ("))
        #expect(sql(Trial.self) { $0.neq(trial) }.contains(") IS NOT ("))
        let two = sql(Trial.self) { $0.in([trial, trial]) }
        #expect(two.components(separatedBy: ") IS (").count == 3 && two.contains(") OR ("))
        let order = Packet.group(by: \.place).order { $0.place.desc() }.select { $0.place }
        #expect(
            order.text
                == """
                SELECT `packets`.`shelf`, `packets`.`box` FROM `packets` GROUP BY \
                `packets`.`shelf`, `packets`.`box` ORDER BY `packets`.`shelf` DESC, \
                `packets`.`box` DESC
                """)
        try library.queue.read { (db) throws in
            #expect(try order.fetchAll(db).first == Place(shelf: "C", box: 2))
            #expect(try Packet.where { $0.place.eq(b) }.select(\.id).fetchSet(db) == [4, 5])
            #expect(
                try Packet.where { $0.place.in([b, Place(shelf: "A", box: 2)]) }.fetchCount(db) == 3
            )
            #expect(try Packet.where { $0.place >= b && $0.place.neq(b) }.fetchCount(db) == 5)
            #expect(try Trait.where { $0.eq(hot) }.fetchCount(db) == 1)
            #expect(try Trial.where { $0.eq(trial) }.fetchCount(db) == 1)
            #expect(try Trial.where { $0.neq(trial) }.fetchCount(db) == 7)
            #expect(try Trial.where { $0.in([trial, trial]) }.fetchCount(db) == 1)
        }
    }

    @Test(.proves("SEL-014"))
    func `no row is as many NULLs as it has columns`() throws {
        let query = Packet.find(1).select { ($0.id, Optional<Place>.none, Optional<Taxon>.none) }
        #expect(
            query.text.hasPrefix("SELECT `packets`.`id`, NULL, NULL, NULL, NULL, NULL, NULL FROM"))
        let row = try #require(try library.queue.read { try query.fetchOne($0) })
        #expect(row.1 == nil && row.2 == nil)
        let card = Loan.find(1).select {
            LoanCard.Columns(loan: $0, member: Optional<Member>.none, isOpen: true)
        }
        #expect(try library.queue.read { try card.fetchOne($0) }?.member == nil)
    }
}
