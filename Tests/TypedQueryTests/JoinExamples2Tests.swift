import Foundation
import StrongroomTables
import StrongroomTestSupport
import Testing

/// The compiler has to know these before it checks the first query on them.
private typealias Tables = (
    Variety.TableColumns, Packet.TableColumns, Member.TableColumns, Loan.TableColumns,
    Trait.TableColumns, VarietyTrait.TableColumns, Trial.TableColumns
)

@Suite struct JoinExamples2Tests {
    let library: SeedLibrary

    init() throws { library = try SeedLibrary() }

    @Test
    func `outer joins give optional rows`() throws {
        try library.check(
            Member.leftJoin(Loan.where { $0.returned.is(nil) }) { $0.id.eq($1.memberID) }.where {
                m, _ in m.role.neq(.guest)
            }.order { m, l in (m.id, l.id) }.select { ($0.name, $1.seeds) },
            """
            SELECT `members`.`name`, `loans`.`seeds` FROM `members` LEFT JOIN `loans` ON \
            `members`.`id` = `loans`.`memberID` AND `loans`.`returned` IS NULL WHERE \
            `members`.`role` <> 'guest' ORDER BY `members`.`id`, `loans`.`id`
            """,
            [
                ["Ada Lindqvist", 8], ["Bo O'Hara", 15], ["Chidi", 5], ["Chidi", 100],
                ["Dörte \"Dee\" Maß", nil], ["Farid", 25],
            ])
        try library.check(
            Loan.where { $0.returned.is(nil) }.rightJoin(Member.all) { $0.memberID.eq($1.id) }.where
            { _, m in m.leftOn.is(nil) }.order { l, m in (m.id, l.id) }.select {
                ($1.name, $0.seeds)
            },
            """
            SELECT `members`.`name`, `loans`.`seeds` FROM `loans` RIGHT JOIN `members` ON \
            `loans`.`memberID` = `members`.`id` AND `loans`.`returned` IS NULL WHERE \
            `members`.`leftOn` IS NULL ORDER BY `members`.`id`, `loans`.`id`
            """,
            [
                ["Ada Lindqvist", 8], ["Bo O'Hara", 15], ["Chidi", 5], ["Chidi", 100],
                ["Emi 🌱", nil], ["Farid", 25], ["ada lindqvist", nil],
            ])
    }

    @Test
    func `outer joins give optional rows, continued`() throws {
        try library.check(
            Variety.fullJoin(Trial.all) { $0.id.eq($1.id.varietyID) && $1.score >= 9 }.where {
                v, t in v.id.is(nil) || v.habit.eq(.perennial)
            }.select { ($0.name, $1.id.year, $1.plot) },
            """
            SELECT `varieties`.`name`, `trials`.`year`, `trials`.`plot` FROM `varieties` FULL \
            JOIN `trials` ON `varieties`.`id` = `trials`.`varietyID` AND `trials`.`score` >= 9 \
            WHERE `varieties`.`id` IS NULL OR `varieties`.`habit` = 3
            """,
            [
                ["Fish", nil, nil], ["Aji \"Amarillo\"", nil, nil], ["Rosa Bianca", nil, nil],
                [nil, 2023, "north"], [nil, 2023, "east"], [nil, 2023, "south"],
                [nil, 2024, "south"], [nil, 2024, "north"], [nil, 2022, "north"],
            ])
    }

    @Test
    func `outer joins give optional rows, continued 2`() throws {
        try library.check(
            Variety.leftJoin(VarietyTrait.all) { $0.id.eq($1.varietyID) }.leftJoin(Trait.all) {
                $1.traitCode.eq($2.code)
            }.where { v, _, _ in v.addedOn.between(day("2024-01-01"), and: day("2025-06-01")) }
                .group { v, _, _ in v.id }.having { _, _, t in t.code.count() > 0 }.order {
                    v, _, t in (t.code.count().desc(), v.name)
                }.select { v, _, t in (v.name, t.label.groupConcat(", ", order: t.label)) },
            """
            SELECT `varieties`.`name`, group_concat(`traits`.`label`, ', ' ORDER BY \
            `traits`.`label`) FROM `varieties` LEFT JOIN `varietiesTraits` ON `varieties`.`id` = \
            `varietiesTraits`.`varietyID` LEFT JOIN `traits` ON `varietiesTraits`.`traitCode` = \
            `traits`.`code` WHERE `varieties`.`added_on` BETWEEN '2024-01-01 00:00:00.000' AND \
            '2025-06-01 00:00:00.000' GROUP BY `varieties`.`id` HAVING count(`traits`.`code`) > \
            0 ORDER BY count(`traits`.`code`) DESC, `varieties`.`name`
            """,
            [
                ["Dragon's Tongue", "Compact, Early, Heirloom"], ["Fish", "Heirloom, Hot 🌶"],
                ["Hutterite Soup", "Drought tolerant, Heirloom"], ["Aji \"Amarillo\"", "Hot 🌶"],
                ["Black Krim", "Heirloom"], ["Sungold", "Early"],
            ])
    }

    @Test
    func `outer joins give optional rows, continued 3`() throws {
        try library.check(
            Loan.group { $0.takenAt.month }.order { $0.takenAt.month }.having { $0.count() > 1 }
                .select {
                    MonthLine.Columns(
                        month: $0.takenAt.month, loans: $0.count(),
                        open: $0.count(filter: $0.returned.is(nil)), seeds: $0.seeds.sum() ?? 0,
                        back: $0.returned.total())
                },
            """
            SELECT CAST(strftime('%m', `loans`.`takenAt`) AS INTEGER) AS `month`, \
            count(`loans`.`id`) AS `loans`, count(`loans`.`id`) FILTER (WHERE `loans`.`returned` \
            IS NULL) AS `open`, coalesce(sum(`loans`.`seeds`), 0) AS `seeds`, \
            total(`loans`.`returned`) AS `back` FROM `loans` GROUP BY CAST(strftime('%m', \
            `loans`.`takenAt`) AS INTEGER) HAVING count(`loans`.`id`) > 1 ORDER BY \
            CAST(strftime('%m', `loans`.`takenAt`) AS INTEGER)
            """,
            [
                [1, 2, 2, 23, 0.0], [3, 2, 1, 15, 30.0], [4, 2, 1, 45, 20.0], [8, 2, 1, 150, 75.0],
            ])
    }

    @Test
    func `outer joins give optional rows, continued 4`() throws {
        try library.check(
            Variety.leftJoin(Trial.all) { $0.id.eq($1.id.varietyID) }.leftJoin(Packet.all) {
                v, _, p in v.id.eq(p.varietyID) && p.seeds > 0
            }.group { v, _, _ in v.id }.having { _, t, p in
                t.score.max() >= 8 || p.seeds.sum() > 400
            }.order { v, t, _ in (t.score.max().desc(nulls: .last), v.name) }.select { v, t, p in
                Verdict.Columns(
                    name: v.name, best: t.score.max(),
                    grade: Case().when(t.score.max() >= 9, then: "top").when(
                        t.score.max() >= 6, then: "good"
                    ).else("untried"), packets: p.id.count(distinct: true))
            },
            """
            SELECT `varieties`.`name` AS `name`, max(`trials`.`score`) AS `best`, CASE WHEN \
            max(`trials`.`score`) >= 9 THEN 'top' WHEN max(`trials`.`score`) >= 6 THEN 'good' \
            ELSE 'untried' END AS `grade`, count(DISTINCT `packets`.`id`) AS `packets` FROM \
            `varieties` LEFT JOIN `trials` ON `varieties`.`id` = `trials`.`varietyID` LEFT JOIN \
            `packets` ON `varieties`.`id` = `packets`.`varietyID` AND `packets`.`seeds` > 0 \
            GROUP BY `varieties`.`id` HAVING max(`trials`.`score`) >= 8 OR \
            sum(`packets`.`seeds`) > 400 ORDER BY max(`trials`.`score`) DESC NULLS LAST, \
            `varieties`.`name`
            """,
            [
                ["Black Krim", 9, "top", 1], ["Sungold", 9, "top", 1],
                ["Dragon's Tongue", 8, "good", 2], ["Merveille des Quatre Saisons", 6, "good", 1],
                ["Poppy 🌺 Mix", nil, "untried", 1],
            ])
    }

    @Test
    func `outer joins give optional rows, continued 5`() throws {
        try library.check(
            Member.leftJoin(Member.as(Sponsor.self).all) { $0.sponsorID.eq($1.id) }.where { m, _ in
                m.address.jsonExtract(\.city).in(["Lund", "Cork"])
            }.order { m, _ in (m.address.jsonExtract(\.city), m.id) }.select { m, s in
                (
                    m.name, m.address.jsonExtract(\.city), s.name,
                    Member.as(Ward.self).where { $0.sponsorID.eq(m.id) }.count()
                )
            },
            """
            SELECT `members`.`name`, json_extract(`members`.`address`, '$.`city`'), \
            `sponsors`.`name`, (SELECT count(*) FROM `members` AS `wards` WHERE \
            `wards`.`sponsorID` = `members`.`id`) FROM `members` LEFT JOIN `members` AS \
            `sponsors` ON `members`.`sponsorID` = `sponsors`.`id` WHERE \
            json_extract(`members`.`address`, '$.`city`') IN ('Lund', 'Cork') ORDER BY \
            json_extract(`members`.`address`, '$.`city`'), `members`.`id`
            """,
            [
                ["Bo O'Hara", "Cork", "Ada Lindqvist", 2], ["Ada Lindqvist", "Lund", nil, 2],
                ["Farid", "Lund", "Chidi", 0],
            ])
    }

    @Test
    func `outer joins give optional rows, continued 6`() throws {
        try library.check(
            Trait.leftJoin(VarietyTrait.all) { $0.code.eq($1.traitCode) }.leftJoin(
                Packet.where { $0.seeds > 20 }
            ) { $1.varietyID.eq($2.varietyID) }.group { t, _, _ in t.code }.having { t, vt, p in
                vt.varietyID.count(distinct: true) > 0 || t.label.length() > 10
            }.order { t, _, p in (p.seeds.sum().desc(nulls: .last), t.label.collate(.nocase)) }
                .select { t, vt, p in
                    Facet.Columns(
                        trait: t, varieties: vt.varietyID.count(distinct: true),
                        seeds: p.seeds.sum())
                },
            """
            SELECT `traits`.`code` AS `code`, `traits`.`label` AS `label`, count(DISTINCT \
            `varietiesTraits`.`varietyID`) AS `varieties`, sum(`packets`.`seeds`) AS `seeds` \
            FROM `traits` LEFT JOIN `varietiesTraits` ON `traits`.`code` = \
            `varietiesTraits`.`traitCode` LEFT JOIN `packets` ON `varietiesTraits`.`varietyID` = \
            `packets`.`varietyID` AND `packets`.`seeds` > 20 GROUP BY `traits`.`code` HAVING \
            count(DISTINCT `varietiesTraits`.`varietyID`) > 0 OR length(`traits`.`label`) > 10 \
            ORDER BY sum(`packets`.`seeds`) DESC NULLS LAST, `traits`.`label` COLLATE `NOCASE`
            """,
            [
                ["heirloom", "Heirloom", 5, 485], ["drought", "Drought tolerant", 1, 200],
                ["early", "Early", 2, 115], ["compact", "Compact", 1, 75], ["hot", "Hot 🌶", 2, 60],
                ["odd", "50% off_type", 0, nil], ["off", "500 offxtype", 0, nil],
            ])
    }

    @Test
    func `outer joins give optional rows, continued 7`() throws {
        try library.check(
            Packet.leftJoin(Loan.open) { $0.id.eq($1.packetID) }.where { p, _ in
                p.harvestYear.isNot(nil)
            }.group { p, _ in
                Case().when(p.harvestYear >= 2023, then: "fresh").when(
                    p.harvestYear >= 2021, then: "aging"
                ).else("old")
            }.having { p, _ in p.count() >= 1 }.order { p, _ in p.harvestYear.max().desc() }.select
            { p, l in
                (p.harvestYear.min(), p.harvestYear.max(), p.id.count(distinct: true), l.count())
            },
            """
            SELECT min(`packets`.`harvestYear`), max(`packets`.`harvestYear`), count(DISTINCT \
            `packets`.`id`), count(`loans`.`id`) FROM `packets` LEFT JOIN `loans` ON \
            `packets`.`id` = `loans`.`packetID` AND `loans`.`returned` IS NULL WHERE \
            `packets`.`harvestYear` IS NOT NULL GROUP BY CASE WHEN `packets`.`harvestYear` >= \
            2023 THEN 'fresh' WHEN `packets`.`harvestYear` >= 2021 THEN 'aging' ELSE 'old' END \
            HAVING count(`packets`.`id`) >= 1 ORDER BY max(`packets`.`harvestYear`) DESC
            """,
            [[2023, 2024, 7, 5], [2021, 2022, 2, 0], [2019, 2020, 2, 0]])
    }
}
