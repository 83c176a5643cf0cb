import Foundation
import StrongroomTables
import StrongroomTestSupport
import Testing

/// The compiler has to know these before it checks the first query on them.
private typealias Tables = (
    Taxon.TableColumns, Variety.TableColumns, Packet.TableColumns, Member.TableColumns,
    Loan.TableColumns, Trial.TableColumns, VarietyTrait.TableColumns
)

@Suite struct AggregateLinesTests {
    let library: SeedLibrary

    init() throws { library = try SeedLibrary() }

    private func ids(_ query: Where<Packet>) throws -> [Int] {
        try library.queue.read { try query.order(by: \.id).select(\.id).fetchAll($0) }
    }

    @Test(.proves("TEX-022"))
    func `rows and values are counted`() throws {
        #expect(sql(Packet.self) { $0.harvestYear.count() } == "count(`harvestYear`)")
        #expect(
            sql(Packet.self) { $0.harvestYear.count(distinct: true) }
                == "count(DISTINCT `harvestYear`)")
        #expect(
            sql(Packet.self) { $0.harvestYear.count(filter: $0.seeds > 1) }
                == "count(`harvestYear`) FILTER (WHERE `seeds` > 1)")
        #expect(sql(Packet.self) { $0.count() } == "count(`id`)")
        #expect(Packet.all.count().text == "SELECT count(*) FROM `packets`")
        #expect(sql(Trial.self) { $0.count() } == "count(*)")
        #expect(sql(VarietyTrait.self) { $0.count() } == "count(*)")
        let outer = Variety.leftJoin(Trial.all) { $0.id.eq($1.id.varietyID) }
            .leftJoin(VarietyTrait.all) { v, _, t in v.id.eq(t.varietyID) }
            .group { v, _, _ in v.name }.order { v, _, _ in v.name }.limit(2)
            .select { v, t, vt in (v.name, t.count(), vt.count()) }
        #expect(
            outer.text.contains("count(`trials`.`varietyID`), count(`varietiesTraits`.`varietyID`)")
        )
        let counts = try library.queue.read { try outer.fetchAll($0) }
        #expect(counts[0] == ("Aji \"Amarillo\"", 0, 1) && counts[1] == ("Black Krim", 2, 2))
    }

    @Test(.proves("TEX-023"))
    func `values are put together`() throws {
        #expect(sql(Packet.self) { $0.seeds.sum() } == "sum(`seeds`)")
        #expect(
            sql(Packet.self) { $0.seeds.sum(distinct: true, filter: $0.id > 1) }
                == "sum(DISTINCT `seeds`) FILTER (WHERE `id` > 1)")
        for (name, text) in [
            ("total", sql(Packet.self) { $0.seeds.total(distinct: true, filter: $0.id > 1) }),
            ("avg", sql(Packet.self) { $0.seeds.avg(distinct: true, filter: $0.id > 1) }),
            ("min", sql(Packet.self) { $0.seeds.min(distinct: true, filter: $0.id > 1) }),
            ("max", sql(Packet.self) { $0.seeds.max(distinct: true, filter: $0.id > 1) }),
        ] {
            #expect(text == "\(name)(DISTINCT `seeds`) FILTER (WHERE `id` > 1)")
        }
        #expect(sql(Packet.self) { ($0.seeds * 2).sum() } == "sum(`seeds` * 2)")
        try library.queue.read { (db) throws in
            let none = Packet.where { $0.id < 0 }.select {
                ($0.seeds.sum(), $0.seeds.total(), $0.seeds.avg(), $0.seeds.min(), $0.grams.max())
            }
            let values: (Int?, Double, Double?, Int?, Double?) = try #require(try none.fetchOne(db))
            #expect(values == (nil, 0, nil, nil, nil))
            let some = Packet.select {
                (($0.seeds * 2).sum(), $0.seeds.sum(distinct: true), $0.place.shelf.max())
            }
            #expect(try #require(try some.fetchOne(db)) == (4140, 2040, "C"))
        }
    }

    @Test(.proves("TEX-024"))
    func `texts are put together`() throws {
        #expect(sql(Member.self) { $0.name.groupConcat() } == "group_concat(`name`)")
        #expect(sql(Member.self) { $0.name.groupConcat("; ") } == "group_concat(`name`, '; ')")
        #expect(
            sql(Member.self) { $0.name.groupConcat(", ", order: $0.name.desc()) }
                == "group_concat(`name`, ', ' ORDER BY `name` DESC)")
        #expect(
            sql(Member.self) { $0.name.groupConcat(order: $0.id, filter: $0.id > 1) }
                == "group_concat(`name` ORDER BY `id`) FILTER (WHERE `id` > 1)")
        #expect(
            sql(Member.self) { $0.name.groupConcat(distinct: true, filter: $0.id > 1) }
                == "group_concat(DISTINCT `name`) FILTER (WHERE `id` > 1)")
        try library.queue.read { (db) throws in
            let names: [String?] = try Member.where { $0.role.eq(.steward) }
                .select { $0.name.groupConcat("|", order: $0.id.desc(), filter: $0.id > 0) }
                .fetchAll(db)
            #expect(names == ["Dörte \"Dee\" Maß|Ada Lindqvist"])
            let none = Member.where { $0.id < 0 }.select { $0.email.groupConcat() }
            #expect(try none.fetchOne(db) == .some(nil))
        }
    }
}
