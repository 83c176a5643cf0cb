import Foundation
import StrongroomTables
import StrongroomTestSupport
import Testing

@Suite struct JoinExamples2Tests {
    let library: SeedLibrary

    init() throws { library = try SeedLibrary() }

    @Test
    func `inner joins give pairs, continued 6`() throws {
        try library.check(
            Packet.join(Variety.all) { $0.varietyID.eq($1.id) }.where { p, v in p.seeds > 0 && v.name.length() > 4 }.order { p, v in (p.place.shelf, p.place.box, v.name) }.limit(4).offset(2).select { p, v in (v.name.upper(), p.place.shelf + p.place.box.cast(as: String.self), Case(v.habit).when(.annual, then: "1y").when(.perennial, then: "∞").else("?"), v.aliases.jsonArrayLength(), p.harvestYear ?? 0) },
            """
            SELECT upper(`varieties`.`name`), `packets`.`shelf` || CAST(`packets`.`box` AS \
            TEXT), CASE `varieties`.`habit` WHEN 1 THEN '1y' WHEN 3 THEN '∞' ELSE '?' END, \
            json_array_length(`varieties`.`aliases`), coalesce(`packets`.`harvestYear`, 0) FROM \
            `packets` JOIN `varieties` ON `packets`.`varietyID` = `varieties`.`id` WHERE \
            `packets`.`seeds` > 0 AND length(`varieties`.`name`) > 4 ORDER BY `packets`.`shelf`, \
            `packets`.`box`, `varieties`.`name` LIMIT 4 OFFSET 2
            """,
            [
                ["ROSA BIANCA", "A3", "∞", 0, 2023], ["DRAGON'S TONGUE", "B1", "1y", 1, 2024],
                ["HUTTERITE SOUP", "B1", "1y", 2, 2023], ["DRAGON'S TONGUE", "B2", "1y", 1, 0],
            ])
        try library.check(
            Trait.join(VarietyTrait.all) { $0.code.eq($1.traitCode) }.join(Variety.where { $0.name.like("%a%") }) { _, vt, v in vt.varietyID.eq(v.id) }.group { t, _, _ in t.code }.having { _, _, v in v.count() >= 2 }.order { _, _, v in v.count().desc() }.order { t, _, _ in t.code }.limit(3).select { t, _, v in (t.label, v.name.groupConcat(" / ", order: v.name.desc())) },
            """
            SELECT `traits`.`label`, group_concat(`varieties`.`name`, ' / ' ORDER BY \
            `varieties`.`name` DESC) FROM `traits` JOIN `varietiesTraits` ON `traits`.`code` = \
            `varietiesTraits`.`traitCode` JOIN `varieties` ON `varietiesTraits`.`varietyID` = \
            `varieties`.`id` WHERE `varieties`.`name` LIKE '%a%' GROUP BY `traits`.`code` HAVING \
            count(`varieties`.`id`) >= 2 ORDER BY count(`varieties`.`id`) DESC, `traits`.`code` \
            LIMIT 3
            """,
            [["Heirloom", "Rosa Bianca / Dragon's Tongue / Black Krim"]])
    }

    @Test
    func `inner joins give pairs, continued 7`() throws {
        try library.check(
            Loan.join(Member.as(Borrower.self).all) { $0.memberID.eq($1.id) }.join(Member.as(Sponsor.self).where { $0.leftOn.is(nil) }) { _, b, s in b.sponsorID.eq(s.id) }.where { l, b, _ in l.seeds > 4 && b.role.neq(.guest) }.group { _, _, s in s.id }.having { l, _, _ in l.count() > 1 }.order { l, _, _ in l.seeds.sum().desc() }.select { l, b, s in (s.name, b.id.count(distinct: true), l.seeds.sum()) },
            """
            SELECT `sponsors`.`name`, count(DISTINCT `borrowers`.`id`), sum(`loans`.`seeds`) \
            FROM `loans` JOIN `members` AS `borrowers` ON `loans`.`memberID` = `borrowers`.`id` \
            JOIN `members` AS `sponsors` ON `borrowers`.`sponsorID` = `sponsors`.`id` WHERE \
            `sponsors`.`leftOn` IS NULL AND `loans`.`seeds` > 4 AND `borrowers`.`role` <> \
            'guest' GROUP BY `sponsors`.`id` HAVING count(`loans`.`id`) > 1 ORDER BY \
            sum(`loans`.`seeds`) DESC
            """,
            [["Ada Lindqvist", 2, 150], ["Chidi", 1, 75]])
    }

    @Test
    func `outer joins give optional rows`() throws {
        try library.check(
            Member.leftJoin(Loan.where { $0.returned.is(nil) }) { $0.id.eq($1.memberID) }.where { m, _ in m.role.neq(.guest) }.order { m, l in (m.id, l.id) }.select { ($0.name, $1.seeds) },
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
            Loan.where { $0.returned.is(nil) }.rightJoin(Member.all) { $0.memberID.eq($1.id) }.where { _, m in m.leftOn.is(nil) }.order { l, m in (m.id, l.id) }.select { ($1.name, $0.seeds) },
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
            Variety.fullJoin(Trial.all) { $0.id.eq($1.id.varietyID) && $1.score >= 9 }.where { v, t in v.id.is(nil) || v.habit.eq(.perennial) }.select { ($0.name, $1.id.year, $1.plot) },
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
        try library.check(
            Variety.leftJoin(VarietyTrait.all) { $0.id.eq($1.varietyID) }.leftJoin(Trait.all) { $1.traitCode.eq($2.code) }.where { v, _, _ in v.addedOn.between(day("2024-01-01"), and: day("2025-06-01")) }.group { v, _, _ in v.id }.having { _, _, t in t.code.count() > 0 }.order { v, _, t in (t.code.count().desc(), v.name) }.select { v, _, t in (v.name, t.label.groupConcat(", ", order: t.label)) },
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
    func `outer joins give optional rows, continued 2`() throws {
        try library.check(
            Loan.group { $0.takenAt.month }.order { $0.takenAt.month }.having { $0.count() > 1 }.select { MonthLine.Columns(month: $0.takenAt.month, loans: $0.count(), open: $0.count(filter: $0.returned.is(nil)), seeds: $0.seeds.sum() ?? 0, back: $0.returned.total()) },
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
    func `outer joins give optional rows, continued 3`() throws {
        try library.check(
            Variety.leftJoin(Trial.all) { $0.id.eq($1.id.varietyID) }.leftJoin(Packet.all) { v, _, p in v.id.eq(p.varietyID) && p.seeds > 0 }.group { v, _, _ in v.id }.having { _, t, p in t.score.max() >= 8 || p.seeds.sum() > 400 }.order { v, t, _ in (t.score.max().desc(nulls: .last), v.name) }.select { v, t, p in Verdict.Columns(name: v.name, best: t.score.max(), grade: Case().when(t.score.max() >= 9, then: "top").when(t.score.max() >= 6, then: "good").else("untried"), packets: p.id.count(distinct: true)) },
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
    func `outer joins give optional rows, continued 4`() throws {
        try library.check(
            Member.leftJoin(Member.as(Sponsor.self).all) { $0.sponsorID.eq($1.id) }.where { m, _ in m.address.jsonExtract(\.city).in(["Lund", "Cork"]) }.order { m, _ in (m.address.jsonExtract(\.city), m.id) }.select { m, s in (m.name, m.address.jsonExtract(\.city), s.name, Member.as(Ward.self).where { $0.sponsorID.eq(m.id) }.count()) },
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
}
