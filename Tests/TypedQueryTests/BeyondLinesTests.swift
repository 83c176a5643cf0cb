import Foundation
import StrongroomTables
import StrongroomTestSupport
import Testing

/// The compiler has to know these before it checks the first query on them.
private typealias Tables = (
    Taxon.TableColumns, Packet.TableColumns, Member.TableColumns, Loan.TableColumns,
    Trait.TableColumns, GrowNote.TableColumns, Count.TableColumns, Stock.TableColumns
)

@Suite struct BeyondLinesTests {
    let library: SeedLibrary

    init() throws { library = try SeedLibrary() }

    private func sql(_ expression: some QueryExpression) -> String {
        expression.queryFragment.description.replacing(#""packets"."#, with: "")
    }

    @Test(.proves("BYD-001"))
    func `each window function, and each aggregate, sees a window`() throws {
        let p = Packet.columns
        let functions = [
            sql(rowNumber().over()), sql(rank().over()), sql(denseRank().over()),
            sql(percentRank().over()), sql(cumeDist().over()), sql(ntile(4).over()),
            sql(p.seeds.lag(1, default: 0).over()), sql(p.seeds.lead(2).over()),
            sql(p.seeds.firstValue().over()), sql(p.seeds.lastValue().over()),
            sql(p.seeds.nthValue(2).over()),
        ]
        #expect(
            functions == [
                "row_number() OVER ()", "rank() OVER ()", "dense_rank() OVER ()",
                "percent_rank() OVER ()", "cume_dist() OVER ()", "ntile(4) OVER ()",
                #"lag("seeds", 1, 0) OVER ()"#, #"lead("seeds", 2) OVER ()"#,
                #"first_value("seeds") OVER ()"#, #"last_value("seeds") OVER ()"#,
                #"nth_value("seeds", 2) OVER ()"#,
            ])
        let filter = p.seeds > 9
        let aggregates = [
            sql(p.seeds.sum(filter: filter).over()), sql(p.seeds.total(filter: filter).over()),
            sql(p.seeds.avg(filter: filter).over()), sql(p.seeds.min(filter: filter).over()),
            sql(p.seeds.max(filter: filter).over()), sql(p.seeds.count(filter: filter).over()),
            sql(p.place.shelf.groupConcat(filter: filter).over()),
        ]
        #expect(aggregates.allSatisfy { $0.hasSuffix(#" FILTER (WHERE "seeds" > 9) OVER ()"#) })
        try library.check(
            Packet.where { $0.place.shelf.eq("B") }.window(\.w) { .order($0.seeds) }
                .order(by: \.seeds).select { p in
                    (
                        rowNumber().over(\.w), cumeDist().over(\.w), p.seeds.lastValue().over(\.w),
                        p.seeds.nthValue(2).over(\.w),
                        p.id.count(filter: p.seeds > 10).over(\.w)
                    )
                },
            """
            SELECT row_number() OVER `w`, cume_dist() OVER `w`, last_value(`packets`.`seeds`) \
            OVER `w`, nth_value(`packets`.`seeds`, 2) OVER `w`, count(`packets`.`id`) FILTER \
            (WHERE `packets`.`seeds` > 10) OVER `w` FROM `packets` WHERE `packets`.`shelf` = 'B' \
            WINDOW `w` AS (ORDER BY `packets`.`seeds`) ORDER BY `packets`.`seeds`
            """,
            [
                [1, 0.3333333333333333, 10, nil, 0], [2, 0.6666666666666666, 75, 75, 1],
                [3, 1.0, 200, 75, 2],
            ])
    }

    @Test(.proves("BYD-003"))
    func `a window has a frame of each kind`() throws {
        let p = Packet.columns
        func frame(_ window: WindowSpec) -> String {
            String(sql(p.seeds.sum().over(window)).dropFirst(#"sum("seeds") OVER "#.count))
        }
        #expect(
            frame(.order(p.id).rows(from: .preceding(2), to: .currentRow))
                == #"(ORDER BY "id" ROWS BETWEEN 2 PRECEDING AND CURRENT ROW)"#)
        #expect(
            frame(.order(p.id).range(from: .currentRow, to: .following(3)))
                == #"(ORDER BY "id" RANGE BETWEEN CURRENT ROW AND 3 FOLLOWING)"#)
        #expect(
            frame(.order(p.id).groups(from: .start, to: .end).excluding(.ties))
                == """
                (ORDER BY "id" GROUPS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING \
                EXCLUDE TIES)
                """)
        for (exclusion, text) in [
            (FrameExclusion.currentRow, "CURRENT ROW"), (.group, "GROUP"), (.noOthers, "NO OTHERS"),
        ] {
            let window = WindowSpec.order(p.id).rows(from: .start, to: .end).excluding(exclusion)
            #expect(frame(window).hasSuffix("UNBOUNDED FOLLOWING EXCLUDE \(text))"))
        }
        try library.check(
            Packet.where { $0.place.shelf.eq("B") }.order(by: \.id).select { p in
                (
                    p.id,
                    p.seeds.sum().over(.order(p.id).rows(from: .preceding(1), to: .following(1))),
                    p.seeds.sum().over(
                        .order(p.place.box).groups(from: .start, to: .end).excluding(.ties)),
                    p.seeds.sum().over(.order(p.id).range(from: .preceding(1), to: .currentRow))
                )
            },
            """
            SELECT `packets`.`id`, sum(`packets`.`seeds`) OVER (ORDER BY `packets`.`id` ROWS \
            BETWEEN 1 PRECEDING AND 1 FOLLOWING), sum(`packets`.`seeds`) OVER (ORDER BY \
            `packets`.`box` GROUPS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING EXCLUDE \
            TIES), sum(`packets`.`seeds`) OVER (ORDER BY `packets`.`id` RANGE BETWEEN 1 \
            PRECEDING AND CURRENT ROW) FROM `packets` WHERE `packets`.`shelf` = 'B' ORDER BY \
            `packets`.`id`
            """,
            [[4, 275, 210, 200], [5, 285, 85, 275], [6, 85, 285, 85]])
    }

    @Test(.proves("BYD-005"))
    func `what a window gives is an operand, and is compared by a query on its rows`() throws {
        let p = Packet.columns
        let number = rowNumber().over(.order(p.seeds))
        let text = #"row_number() OVER (ORDER BY "seeds")"#
        #expect(sql(p.seeds - p.seeds.lag(1).over()) == #""seeds" - lag("seeds", 1) OVER ()"#)
        #expect(sql(number + 1) == "\(text) + 1")
        #expect(sql(number * 2 > 3) == "(\(text) * 2) > 3")
        #expect(sql(number.eq(1) || number.in([2, 3])) == "\(text) = 1 OR \(text) IN (2, 3)")
        #expect(sql(number.cast(as: String.self)) == "CAST(\(text) AS TEXT)")
        let inWhere = Packet.where { rowNumber().over(.order($0.seeds)).eq(1) }
        let inGroup = Packet.group { rowNumber().over(.order($0.seeds)) }
        let inHaving = Packet.group(by: \.id).having { rowNumber().over(.order($0.seeds)).eq(1) }
        for statement in [inWhere.request, inGroup.request, inHaving.request] {
            let error = try #require(throws: DatabaseError.self) {
                try library.queue.read { try Row.fetchAll($0, statement) }
            }
            #expect(error.message?.contains("misuse of window function row_number()") == true)
        }
        let counts = Count.from(
            Packet.select { Count.Columns(value: rowNumber().over(.order($0.id))) }
        ).where { $0.value > 10 }
        #expect(try library.queue.read { try counts.fetchAll($0) }.map(\.value) == [11, 12])
    }

    @Test(.proves("BYD-010"))
    func `a query on the rows of a query is like one on a table`() throws {
        let stocks = Stock.from(
            Packet.group(by: \.varietyID).select {
                Stock.Columns(varietyID: $0.varietyID, seeds: $0.seeds.sum() ?? 0)
            })
        let inner = """
            (SELECT `packets`.`varietyID` AS `varietyID`, coalesce(sum(`packets`.`seeds`), 0) AS \
            `seeds` FROM `packets` GROUP BY `packets`.`varietyID`) AS `stocks`
            """
        try library.check(
            stocks.where { $0.seeds > 400 }.order(by: \.seeds).select { ($0.seeds, $0.varietyID) },
            """
            SELECT `stocks`.`seeds`, `stocks`.`varietyID` FROM \(inner) WHERE `stocks`.`seeds` > \
            400 ORDER BY `stocks`.`seeds`
            """,
            [
                [500, "00000000-0000-4000-8000-000000000007"],
                [1000, "00000000-0000-4000-8000-000000000008"],
            ])
        let rows: [Stock] = try library.queue.read { try stocks.fetchAll($0) }
        #expect(rows.map(\.seeds).reduce(0, +) == 2070)
        let joined: [(Packet, Stock?)] = try library.queue.read { db in
            try Packet.where { $0.id < 3 }.leftJoin(stocks.where { $0.seeds > 500 }) {
                $0.varietyID.eq($1.varietyID)
            }.fetchAll(db)
        }
        #expect(joined.map { $0.1?.seeds } == [nil, nil])
        let compound = Count.from(
            Values(Count.Columns(value: 1)).union(Values(Count.Columns(value: 2))))
        #expect(try library.queue.read { try compound.fetchCount($0) } == 2)
        let table = Taxon.from(Taxon.where { $0.id < 4 }.limit(2)).where { $0.rank.neq(.family) }
        #expect(try library.queue.read { try table.fetchAll($0) }.map(\.id) == [2])
    }

    @Test(.proves("BYD-011"))
    func `rows change by those of inner joins`() throws {
        try library.check(
            Packet.join(Loan.where { $0.returned > 0 }) { $0.id.eq($1.packetID) }.update {
                $0.seeds = $0.seeds + $1.seeds
            }.returning { ($0.id, $0.seeds) },
            """
            UPDATE `packets` SET `seeds` = `packets`.`seeds` + `loans`.`seeds` FROM `loans` \
            WHERE `packets`.`id` = `loans`.`packetID` AND `loans`.`returned` > 0 RETURNING `id`, \
            `seeds`
            """,
            [[1, 130], [4, 220], [9, 550]])
    }

    @Test(.proves("BYD-012"))
    func `a compound is ordered by its results, and stands where queries stand`() throws {
        let names = Trait.select { ($0.code, $0.label) }.union(
            Taxon.select { ($0.name, $0.name) })
        let text = """
            SELECT `traits`.`code`, `traits`.`label` FROM `traits` UNION SELECT `taxons`.`name`, \
            `taxons`.`name` FROM `taxons`
            """
        try library.check(
            names.order { ($0.1.desc(), $0.0.asc()) }.limit(2).offset(1),
            text + " ORDER BY 2 DESC, 1 ASC LIMIT 2 OFFSET 1",
            [["Solanum lycopersicum", "Solanum lycopersicum"], ["Solanum", "Solanum"]])
        try library.check(
            names.order { $0.0.collate(.nocase) }.limit(1),
            text + " ORDER BY 1 COLLATE `NOCASE` LIMIT 1", [["Asteraceae", "Asteraceae"]])
        let codes = Trait.select(\.code).union(Taxon.select(\.name))
        let one = "SELECT `traits`.`code` FROM `traits` UNION SELECT `taxons`.`name` FROM `taxons`"
        try library.check(
            codes.order { $0.desc() }.limit(1), one + " ORDER BY 1 DESC LIMIT 1", [["off"]])
        try library.check(
            Trait.where { $0.code.in(codes) }.count(),
            "SELECT count(*) FROM `traits` WHERE `traits`.`code` IN (\(one))", [[7]])
        #expect(try library.queue.read { try Values(codes.exists()).fetchOne($0) } == true)
        let mapped = Taxon.find(1).select { ($0.id, $0.name) }
            .map { HarvestLine.Columns(year: $0, packets: $1.length()) }
            .union(Taxon.find(2).select { HarvestLine.Columns(year: $0.id, packets: 3) })
            .order { $0.packets }
        let lines = try library.queue.read { try mapped.fetchAll($0) }
        #expect(lines.map(\.packets) == [3, 10] && lines.map(\.year) == [2, 1])
        let rows = Values(Count.Columns(value: 3)).union(all: true, Values(Count.Columns(value: 1)))
        try library.check(
            rows.order { $0.value.desc() }.limit(1),
            "SELECT 3 AS `value` UNION ALL SELECT 1 AS `value` ORDER BY 1 DESC LIMIT 1", [[3]])
        try library.check(
            With {
                rows
            } query: {
                Count.order(by: \.value)
            },
            """
            WITH `counts` AS (SELECT 3 AS `value` UNION ALL SELECT 1 AS `value`) SELECT \
            `counts`.`value` FROM `counts` ORDER BY `counts`.`value`
            """, [[1], [3]])
        let from = Count.from(rows).where { $0.value > 1 }
        #expect(try library.queue.read { try from.fetchAll($0) }.map(\.value) == [3])
    }

    @Test(.proves("BYD-015"))
    func `a table of With says how it is made`() throws {
        let big = Count.where { $0.value < 3 }.select { Count.Columns(value: $0.value + 1) }
        try library.check(
            With {
                Count(value: 1).union(all: true, big)
            } query: {
                Count.all
            },
            """
            WITH RECURSIVE `counts` AS (SELECT 1 AS `value` UNION ALL SELECT `counts`.`value` + \
            1 AS `value` FROM `counts` WHERE `counts`.`value` < 3) SELECT `counts`.`value` FROM \
            `counts`
            """, [[1], [2], [3]])
        let ids = Taxon.where { $0.id < 2 }.select { Count.Columns(value: $0.id) }
        let inner = "(SELECT `taxons`.`id` AS `value` FROM `taxons` WHERE `taxons`.`id` < 2)"
        let query = "SELECT `counts`.`value` FROM `counts`"
        try library.check(
            With {
                ids.materialized()
            } query: {
                Count.all
            },
            "WITH `counts` AS MATERIALIZED \(inner) \(query)", [[1]])
        try library.check(
            With {
                ids.notMaterialized()
            } query: {
                Count.all
            },
            "WITH `counts` AS NOT MATERIALIZED \(inner) \(query)", [[1]])
        try library.check(
            With {
                ids
            } query: {
                Count.all
            }, "WITH `counts` AS \(inner) \(query)", [[1]])
        try library.check(
            With {
                #sql("SELECT 7", as: Count.self)
            } query: {
                Count.all
            },
            "WITH `counts` (`value`) AS (SELECT 7) \(query)", [[7]])
        try library.check(
            With {
                HarvestLine.from(Values(1, 2))
            } query: {
                HarvestLine.all
            },
            """
            WITH `harvestLines` (`year`, `packets`) AS (SELECT 1, 2) SELECT \
            `harvestLines`.`year`, `harvestLines`.`packets` FROM `harvestLines`
            """, [[1, 2]])
    }
}
