import Foundation
import StrongroomTables
import StrongroomTestSupport
import Testing

/// The compiler has to know these before it checks the first query on them.
private typealias Tables = (
    Taxon.TableColumns, Variety.TableColumns, Packet.TableColumns, Member.TableColumns,
    Loan.TableColumns, Trait.TableColumns, VarietyTrait.TableColumns, Trial.TableColumns,
    Stock.TableColumns, Ranked.TableColumns, Best.TableColumns, YearPair.TableColumns,
    HarvestLine.TableColumns, TrialLine.TableColumns
)

@Suite struct BeyondExamplesTests {
    let library: SeedLibrary

    init() throws { library = try SeedLibrary() }

    @Test(.proves("BYD-006"))
    func `all pairs of rows are joined`() throws {
        try library.check(
            Taxon.where { $0.id.eq(1) }.crossJoin(Trait.where { $0.code < "d" }).select {
                ($0.name, $1.code)
            },
            """
            SELECT `taxons`.`name`, `traits`.`code` FROM `taxons` CROSS JOIN `traits` WHERE \
            `taxons`.`id` = 1 AND `traits`.`code` < 'd'
            """,
            [["Solanaceae", "compact"]])
    }

    @Test(.proves("BYD-007"))
    func `tables are joined by a column of both`() throws {
        try library.check(
            VarietyTrait.join(Trial.all, using: \.varietyID).order { vt, t in
                (t.id.year, vt.traitCode)
            }.select { ($0.traitCode, $1.id.year) },
            """
            SELECT `varietiesTraits`.`traitCode`, `trials`.`year` FROM `varietiesTraits` JOIN \
            `trials` USING (`varietyID`) ORDER BY `trials`.`year`, `varietiesTraits`.`traitCode`
            """,
            [
                ["heirloom", 2022], ["compact", 2023], ["drought", 2023], ["early", 2023],
                ["heirloom", 2023], ["heirloom", 2023], ["heirloom", 2023], ["compact", 2024],
                ["early", 2024], ["early", 2024], ["heirloom", 2024], ["heirloom", 2024],
            ])

        let all: [(VarietyTrait, Trial?)] = try library.queue.read {
            try VarietyTrait.leftJoin(Trial.all, using: \.varietyID).fetchAll($0)
        }
        #expect(all.contains { $0.1 == nil })
        #expect(all.contains { $0.0.varietyID == $0.1?.id.varietyID })
        #expect(throws: QueryBuildingError.self) {
            try library.queue.read { try Trait.join(Trial.all, using: \.label).fetchAll($0) }
        }
    }

    @Test(.proves("BYD-008"))
    func `tables are joined by a foreign key`() throws {
        try library.check(
            Packet.join(Variety.all, by: \.varietyID).where { p, _ in p.seeds > 100 }.order {
                p, _ in p.id
            }.select { ($0.id, $1.name) },
            """
            SELECT `packets`.`id`, `varieties`.`name` FROM `packets` JOIN `varieties` ON \
            `packets`.`varietyID` = `varieties`.`id` WHERE `packets`.`seeds` > 100 ORDER BY \
            `packets`.`id`
            """,
            [
                [1, "Black Krim"], [4, "Hutterite Soup"], [9, "Merveille des Quatre Saisons"],
                [10, "Poppy 🌺 Mix"],
            ])
    }

    @Test(.proves("BYD-009"))
    func `rows have others`() throws {
        try library.check(
            Packet.where { $0.has(Loan.open, by: \.packetID) && $0.seeds > 50 }.order(by: \.id)
                .select(\.id),
            """
            SELECT `packets`.`id` FROM `packets` WHERE EXISTS (SELECT 1 FROM `loans` WHERE \
            `loans`.`returned` IS NULL AND `loans`.`packetID` = `packets`.`id`) AND \
            `packets`.`seeds` > 50 ORDER BY `packets`.`id`
            """,
            [[1], [4], [5], [9]])
        try library.check(
            Variety.where { v in
                v.has(Packet.stocked, by: \.varietyID) && !v.has(Trial.all, by: \.id.varietyID);
                v.name.length() < 12
            }.join(Taxon.where { $0.rank.neq(.family) }) { $0.taxonID.eq($1.id) }.order { v, t in
                (t.name, v.name.lower())
            }.limit(4).select { v, t in (v.name, t.name) },
            """
            SELECT `varieties`.`name`, `taxons`.`name` FROM `varieties` JOIN `taxons` ON \
            `varieties`.`taxonID` = `taxons`.`id` WHERE EXISTS (SELECT 1 FROM `packets` WHERE \
            `packets`.`seeds` > 0 AND `packets`.`varietyID` = `varieties`.`id`) AND NOT EXISTS \
            (SELECT 1 FROM `trials` WHERE `trials`.`varietyID` = `varieties`.`id`) AND \
            length(`varieties`.`name`) < 12 AND `taxons`.`rank` <> 'family' ORDER BY \
            `taxons`.`name`, lower(`varieties`.`name`) LIMIT 4
            """,
            [
                ["Fish", "Capsicum annuum"], ["Poppy 🌺 Mix", "Papaver"],
                ["rosa bianca", "Solanum melongena"],
            ])
    }

    @Test
    func `a query takes rows from another`() throws {
        try library.check(
            Stock.from(
                Packet.group(by: \.varietyID).select {
                    Stock.Columns(varietyID: $0.varietyID, seeds: $0.seeds.sum() ?? 0)
                }
            ).where { $0.seeds > 60 }.join(Variety.all) { $0.varietyID.eq($1.id) }.order { s, v in
                (s.seeds.desc(), v.name)
            }.select { ($1.name, $0.seeds) },
            """
            SELECT `varieties`.`name`, `stocks`.`seeds` FROM (SELECT `packets`.`varietyID` AS \
            `varietyID`, coalesce(sum(`packets`.`seeds`), 0) AS `seeds` FROM `packets` GROUP BY \
            `packets`.`varietyID`) AS `stocks` JOIN `varieties` ON `stocks`.`varietyID` = \
            `varieties`.`id` WHERE `stocks`.`seeds` > 60 ORDER BY `stocks`.`seeds` DESC, \
            `varieties`.`name`
            """,
            [
                ["Poppy 🌺 Mix", 1000], ["Merveille des Quatre Saisons", 500],
                ["Hutterite Soup", 200], ["Black Krim", 120], ["Dragon's Tongue", 85],
            ])
    }

    @Test
    func `a query takes rows from another, continued`() throws {
        try library.check(
            Ranked.from(
                Packet.join(Variety.all) { $0.varietyID.eq($1.id) }.where { p, _ in p.seeds > 0 }
                    .select { p, v in
                        Ranked.Columns(
                            shelf: p.place.shelf, name: v.name, seeds: p.seeds,
                            place: rowNumber().over(
                                .partition(by: p.place.shelf).order((p.seeds.desc(), p.id))))
                    }
            ).where { $0.place <= 2 }.order { ($0.shelf, $0.place) },
            """
            SELECT `rankeds`.`shelf`, `rankeds`.`name`, `rankeds`.`seeds`, `rankeds`.`place` \
            FROM (SELECT `packets`.`shelf` AS `shelf`, `varieties`.`name` AS `name`, \
            `packets`.`seeds` AS `seeds`, row_number() OVER (PARTITION BY `packets`.`shelf` \
            ORDER BY `packets`.`seeds` DESC, `packets`.`id`) AS `place` FROM `packets` JOIN \
            `varieties` ON `packets`.`varietyID` = `varieties`.`id` WHERE `packets`.`seeds` > 0) \
            AS `rankeds` WHERE `rankeds`.`place` <= 2 ORDER BY `rankeds`.`shelf`, \
            `rankeds`.`place`
            """,
            [
                ["A", "Black Krim", 120, 1], ["A", "Fish", 60, 2], ["B", "Hutterite Soup", 200, 1],
                ["B", "Dragon's Tongue", 75, 2], ["C", "Poppy 🌺 Mix", 1000, 1],
                ["C", "Merveille des Quatre Saisons", 500, 2],
            ])
    }

    @Test
    func `a query takes rows from another, continued 2`() throws {
        try library.check(
            Best.from(
                Loan.join(Member.all) { $0.memberID.eq($1.id) }.where { _, m in m.leftOn.is(nil) }
                    .group { _, m in m.id }.select { l, m in
                        Best.Columns(
                            role: m.role, name: m.name, seeds: l.seeds.sum() ?? 0,
                            place: rank().over(.partition(by: m.role).order(l.seeds.sum().desc())))
                    }
            ).where { $0.place.eq(1) }.order { ($0.seeds.desc(), $0.role) },
            """
            SELECT `bests`.`role`, `bests`.`name`, `bests`.`seeds`, `bests`.`place` FROM (SELECT \
            `members`.`role` AS `role`, `members`.`name` AS `name`, \
            coalesce(sum(`loans`.`seeds`), 0) AS `seeds`, rank() OVER (PARTITION BY \
            `members`.`role` ORDER BY sum(`loans`.`seeds`) DESC) AS `place` FROM `loans` JOIN \
            `members` ON `loans`.`memberID` = `members`.`id` WHERE `members`.`leftOn` IS NULL \
            GROUP BY `members`.`id`) AS `bests` WHERE `bests`.`place` = 1 ORDER BY \
            `bests`.`seeds` DESC, `bests`.`role`
            """,
            [
                ["grower", "Chidi", 105, 1], ["steward", "Ada Lindqvist", 8, 1],
                ["guest", "Emi 🌱", 4, 1],
            ])
    }

    @Test
    func `a query takes rows from another, continued 3`() throws {
        try library.check(
            YearPair.from(
                Trial.select { t in
                    YearPair.Columns(
                        varietyID: t.id.varietyID, year: t.id.year, score: t.score,
                        before: t.score.lag(1).over(.partition(by: t.id.varietyID).order(t.id.year))
                    )
                }
            ).where { $0.before.isNot(nil) }.join(Variety.all) { $0.varietyID.eq($1.id) }.order {
                y, v in (v.name, y.year)
            }.select { y, v in (v.name, y.year, y.score - y.before) },
            """
            SELECT `varieties`.`name`, `yearPairs`.`year`, `yearPairs`.`score` - \
            `yearPairs`.`before` FROM (SELECT `trials`.`varietyID` AS `varietyID`, \
            `trials`.`year` AS `year`, `trials`.`score` AS `score`, lag(`trials`.`score`, 1) \
            OVER (PARTITION BY `trials`.`varietyID` ORDER BY `trials`.`year`) AS `before` FROM \
            `trials`) AS `yearPairs` JOIN `varieties` ON `yearPairs`.`varietyID` = \
            `varieties`.`id` WHERE `yearPairs`.`before` IS NOT NULL ORDER BY `varieties`.`name`, \
            `yearPairs`.`year`
            """,
            [["Black Krim", 2024, 2], ["Dragon's Tongue", 2024, 0]])
    }

    @Test
    func `a query takes rows from another, continued 4`() throws {
        try library.check(
            HarvestLine.from(
                Packet.where { $0.harvestYear.isNot(nil) }.group(by: \.harvestYear).select {
                    HarvestLine.Columns(year: $0.harvestYear ?? 0, packets: $0.count())
                }
            ).fullJoin(
                TrialLine.from(
                    Trial.group { $0.id.year }.select {
                        TrialLine.Columns(year: $0.id.year, trials: $0.count())
                    })
            ) { $0.year.eq($1.year) }.order { h, t in (h.year ?? t.year) }.select { h, t in
                (h.year ?? t.year, h.packets ?? 0, t.trials ?? 0)
            },
            """
            SELECT coalesce(`harvestLines`.`year`, `trialLines`.`year`), \
            coalesce(`harvestLines`.`packets`, 0), coalesce(`trialLines`.`trials`, 0) FROM \
            (SELECT coalesce(`packets`.`harvestYear`, 0) AS `year`, count(`packets`.`id`) AS \
            `packets` FROM `packets` WHERE `packets`.`harvestYear` IS NOT NULL GROUP BY \
            `packets`.`harvestYear`) AS `harvestLines` FULL JOIN (SELECT `trials`.`year` AS \
            `year`, count(*) AS `trials` FROM `trials` GROUP BY `trials`.`year`) AS `trialLines` \
            ON `harvestLines`.`year` = `trialLines`.`year` ORDER BY \
            coalesce(`harvestLines`.`year`, `trialLines`.`year`)
            """,
            [
                [2019, 1, 0], [2020, 1, 0], [2021, 1, 0], [2022, 1, 1], [2023, 4, 3], [2024, 3, 4],
            ])
    }
}
