import Foundation
import StrongroomTables
import StrongroomTestSupport
import Testing

/// The compiler has to know these before it checks the first query on them.
private typealias Tables = (
    Taxon.TableColumns, Variety.TableColumns, Packet.TableColumns, Member.TableColumns,
    Loan.TableColumns, Trait.TableColumns, VarietyTrait.TableColumns
)

@Suite struct JoinExamplesTests {
    let library: SeedLibrary

    init() throws { library = try SeedLibrary() }

    @Test
    func `inner joins give pairs`() throws {
        try library.check(
            Taxon.join(Variety.all) { $0.id.eq($1.taxonID) }.where { t, _ in t.rank.eq(.genus) },
            """
            SELECT `taxons`.`id`, `taxons`.`name`, `taxons`.`rank`, `taxons`.`parentID`, \
            `varieties`.`id`, `varieties`.`name`, `varieties`.`taxonID`, `varieties`.`habit`, \
            `varieties`.`aliases`, `varieties`.`sowing`, `varieties`.`isOpenPollinated`, \
            `varieties`.`daysToHarvest`, `varieties`.`added_on` FROM `taxons` JOIN `varieties` \
            ON `taxons`.`id` = `varieties`.`taxonID` WHERE `taxons`.`rank` = 'genus'
            """,
            [
                [
                    7, "Capsicum", "genus", 1, "00000000-0000-4000-8000-000000000006",
                    "Aji \"Amarillo\"", 7, 3, "[]",
                    "{\"depth\":1,\"indoors\":true,\"months\":[1,2]}", 1, nil,
                    "2025-01-10 12:00:00.000",
                ],
                [
                    11, "Papaver", "genus", nil, "00000000-0000-4000-8000-000000000008",
                    "Poppy 🌺 Mix", 11, nil, "[\"🌺\",\"Klatschmohn\"]", nil, 1, nil,
                    "2025-03-01 00:00:00.000",
                ],
            ])
    }

    @Test
    func `inner joins give pairs, continued`() throws {
        try library.check(
            Loan.where { $0.takenAt.year.eq(2025) }.join(Member.all) { $0.memberID.eq($1.id) }.join(
                Packet.all
            ) { l, _, p in l.packetID.eq(p.id) }.join(Variety.all) { _, _, p, v in
                p.varietyID.eq(v.id)
            }.group { _, m, _, _ in m.id }.having { l, _, _, _ in l.count() > 1 }.order {
                l, m, _, _ in (l.seeds.sum().desc(), m.name)
            }.select { l, m, _, v in
                BorrowerYear.Columns(
                    name: m.name, seeds: l.seeds.sum() ?? 0,
                    varieties: v.name.jsonGroupArray(distinct: true, order: v.name))
            },
            """
            SELECT `members`.`name` AS `name`, coalesce(sum(`loans`.`seeds`), 0) AS `seeds`, \
            json_group_array(DISTINCT `varieties`.`name` ORDER BY `varieties`.`name`) AS \
            `varieties` FROM `loans` JOIN `members` ON `loans`.`memberID` = `members`.`id` JOIN \
            `packets` ON `loans`.`packetID` = `packets`.`id` JOIN `varieties` ON \
            `packets`.`varietyID` = `varieties`.`id` WHERE CAST(strftime('%Y', \
            `loans`.`takenAt`) AS INTEGER) = 2025 GROUP BY `members`.`id` HAVING \
            count(`loans`.`id`) > 1 ORDER BY sum(`loans`.`seeds`) DESC, `members`.`name`
            """,
            [
                ["Chidi", 105, "[\"Black Krim\",\"Merveille des Quatre Saisons\"]"],
                ["Farid", 75, "[\"Hutterite Soup\",\"Merveille des Quatre Saisons\"]"],
                ["Bo O'Hara", 30, "[\"Black Krim\",\"Hutterite Soup\"]"],
            ])
    }

    @Test
    func `inner joins give pairs, continued 2`() throws {
        try library.check(
            Loan.where { $0.returned.is(nil) && $0.dueAt(.days(30)) < day("2026-04-01") }.join(
                Member.all
            ) { $0.memberID.eq($1.id) }.join(Packet.all) { l, _, p in l.packetID.eq(p.id) }.order {
                l, m, _ in (l.dueAt, m.name)
            }.limit(10).select { l, m, p in
                (l.id, m.name, p.place, l.dueAt.timeIntervalSince(l.takenAt) / 86400)
            },
            """
            SELECT `loans`.`id`, `members`.`name`, `packets`.`shelf`, `packets`.`box`, \
            (unixepoch(`loans`.`dueAt`, 'subsec') - unixepoch(`loans`.`takenAt`, 'subsec')) / \
            86400.0 FROM `loans` JOIN `members` ON `loans`.`memberID` = `members`.`id` JOIN \
            `packets` ON `loans`.`packetID` = `packets`.`id` WHERE `loans`.`returned` IS NULL \
            AND datetime(`loans`.`dueAt`, '30 days', 'subsec') < '2026-04-01 00:00:00.000' ORDER \
            BY `loans`.`dueAt`, `members`.`name` LIMIT 10
            """,
            [[2, "Chidi", "A", 1, 243.52083333333334], [6, "Chidi", "C", 1, 164.5]])
        try library.check(
            Variety.join(VarietyTrait.where { $0.traitCode.in(["heirloom", "early"]) }) {
                $0.id.eq($1.varietyID)
            }.where { v, _ in
                v.isOpenPollinated; v.id.notIn(Packet.where { $0.seeds.eq(0) }.select(\.varietyID))
            }.group { v, _ in v.id }.having { _, t in t.traitCode.count(distinct: true).eq(2) }
                .order { v, _ in v.name }.select { v, _ in v.name },
            """
            SELECT `varieties`.`name` FROM `varieties` JOIN `varietiesTraits` ON \
            `varieties`.`id` = `varietiesTraits`.`varietyID` WHERE `varietiesTraits`.`traitCode` \
            IN ('heirloom', 'early') AND `varieties`.`isOpenPollinated` AND `varieties`.`id` NOT \
            IN (SELECT `packets`.`varietyID` FROM `packets` WHERE `packets`.`seeds` = 0) GROUP \
            BY `varieties`.`id` HAVING count(DISTINCT `varietiesTraits`.`traitCode`) = 2 ORDER \
            BY `varieties`.`name`
            """,
            [["Dragon's Tongue"]])
    }

    @Test
    func `inner joins give pairs, continued 3`() throws {
        try library.check(
            Loan.join(Packet.all) { $0.packetID.eq($1.id) }.join(Variety.all) {
                $1.varietyID.eq($2.id)
            }.join(Taxon.all) { _, _, v, t in v.taxonID.eq(t.id) }.join(Member.all) {
                l, _, _, _, m in l.memberID.eq(m.id)
            }.where { l, _, v, _, m in m.leftOn.is(nil) && v.isOpenPollinated && l.seeds > 5 }.group
            { _, _, _, t, _ in t.id }.order { l, _, _, t, _ in (l.seeds.sum().desc(), t.name) }
                .select { l, p, v, t, m in
                    TaxonDemand.Columns(
                        taxon: t.name, seeds: l.seeds.sum() ?? 0,
                        members: m.name.jsonGroupArray(distinct: true, order: m.name),
                        shelves: p.place.shelf.groupConcat(distinct: true))
                },
            """
            SELECT `taxons`.`name` AS `taxon`, coalesce(sum(`loans`.`seeds`), 0) AS `seeds`, \
            json_group_array(DISTINCT `members`.`name` ORDER BY `members`.`name`) AS `members`, \
            group_concat(DISTINCT `packets`.`shelf`) AS `shelves` FROM `loans` JOIN `packets` ON \
            `loans`.`packetID` = `packets`.`id` JOIN `varieties` ON `packets`.`varietyID` = \
            `varieties`.`id` JOIN `taxons` ON `varieties`.`taxonID` = `taxons`.`id` JOIN \
            `members` ON `loans`.`memberID` = `members`.`id` WHERE `members`.`leftOn` IS NULL \
            AND `varieties`.`isOpenPollinated` AND `loans`.`seeds` > 5 GROUP BY `taxons`.`id` \
            ORDER BY sum(`loans`.`seeds`) DESC, `taxons`.`name`
            """,
            [
                ["Lactuca sativa", 150, "[\"Chidi\",\"Farid\"]", "C"],
                ["Phaseolus vulgaris", 60, "[\"Bo O'Hara\",\"Farid\"]", "B"],
                ["Solanum lycopersicum", 10, "[\"Bo O'Hara\"]", "A"],
            ])
    }

    @Test
    func `inner joins give pairs, continued 4`() throws {
        try library.check(
            Packet.join(Variety.all) { $0.varietyID.eq($1.id) }.where { p, v in
                p.seeds > 0 && v.name.length() > 4
            }.order { p, v in (p.place.shelf, p.place.box, v.name) }.limit(4).offset(2).select {
                p, v in
                (
                    v.name.upper(), p.place.shelf + p.place.box.cast(as: String.self),
                    Case(v.habit).when(.annual, then: "1y").when(.perennial, then: "∞").else("?"),
                    v.aliases.jsonArrayLength(), p.harvestYear ?? 0
                )
            },
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
    }

    @Test
    func `inner joins give pairs, continued 5`() throws {
        try library.check(
            Trait.join(VarietyTrait.all) { $0.code.eq($1.traitCode) }.join(
                Variety.where { $0.name.like("%a%") }
            ) { _, vt, v in vt.varietyID.eq(v.id) }.group { t, _, _ in t.code }.having { _, _, v in
                v.count() >= 2
            }.order { _, _, v in v.count().desc() }.order { t, _, _ in t.code }.limit(3).select {
                t, _, v in (t.label, v.name.groupConcat(" / ", order: v.name.desc()))
            },
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
    func `inner joins give pairs, continued 6`() throws {
        try library.check(
            Loan.join(Member.as(Borrower.self).all) { $0.memberID.eq($1.id) }.join(
                Member.as(Sponsor.self).where { $0.leftOn.is(nil) }
            ) { _, b, s in b.sponsorID.eq(s.id) }.where { l, b, _ in
                l.seeds > 4 && b.role.neq(.guest)
            }.group { _, _, s in s.id }.having { l, _, _ in l.count() > 1 }.order { l, _, _ in
                l.seeds.sum().desc()
            }.select { l, b, s in (s.name, b.id.count(distinct: true), l.seeds.sum()) },
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
}
